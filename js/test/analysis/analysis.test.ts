// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { countClasses, histogram } from "../../src/analysis/panel-selection.js";
import { recallText } from "../../src/analysis/recall-text.js";
import { HIDDEN } from "../../src/data/types.js";
import { seenFrom } from "../../src/picture/lens.js";
import type { Host, ViewerData } from "../../src/store/api.js";
import { fromJson } from "../../src/store/serialize.js";
import {
  classColumn,
  EVIL,
  type FakeScene,
  frameOf,
  graphOf,
  nextFrame,
  pointer,
  scenes,
  statusOf,
  valueColumn,
} from "../fakes.js";
import { el, find, onEmptyPage, open as openAny, viewer } from "../opened.js";

vi.mock("../../src/scene/scene.js", () => import("../fakes.js"));

/** Two groups of ten on two lines far apart, each a ring; node 3 lies among the others, and 20 is alone. */
function groups(evil = ""): Partial<ViewerData> {
  const names = Array.from({ length: 21 }, (_, node) => `${evil}n${node}`);
  const labels = names.map((_, node) => (node === 20 ? null : node < 10 ? `${evil}left` : "right"));
  const pairs: number[] = [];
  for (let k = 0; k < 10; k++) pairs.push(k, (k + 1) % 10, 10 + k, 10 + ((k + 1) % 10));
  const degrees = names.map((_, node) => (node === 20 ? 0 : 2));
  const positions = Float32Array.from(
    names.flatMap((_, node) => [node === 3 ? 104.5 : node < 10 ? node : node < 20 ? 90 + node : 50, 0]),
  );
  const columns = [{ ...valueColumn(degrees), key: "degree", name: "degree" }, classColumn(labels)];
  const graph = graphOf(names, columns, pairs);
  return { graph, frame: { ...frameOf(21), positions }, status: statusOf({ state: "finished", iteration: 750 }) };
}

const open = (part: Partial<ViewerData> = {}, host: Host = {}): FakeScene => openAny({ ...groups(), ...part }, host);
const texts = (selector: string): (string | null)[] =>
  Array.from(el.querySelectorAll(selector), (one) => one.textContent);
const analysis = (): HTMLElement => find(".graphne-analysis");
const tab = (name: string): HTMLElement =>
  Array.from(el.querySelectorAll<HTMLElement>("[role=tab]")).find((one) => one.textContent === name)!;
const measured = (): Promise<void> => vi.waitFor(() => expect(find(".graphne-kept").textContent).toContain("%"), 4000);

onEmptyPage();

describe("the line under the picture", () => {
  it("says what the layout keeps, and what was packed", async () => {
    open();
    await measured();
    expect(find(".graphne-kept").textContent).toMatch(
      /^The picture keeps \d\d% of neighbours near \(\d+% by chance\) · 2 components and 1 isolate are packed, not measured/,
    );
  });

  it("is silent while the layout forms, and measures when it rests", async () => {
    open({ status: statusOf() });
    for (let k = 0; k < 5; k++) viewer.frame({ ...groups().frame!, iteration: 10 * k });
    await new Promise((resolve) => setTimeout(resolve, 450));
    expect(find(".graphne-kept").textContent).not.toContain("%");
    viewer.update({ status: statusOf({ state: "finished" }) });
    await measured();
  });

  it("has words for samples, given layouts and whole graphs", () => {
    const about = {
      measured: 10,
      nodes: 10,
      sampledEdges: false,
      parts: 1,
      isolates: 0,
      given: false,
      embedded: false,
      bounds: { random: 0.001, best: 1 },
    };
    expect(recallText(0.614, about)).toBe("The picture keeps 61% of neighbours near (less than 1% by chance)");
    expect(recallText(0.05, { ...about, bounds: { random: 0.014, best: 0.07 } })).toBe(
      "The picture keeps 5% of neighbours near (1% by chance, 7% at best)",
    );
    expect(recallText(0.5, { ...about, isolates: 1 })).toBe(
      "The picture keeps 50% of neighbours near (less than 1% by chance) · 1 isolate is packed, not measured",
    );
    expect(recallText(0.5, { ...about, parts: 3, isolates: 2, given: true })).toContain(
      "· 2 isolates are not measured",
    );
    expect(recallText(0.5, { ...about, parts: 3, isolates: 30, embedded: true })).toBe(
      "The picture keeps 50% of neighbours near (less than 1% by chance) · 30 isolates are placed apart, not trained",
    );
    expect(recallText(0.5, { ...about, parts: 3, embedded: true })).toBe(
      "The picture keeps 50% of neighbours near (less than 1% by chance)",
    );
    expect(recallText(0.5, { ...about, measured: 20_000, nodes: 90_000 })).toContain(
      "(measured on 20,000 of 90,000 nodes)",
    );
    expect(recallText(0.5, { ...about, sampledEdges: true, parts: 7 })).toBe(
      "The picture keeps 50% of the drawn neighbours near (less than 1% by chance)",
    );
  });
});

