// tests/helpers/map_examples.py wrote what is expected; Python's own formulas are held to the same.
// @ts-expect-error -- the types of Node are not installed for the sake of one call
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { diameterIn, dotStyle, letterScale } from "../../src/encoding/dots.js";
import { nodeRadii } from "../../src/encoding/sizes.js";
import { edgeStyle } from "../../src/scene/renderer.js";
import { valueColumn } from "../fakes.js";

const examples = JSON.parse(readFileSync("test/encoding/dots.json", "utf8") as string);

it("makes many nodes small and translucent, as Python does", () => {
  for (const { nodes, area, radius, opacity } of examples.nodes) {
    expect(dotStyle(nodes, area).radius).toBeCloseTo(radius, 9);
    expect(dotStyle(nodes, area).opacity).toBeCloseTo(opacity, 9);
  }
});

it("makes edges as strong as Python does", () => {
  for (const { edges, meanLength, width, height, style } of examples.edges) {
    const box = { left: 0, bottom: 0, right: width, top: height };
    const { alpha, depth, width: thick } = edgeStyle(edges, meanLength, box, 1, 1);
    expect(alpha).toBeCloseTo(style.alpha, 9);
    expect(depth).toBeCloseTo(style.depth, 9);
    expect(thick).toBeCloseTo(style.width, 9);
  }
});

it("keeps to the diameters that were asked for", () => {
  for (const { range, share, diameter } of examples.ranges) expect(diameterIn(range, share)).toBeCloseTo(diameter, 9);
  const radii = nodeRadii(valueColumn([0, 10, Number.NaN, 5]), 4, 2, [4, 20]);
  expect([...radii.slice(0, 3)]).toEqual([2, 10, 2]);
  expect(radii[3] ** 2).toBeCloseTo((4 + 100) / 2, 4);
});

it("writes labels as large beside large nodes as Python does", () => {
  for (const { diameter, usual, scale } of examples.letters) expect(letterScale(diameter, usual)).toBeCloseTo(scale, 9);
});
