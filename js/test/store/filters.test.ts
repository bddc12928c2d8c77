import { describe, expect, it } from "vitest";
import { FADED, HIDDEN, SELECTED } from "../../src/data/types.js";
import { filterable, hiddenBy, openRule, stopsOf } from "../../src/store/filters.js";
import { markNodes } from "../../src/store/marks.js";
import { classColumn, valueColumn } from "../fakes.js";

const values = [3, 1, Number.NaN, 9, 4, 4, -2];
const labels = ["x", "y", "x", null, "z", "y", "x"];

describe("filters", () => {
  it("leave nobody out until they are set", () => {
    const columns = [valueColumn(values), classColumn(labels)] as const;
    expect(hiddenBy({}, columns, 7)).toBeNull();
    expect(hiddenBy({ "a:value": openRule(columns[0]), "a:class": openRule(columns[1]) }, columns, 7)).toBeNull();
    expect(hiddenBy({ gone: { low: 1, high: 2 }, "a:class": { low: 1, high: 2 } }, columns, 7)).toBeNull();
  });

  it("hide exactly those that any of them leaves out", () => {
    const numbers = valueColumn(values);
    const classes = classColumn(labels);
    for (const [low, high] of [
      [1, 4],
      [-2, 3],
      [4, 4],
      [5, 8],
    ]) {
      for (const without of [[], [0], [1, 3], [0, 1, 2, 3]]) {
        const left = without.map((code) => ["x", "y", "z", null][code]);
        const filters = { "a:value": { low, high }, "a:class": { without: left } };
        const wanted = values.map((value, i) => {
          const inRange = value >= low && value <= high;
          const code = labels[i] === null ? 3 : ["x", "y", "z"].indexOf(labels[i]);
          return inRange && !without.includes(code) ? 0 : HIDDEN;
        });
        expect(Array.from(hiddenBy(filters, [numbers, classes], 7)!)).toEqual(wanted);
      }
    }
  });

  it("go by the names of classes, whatever their codes are by now", () => {
    const rule = { "a:class": { without: ["x"] } };
    const again = classColumn(["y", "x", "y", "new"]);
    expect(Array.from(hiddenBy(rule, [again], 4)!)).toEqual([0, HIDDEN, 0, 0]);
  });

  it("leave nodes where they are that were not measured", () => {
    const sampled = { ...valueColumn([0.2, Number.NaN, 0.9]), sampled: true };
    const rule = { "a:value": { low: 0.5, high: null } };
    expect(Array.from(hiddenBy(rule, [sampled], 3)!)).toEqual([HIDDEN, 0, 0]);
    expect(Array.from(hiddenBy(rule, [{ ...sampled, sampled: false }], 3)!)).toEqual([HIDDEN, HIDDEN, 0]);
  });

  it("stop at the ends of a column of which nothing is known yet", () => {
    const values = new Float32Array(3).fill(Number.NaN);
    expect(stopsOf({ ...valueColumn([]), values, low: 0, high: 1 })).toEqual([0, 1]);
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
    const columns = [
      valueColumn(values),
      valueColumn([1, 1], "a:same"),
      classColumn(labels),
      classColumn(["x", "x"], "a:one"),
    ];
    expect(filterable(columns).map(({ key }) => key)).toEqual(["a:value", "a:class"]);
  });

  it("hold whatever else is marked", () => {
    const hidden = Uint8Array.of(0, HIDDEN, HIDDEN);
    const marked = { center: -1, neighbors: [], matches: null, selection: [1], classes: null, hidden };
    expect(Array.from(markNodes(new Uint8Array(3), marked))).toEqual([FADED, HIDDEN | SELECTED, FADED | HIDDEN]);
    expect(Array.from(markNodes(new Uint8Array(3), { ...marked, selection: [], hidden: null }))).toEqual([0, 0, 0]);
  });
});
