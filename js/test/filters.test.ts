import { describe, expect, it } from "vitest";
import { type Filter, filterable, hiddenBy, openFilter, stopsOf } from "../src/filters.js";
import { markNodes } from "../src/marks.js";
import { FADED, HIDDEN, SELECTED } from "../src/types.js";
import { classColumn, valueColumn } from "./fakes.js";

const values = [3, 1, Number.NaN, 9, 4, 4, -2];
const labels = ["x", "y", "x", null, "z", "y", "x"];

describe("filters", () => {
  it("leave nobody out until they are set", () => {
    expect(hiddenBy([], 7)).toBeNull();
    expect(hiddenBy([openFilter(valueColumn(values)), openFilter(classColumn(labels))], 7)).toBeNull();
  });

  it("hide exactly those that any of them leaves out", () => {
    const numbers = valueColumn(values);
    const classes = classColumn(labels);
    for (const [low, high] of [[1, 4], [-2, 3], [4, 4], [5, 8]]) {
      for (const without of [[], [0], [1, 3], [0, 1, 2, 3]]) {
        const filters: Filter[] = [{ column: numbers, low, high }, { column: classes, without: new Set(without) }];
        const wanted = values.map((value, i) => {
          const inRange = value >= low && value <= high;
          const code = labels[i] === null ? 3 : ["x", "y", "z"].indexOf(labels[i]);
          return inRange && !without.includes(code) ? 0 : HIDDEN;
        });
        expect(Array.from(hiddenBy(filters, 7)!)).toEqual(wanted);
      }
    }
  });

  it("stop at every value, or at so many by rank that the skewed can be told apart", () => {
    expect(stopsOf(valueColumn(values))).toEqual([-2, 1, 3, 4, 9]);
    const skewed = Array.from({ length: 10_000 }, (_, k) => 2 ** (k / 500));
    const stops = stopsOf(valueColumn(skewed));
    expect(stops.length).toBeLessThanOrEqual(400);
    expect([stops[0], stops.at(-1)]).toEqual([skewed[0], skewed.at(-1)]);
    expect(stops.filter((stop) => stop < 1024).length / stops.length).toBeCloseTo(0.5, 1);
  });

  it("are offered for numbers that differ and for classes", () => {
    const columns = [valueColumn(values), valueColumn([1, 1], "a:same"), classColumn(labels), classColumn(["x", "x"], "a:one")];
    expect(filterable(columns).map(({ key }) => key)).toEqual(["a:value", "a:class"]);
  });

  it("hold whatever else is marked", () => {
    const hidden = Uint8Array.of(0, HIDDEN, HIDDEN);
    const marked = { center: -1, neighbors: [], matches: null, selection: [1], classes: null, hidden };
    expect(Array.from(markNodes(new Uint8Array(3), marked))).toEqual([FADED, HIDDEN | SELECTED, FADED | HIDDEN]);
    expect(Array.from(markNodes(new Uint8Array(3), { ...marked, selection: [], hidden: null }))).toEqual([0, 0, 0]);
  });
});
