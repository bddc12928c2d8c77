// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { GraphViewer } from "../../src/ui/viewer.js";
import { classColumn, dataOf, EVIL, graphOf, valueColumn } from "../fakes.js";

vi.mock("../../src/scene/scene.js", () => import("../fakes.js"));

const NAMES = ["ann", "=1+1", EVIL, "dora"];
let viewer: GraphViewer | null = null;

function open(): { el: HTMLElement; rows(): string[]; click(words: string): void; changed: ReturnType<typeof vi.fn> } {
  const el = document.createElement("div");
  document.body.append(el);
  // Room for all rows, which jsdom does not lay out.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
  const graph = graphOf(NAMES, [classColumn(["x", "y", "x", "y"]), valueColumn([1, 3, 2, Number.NaN])], [0, 1, 2, 3]);
  const changed = vi.fn();
  viewer = new GraphViewer(el, dataOf({ graph }), { changed });
  const click = (words: string): void => {
    const buttons = Array.from(el.querySelectorAll("button"));
    const found = buttons.find((one) => [one.textContent, one.getAttribute("aria-label"), one.title].includes(words));
    found!.click();
  };
  click("Table");
  const rows = (): string[] =>
    Array.from(el.querySelectorAll(".graphne-table-body [role=row]"), (row) => row.children[0].textContent!);
  return { el, rows, click, changed };
}

afterEach(() => {
  viewer?.destroy();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

describe("the table", () => {
  it("lists all nodes as text, and sorts them by a column, up, down and not at all", () => {
    const { el, rows, click } = open();
    expect(rows()).toEqual(["ann", "=1+1", EVIL, "dora"]);
    expect(el.querySelector("[role=grid]")!.getAttribute("aria-rowcount")).toBe("5");
    const [, , value] = Array.from(el.querySelectorAll("[role=columnheader]"), (head) => head.textContent!);
    click(`Sort by ${value}`);
    expect(rows()).toEqual(["ann", EVIL, "=1+1", "dora"]);
    click(`Sort by ${value}`);
    expect(rows()).toEqual(["=1+1", EVIL, "ann", "dora"]);
    click(`Sort by ${value}`);
    expect(rows()).toEqual(NAMES);
  });

  it("is linked with the selection both ways", () => {
    const { el, changed } = open();
    const row = (at: number): HTMLElement => el.querySelector(`[data-at="${at}"]`)!;
    row(2).click();
    expect(changed).toHaveBeenLastCalledWith({ selection: Uint32Array.of(2) });
    row(3).dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: true }));
    expect(changed).toHaveBeenLastCalledWith({ selection: Uint32Array.of(2, 3) });
    viewer!.update({ selection: Uint32Array.of(1) });
    const marked = Array.from(
      el.querySelectorAll("[aria-selected=true][data-at]"),
      (one) => one.children[0].textContent,
    );
    expect(marked).toEqual(["=1+1"]);
  });

  it("lists edges, and choosing one selects its ends", () => {
    const { el, rows, changed } = open();
    el.querySelector<HTMLElement>("[data-kind=edges]")!.click();
    expect(rows()).toEqual(["ann", EVIL]);
    el.querySelector<HTMLElement>('[data-at="1"]')!.click();
    expect(changed).toHaveBeenLastCalledWith({ selection: Uint32Array.of(2, 3) });
  });

  it("copies what is selected, without formulas", async () => {
    const { el, click } = open();
    const written = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: written } });
    el.querySelector<HTMLElement>('[data-at="1"]')!.click();
    click("Copy");
    await Promise.resolve();
    const [[copied]] = written.mock.calls as unknown as string[][];
    expect(copied.split("\r\n")[1]).toMatch(/^'=1\+1,/);
    expect(copied.split("\r\n")).toHaveLength(3);
    vi.unstubAllGlobals();
  });

  it("is moved through with the keyboard", () => {
    const { el, changed } = open();
    const grid = el.querySelector<HTMLElement>("[role=grid]")!;
    for (const key of ["ArrowDown", "ArrowDown", "Enter"])
      grid.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    expect(changed).toHaveBeenLastCalledWith({ selection: Uint32Array.of(2) });
    grid.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    expect(el.querySelector<HTMLElement>(".graphne-table-view")!.hidden).toBe(true);
  });
});
