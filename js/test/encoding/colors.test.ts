// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { INK } from "../../src/dom/theme.js";
import {
  adapt,
  type ByteRgba,
  colorShare,
  contrast,
  mergeColumns,
  nodeColors,
  parseColor,
  suits,
} from "../../src/encoding/colors.js";
import { nodeRadii } from "../../src/encoding/sizes.js";
import { classColumn, graphOf, textsOf, valueColumn } from "../fakes.js";

const PALETTE = [
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC79A7",
  "#E69F00",
  "#56B4E9",
  "#F0E442",
  "#7A3B00",
  "#4B0082",
  "#AFE1AF",
  "#B40AFC",
  "#003C57",
];
const read = (text: string): ByteRgba => parseColor(text)!;
const at = (rgba: Uint8Array, node: number): number[] => Array.from(rgba.subarray(4 * node, 4 * node + 4));

it("finds the colour of a value on a scale that is not even", () => {
  const column = { ...valueColumn([1, 5, 10, 50, 1000, Number.NaN]), stops: Float64Array.of(10, 100, 1000) };
  expect([...column.values].map((value) => colorShare(column, value))).toEqual([
    0.125,
    0.125,
    0.375,
    0.375,
    0.875,
    Number.NaN,
  ]);
});

describe("parseColor", () => {
  it("reads hex in all its lengths and what getComputedStyle answers", () => {
    expect(read("#0af")).toEqual([0, 170, 255, 255]);
    expect(read("#00AAff")).toEqual([0, 170, 255, 255]);
    expect(read("#00aaff80")).toEqual([0, 170, 255, 128]);
    expect(read("rgb(1, 2, 3)")).toEqual([1, 2, 3, 255]);
    expect(read("rgba(1, 2, 3, 0)")).toEqual([1, 2, 3, 0]);
  });

  it("refuses everything else", () => {
    for (const text of ["", "red", "#12345", "#xyzxyz", "rgb(a, b, c)", "url(x)"]) expect(parseColor(text)).toBeNull();
  });
});

describe("colours on dark", () => {
  it("leaves no class colour in the dark", () => {
    const ground = read(INK.dark.background);
    expect(Math.min(...PALETTE.map((color) => contrast(read(color), ground)))).toBeLessThan(1.5);
    for (const color of PALETTE) expect(contrast(adapt(read(color), "dark"), ground)).toBeGreaterThan(2.9);
  });

  it("keeps the colours on light as Python has them", () => {
    for (const color of PALETTE) expect(adapt(read(color), "light")).toEqual(read(color));
  });

  it("keeps the order of lightness of a colour scale", () => {
    const graph = graphOf(["a", "b", "c"]);
    const rgba = nodeColors(valueColumn([0, 1, 2]), graph, "dark");
    const light = [0, 1, 2].map((node) => contrast(at(rgba, node) as unknown as ByteRgba, [0, 0, 0, 255]));
    expect(light[0]).toBeLessThan(light[1]);
    expect(light[1]).toBeLessThan(light[2]);
  });
});

