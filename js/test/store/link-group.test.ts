// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FADED, HIDDEN, RAISED, SELECTED } from "../../src/data/types.js";
import type { ViewerData } from "../../src/store/api.js";
import { counterparts, groupOf, LinkGroup } from "../../src/store/link-group.js";
import { GraphViewer } from "../../src/ui/viewer.js";
import { classColumn, dataOf, graphOf, nextFrame, pointer, scenes, valueColumn } from "../fakes.js";

vi.mock("../../src/scene/scene.js", async () => ({ createScene: (await import("../fakes.js")).createScene }));

describe("nodes of two graphs", () => {
  it("are the same by number where the names are", () => {
    const one = graphOf(["a", "b", "c"]);
    expect(counterparts(one, one)).toBeNull();
    expect(counterparts(one, graphOf(["a", "b", "c"]))).toBeNull();
    expect(counterparts({ ...one, names: null }, graphOf(["x", "y", "z"]))).toBeNull();
  });

  it("are the same by name otherwise, the first of each", () => {
    expect(Array.from(counterparts(graphOf(["a", "b", "c"]), graphOf(["c", "a"]))!)).toEqual([1, -1, 0]);
    expect(Array.from(counterparts(graphOf(["a", "b"]), graphOf(["b", "b"]))!)).toEqual([-1, 0]);
    expect(Array.from(counterparts({ ...graphOf(["a"]), names: null }, graphOf(["a", "b"]))!)).toEqual([-1]);
  });
});

describe("linked viewers", () => {
  let viewers: GraphViewer[] = [];
  let changes: Partial<ViewerData>[][] = [];
  const graph = (): ViewerData["graph"] =>
    graphOf(["ann", "bob", "cid", "dan"], [classColumn(["x", "y", "x", "y"]), valueColumn([1, 2, 3, 4])], [0, 1, 1, 2]);
  const other = graphOf(["dan", "bob"], [classColumn(["y", "x"])], [0, 1]);

  function show(...data: ViewerData[]): void {
    const group = new LinkGroup();
    scenes.length = 0;
    changes = data.map(() => []);
    viewers = data.map((one, k) => {
      const place = document.createElement("div");
      document.body.append(place);
      const viewer = new GraphViewer(place, one, { changed: (part) => void changes[k].push(part) });
      viewer.link(group);
      return viewer;
    });
  }

  const surface = (k: number): HTMLElement => document.querySelectorAll<HTMLElement>(".graphne-surface")[k];
  const hover = async (k: number, node: number): Promise<void> => {
    scenes[k].under = node;
    surface(k).dispatchEvent(pointer("pointermove", 5, 5));
    await nextFrame();
    await nextFrame();
  };
  const line = (k: number, label: string): HTMLElement =>
    [...document.querySelectorAll(".graphne")[k].querySelectorAll<HTMLElement>(".graphne-line")].find((one) =>
      one.textContent!.includes(label),
    )!;

  beforeEach(() => vi.stubGlobal("ResizeObserver", undefined));
  afterEach(() => {
    for (const viewer of viewers) viewer.destroy();
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });

  it("mark in all what is under the pointer in one, with its neighbours", async () => {
    show(dataOf({ graph: graph() }), dataOf({ graph: graph() }), dataOf({ graph: other }));
    await hover(0, 1);
    expect(Array.from(scenes[1].flags)).toEqual([RAISED, RAISED | SELECTED, RAISED, FADED]);
    expect(Array.from(scenes[2].flags)).toEqual([RAISED, RAISED | SELECTED]);
    // The tooltip is beside the pointer only.
    expect([...document.querySelectorAll<HTMLElement>(".graphne-tooltip")].map(({ hidden }) => hidden)).toEqual([
      false,
      true,
      true,
    ]);
    await hover(0, 0);
    expect(Array.from(scenes[2].flags)).toEqual([0, 0]);
    surface(0).dispatchEvent(pointer("pointerleave", 0, 0));
    await nextFrame();
    await nextFrame();
    expect(Array.from(scenes[1].flags)).toEqual([0, 0, 0, 0]);
    expect(changes.flat()).toEqual([]);
  });

  it("select the same nodes, each in its own numbers, and tell their hosts once", async () => {
    show(dataOf({ graph: graph() }), dataOf({ graph: other }));
    viewers[0].update({ selection: Uint32Array.of(1, 2, 3) });
    await nextFrame();
    await nextFrame();
    expect(Array.from(scenes[1].flags)).toEqual([SELECTED, SELECTED]);
    expect(changes).toEqual([[], [{ selection: Uint32Array.of(0, 1) }]]);
    viewers[1].update({ selection: new Uint32Array(0) });
    expect(changes[0]).toEqual([{ selection: new Uint32Array(0) }]);
  });

  it("choose the same colours where there are any, and hide the same classes", async () => {
    show(dataOf({ graph: graph() }), dataOf({ graph: graph() }), dataOf({ graph: other }));
    line(0, "y").dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
    await nextFrame();
    await nextFrame();
    expect(Array.from(scenes[1].flags)).toEqual([0, HIDDEN, 0, HIDDEN]);
    expect(Array.from(scenes[2].flags)).toEqual([HIDDEN, 0]);
    expect(line(1, "y").classList).toContain("graphne-hidden");
    line(1, "x").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    expect(line(0, "x").getAttribute("aria-pressed")).toBe("true");
    viewers[0].update({ color: "a:value" });
    expect(changes).toEqual([[], [{ color: "a:value" }], []]);
  });

  it("are told nothing any more when they have left, and groups end with their last member", async () => {
    show(dataOf({ graph: graph() }), dataOf({ graph: graph() }));
    const group = groupOf("name");
    expect(groupOf("name")).toBe(group);
    viewers[1].link(group);
    viewers[0].update({ selection: Uint32Array.of(1) });
    expect(changes[1]).toEqual([]);
    viewers[1].destroy();
    expect(groupOf("name")).not.toBe(group);
    viewers[1].destroy();
  });

  it("turn what they show, as it comes and as it is", () => {
    show(dataOf({ graph: graph(), rotation: [0, -1, 1, 0] }));
    const placed = vi.mocked(scenes[0].setPositions);
    expect(Array.from(placed.mock.lastCall![0]).slice(0, 4)).toEqual([-1, 0, -3, 2]);
    viewers[0].update({ rotation: null });
    expect(Array.from(placed.mock.lastCall![0]).slice(0, 4)).toEqual([0, 1, 2, 3]);
  });
});