describe("neighbour recall", () => {
  it("is a column to colour by", async () => {
    const changed = vi.fn();
    const scene = open({}, { changed });
    await measured();
    const select = el.querySelector("select")!;
    select.value = "s:neighbour recall";
    select.dispatchEvent(new Event("change"));
    expect(changed).toHaveBeenLastCalledWith({ color: "s:neighbour recall" });
    const color = (node: number): string => Array.from(scene.colors.subarray(4 * node, 4 * node + 3)).join();
    expect(color(3)).toBe("68,1,84"); // none of its neighbours is near
    expect(color(7)).toBe("253,231,37"); // all are
    expect(color(20)).toBe("218,218,218"); // has none
    expect(find(".graphne-legend-name").textContent).toBe("neighbour recall");
  });
});

describe("two selected nodes", () => {
  it("say how far apart they are in the graph", () => {
    open();
    viewer.update({ selection: Uint32Array.of(0, 5) });
    expect(find(".graphne-facts").textContent).toContain("2 selected, 5 steps apart in the graph");
    viewer.update({ selection: Uint32Array.of(0, 1) });
    expect(find(".graphne-facts").textContent).toContain("1 step apart");
    viewer.update({ selection: Uint32Array.of(0, 15) });
    expect(find(".graphne-facts").textContent).toContain("2 selected, not connected ·");
    const { graph } = groups();
    viewer.update({ graph: { ...graph!, edges: 99 }, selection: Uint32Array.of(0, 2) });
    expect(find(".graphne-facts").textContent).toContain("at most 2 steps apart");
  });
});

describe("the lens", () => {
  it("tells neighbours that are near from those that are far, and strangers", () => {
    const positions = Float32Array.from([0, 0, 1, 0, 9, 0, 2, 0, 3, 0]);
    expect(seenFrom(positions, 0, [1, 2])).toEqual({ near: [1], far: [2], strangers: [3] });
    expect(seenFrom(positions, 0, [])).toEqual({ near: [], far: [], strangers: [] });
    expect(seenFrom(positions, 0, [1, 2, 3, 4])).toEqual({ near: [1, 2, 3, 4], far: [], strangers: [] });
  });

  it("is switched by a button, explains its marks, and says what it sees", async () => {
    const scene = open();
    const button = find("[aria-label='Distortion lens']");
    expect(button.getAttribute("aria-pressed")).toBe("false");
    button.click();
    expect(button.getAttribute("aria-pressed")).toBe("true");
    expect(texts(".graphne-key")).toEqual(["neighbour, near", "neighbour, far", "near without an edge"]);
    vi.spyOn(scene, "neighborsOf").mockReturnValue(Uint32Array.of(2, 4));
    scene.under = 3;
    find(".graphne-surface").dispatchEvent(pointer("pointermove", 5, 5));
    await nextFrame();
    expect(find(".graphne-tooltip-foot").textContent).toContain("0 of 2 neighbours near · 2 near without an edge");
    button.click();
    expect(find(".graphne-lens-key").hidden).toBe(true);
    find("[aria-label=Undo]").click();
    expect(find(".graphne-lens-key").hidden).toBe(false);
    expect(button.getAttribute("aria-pressed")).toBe("true");
  });

  it("is as it was saved, and every change of it is saved", () => {
    const saved = vi.fn();
    open({ view: fromJson({ lens: true }) }, { saved });
    const button = find("[aria-label='Distortion lens']");
    expect(button.getAttribute("aria-pressed")).toBe("true");
    expect(find(".graphne-lens-key").hidden).toBe(false);
    button.click();
    expect(saved.mock.lastCall?.[0].view.lens).toBe(false);
  });
});

