import { describe, expect, it } from "vitest";
import { FADED, HIDDEN, RAISED, SELECTED } from "../../src/data/types.js";
import { type Discs, type Projection, pick, within } from "../../src/scene/picking.js";

function generator(seed: number): () => number {
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}

const at: Projection = { left: 320, top: 240, scale: 40 };

function discs(seed: number, nodes = 400): Discs {
  const random = generator(seed);
  return {
    positions: Float32Array.from({ length: 2 * nodes }, () => 16 * random() - 8),
    radii: Float32Array.from({ length: nodes }, () => 1 + 12 * random()),
    flags: Uint8Array.from(
      { length: nodes },
      () => [0, 0, FADED, HIDDEN, SELECTED, SELECTED | HIDDEN][Math.floor(6 * random())],
    ),
    grow: 1.3,
    least: 2,
    most: 1.3 * 13,
    order: null,
  };
}

const screen = ({ positions }: Pick<Discs, "positions">, i: number): [number, number] => [
  at.left + positions[2 * i] * at.scale,
  at.top - positions[2 * i + 1] * at.scale,
];

describe("pick", () => {
  it("finds what a plain search finds", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const all = discs(seed);
      const random = generator(seed + 100);
      for (let k = 0; k < 50; k++) {
        const [left, top, tolerance] = [640 * random(), 480 * random(), k % 3 === 0 ? 0 : 6 * random()];
        const distance = (i: number): number => Math.hypot(screen(all, i)[0] - left, screen(all, i)[1] - top);
        const gap = (i: number): number => distance(i) - Math.max(all.least, all.radii[i] * all.grow);
        const seen = [...all.flags.keys()].filter((i) => !(all.flags[i] & HIDDEN));
        const level = (i: number): number => (all.flags[i] & FADED ? 0 : 1);
        const held = seen.filter((i) => gap(i) <= 0).sort((i, j) => level(j) - level(i) || j - i);
        const near = seen.filter((i) => gap(i) <= tolerance).sort((i, j) => gap(i) - gap(j));
        expect(pick(all, at, left, top, tolerance)).toBe(held[0] ?? near[0] ?? -1);
      }
    }
  });

  it("takes the topmost disc, and beside all discs the nearest", () => {
    const two: Discs = {
      positions: Float32Array.of(0, 0, 0.5, 0),
      radii: Float32Array.of(50, 5),
      flags: new Uint8Array(2),
      grow: 1,
      least: 1,
      most: 50,
      order: null,
    };
    expect(pick(two, at, 339, 240, 0)).toBe(1);
    expect(pick(two, at, 310, 240, 0)).toBe(0);
    expect(pick({ ...two, positions: new Float32Array(4) }, at, 320, 240, 0)).toBe(1);
    expect(pick({ ...two, flags: Uint8Array.of(0, HIDDEN) }, at, 339, 240, 0)).toBe(0);
    expect(pick(two, at, 320, 291, 0)).toBe(-1);
    expect(pick(two, at, 320, 291, 2)).toBe(0);
  });

  it("takes what lies on top although another centre is nearer, and what stands out before what steps back", () => {
    const two: Discs = {
      positions: Float32Array.of(0, 0, 0.5, 0),
      radii: Float32Array.of(5, 50),
      flags: new Uint8Array(2),
      grow: 1,
      least: 1,
      most: 50,
      order: null,
    };
    expect(pick(two, at, 321, 240, 0)).toBe(1);
    expect(pick({ ...two, flags: Uint8Array.of(0, FADED) }, at, 321, 240, 0)).toBe(0);
    expect(pick({ ...two, flags: Uint8Array.of(RAISED, 0) }, at, 321, 240, 0)).toBe(0);
    expect(pick({ ...two, flags: Uint8Array.of(FADED, FADED) }, at, 321, 240, 0)).toBe(1);
    expect(pick({ ...two, order: Uint32Array.of(1, 0) }, at, 321, 240, 0)).toBe(0);
  });

  it("finds node 0, and nothing in an empty graph", () => {
    const one: Discs = {
      positions: Float32Array.of(0, 0),
      radii: Float32Array.of(4),
      flags: new Uint8Array(1),
      grow: 1,
      least: 1,
      most: 50,
      order: null,
    };
    expect(pick(one, at, 321, 240, 0)).toBe(0);
    expect(
      pick(
        { ...one, positions: new Float32Array(0), radii: new Float32Array(0), flags: new Uint8Array(0) },
        at,
        0,
        0,
        9,
      ),
    ).toBe(-1);
  });
});

describe("within", () => {
  /** The angles under which a point sees the outline add up to whole turns; an odd number of them means inside. */
  function around(polygon: Float64Array, left: number, top: number): boolean {
    let angle = 0;
    for (let k = 0; k < polygon.length; k += 2) {
      const [a, b] = [polygon[k] - left, polygon[k + 1] - top];
      const [c, d] = [polygon[(k + 2) % polygon.length] - left, polygon[(k + 3) % polygon.length] - top];
      angle += Math.atan2(a * d - b * c, a * c + b * d);
    }
    return Math.abs(Math.round(angle / (2 * Math.PI))) % 2 === 1;
  }

  it("finds what a plain test of every node finds, for lassos of any shape", () => {
    let found = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const all = discs(seed);
      const random = generator(seed + 500);
      const corners = 3 + Math.floor(20 * random());
      const polygon = Float64Array.from({ length: 2 * corners }, (_, k) => (k % 2 ? 480 : 640) * random());
      const expected = [...all.flags.keys()].filter(
        (i) => !(all.flags[i] & HIDDEN) && around(polygon, ...screen(all, i)),
      );
      expect([...within(all, at, polygon)]).toEqual(expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(500);
  });

  it("takes rectangles drawn in any direction", () => {
    const all = discs(3);
    const rectangle = Float64Array.of(100, 100, 400, 100, 400, 300, 100, 300);
    const backwards = Float64Array.of(100, 300, 400, 300, 400, 100, 100, 100);
    const expected = [...all.flags.keys()].filter((i) => {
      const [left, top] = screen(all, i);
      return !(all.flags[i] & HIDDEN) && left > 100 && left < 400 && top > 100 && top < 300;
    });
    expect([...within(all, at, rectangle)]).toEqual(expected);
    expect([...within(all, at, backwards)]).toEqual(expected);
  });

  it("finds nobody with less than a triangle", () => {
    const all = discs(1);
    for (const polygon of [[], [3, 3], [0, 0, 640, 480]])
      expect(within(all, at, Float64Array.from(polygon))).toHaveLength(0);
  });
});