describe("nodeColors", () => {
  const graph = graphOf(["a", "b", "c", "d"]);

  it("gives classes theirs, the rest grey, and those without a value another grey", () => {
    const rgba = nodeColors(classColumn(["x", "y", "z", null]), graph, "light");
    expect(at(rgba, 0)).toEqual([0, 114, 178, 255]);
    expect(at(rgba, 1)).toEqual([213, 94, 0, 255]);
    expect(at(rgba, 2)).toEqual([184, 184, 184, 255]);
    expect(at(rgba, 3)).toEqual([218, 218, 218, 255]);
  });

  it("maps values from low to high, NaN to the colour of no value", () => {
    const rgba = nodeColors(valueColumn([5, 10, 7.5, Number.NaN]), graph, "light");
    expect(at(rgba, 0)).toEqual([68, 1, 84, 255]);
    expect(at(rgba, 1)).toEqual([253, 231, 37, 255]);
    expect(at(rgba, 2)).toEqual([33, 145, 140, 255]);
    expect(at(rgba, 3)).toEqual([218, 218, 218, 255]);
  });

  it("gives values beyond the scale the colours of its ends, and sizes by all of them", () => {
    const column = { ...valueColumn([-90, 5, 10, 900]), scale: [5, 10] as const };
    const rgba = nodeColors(column, graph, "light");
    expect([at(rgba, 0), at(rgba, 3)]).toEqual([at(rgba, 1), at(rgba, 2)]);
    expect(at(rgba, 1)).not.toEqual(at(rgba, 2));
    const [, small, , large] = nodeRadii(column, 4, 1);
    expect(large).toBeGreaterThan(2 * small);
  });

  it("survives values that are all the same, and codes beyond the categories", () => {
    expect(at(nodeColors(valueColumn([3, 3, 3, 3]), graph, "light"), 0)).toEqual([33, 145, 140, 255]);
    const column = { ...classColumn(["x", "x", "x", "x"]), codes: Uint8Array.of(0, 9, 0, 0) };
    expect(at(nodeColors(column, graph, "light"), 1)).toEqual([218, 218, 218, 255]);
  });

  it("takes own colours as they are, and lifts black on dark only", () => {
    const column = {
      key: "k",
      name: "",
      kind: "colors" as const,
      rgba: Uint8Array.from([0, 0, 0, 255, 255, 0, 0, 255, 1, 2, 3, 4, 9, 9, 9, 9]),
    };
    expect(nodeColors(column, graph, "light")).toEqual(column.rgba);
    const dark = nodeColors(column, graph, "dark");
    expect(contrast(at(dark, 0) as unknown as ByteRgba, read(INK.dark.background))).toBeGreaterThan(2);
    expect(at(dark, 1)).toEqual([255, 0, 0, 255]);
    expect(Array.from(column.rgba.subarray(0, 4))).toEqual([0, 0, 0, 255]); // what was handed in is not changed
  });

  it("is plain without a column", () => {
    expect(at(nodeColors(null, graph, "light"), 3)).toEqual([0, 114, 178, 255]);
  });
});

describe("sizes", () => {
  it("maps values to areas from 0.4 to 8 times the base, as Python does", () => {
    const values = [0, 10, Number.NaN, 5, 0, 0, 0, 0];
    const radii = nodeRadii(valueColumn(values), values.length, 2);
    expect(Array.from(radii, (radius) => (radius / 2) ** 2)).toEqual(
      [0.4, 8, 0.4, 4.2, 0.4, 0.4, 0.4, 0.4].map((area) => expect.closeTo(area, 4)),
    );
  });

  it("lets nodes take 2.5 times the area on average where most of them are large", () => {
    const radii = nodeRadii(valueColumn([0, 10, Number.NaN, 10]), 4, 2);
    expect(Array.from(radii, (radius) => (radius / 2) ** 2)).toEqual(
      [0.4, 4.6, 0.4, 4.6].map((area) => expect.closeTo(area, 4)),
    );
    expect(Array.from(nodeRadii(valueColumn([0, 10, 10, 10]), 4, 2, [4, 20]))).toEqual([2, 10, 10, 10]);
  });

  it("takes areas in square points as they are", () => {
    const radii = nodeRadii({ ...valueColumn([50, 50]), key: "custom:area" }, 2, 2);
    expect(radii[0]).toBeCloseTo((Math.sqrt(50) / 2) * (96 / 72), 4);
  });
});

it("lets an extra column replace its namesake", () => {
  const graph = graphOf(["a"], [classColumn(["x"]), valueColumn([1])]);
  const extra = classColumn(["y"]);
  expect(mergeColumns(graph, [extra])).toEqual([graph.columns[1], extra]);
});

it("offers only columns that suit", () => {
  const text = { key: "t", name: "t", kind: "text" as const, texts: textsOf(["a"]) };
  expect([classColumn(["x"]), valueColumn([1]), text].map(suits.color)).toEqual([true, true, false]);
  expect([classColumn(["x"]), valueColumn([1]), text].map(suits.size)).toEqual([false, true, false]);
  expect([classColumn(["x"]), valueColumn([1]), text].map(suits.label)).toEqual([true, true, true]);
});