describe("classes", () => {
  it("are measured and listed when the panel is open, and a click flies to a node among others", async () => {
    const changed = vi.fn();
    const scene = open({}, { changed });
    expect(analysis().hidden).toBe(true);
    find("[aria-label=Analysis].graphne-button").click();
    expect(analysis().hidden).toBe(false);
    expect(find(".graphne").hasAttribute("data-analysis")).toBe(true);
    await vi.waitFor(
      () => expect(texts(".graphne-analysis thead th")).toEqual(["class", "nodes", "recall", "15-NN", "edges"]),
      4000,
    );
    const rows = Array.from(el.querySelectorAll(".graphne-analysis tbody tr"), (row) =>
      Array.from(row.children, (cell) => cell.textContent),
    );
    // Ten are fewer than fifteen: nine of the own and six of the other group vote, and for 3 it is five and ten.
    expect(rows.map((row) => [row[0], row[1], row[3], row[4]])).toEqual([
      ["left", "10", "90", "100"],
      ["right", "10", "100", "100"],
      ["all", "20", "95", "100"],
    ]);
    expect(find(".graphne-heading").textContent).toBe("1 node among another class");
    find("[data-node='3']").click();
    expect(Array.from(changed.mock.lastCall![0].selection as Uint32Array)).toEqual([3]);
    expect(scene.camera.flyTo).toHaveBeenCalledOnce();
    find("[aria-label='Close the analysis']").click();
    expect(analysis().hidden).toBe(true);
    find("[aria-label=Analysis].graphne-button").click();
    tab("Classes").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    expect(analysis().hidden).toBe(true);
    expect(document.activeElement).toBe(find("[aria-label=Analysis].graphne-button"));
  });

  it("select their nodes, and list nobody who is hidden", async () => {
    const changed = vi.fn();
    open({}, { changed });
    find("[aria-label=Analysis].graphne-button").click();
    await vi.waitFor(() => expect(el.querySelector("[data-code='1']")).not.toBeNull(), 4000);
    find("[data-code='1']").click();
    expect(Array.from(changed.mock.lastCall![0].selection as Uint32Array)).toEqual([
      10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]);
    tab("Classes").click();
    expect(find(".graphne-heading").textContent).toBe("1 node among another class");
    const line = Array.from(el.querySelectorAll<HTMLElement>(".graphne-legend button.graphne-line")).find((one) =>
      one.textContent!.startsWith("left"),
    )!;
    line.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    await vi.waitFor(() => expect(find(".graphne-heading").textContent).toBe("No node is among another class"));
    expect(find(".graphne-facts").textContent).toContain("11 of 21 nodes shown");
  });

  it("are measured in the embedding by the kernel, on demand", async () => {
    const command = vi.fn(() => Promise.resolve({ dimension: 128, accuracy: [0.25, null], all: 0.5 } as unknown));
    open({ status: statusOf({ state: "finished", dimension: 128 }) }, { command });
    find("[aria-label=Analysis].graphne-button").click();
    await vi.waitFor(
      () => expect(find(".graphne-sheet .graphne-plain").textContent).toBe("Measure in 128D as well"),
      4000,
    );
    find(".graphne-sheet .graphne-plain").click();
    expect(command).toHaveBeenCalledExactlyOnceWith("classes", { column: "a:class" });
    await vi.waitFor(() => expect(texts(".graphne-analysis thead th")).toContain("128D"));
    expect(texts(".graphne-analysis tbody tr td:nth-child(5)")).toEqual(["25", "–", "50"]);
  });

  it("say so where there are none", () => {
    open({ graph: graphOf(["a", "b"], [], [0, 1]), frame: frameOf(2), color: "" });
    find("[aria-label=Analysis].graphne-button").click();
    expect(find(".graphne-sheet").textContent).toContain("no attribute with classes");
  });
});

