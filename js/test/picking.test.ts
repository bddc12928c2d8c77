import { describe, expect, it } from "vitest";
import { boundsOf, boundsOfSome, checkedBounds, frameBounds, pick, within, type Discs, type Projection } from "../src/picking.js";
import { FADED, HIDDEN, SELECTED } from "../src/types.js";

function generator(seed: number): () => number {
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}

const at: Projection = { left: 320, top: 240, scale: 40 };

function discs(seed: number, nodes = 400): Discs {
  const random = generator(seed);
  return {
    positions: Float32Array.from({ length: 2 * nodes }, () => 16 * random() - 8),
    radii: Float32Array.from({ length: nodes }, () => 1 + 12 * random()),
    flags: Uint8Array.from({ length: nodes }, () => [0, 0, FADED, HIDDEN, SELECTED, SELECTED | HIDDEN][Math.floor(6 * random())]),
    grow: 1.3,
    least: 2,
  };
}

const screen = ({ positions }: Pick<Discs, "positions">, i: number): [number, number] => [at.left + positions[2 * i] * at.scale, at.top - positions[2 * i + 1] * at.scale];

describe("pick", () => {
  it("finds what a plain search finds", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const all = discs(seed);
      const random = generator(seed + 100);
      for (let k = 0; k < 50; k++) {
        const [left, top, tolerance] = [640 * random(), 480 * random(), k % 3 === 0 ? 0 : 6 * random()];
        const distance = (i: number): number => Math.hypot(screen(all, i)[0] - left, screen(all, i)[1] - top);
        const held = [...all.flags.keys()].filter((i) => !(all.flags[i] & HIDDEN) && distance(i) <= Math.max(all.least, all.radii[i] * all.grow) + tolerance);
        const nearest = held.sort((i, j) => distance(i) - distance(j))[0] ?? -1;
        expect(pick(all, at, left, top, tolerance)).toBe(nearest);
      }
    }
  });

  it("takes the nearest centre, not the largest disc, and of equal ones the upper", () => {
    const two: Discs = { positions: Float32Array.of(0, 0, 0.5, 0), radii: Float32Array.of(50, 5), flags: new Uint8Array(2), grow: 1, least: 1 };
    expect(pick(two, at, 339, 240, 0)).toBe(1);
    expect(pick(two, at, 310, 240, 0)).toBe(0);
    expect(pick({ ...two, positions: new Float32Array(4) }, at, 320, 240, 0)).toBe(1);
    expect(pick({ ...two, flags: Uint8Array.of(0, HIDDEN) }, at, 339, 240, 0)).toBe(0);
    expect(pick(two, at, 320, 291, 0)).toBe(-1);
    expect(pick(two, at, 320, 291, 2)).toBe(0);
  });

  it("finds node 0, and nothing in an empty graph", () => {
    const one: Discs = { positions: Float32Array.of(0, 0), radii: Float32Array.of(4), flags: new Uint8Array(1), grow: 1, least: 1 };
    expect(pick(one, at, 321, 240, 0)).toBe(0);
    expect(pick({ ...one, positions: new Float32Array(0), radii: new Float32Array(0), flags: new Uint8Array(0) }, at, 0, 0, 9)).toBe(-1);
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
      const expected = [...all.flags.keys()].filter((i) => !(all.flags[i] & HIDDEN) && around(polygon, ...screen(all, i)));
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
    for (const polygon of [[], [3, 3], [0, 0, 640, 480]]) expect(within(all, at, Float64Array.from(polygon))).toHaveLength(0);
  });
});

describe("bounds", () => {
  it("are those of all positions", () => {
    expect(boundsOf(Float32Array.of(1, -2, -3, 4, 0, 9))).toEqual({ left: -3, bottom: -2, right: 1, top: 9 });
    expect(boundsOf(Float32Array.of(5, 6))).toEqual({ left: 5, bottom: 6, right: 5, top: 6 });
    expect(boundsOf(new Float32Array(0))).toBeNull();
  });

  it("tell of positions that are not finite", () => {
    expect(boundsOf(Float32Array.of(1, 2, NaN, 4, 5, 6))?.left).toBeNaN();
    expect(boundsOf(Float32Array.of(1, 2, 3, Infinity))?.top).toBe(Infinity);
  });

  it("go on from piece to piece of a large graph, to its very last node", () => {
    const nodes = 10_001;
    const positions = Float32Array.from({ length: 2 * nodes }, (_, i) => (i % 2 ? -i : i));
    expect(boundsOf(positions)).toEqual({ left: 0, bottom: 1 - 2 * nodes, right: 2 * nodes - 2, top: -1 });
    for (const at of [0, 4095, 4096, 12_345, 2 * nodes - 1]) {
      const broken = positions.slice();
      broken[at] = NaN;
      const { left, right, bottom, top } = boundsOf(broken)!;
      expect(at % 2 ? top - bottom : right - left).toBeNaN();
    }
  });

  it("are kept for frames that were read, and only for those", () => {
    const frame = Float32Array.of(1, 2, 3, 4);
    expect(checkedBounds(frame)).toEqual({ left: 1, bottom: 2, right: 3, top: 4 });
    expect(frameBounds(frame)).toBe(frameBounds(frame));
    const own = Float32Array.of(1, 2, 3, 4);
    frameBounds(own);
    own[0] = -9;
    expect(frameBounds(own)?.left).toBe(-9);
    expect(checkedBounds(new Float32Array(0))).toBeNull();
  });

  it("are those of some nodes", () => {
    const positions = Float32Array.of(1, -2, -3, 4, 0, 9);
    expect(boundsOfSome(positions, Uint32Array.of(0, 2))).toEqual({ left: 0, bottom: -2, right: 1, top: 9 });
    expect(boundsOfSome(positions, Uint32Array.of(1, 99))).toEqual({ left: -3, bottom: 4, right: -3, top: 4 });
    expect(boundsOfSome(positions, Uint32Array.of())).toBeNull();
    expect(boundsOfSome(positions, Uint32Array.of(7))).toBeNull();
  });
});
