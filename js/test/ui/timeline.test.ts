// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { INITIAL } from "../../src/store/state.js";
import { NO_TIMES, windowAt } from "../../src/ui/timeline.js";
import { GraphViewer } from "../../src/ui/viewer.js";
import { classColumn, dataOf, graphOf, nextFrame, scenes, valueColumn } from "../fakes.js";

vi.mock("../../src/scene/scene.js", () => import("../fakes.js"));

const HIDDEN = 1;
let viewer: GraphViewer | null = null;

function open(columns = [valueColumn([0, 5, 10, Number.NaN])]) {
  const el = document.createElement("div");
  document.body.append(el);
  viewer = new GraphViewer(el, dataOf({ graph: graphOf(["a", "b", "c", "d"], columns, [0, 1]), color: "" }));
  const button = (label: string): HTMLButtonElement => el.querySelector(`button[aria-label="${label}"]`)!;
  button("Timeline").click();
  const slider = el.querySelector<HTMLInputElement>(".graphne-time-slider")!;
  const move = (to: number): void => {
    slider.value = String(to);
    slider.dispatchEvent(new Event("input"));
  };
  const hidden = (): number[] => [...scenes.at(-1)!.flags].map((flags) => flags & HIDDEN);
  return { el, button, slider, move, hidden };
}

afterEach(() => {
  viewer?.destroy();
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe("the timeline", () => {
  it("hides what is not there yet, or no longer in its window, and shows all when it is closed", async () => {
    const { el, button, move, hidden } = open();
    expect(hidden()).toEqual([0, 0, 0, 0]);
    move(500);
    await nextFrame();
    expect(hidden()).toEqual([0, 0, 1, 1]);
    const width = el.querySelector<HTMLSelectElement>('[aria-label="How much time is shown"]')!;
    width.value = "0.25";
    width.dispatchEvent(new Event("change"));
    await nextFrame();
    expect(hidden()).toEqual([1, 0, 1, 1]);
    button("Close the timeline").click();
    await nextFrame();
    expect(hidden()).toEqual([0, 0, 0, 0]);
  });

  it("plays a few years, which are classes in every other respect", async () => {
    const years = { ...classColumn(["2003", "2001", "2010", null], "a:year"), numbers: true };
    const { el, slider, move, hidden } = open([years as unknown as ReturnType<typeof valueColumn>]);
    move(250);
    await nextFrame();
    expect(hidden()).toEqual([0, 0, 1, 1]);
    expect(slider.getAttribute("aria-valuetext")).toBe("2001 to 2003");
    expect(el.querySelector(".graphne-crumbs")!.textContent).toContain("year: up to 2003");
  });

  it("plays from the first moment to the last, and stops there", () => {
    // Frames of the browser, too: jsdom makes them by intervals.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const { button, slider, hidden } = open();
    button("Play the timeline").click();
    vi.advanceTimersByTime(5_000);
    expect(Number(slider.value)).toBeGreaterThan(200);
    expect(Number(slider.value)).toBeLessThan(300);
    expect(hidden()).toEqual([0, 1, 1, 1]);
    vi.advanceTimersByTime(20_000);
    expect(slider.value).toBe("1000");
    expect(button("Play the timeline")).not.toBeNull();
    expect(hidden()).toEqual([0, 0, 0, 0]);
  });

  it("is where Python, undo and the filters have it, and is reported with the rest of the view", async () => {
    const saved: unknown[] = [];
    const el = document.createElement("div");
    document.body.append(el);
    const columns = [valueColumn([0, 5, 10, 20]), valueColumn([1, 2, 3, 3], "a:other")];
    const data = dataOf({ graph: graphOf(["a", "b", "c", "d"], columns, [0, 1]), color: "" });
    viewer = new GraphViewer(el, data, { saved: ({ view }) => void saved.push(view?.timeline) });
    const [element, slider] = [".graphne-timeline", ".graphne-time-slider"].map(
      (name) => el.querySelector<HTMLInputElement>(name)!,
    );
    const view = { camera: null, tool: "pan", lens: false, legend: INITIAL.legend, table: "" } as const;
    const timeline = { column: "a:value", window: 0.3, speed: 3 };
    viewer.update({ view: { ...view, filters: { "a:value": { low: 0, high: 5 } }, timeline } });
    expect(element.hidden).toBe(false);
    expect(slider.value).toBe("250");
    const chosen = Array.from(el.querySelectorAll(".graphne-timeline select"), (one) => {
      const select = one as HTMLSelectElement;
      return select.options[select.selectedIndex].text;
    });
    expect(chosen).toEqual(["value of nodes", "a window of 30 %", "3 ×"]);
    const press = (name: string): void => el.querySelector<HTMLElement>(`[aria-label*="${name}"]`)!.click();
    press("Remove the filter");
    expect(slider.value).toBe("1000");
    const select = el.querySelector<HTMLSelectElement>('[aria-label="Time is shown by"]')!;
    select.value = "a:other";
    select.dispatchEvent(new Event("change"));
    press("Close the timeline");
    expect(element.hidden).toBe(true);
    expect(saved.slice(-2)).toEqual([{ ...timeline, column: "a:other" }, null]);
    // Columns that an update of the graph has taken away leave nothing to be played.
    viewer.update({ view: { ...view, filters: {}, timeline: { ...timeline, column: "a:gone" } } });
    expect(element.hidden).toBe(true);
  });

  it("says so where there is no time, and the picture stays", () => {
    const { el } = open([]);
    viewer!.destroy();
    const other = document.createElement("div");
    const graph = graphOf(["a", "b"], [classColumn(["x", "y"])], []);
    viewer = new GraphViewer(other, dataOf({ graph }));
    other.querySelector<HTMLElement>('button[aria-label="Timeline"]')!.click();
    expect(other.querySelector(".graphne-note")!.textContent).toContain(NO_TIMES);
    expect(other.querySelector<HTMLElement>(".graphne-timeline")!.hidden).toBe(true);
    el.remove();
  });

  it("has a window that ends where the slider is", () => {
    const column = valueColumn([0, 5, 10]);
    if (column.kind !== "values") throw new Error("not values");
    expect(windowAt(column, 0.5, 0)).toEqual({ low: null, high: 5 });
    expect(windowAt(column, 1, 0.1)).toEqual({ low: 9, high: 10 });
  });
});
