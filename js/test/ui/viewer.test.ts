// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { type Column, FADED, HIDDEN, RAISED, SELECTED } from "../../src/data/types.js";
import type { ViewerData } from "../../src/store/api.js";
import {
  classColumn,
  countListeners,
  dataOf,
  EVIL,
  frameOf,
  graphOf,
  nextFrame,
  pointer,
  scenes,
  statusOf,
  textsOf,
  valueColumn,
} from "../fakes.js";
import { el, find, onEmptyPage, open, viewer } from "../opened.js";

vi.mock("../../src/scene/scene.js", () => import("../fakes.js"));

const flagsOf = () => Array.from(scenes.at(-1)!.flags);
const tap = (node: number, more: PointerEventInit = {}): void => {
  scenes.at(-1)!.under = node;
  find(".graphne-surface").dispatchEvent(pointer("pointerdown", 5, 5, more));
  find(".graphne-surface").dispatchEvent(pointer("pointerup", 5, 5, more));
};

onEmptyPage();

describe("the picture", () => {
  it("shows colours, sizes, edges and positions", () => {
    const scene = open({ size: "a:value", edges: false });
    expect(Array.from(scene.colors.subarray(0, 4))).toEqual([0, 114, 178, 255]);
    const radii = vi.mocked(scene.setRadii).mock.lastCall![0];
    // One of three is the largest, and the others the smallest: 0.4 and 6.7 times the usual area, 2.5 on average.
    expect((radii[1] / radii[0]) ** 2).toBeCloseTo(6.7 / 0.4, 3);
    expect(scene.setEdgesVisible).toHaveBeenLastCalledWith(false);
    expect(scene.setPositions).toHaveBeenCalledOnce();
    expect(find(".graphne").style.height).toBe("400px");
  });

  it("recolours when the column, the data or the theme changes", () => {
    const scene = open();
    const before = scene.colors;
    viewer.update({ color: "a:value" });
    expect(scene.colors).not.toEqual(before);
    viewer.update({ color: "a:class", extra: [classColumn(["q", "p", "p"])] });
    expect(Array.from(scene.colors.subarray(4, 8))).toEqual([213, 94, 0, 255]);
    expect(Array.from(el.querySelectorAll(".graphne-line-name"), (line) => line.textContent)).toEqual(["q", "p"]);
    const light = scene.colors;
    viewer.update({ theme: "dark" });
    expect(scene.colors).not.toEqual(light);
    expect(find(".graphne").dataset.theme).toBe("dark");
    expect(vi.mocked(scene.setSceneColors).mock.lastCall![0].background).toBe("#15181c");
  });

  it("is plain for a column that is not there", () => {
    const scene = open({ color: "gone", size: "gone", label: "gone" });
    expect(new Set(scene.colors).size).toBe(4);
    expect(find<HTMLSelectElement>("select").value).toBe("");
  });

  it("refuses a frame of another size and keeps the picture", async () => {
    const scene = open();
    viewer.frame(frameOf(5));
    expect(scene.setPositions).toHaveBeenCalledOnce();
    expect(find(".graphne-note").textContent).toContain("5 nodes");
    viewer.frame(frameOf(3, { iteration: 20 }));
    expect(scene.setPositions).toHaveBeenCalledTimes(2);
    await vi.waitFor(() => expect(find(".graphne-iteration").textContent).toBe("20 / 750"));
  });

  it("takes another graph", () => {
    open();
    const graph = graphOf(["one"], []);
    viewer.update({ graph, frame: frameOf(1) });
    expect(scenes).toHaveLength(2);
    expect(scenes[0].destroyed).toBe(1);
    expect(find(".graphne-facts").textContent).toBe("1 node · 0 edges");
    expect(el.querySelectorAll(".graphne-surface")).toHaveLength(1);
  });
});

