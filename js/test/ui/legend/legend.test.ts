// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FADED, HIDDEN } from "../../../src/data/types.js";
import type { LegendState } from "../../../src/encoding/legend-entries.js";
import { codeMarks, legendLines, prune } from "../../../src/encoding/legend-entries.js";
import { textOf } from "../../../src/encoding/titles.js";
import { hideEntry, isolate } from "../../../src/store/reduce.js";
import { INITIAL, legendOf } from "../../../src/store/state.js";
import { Store } from "../../../src/store/store.js";
import { legendMarks } from "../../../src/store/visibility.js";
import { Legend } from "../../../src/ui/legend/legend.js";
import { ticks } from "../../../src/ui/legend/scale-bar.js";
import { classColumn, EVIL, graphOf, valueColumn } from "../../fakes.js";

const labels = ["a", "b", "c", "d", "a", null];
const graph = graphOf(labels.map(String));
const column = classColumn(labels);
const NOTHING = legendOf(column.key);

describe("legendLines", () => {
  it("has a line a coloured class, one for the rest and one for no value", () => {
    const { lines, lineOf } = legendLines(column, graph, "light");
    expect(lines.map(({ label, count }) => [label, count])).toEqual([
      ["a", 2],
      ["b", 1],
      ["2 more classes", 2],
      ["no value", 1],
    ]);
    expect(Array.from(lineOf)).toEqual([0, 1, 2, 2, 3]);
  });

  it("says which class has an empty name, and keeps all of a long one", () => {
    const names = ["", "\u200e\n ", "x".repeat(300)];
    const { lines } = legendLines(classColumn(names, "a:class", 3), graphOf(["", "", ""]), "light");
    expect(lines.map(({ label }) => label.length)).toEqual([7, 7, 80]);
    expect(lines[0].label).toBe("(empty)");
    expect(lines[2].whole).toBe(names[2]);
    expect(lines.map(({ id }) => id)).toEqual(names);
  });

  it("counts one class that is left over as one", () => {
    expect(legendLines(classColumn(["a", "b", "c"]), graphOf(["", "", ""]), "light").lines[2].label).toBe(
      "1 more class",
    );
  });
});

describe("what clicks do", () => {
  const { lines, lineOf } = legendLines(column, graph, "light");
  const marks = (state: LegendState): number[] => Array.from(codeMarks(state, lines, lineOf));

  it("isolates a class, another instead of it, and restores", () => {
    let state = isolate(NOTHING, "a");
    expect(marks(state)).toEqual([0, FADED, FADED, FADED, FADED]);
    state = isolate(state, "b");
    expect(marks(state)).toEqual([FADED, 0, FADED, FADED, FADED]);
    expect(marks(isolate(state, "b"))).toEqual([0, 0, 0, 0, 0]);
    expect(marks(isolate(state, "a", true))).toEqual([0, 0, FADED, FADED, FADED]);
  });

  it("hides a class and shows it again, by either click", () => {
    const state = hideEntry(NOTHING, "a");
    expect(marks(state)).toEqual([HIDDEN, 0, 0, 0, 0]);
    expect(marks(hideEntry(state, "a"))).toEqual([0, 0, 0, 0, 0]);
    expect(marks(isolate(state, "a"))).toEqual([0, 0, 0, 0, 0]);
  });

  it("hides all classes of the common line", () => {
    expect(marks(hideEntry(NOTHING, lines[2].id))).toEqual([0, 0, HIDDEN, HIDDEN, 0]);
  });

  it("goes by name when the categories change", () => {
    const state = hideEntry(isolate(NOTHING, "b"), "a");
    const next = legendLines(classColumn(["b", "x"]), graphOf(["", ""]), "light");
    const pruned = prune(state, next.lines);
    expect(Array.from(codeMarks(pruned, next.lines, next.lineOf))).toEqual([0, FADED, 0]);
    expect(pruned.hidden).toEqual([]);
  });
});

