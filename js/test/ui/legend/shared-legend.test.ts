// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HIDDEN } from "../../../src/data/types.js";
import { share } from "../../../src/hosts/page.js";
import type { ViewerData } from "../../../src/store/api.js";
import { LinkGroup } from "../../../src/store/link-group.js";
import { alike, SharedLegend } from "../../../src/ui/legend/shared-legend.js";
import { GraphViewer } from "../../../src/ui/viewer.js";
import { classColumn, dataOf, frameOf, graphOf, nextFrame, scenes, valueColumn } from "../../fakes.js";

vi.mock("../../../src/scene/scene.js", async () => ({ createScene: (await import("../../fakes.js")).createScene }));

const graph = graphOf(["ann", "bob", "cid"], [classColumn(["x", "y", "x"]), valueColumn([1, 2, 3])], [0, 1]);
const colored = (): ViewerData => dataOf({ graph, color: "a:class" });

describe("one legend", () => {
  it("is for views of one graph in the same colours", () => {
    expect(alike([colored(), colored()])).toBe(true);
    expect(alike([colored()])).toBe(false);
    expect(alike([colored(), { ...colored(), color: "a:value" }])).toBe(false);
    expect(alike([colored(), { ...colored(), graph: graphOf(["ann", "bob", "cid"]) }])).toBe(false);
    expect(alike([colored(), { ...colored(), extra: [valueColumn([1, 1, 1], "x:own")] }])).toBe(false);
  });
});

describe("the legend of linked viewers", () => {
  let viewers: GraphViewer[] = [];
  let legend: SharedLegend;
  const shown = vi.fn();
  const lines = (root: Element): HTMLElement[] => [...root.querySelectorAll<HTMLElement>("button.graphne-line")];
  const own = (k: number): Element => document.querySelectorAll(".graphne:not(.graphne-shared)")[k];

  beforeEach(() => {
    vi.stubGlobal("ResizeObserver", undefined);
    scenes.length = 0;
    shown.mockClear();
    const group = new LinkGroup();
    viewers = [colored(), colored()].map((data) => {
      const place = document.createElement("div");
      document.body.append(place);
      const viewer = new GraphViewer(place, data);
      viewer.link(group);
      return viewer;
    });
    legend = new SharedLegend(group, colored(), shown);
    document.body.append(legend.element);
  });
  afterEach(() => {
    for (const viewer of viewers) viewer.destroy();
    legend.destroy();
    legend.destroy();
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });

  it("paints a class in all of them", () => {
    lines(legend.element)[0].querySelector<HTMLElement>(".graphne-swatch")!.click();
    const picker = legend.element.querySelector<HTMLInputElement>("[type=color]")!;
    picker.value = "#ff0000";
    picker.dispatchEvent(new Event("input"));
    for (const { colors } of scenes) expect([...colors.subarray(0, 8)]).toEqual([255, 0, 0, 255, 213, 94, 0, 255]);
    const dot = lines(legend.element)[0].querySelector<HTMLElement>(".graphne-swatch")!;
    expect(dot.style.background).toBe("rgb(255, 0, 0)");
  });

  it("hides in all of them, and hears what is hidden in one", async () => {
    expect(lines(legend.element).map((line) => line.textContent)).toEqual(["x2", "y1"]);
    expect(shown).toHaveBeenLastCalledWith(true);
    lines(legend.element)[0].dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    await nextFrame();
    for (const k of [0, 1]) {
      expect(lines(own(k))[0].classList.contains("graphne-hidden")).toBe(true);
      expect(scenes[k].flags[0] & HIDDEN).toBe(HIDDEN);
    }
    lines(own(1))[0].dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    expect(lines(legend.element)[0].classList.contains("graphne-hidden")).toBe(false);
  });

  it("follows the colour, and steps back where it cannot explain it", () => {
    viewers[0].update({ color: "a:value" });
    expect(legend.element.querySelector(".graphne-scale")).not.toBeNull();
    expect(shown).toHaveBeenLastCalledWith(true);
    viewers[1].update({ color: "" });
    expect(legend.element.hidden).toBe(true);
    expect(shown).toHaveBeenLastCalledWith(false);
  });
});

it("lets pictures of one graph know each other's statistics, and no others", () => {
  const pagerank = valueColumn([1, 2, 3], "s:pagerank");
  const recording = { length: 1, at: () => frameOf(3) };
  const other = { ...colored(), graph: graphOf(["ann", "bob", "cid"]) };
  const broken = new Error("a part of the page is missing");
  const loaded = [{ ...colored(), extra: [pagerank, valueColumn([1, 1, 1], "custom:color")] }, colored(), other].map(
    (data) => ({ data, recording }),
  );
  const shared = share([...loaded, broken]);
  const keys = shared.map((one) => (one instanceof Error ? one : one.data.extra.map(({ key }) => key)));
  expect(keys).toEqual([["custom:color", "s:pagerank"], ["s:pagerank"], [], broken]);
});