describe("what nodes are called", () => {
  const texts = ["Ann", "Zoe", ""];
  const label: Column = {
    key: "a:label",
    name: "Label",
    kind: "text",
    texts: { length: 3, at: (node) => texts[node] },
  };
  const named = (): Partial<ViewerData> => ({
    graph: { ...dataOf().graph, columns: [...dataOf().graph.columns, label] },
  });
  const titleAt = async (node: number): Promise<string> => {
    scenes.at(-1)!.under = node;
    find(".graphne-surface").dispatchEvent(pointer("pointermove", 5 + node, 5));
    await nextFrame();
    return find(".graphne-tooltip-title").textContent!;
  };

  it("is what an attribute says, else what the graph has", async () => {
    open(named());
    expect(await titleAt(0)).toBe("Ann");
    expect(await titleAt(2)).toBe("bob");
    viewer.update({ label: "name" });
    expect(await titleAt(0)).toBe("ann");
  });

  it("is found by that, too, and a choice shows the node among its neighbours", async () => {
    open(named());
    const field = find<HTMLInputElement>(".graphne-search-field");
    field.value = "zoe";
    field.dispatchEvent(new Event("input"));
    await vi.waitFor(() => expect(find(".graphne-found-line").textContent).toContain("Zoe ("));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true }));
    await nextFrame();
    expect(flagsOf()).toEqual([FADED, RAISED, FADED]);
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    await nextFrame();
    expect(flagsOf()[1] & SELECTED).toBe(SELECTED);
    expect(flagsOf().filter((flag) => flag & RAISED).length).toBeGreaterThan(1);
  });
});

