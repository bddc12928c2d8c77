// tests/helpers/map_examples.py wrote what is expected; Python's own algorithm is held to the same.
// @ts-expect-error -- the types of Node are not installed for the sake of one call
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findHearts, type Heart, nameLines, nameOpacity, placeNames } from "../../../src/picture/labels/class-names.js";

interface Case {
  readonly name: string;
  readonly positions: readonly (readonly [number, number])[];
  readonly codes: readonly number[];
  readonly labels: readonly string[];
  readonly size: readonly [number, number];
  readonly rings: number;
  readonly discs: readonly (readonly [number, number, number])[];
  readonly hearts: readonly Heart[];
  readonly centers: readonly (readonly [number, number])[];
  readonly placed: readonly { heart: number; lines: string[]; x: number; y: number; size: number; led: boolean }[];
}

const examples = JSON.parse(readFileSync("test/encoding/names.json", "utf8") as string);
const cases = examples.cases as readonly Case[];

describe.each(cases.map((each) => [each.name, each] as const))("%s", (_, given) => {
  const positions = Float32Array.from(given.positions.flat());
  const hearts = findHearts(positions, given.codes, given.labels.length);

  it("has the hearts of Python", () => {
    expect(hearts.map(({ code, nodes }) => [code, nodes])).toEqual(
      given.hearts.map(({ code, nodes }) => [code, nodes]),
    );
    hearts.forEach(({ x, y }, k) => {
      expect(x).toBeCloseTo(given.hearts[k].x, 4);
      expect(y).toBeCloseTo(given.hearts[k].y, 4);
    });
  });

  it("has the names of Python, in its places", () => {
    const measure = (text: string, size: number): number => examples.text.pixelsPerLetter * size * text.length;
    const placed = placeNames(given.hearts, given.centers, given.labels, given.size, measure, given.rings, given.discs);
    expect(placed.map(({ heart, lines, led }) => ({ heart, lines, led }))).toEqual(
      given.placed.map(({ heart, lines, led }) => ({ heart, lines, led })),
    );
    placed.forEach(({ x, y, size }, k) => {
      expect(x).toBeCloseTo(given.placed[k].x, 4);
      expect(y).toBeCloseTo(given.placed[k].y, 4);
      expect(size).toBeCloseTo(given.placed[k].size, 6);
    });
  });
});

it("breaks and cuts names as Python does, and lets them fade", () => {
  for (const [text, lines] of Object.entries(examples.lines)) expect(nameLines(text)).toEqual(lines);
  for (const [zoom, opacity] of Object.entries(examples.opacity)) expect(nameOpacity(Number(zoom))).toBe(opacity);
});

it("does not count nodes that are hidden, nor write names of what is out of sight", () => {
  const [{ positions, codes, labels, hearts, size }] = cases;
  const places = Float32Array.from(positions.flat());
  const hidden = Uint8Array.from(codes, (code) => (code === hearts[0].code ? 1 : 0));
  expect(findHearts(places, codes, labels.length, hidden).map(({ code }) => code)).not.toContain(hearts[0].code);
  expect(findHearts(places, codes, labels.length, new Uint8Array(codes.length).fill(1))).toEqual([]);
  expect(
    placeNames(
      hearts,
      hearts.map(() => null),
      labels,
      size,
      () => 10,
    ),
  ).toEqual([]);
});