describe("Legend", () => {
  let store: Store;
  beforeEach(() => {
    store = new Store({ ...INITIAL, color: column.key, legend: NOTHING });
  });
  const marksOf = (shown = column, of = graph) => legendMarks(store.state.legend, shown, of);
  const lineOf = (legend: Legend, at: number): HTMLButtonElement =>
    legend.element.querySelectorAll<HTMLButtonElement>("button.graphne-line")[at];
  const click = (element: Element, detail = 1): boolean =>
    element.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
  const doubleClick = (element: Element): void => {
    click(element, 1);
    click(element, 2);
    element.dispatchEvent(new MouseEvent("dblclick", { bubbles: true, detail: 2 }));
  };

  it("hides with a double click, and shows with another", () => {
    const legend = new Legend(store);
    legend.show(column, graph, "light");
    doubleClick(lineOf(legend, 0));
    expect(Array.from(marksOf()!.table)).toEqual([HIDDEN, 0, 0, 0, 0]);
    doubleClick(lineOf(legend, 0));
    expect(marksOf()).toBeNull();
  });

  it("isolates with a click and says so to screen readers", () => {
    const changed = vi.fn();
    store.subscribe((state) => state.legend, changed);
    const legend = new Legend(store);
    legend.show(column, graph, "light");
    click(lineOf(legend, 1));
    expect(changed).toHaveBeenCalledOnce();
    expect(lineOf(legend, 1).getAttribute("aria-pressed")).toBe("true");
    store.dispatch({ type: "resetLegend" });
    expect(lineOf(legend, 1).getAttribute("aria-pressed")).toBe("false");
  });

  it("hides with the key H", () => {
    const legend = new Legend(store);
    legend.show(column, graph, "light");
    lineOf(legend, 1).dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    expect(marksOf()!.table[1]).toBe(HIDDEN);
  });

  it("keeps what is hidden when the same column has other categories, and forgets it for another column", () => {
    const legend = new Legend(store);
    legend.show(column, graph, "light");
    doubleClick(lineOf(legend, 1));
    const other = graphOf(["", ""]);
    legend.show(classColumn(["b", "q"]), other, "light");
    expect(Array.from(marksOf(classColumn(["b", "q"]), other)!.table)).toEqual([HIDDEN, 0, 0]);
    store.dispatch({ type: "set", part: { color: "a:other" } });
    legend.show(classColumn(["b", "q"], "a:other"), other, "light");
    expect(marksOf(classColumn(["b", "q"], "a:other"), other)).toBeNull();
  });

  it("keeps the focus where it is when the counts, the colours or the classes change", () => {
    const legend = new Legend(store);
    document.body.append(legend.element);
    legend.show(column, graph, "light");
    const line = lineOf(legend, 1);
    line.focus();
    legend.show(classColumn([...labels, "b"]), graphOf([...labels, ""].map(String)), "dark");
    expect(lineOf(legend, 1)).toBe(line);
    expect(document.activeElement).toBe(line);
    expect(line.textContent).toBe("b2");
    legend.show(classColumn(["b", "q"]), graphOf(["", ""]), "light");
    expect(lineOf(legend, 0)).toBe(line);
    expect(document.activeElement).toBe(line);
    legend.element.remove();
  });

  it("shows names as text", () => {
    const legend = new Legend(store);
    legend.show({ ...classColumn([EVIL]), name: EVIL }, graphOf([""]), "light");
    expect(legend.element.querySelector("img")).toBeNull();
    expect(legend.element.querySelector(".graphne-line-name")!.textContent).toBe(EVIL);
    expect(legend.element.querySelector(".graphne-legend-name")!.textContent).toBe(EVIL);
  });

  it("shows a colour bar with its ends, a round number between them and those without a value", () => {
    const legend = new Legend(store);
    legend.show(valueColumn([1990, 2018, Number.NaN]), graphOf(["", "", ""]), "light");
    expect(Array.from(legend.element.querySelectorAll(".graphne-tick"), (tick) => tick.textContent)).toEqual([
      "1990",
      "2000",
      "2018",
    ]);
    expect(legend.element.querySelector(".graphne-line")!.textContent).toBe("no value1");
    legend.show(valueColumn([3, 3]), graphOf(["", ""]), "light");
    expect(Array.from(legend.element.querySelectorAll(".graphne-tick"), (tick) => tick.textContent)).toEqual(["3"]);
  });

  it("says where values go on beyond the scale", () => {
    const legend = new Legend(store);
    legend.show({ ...valueColumn([-700, 1, 9, 4000]), scale: [1, 9] }, graphOf(["", "", "", ""]), "light");
    expect(Array.from(legend.element.querySelectorAll(".graphne-tick"), (tick) => tick.textContent)).toEqual([
      "≤ 1",
      "4",
      "≥ 9",
    ]);
    expect(legend.element.querySelector<HTMLElement>(".graphne-scale")!.title).toMatch(/^Values from −700 to 4000;/);
  });

  it("writes dates as dates", () => {
    const legend = new Legend(store);
    const days = { ...valueColumn([18_262, 18_262.5, 18_627]), date: true };
    legend.show(days, graphOf(["", "", ""]), "light");
    expect(Array.from(legend.element.querySelectorAll(".graphne-tick"), (tick) => tick.textContent)).toEqual([
      "2020-01-01",
      "2020-12-31",
    ]);
    legend.show({ ...valueColumn([18_262.25, 18_262.5]), date: true }, graphOf(["", ""]), "light");
    expect(Array.from(legend.element.querySelectorAll(".graphne-tick"), (tick) => tick.textContent)).toEqual([
      "01-01 06:00",
      "01-01 12:00",
    ]);
    expect([textOf(days, 0), textOf(days, 1)]).toEqual(["2020-01-01 00:00", "2020-01-01 12:00"]);
    expect(textOf({ ...days, whole: true }, 2)).toBe("2020-12-31");
    expect(textOf({ ...valueColumn([1e300]), date: true }, 0)).toBe("1e300");
  });

  it("writes no number over another, and none where nobody has a value", () => {
    const legend = new Legend(store);
    legend.show(valueColumn([-1_234_567_890, 1e12]), graphOf(["", ""]), "light");
    expect(Array.from(legend.element.querySelectorAll(".graphne-tick"), (tick) => tick.textContent)).toEqual([
      "−1.23e9",
      "5e11",
      "1e12",
    ]);
    legend.show(valueColumn([12_345.5, 99_999.5]), graphOf(["", ""]), "light");
    expect(legend.element.querySelectorAll(".graphne-tick")).toHaveLength(2);
    legend.show(
      { ...valueColumn([]), values: Float64Array.of(Number.NaN), low: 0, high: 0, scale: [0, 0] },
      graphOf([""]),
      "light",
    );
    expect(legend.element.querySelector(".graphne-legend-body")!.textContent).toBe("no value1");
  });

  it("is not there when nothing is coloured", () => {
    const legend = new Legend(store);
    legend.show(null, graph, "light");
    expect(legend.element.hidden).toBe(true);
  });
});

it("finds round numbers", () => {
  expect(ticks(0, 10, 5, false)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticks(0.13, 0.87, 4, false)).toEqual([0.2, 0.4, 0.6, 0.8]);
  expect(ticks(1, 3, 5, true)).toEqual([1, 2, 3]);
  expect(ticks(-179, 179, 4, false)).toEqual([-100, 0, 100]);
  expect(ticks(2, 2, 4, false)).toEqual([2]);
  expect(ticks(Number.NaN, Number.NaN, 4, false)).toEqual([]);
});