describe("who stands out", () => {
  it("hovers: the node and its neighbours stand out, and nobody after leaving", async () => {
    const scene = open();
    scene.under = 0;
    find(".graphne-surface").dispatchEvent(pointer("pointermove", 5, 5));
    await nextFrame();
    expect(flagsOf()).toEqual([RAISED | SELECTED, RAISED, FADED]);
    expect(scene.raiseEdgesOf).toHaveBeenLastCalledWith(0);
    expect(find(".graphne-tooltip").hidden).toBe(false);
    expect(find(".graphne-tooltip-title").textContent).toBe("ann");
    expect(find(".graphne-rows").textContent).toBe("classxvalue1");
    find(".graphne-surface").dispatchEvent(pointer("pointerleave", 5, 5));
    expect(flagsOf()).toEqual([0, 0, 0]);
    expect(find(".graphne-tooltip").hidden).toBe(true);
  });

  it("is told what it is coloured by, also where that has no name", async () => {
    const own = { ...valueColumn([7, 8, 9]), key: "custom:color" };
    const names = (): (string | null)[] => Array.from(el.querySelectorAll("dt"), ({ textContent }) => textContent);
    const scene = open({ extra: [{ ...own, name: "color" }], color: own.key });
    scene.under = 0;
    find(".graphne-surface").dispatchEvent(pointer("pointermove", 5, 5));
    await nextFrame();
    expect(names()).toEqual(["color", "class", "value"]);
    expect(find(".graphne-rows dd").textContent).toBe("7");
    viewer.update({ extra: [{ ...own, name: "" }] });
    expect(names()).toEqual(["custom", "class", "value"]);
  });

  it("looks again under a resting pointer when the nodes have moved", async () => {
    const scene = open();
    find(".graphne-surface").dispatchEvent(pointer("pointermove", 5, 5));
    await nextFrame();
    expect(find(".graphne-tooltip").hidden).toBe(true);
    scene.under = 2;
    await new Promise((resolve) => setTimeout(resolve, 120));
    scene.drawn();
    await nextFrame();
    expect(find(".graphne-tooltip-title").textContent).toBe("bob");
  });

  it("selects with clicks; shift adds, alt removes, the background clears", async () => {
    const changed = vi.fn();
    open({}, { changed });
    const selection = () => Array.from(changed.mock.lastCall![0].selection as Uint32Array);
    tap(0);
    expect(selection()).toEqual([0]); // the first node, too
    tap(2, { shiftKey: true });
    expect(selection()).toEqual([0, 2]);
    tap(0, { altKey: true });
    expect(selection()).toEqual([2]);
    await nextFrame();
    expect(flagsOf()).toEqual([FADED, RAISED, RAISED | SELECTED]); // one node is shown among its neighbours
    expect(find(".graphne-facts").textContent).toContain("1 selected");
    await new Promise((resolve) => setTimeout(resolve, 400));
    tap(-1);
    expect(selection()).toEqual([]);
  });

  it("selects with a lasso", () => {
    const changed = vi.fn();
    const scene = open({ selection: Uint32Array.of(0) }, { changed });
    scene.inside = Uint32Array.of(1, 2);
    find("[aria-label=Lasso]").click();
    const surface = find(".graphne-surface");
    surface.dispatchEvent(pointer("pointerdown", 0, 0));
    for (const [left, top] of [
      [50, 0],
      [50, 50],
      [0, 50],
    ])
      surface.dispatchEvent(pointer("pointermove", left, top));
    surface.dispatchEvent(pointer("pointerup", 0, 50, { shiftKey: true }));
    expect(changed).toHaveBeenLastCalledWith({ selection: Uint32Array.of(0, 1, 2) });
  });

  it("flies to the neighbourhood on a double click, and shows all on one beside", () => {
    const scene = open();
    tap(1);
    tap(1);
    expect(scene.camera.flyTo).toHaveBeenCalled();
    scene.under = -1;
    tap(-1);
    tap(-1);
    expect(scene.camera.fit).toHaveBeenCalled();
  });

  it("does not tell the host what the host said", () => {
    const changed = vi.fn();
    open({}, { changed });
    viewer.update({ selection: Uint32Array.of(1), color: "a:value", edges: false, exaggeration: 4 });
    expect(changed).not.toHaveBeenCalled();
  });

  it("hides and fades what the legend says, and tells the host who is hidden", async () => {
    const visibilityChanged = vi.fn();
    open({}, { visibilityChanged });
    find<HTMLButtonElement>("button.graphne-line").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    await nextFrame();
    expect(flagsOf()).toEqual([0, FADED, 0]);
    expect(visibilityChanged).not.toHaveBeenCalled();
    find("button.graphne-line").dispatchEvent(new MouseEvent("dblclick", { bubbles: true, detail: 2 }));
    await nextFrame();
    expect(flagsOf()).toEqual([HIDDEN, 0, HIDDEN]);
    expect(visibilityChanged.mock.calls).toEqual([[Uint8Array.of(0b101)]]);
  });

  it("clears with escape: first the search, then the selection, then the legend", async () => {
    open({ selection: Uint32Array.of(0) });
    const surface = find(".graphne-surface");
    const pressEscape = () => surface.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    const input = find<HTMLInputElement>(".graphne-search-field");
    input.value = "bob";
    input.dispatchEvent(new Event("input"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await nextFrame();
    expect(flagsOf()).toEqual([FADED | SELECTED, FADED, RAISED]);
    pressEscape();
    expect(input.value).toBe("");
    pressEscape();
    await nextFrame();
    expect(flagsOf()).toEqual([0, 0, 0]);
  });
});

describe("what is said", () => {
  it("says that there are no nodes", () => {
    open({ graph: graphOf([]), frame: null });
    expect(find(".graphne-middle").textContent).toBe("This graph has no nodes.");
  });

  it("waits for the first frame, then shows it", () => {
    open({ frame: null, status: statusOf({ state: "starting" }) });
    expect(find(".graphne-middle").textContent).toBe("Preparing the layout…");
    viewer.frame(frameOf(3));
    expect(find(".graphne-middle").hidden).toBe(true);
  });

  it("shows why a run failed and keeps the picture, until it runs again", () => {
    const scene = open();
    viewer.update({ status: statusOf({ state: "failed", message: "Node 3 has no weight." }) });
    expect(find(".graphne-note").textContent).toBe("Node 3 has no weight.");
    expect(scene.setPositions).toHaveBeenCalledOnce();
    viewer.update({ status: statusOf() });
    expect(el.querySelector(".graphne-note")).toBeNull();
  });

  it("counts warnings that repeat, and closes them", () => {
    open();
    viewer.warn("no");
    viewer.warn("no");
    expect(find(".graphne-note").textContent).toBe("no (2 times)");
    find(".graphne-note button").click();
    expect(el.querySelector(".graphne-note")).toBeNull();
  });

  it("announces changes of state, not iterations", async () => {
    open({ status: statusOf({ state: "starting" }) });
    const live = find("[aria-live=polite][role=status]");
    viewer.update({ status: statusOf({ state: "paused", iteration: 250 }) });
    await vi.waitFor(() => expect(live.textContent).toBe("Paused at iteration 250"), 2000);
    viewer.update({ status: statusOf({ state: "paused", iteration: 260 }) });
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(live.textContent).toBe("Paused at iteration 250");
  });

  it("mentions what the graph notes", () => {
    open({ graph: { ...dataOf().graph, edges: 9, notes: ["the names are left out"] } });
    expect(find(".graphne-facts").textContent).toBe(
      "3 nodes · 9 edges · 2 of 9 edges are drawn · the names are left out",
    );
  });

  it("shows a refused command", async () => {
    open({}, { command: () => Promise.reject(new Error("the kernel does not answer")) });
    find("[aria-label=Pause]").click();
    await vi.waitFor(() => expect(find(".graphne-note").textContent).toBe("the kernel does not answer"));
  });
});

describe("menus", () => {
  it("offers columns that suit and reports what is chosen", () => {
    const changed = vi.fn();
    open({}, { changed });
    const [color, size, label] = Array.from(el.querySelectorAll("select"));
    const keys = (select: HTMLSelectElement) => Array.from(select.options, (option) => option.value);
    expect(keys(color)).toEqual(["", "a:class", "a:value", "s:neighbour recall"]);
    expect(keys(size)).toEqual(["", "a:value", "s:neighbour recall"]);
    expect(keys(label)).toEqual(["", "name", "a:class", "a:value", "s:neighbour recall"]);
    color.value = "a:value";
    color.dispatchEvent(new Event("change"));
    expect(changed).toHaveBeenCalledExactlyOnceWith({ color: "a:value" });
    expect(find(".graphne-scale")).not.toBeNull();
  });

  it("switches the edges", () => {
    const changed = vi.fn();
    const scene = open({}, { changed });
    find("[aria-label=Edges]").click();
    expect(scene.setEdgesVisible).toHaveBeenLastCalledWith(false);
    expect(changed).toHaveBeenCalledWith({ edges: false });
    expect(find("[aria-label=Edges]").getAttribute("aria-pressed")).toBe("false");
  });
});

it("never makes elements of what a graph brings", async () => {
  const text = { key: "a:text", name: EVIL, kind: "text" as const, texts: textsOf([EVIL, EVIL, EVIL]) };
  const columns = [{ ...classColumn([EVIL, EVIL, "x"]), name: EVIL }, { ...valueColumn([1, 2, 3]), name: EVIL }, text];
  const graph = { ...graphOf([EVIL, EVIL, EVIL], columns, [0, 1]), notes: [EVIL] };
  const scene = open({ graph, label: "name", status: statusOf({ state: "failed", message: EVIL, phase: EVIL }) });
  scene.under = 1;
  find(".graphne-surface").dispatchEvent(pointer("pointermove", 5, 5));
  await nextFrame();
  viewer.warn(EVIL);
  viewer.update({ color: "a:value" });
  const input = find<HTMLInputElement>(".graphne-search-field");
  input.value = "img";
  input.dispatchEvent(new Event("input"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(el.querySelector("img, script, [onerror]")).toBeNull();
  expect(find(".graphne-tooltip-title").textContent).toBe(EVIL);
  expect(find("[role=option]").textContent).toBe(EVIL);
  expect(find(".graphne-legend-name").textContent).toBe(EVIL);
});

describe("accessibility", () => {
  it("names every control and lets tab reach it", () => {
    open({}, { command: () => Promise.resolve() });
    for (const control of el.querySelectorAll<HTMLElement>("button, select, input, [tabindex]")) {
      // Of tabs and of tools one is reached, and arrows go on to the others.
      const roving = control.matches("[role=tab], [role=toolbar] *");
      if (!roving) expect(control.tabIndex).toBe(0);
      expect(control.getAttribute("aria-label") || control.textContent).toBeTruthy();
      if (!control.matches(".graphne-surface")) expect(control.title).toBeTruthy();
    }
  });

  it("goes through the toolbar with arrows, and stops there once with tab", () => {
    open();
    const tools = Array.from(el.querySelectorAll<HTMLButtonElement>("[role=toolbar] button:not(:disabled)"));
    const key = (name: string): boolean =>
      document.activeElement!.dispatchEvent(
        new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }),
      );
    tools[0].focus();
    key("ArrowDown");
    expect(document.activeElement).toBe(tools[1]);
    expect(tools.map(({ tabIndex }) => tabIndex).filter((index) => index === 0)).toEqual([0]);
    key("ArrowUp");
    key("ArrowUp");
    expect(document.activeElement).toBe(tools.at(-1));
    key("Home");
    expect(document.activeElement).toBe(tools[0]);
    key("End");
    expect(document.activeElement).toBe(tools.at(-1));
    expect(tools.at(-1)!.tabIndex).toBe(0);
  });

  it("describes the picture in a sentence, and its keys apart from it", () => {
    open();
    const surface = find(".graphne-surface");
    expect(surface.getAttribute("aria-roledescription")).toBe("graph");
    expect(document.getElementById(surface.getAttribute("aria-describedby")!)!.textContent).toMatch(/arrow keys/i);
  });

  it("reaches the search with a slash and the run with space", () => {
    const command = vi.fn(() => Promise.resolve());
    open({}, { command });
    const surface = find(".graphne-surface");
    surface.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
    expect(document.activeElement).toBe(find(".graphne-search-field"));
    surface.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
    expect(command).toHaveBeenCalledWith("pause");
  });
});

describe("undo and redo", () => {
  const key = (name: string, more: KeyboardEventInit = {}, target: EventTarget = find(".graphne-surface")): boolean =>
    target.dispatchEvent(
      new KeyboardEvent("keydown", { key: name, ctrlKey: true, bubbles: true, cancelable: true, ...more }),
    );
  const button = (name: string): HTMLButtonElement => find(`[aria-label="${name}"]`);

  it("go back and forth by keys and by buttons, and the host hears of it", async () => {
    const changed = vi.fn();
    open({}, { changed });
    expect(button("Undo").getAttribute("aria-disabled")).toBe("true");
    tap(2);
    tap(0, { shiftKey: true });
    expect(key("z")).toBe(false);
    expect(changed).toHaveBeenLastCalledWith({ selection: Uint32Array.of(2) });
    await nextFrame();
    expect(flagsOf()[2] & SELECTED).toBe(SELECTED);
    key("Z", { shiftKey: true });
    expect(changed).toHaveBeenLastCalledWith({ selection: Uint32Array.of(0, 2) });
    button("Undo").click();
    button("Undo").click();
    expect(changed).toHaveBeenLastCalledWith({ selection: new Uint32Array(0) });
    button("Redo").click();
    expect(changed).toHaveBeenLastCalledWith({ selection: Uint32Array.of(2) });
  });

  it("go back to how the kernel found it, too, and to where the camera was", () => {
    const scene = open();
    viewer.update({ color: "a:value" });
    button("Zoom in").click();
    expect(scene.camera.following).toBe(false);
    key("z", { ctrlKey: false, metaKey: true });
    expect(scene.camera.following).toBe(true);
    expect(find<HTMLSelectElement>("select").value).toBe("a:value");
    key("z");
    expect(find<HTMLSelectElement>("select").value).toBe("a:class");
    key("y");
    expect(find<HTMLSelectElement>("select").value).toBe("a:value");
  });

  it("leave what is typed alone", () => {
    open();
    tap(1);
    expect(key("z", {}, find(".graphne-search-field"))).toBe(true);
    expect(key("z", {}, document.body)).toBe(true);
    expect(find(".graphne-facts").textContent).toContain("1 selected");
  });
});

describe("nodes hidden one by one", () => {
  it("are hidden by the key h, shown again by undo, and told to the host", async () => {
    const [visibilityChanged, saved] = [vi.fn(), vi.fn()];
    open({ selection: Uint32Array.of(1) }, { visibilityChanged, saved });
    find(".graphne-surface").dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    await nextFrame();
    expect(flagsOf()).toEqual([0, HIDDEN, 0]);
    expect(visibilityChanged.mock.calls).toEqual([[Uint8Array.of(0b10)]]);
    expect(saved.mock.calls).toEqual([[{ hidden: Uint8Array.of(0b10) }]]);
    expect(find(".graphne-facts").textContent).toContain("2 of 3 nodes shown");
    find('[aria-label="Undo"]').click();
    await nextFrame();
    expect(visibilityChanged).toHaveBeenLastCalledWith(new Uint8Array(0));
    expect(find(".graphne-facts").textContent).toContain("1 selected");
  });
});

describe("the end", () => {
  it("leaves nothing behind, twice is fine, and nothing works afterwards", async () => {
    const counted = countListeners();
    const scene = open();
    expect(counted.open()).toBeGreaterThan(20);
    find(".graphne-surface").dispatchEvent(pointer("pointermove", 5, 5));
    viewer.destroy();
    viewer.destroy();
    expect(counted.open()).toBe(0);
    counted.restore();
    expect(scene.destroyed).toBe(1);
    expect(el.children).toHaveLength(0);
    viewer.update({ color: "a:value" });
    viewer.frame(frameOf(3));
    viewer.warn("no");
    await nextFrame();
    expect(el.children).toHaveLength(0);
  });

  it("is fine before the first frame and inside a command", async () => {
    open({ frame: null }, { command: () => Promise.resolve(viewer.destroy()) });
    find("[aria-label=Pause]").click();
    await nextFrame();
    expect(el.children).toHaveLength(0);
  });
});

it("folds its menus with escape", () => {
  open();
  const adjust = find(".graphne-adjust");
  adjust.click();
  expect(adjust.getAttribute("aria-expanded")).toBe("true");
  find("select").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  expect(adjust.getAttribute("aria-expanded")).toBe("false");
  expect(document.activeElement).toBe(adjust);
});