describe("the selection", () => {
  it("is counted by class and degree, and listed", () => {
    const scene = open();
    find("[aria-label=Analysis].graphne-button").click();
    viewer.update({ selection: Uint32Array.of(1, 2, 15, 20) });
    expect(tab("Selection").getAttribute("aria-selected")).toBe("true");
    expect(find(".graphne-sheet:not([hidden]) .graphne-heading").textContent).toBe("4 nodes selected");
    expect(texts(".graphne-share")).toEqual(["left2", "right1", "no value1"]);
    const bars = Array.from(el.querySelectorAll<HTMLElement>(".graphne-histogram-bar"), ({ title }) => title);
    expect(bars).toEqual(["degree 0: 1 node", "degree 1: 0 nodes", "degree 2: 3 nodes"]);
    expect(texts(".graphne-scroll thead th")).toEqual(["node", "class", "degree", "neighbour recall"]);
    expect(texts(".graphne-scroll tbody tr:last-child > *")).toEqual(["n20", "", "0", ""]);
    find(".graphne-scroll [data-node='15']").click();
    expect(scene.camera.flyTo).toHaveBeenCalledOnce();
    viewer.update({ selection: new Uint32Array(0) });
    expect(find(".graphne-sheet:not([hidden])").textContent).toContain("Nothing is selected");
  });

  it("is counted right", () => {
    expect(countClasses(Uint8Array.of(0, 2, 2, 3, 1), 3, Uint32Array.of(1, 2, 3))).toEqual([
      { code: 2, count: 2 },
      { code: 3, count: 1 },
    ]);
    expect(histogram([])).toEqual([]);
    const values = Array.from({ length: 1000 }, (_, k) => (k * k) % 331);
    const bars = histogram(values);
    expect(bars.length).toBeLessThanOrEqual(24);
    for (const { from, to, count } of bars)
      expect(count).toBe(values.filter((value) => value >= from && value <= to).length);
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  });
});

describe("filters", () => {
  const add = (key: string): void => {
    const select = find<HTMLSelectElement>("[aria-label='Add a filter']");
    select.value = key;
    select.dispatchEvent(new Event("change"));
  };
  const hidden = (): number[] =>
    Array.from(scenes.at(-1)!.flags.entries())
      .filter(([, flags]) => flags & HIDDEN)
      .map(([node]) => node);

  it("hide nodes by number and by class, and show them again", async () => {
    open({ selection: Uint32Array.of(2, 20) });
    find("[aria-label=Analysis].graphne-button").click();
    tab("Filters").click();
    add("degree");
    const from = find<HTMLInputElement>("[aria-label='degree from']");
    expect(document.activeElement).toBe(from);
    from.value = "1";
    from.dispatchEvent(new Event("input"));
    expect(from.getAttribute("aria-valuetext")).toBe("2");
    await vi.waitFor(() => expect(hidden()).toEqual([20]));
    expect(find(".graphne-facts").textContent).toContain("2 selected, 1 of them hidden, not connected");
    add("a:class");
    const box = find(".graphne-box input");
    box.click();
    await vi.waitFor(() => expect(hidden()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20]));
    expect(find(".graphne-facts").textContent).toContain("2 selected, but hidden");
    expect(texts(".graphne-sheet:not([hidden]) .graphne-hint")).toEqual([
      "10 of 21 nodes are shown, with the edges between them.",
    ]);
    find("[aria-label='Remove the filter by class']").click();
    await vi.waitFor(() => expect(hidden()).toEqual([20]));
    find("[title='Remove all filters']").click();
    await vi.waitFor(() => expect(hidden()).toEqual([]));
    expect(find(".graphne-facts").textContent).toContain("2 selected, not connected");
  });

  it("say so where there are more classes than boxes", () => {
    const labels = Array.from({ length: 21 }, (_, node) => `c${node}`);
    const many = classColumn([...labels, ...Array.from({ length: 42 }, (_, k) => `d${k}`)]);
    open({ graph: { ...groups().graph!, columns: [{ ...many, codes: many.codes.slice(0, 21) }] } });
    find("[aria-label=Analysis].graphne-button").click();
    tab("Filters").click();
    add("a:class");
    expect(el.querySelectorAll(".graphne-box")).toHaveLength(60);
    expect(find(".graphne-boxes .graphne-hint").textContent).toBe("3 more classes are not listed.");
  });

  it("keep the two ends of a slider in order", async () => {
    open({ graph: { ...groups().graph!, columns: [valueColumn(Array.from({ length: 21 }, (_, k) => k))] } });
    find("[aria-label=Analysis].graphne-button").click();
    tab("Filters").click();
    add("a:value");
    const [from, to] = Array.from(el.querySelectorAll<HTMLInputElement>(".graphne-range input"));
    to.value = "5";
    to.dispatchEvent(new Event("input"));
    from.value = "9";
    from.dispatchEvent(new Event("input"));
    expect([from.value, to.value]).toEqual(["5", "5"]);
    expect(find(".graphne-filter-value").textContent).toBe("5 to 5");
    await vi.waitFor(() => expect(hidden()).toHaveLength(20));
    expect(scenes.at(-1)!.flags[5]).toBe(0);
  });
});

