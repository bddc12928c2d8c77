// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Texts } from "../../../src/data/types.js";
import { rankOf, Search, scan } from "../../../src/ui/controls/search.js";
import { EVIL, textsOf } from "../../fakes.js";

const scanAll = (names: Texts, wanted: string): Promise<{ best: string[]; matches: number[] }> =>
  new Promise((resolve) => {
    scan(names, wanted, (best, matches, done) => {
      if (done) resolve({ best: best.map(({ text }) => text), matches: [...matches] });
    });
  });

describe("scan", () => {
  it("finds substrings in any case; beginnings come first, then words, then the short", async () => {
    const names = textsOf(["Banana", "an ape", "Great Ant", "anchovy", "x"]);
    expect(await scanAll(names, "an")).toEqual({
      best: ["an ape", "anchovy", "Great Ant", "Banana"],
      matches: [0, 1, 2, 3],
    });
  });

  it("looks at labels, too, and names the node that has them", async () => {
    const found = await new Promise((resolve) => {
      const told = (best: readonly { text: string }[], _: unknown, done: boolean): void =>
        void (done && resolve(best.map(({ text }) => text)));
      scan(textsOf(["0", "1", "an"]), "an", told, [textsOf(["Ann", "Bob", "an"])]);
    });
    expect(found).toEqual(["an", "Ann (0)"]);
  });

  it("keeps the best 50 and all matches", async () => {
    const names = textsOf([...Array.from({ length: 500 }, (_, k) => `a longer name ${k}`), "name"]);
    const { best, matches } = await scanAll(names, "name");
    expect(matches).toHaveLength(501);
    expect(best).toHaveLength(50);
    expect(best[0]).toBe("name");
  });

  it("reads a million names in slices and lets others in between", async () => {
    const names: Texts = { length: 1_000_000, at: (node) => (node === 999_999 ? "needle" : "straw") };
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    expect(await scanAll(names, "needle")).toEqual({ best: ["needle"], matches: [999_999] });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it("stops when told", async () => {
    const found = vi.fn();
    scan(textsOf(["a"]), "a", found)();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(found).not.toHaveBeenCalled();
  });
});

it("ranks", () => {
  expect(["abc", "x-abc", "xabc", "xyz"].map((text) => rankOf(text, "abc"))).toEqual([0, 1, 2, -1]);
});

describe("Search", () => {
  const events = { matched: vi.fn(), chosen: vi.fn(), left: vi.fn() };
  const open = (names: string[]) => {
    const search = new Search(textsOf(names), events);
    document.body.append(search.element);
    const input = search.element.querySelector("input")!;
    const type = async (value: string): Promise<void> => {
      input.focus();
      input.value = value;
      input.dispatchEvent(new Event("input"));
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const press = (key: string) =>
      input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const lines = () => Array.from(search.element.querySelectorAll<HTMLElement>("[role=option]"));
    return { search, input, type, press, lines };
  };

  afterEach(() => {
    document.body.replaceChildren();
    vi.clearAllMocks();
  });

  it("highlights all matches and goes to the one that is chosen with the keys", async () => {
    const { type, press, lines, input } = open(["ann", "anna", "bob"]);
    await type("ANN");
    expect(events.matched).toHaveBeenLastCalledWith([0, 1]);
    expect(lines().map((line) => line.textContent)).toEqual(["ann", "anna"]);
    expect(input.getAttribute("aria-expanded")).toBe("true");
    press("ArrowDown");
    press("ArrowDown");
    expect(input.getAttribute("aria-activedescendant")).toBe(lines()[1].id);
    press("Enter");
    expect(events.chosen).toHaveBeenCalledWith(1);
    expect(input.getAttribute("aria-expanded")).toBe("false");
  });

  it("goes to the best match on enter, and to any with a click", async () => {
    const { type, press, lines } = open(["bob", "ann"]);
    await type("b");
    press("Enter");
    expect(events.chosen).toHaveBeenLastCalledWith(0);
    await type("n");
    lines()[0].click();
    expect(events.chosen).toHaveBeenLastCalledWith(1);
  });

  it("clears with escape, then leaves with another", async () => {
    const { type, press, input } = open(["ann"]);
    await type("a");
    press("Escape");
    expect(input.value).toBe("");
    expect(events.matched).toHaveBeenLastCalledWith(null);
    expect(events.left).not.toHaveBeenCalled();
    press("Escape");
    expect(events.left).toHaveBeenCalled();
  });

  it("says that nothing was found", async () => {
    const { search, type } = open(["ann"]);
    await type("zzz");
    expect(search.element.querySelector(".graphne-search-count")!.textContent).toBe("none");
    expect(events.matched).toHaveBeenLastCalledWith([]);
  });

  it("shows names as text", async () => {
    const { search, type, lines } = open([EVIL]);
    await type("img");
    expect(lines()[0].textContent).toBe(EVIL);
    expect(search.element.querySelector("img")).toBeNull();
  });

  it("stops scanning when it is destroyed", async () => {
    const { search, input } = open(["ann"]);
    input.value = "a";
    input.dispatchEvent(new Event("input"));
    search.destroy();
    search.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(events.matched).not.toHaveBeenCalled();
  });
});
