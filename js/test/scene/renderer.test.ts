import { describe, expect, it } from "vitest";
import { FADED, HIDDEN, RAISED, SELECTED } from "../../src/data/types.js";
import {
  edgeStyle,
  growth,
  layerOf,
  layersOf,
  parseColor,
  raisedStyle,
  ringOf,
  spreadPairs,
} from "../../src/scene/renderer.js";

const box = { left: -1, bottom: -1, right: 1, top: 1 };

describe("edges", () => {
  it("are clear in a small graph and a tint in a dense one", () => {
    const small = edgeStyle(78, 0.5, box, 300, 1);
    expect(small.alpha).toBeGreaterThan(0.4);
    expect(small.depth).toBeGreaterThan(0.95);
    const dense = edgeStyle(1_000_000, 0.5, box, 300, 1);
    expect(dense.alpha * dense.depth).toBeLessThan(0.02);
    expect(dense.depth).toBeLessThan(0.45);
    expect(dense.alpha).toBeGreaterThan(0);
  });

  it("are weaker the more there are, and clearer from nearby or on a larger canvas", () => {
    const strength = (edges: number, scale: number): number => {
      const { alpha, depth } = edgeStyle(edges, 0.3, box, scale, 1);
      return alpha * depth;
    };
    expect(strength(20_000, 300)).toBeGreaterThan(strength(80_000, 300));
    expect(strength(80_000, 1200)).toBeGreaterThan(strength(80_000, 300));
  });

  it("have a style whatever the layout", () => {
    for (const [edges, length, scale] of [
      [0, 0, 1],
      [5, 0, 1e-30],
      [5, 1e6, 1e30],
      [1e7, 1e-30, 1],
    ]) {
      for (const area of [box, { left: 0, bottom: 0, right: 0, top: 0 }]) {
        const { alpha, depth } = edgeStyle(edges, length, area, scale, 2);
        expect(alpha > 0 && alpha <= 1 && depth > 0 && depth <= 1).toBe(true);
      }
    }
  });

  it("that stand out are bold when few, and let a hub's surroundings be seen", () => {
    expect(raisedStyle(3, 1).alpha).toBe(0.9);
    expect(raisedStyle(3, 2).width).toBeCloseTo(3.2);
    expect(raisedStyle(2000, 1).alpha).toBeLessThan(0.4);
  });
});

describe("spread", () => {
  it.each([0, 1, 2, 3, 10, 97, 1000, 4096])("keeps %i pairs whole and complete", (edges) => {
    const pairs = Uint32Array.from({ length: 2 * edges }, (_, k) => k);
    const order = spreadPairs(pairs);
    const first = Array.from({ length: edges }, (_, k) => order[2 * k]);
    expect(first.every((i, k) => order[2 * k + 1] === i + 1)).toBe(true);
    expect([...first].sort((a, b) => a - b)).toEqual(Array.from({ length: edges }, (_, k) => 2 * k));
  });

  it("has every part of the graph in its beginning", () => {
    const order = spreadPairs(Uint32Array.from({ length: 20_000 }, (_, k) => k));
    const tenths = new Set(Array.from({ length: 100 }, (_, k) => Math.floor(order[2 * k] / 2000)));
    expect(tenths.size).toBe(10);
  });
});

describe("discs", () => {
  it("grow more slowly than the picture", () => {
    expect(growth(3, 3)).toBe(1);
    expect(growth(12, 3)).toBeGreaterThan(1.5);
    expect(growth(12, 3)).toBeLessThan(2);
    expect(growth(1e9, 3)).toBe(8);
    expect(growth(1e-9, 3)).toBe(0.6);
    expect(growth(1, 0)).toBe(1);
  });

  it("lie in layers", () => {
    expect([0, FADED, SELECTED, FADED | SELECTED, RAISED | FADED | SELECTED].map(layerOf)).toEqual([1, 0, 2, 2, 3]);
    expect(layersOf(Uint8Array.of(0, 0, FADED))).toBe(0b11);
    expect(layersOf(Uint8Array.of(HIDDEN, HIDDEN | RAISED, SELECTED))).toBe(0b100);
    expect(layersOf(new Uint8Array(0))).toBe(0);
  });

  it("have rings in proportion", () => {
    expect(ringOf(10, 1)).toEqual([11.25, 13.25]);
    const [inner, outer] = ringOf(1, 1);
    expect(inner).toBeCloseTo(1.3);
    expect(outer - inner).toBeCloseTo(1);
  });
});

describe("parseColor", () => {
  it("reads plain colours by itself", () => {
    expect(parseColor("#ff8000")).toEqual([1, 128 / 255, 0, 1]);
  });
});