describe("statistics", () => {
  it("are offered where somebody computes them, and shown once they are there", async () => {
    const changed = vi.fn();
    let answer: (key: string) => void = () => {};
    const command = vi.fn(() => new Promise<unknown>((resolve) => (answer = resolve)));
    open({}, { changed, command });
    const [color, size] = Array.from(el.querySelectorAll("select"));
    expect(texts("select[title='What the colours show'] optgroup option")).toContain("PageRank");
    expect(Array.from(size.options, ({ value }) => value)).not.toContain("s:communities");
    color.value = "s:communities";
    color.dispatchEvent(new Event("change"));
    expect(command).toHaveBeenCalledExactlyOnceWith("statistic", { statistic: "communities" });
    expect(color.disabled).toBe(true);
    expect(texts(".graphne-note")).toEqual(["Computing communities …"]);
    viewer.update({ status: statusOf({ state: "finished", iteration: 5 }) });
    expect(color.value, "what is computed stays in the menu").toBe("s:communities");
    expect(changed).not.toHaveBeenCalled();
    const groups = classColumn(
      Array.from({ length: 21 }, (_, k) => String(k % 3)),
      "s:communities",
      3,
    );
    viewer.update({ extra: [{ ...groups, name: "communities", note: "by the <b>Leiden</b> algorithm" }] });
    answer("s:communities");
    await vi.waitFor(() => expect(changed).toHaveBeenCalledExactlyOnceWith({ color: "s:communities" }));
    expect([color.disabled, color.value]).toEqual([false, "s:communities"]);
    expect(texts(".graphne-legend .graphne-line-name")).toEqual(["0", "1", "2"]);
    expect(texts("optgroup option")).not.toContain("communities");
    expect(el.querySelector(".graphne-note")).toBeNull();
    expect(find(".graphne-legend-note").textContent).toBe("by the <b>Leiden</b> algorithm");
    expect(color.title).toBe(
      "communities: groups with more edges within than between them, found by their modularity; by the <b>Leiden</b> algorithm",
    );
    viewer.update({ color: "a:class" });
    expect(find(".graphne-legend-note").hidden).toBe(true);
    expect(color.title).toBe("What the colours show");
  });

  it("that come too late change nothing: after the view, or after another choice", async () => {
    const changed = vi.fn();
    const answers: ((key: string) => void)[] = [];
    const command = (): Promise<unknown> => new Promise((resolve) => answers.push(resolve));
    open({}, { changed, command });
    const [color, size] = Array.from(el.querySelectorAll("select"));
    for (const select of [color, size]) {
      select.value = "s:betweenness";
      select.dispatchEvent(new Event("change"));
    }
    expect(texts(".graphne-note")).toEqual(["Computing betweenness …", "Computing betweenness …"]);
    viewer.update({ color: "" });
    answers[0]("s:betweenness");
    await vi.waitFor(() => expect(color.disabled).toBe(false));
    expect(color.value).toBe("");
    viewer.destroy();
    answers[1]("s:betweenness");
    await Promise.resolve();
    await Promise.resolve();
    expect(changed).not.toHaveBeenCalled();
  });

  it("that fail are reported, and the menu goes back", async () => {
    open({}, { command: () => Promise.reject(new Error("too large")) });
    const color = el.querySelector("select")!;
    color.value = "s:betweenness";
    color.dispatchEvent(new Event("change"));
    await vi.waitFor(() => expect(find(".graphne-note").textContent).toBe("too large"));
    expect(color.value).toBe("a:class");
    viewer.update({ status: statusOf({ state: "finished", steerable: false }) });
    expect(el.querySelector("optgroup")).toBeNull();
  });
});

it("shows names and classes as text, wherever it shows them", async () => {
  open({ ...groups(EVIL), selection: Uint32Array.of(0, 3) });
  find("[aria-label=Analysis].graphne-button").click();
  await vi.waitFor(() => expect(texts(".graphne-list .graphne-line-name")).toContain(`${EVIL}n3`), 4000);
  tab("Selection").click();
  expect(texts(".graphne-node-name")).toContain(`${EVIL}n3`);
  tab("Filters").click();
  expect(el.querySelector("img, script, [onerror]")).toBeNull();
});

it("is reached by keys, and ends with the viewer", async () => {
  open();
  find("[aria-label=Analysis].graphne-button").click();
  tab("Classes").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  expect(tab("Filters").getAttribute("aria-selected")).toBe("true");
  expect(document.activeElement).toBe(tab("Filters"));
  // JupyterLab looks for the mark on what has the focus.
  expect(tab("Filters").getAttribute("data-lm-suppress-shortcuts")).toBe("true");
  find(".graphne-surface").focus();
  expect(find(".graphne-surface").hasAttribute("data-lm-suppress-shortcuts")).toBe(false);
  for (const control of analysis().querySelectorAll<HTMLElement>("button, select, input")) {
    expect(control.title, control.outerHTML).toBeTruthy();
    expect(control.getAttribute("aria-label") || control.textContent).toBeTruthy();
  }
  const timers = vi.spyOn(globalThis, "setTimeout");
  viewer.destroy();
  viewer.frame(groups().frame!);
  expect(timers).not.toHaveBeenCalled();
  expect(el.children).toHaveLength(0);
  timers.mockRestore();
});

describe("a filter by neighbour recall", () => {
  const addFilter = (key: string): void => {
    const add = find<HTMLSelectElement>('[aria-label="Add a filter"]');
    add.value = key;
    add.dispatchEvent(new Event("change"));
  };

  it("hides nobody while nothing is measured, and reads as numbers", async () => {
    const scene = open({ status: statusOf() });
    find('[aria-label="Analysis"]').click();
    tab("Filters").click();
    addFilter("s:neighbour recall");
    expect(texts(".graphne-filter-value")).toEqual(["0 to 1"]);
    const from = find<HTMLInputElement>('[aria-label="neighbour recall from"]');
    from.value = from.max;
    from.dispatchEvent(new Event("input"));
    await nextFrame();
    expect(Array.from(scene.flags).filter((flags) => flags & HIDDEN)).toEqual([]);
  });

  it("by classes stays when a statistic is computed, and so does the focus", async () => {
    const visibilityChanged = vi.fn();
    open({}, { visibilityChanged });
    find('[aria-label="Analysis"]').click();
    tab("Filters").click();
    addFilter("a:class");
    const box = el.querySelectorAll<HTMLInputElement>(".graphne-box input")[1];
    box.focus();
    box.click();
    const before = visibilityChanged.mock.lastCall![0];
    expect(before.length).toBeGreaterThan(0);
    const again = { ...classColumn(["x", "y"]), key: "s:communities", name: "communities", codes: new Uint8Array(21) };
    viewer.update({ extra: [again] });
    await nextFrame();
    expect(visibilityChanged.mock.lastCall![0]).toEqual(before);
    expect(document.activeElement).toBe(box);
    expect(box.checked).toBe(false);
  });

  it("is not disturbed by measuring in the background, nor is the legend", async () => {
    open();
    const line = find<HTMLButtonElement>(".graphne-legend .graphne-line");
    line.focus();
    await measured();
    expect(document.activeElement).toBe(line);
    expect(find(".graphne-legend .graphne-line")).toBe(line);
  });
});
