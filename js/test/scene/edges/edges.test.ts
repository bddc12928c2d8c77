import { describe, expect, it } from "vitest";
import {
  bendsOf,
  drawnOneByOne,
  headLength,
  isStyled,
  PLAIN,
  pathOf,
  pointAlong,
} from "../../../src/scene/edges/edge-look.js";
import { pickEdge } from "../../../src/scene/edges/edge-picking.js";
import { rowsOfEdges } from "../../../src/scene/edges/edge-rows.js";

describe("bends", () => {
  it("are for edges between the same nodes, whatever their direction, and for loops", () => {
    expect(bendsOf(4, Uint32Array.of(0, 1, 1, 2, 2, 3), false)).toBeNull();
    // Where there is nothing to keep apart, curves were asked for.
    expect(new Set(bendsOf(4, Uint32Array.of(0, 1, 1, 2, 2, 3), true))).toEqual(new Set([Math.fround(0.2)]));
    expect(bendsOf(2, new Uint32Array(0), true)).toBeNull();
    const bends = bendsOf(4, Uint32Array.of(0, 1, 1, 0, 2, 2, 2, 3, 2, 2), true)!;
    // The second goes the other way, so it has the same sign to lie on the other side.
    expect(bends[0]).toBe(bends[1]);
    expect(bends[0]).not.toBe(0);
    expect([...bends.slice(2)]).toEqual([1, 0, 2]);
    expect([...bendsOf(4, Uint32Array.of(0, 1, 1, 0, 2, 2), false)!]).toEqual([0, 0, 1]);
  });

  it("spread however many edges there are, one of an odd number straight", () => {
    const bends = bendsOf(
      2,
      Uint32Array.from({ length: 2 * 101 }, (_, k) => k % 2),
      true,
    )!;
    expect(new Set(bends).size).toBe(101);
    expect([...bends]).toContain(0);
    expect(Math.max(...bends)).toBeLessThan(0.5);
  });
});

describe("paths", () => {
  it("lead from node to node, pulled aside by as much as they bend", () => {
    const [a, b] = [
      [0, 0],
      [10, 0],
    ] as const;
    const path = pathOf(a, b, false, 0.4, 1, 1, 1);
    expect(pointAlong(a, b, path, 0, 1)).toEqual([0, 0]);
    expect(pointAlong(a, b, path, 1, 1)).toEqual([10, 0]);
    expect(pointAlong(a, b, path, 0.5, 1)[1]).toBeCloseTo(2);
    // The other way round it lies on the other side; on a screen, where y points down, it is mirrored.
    expect(pointAlong(b, a, pathOf(b, a, false, 0.4, 1, 1, 1), 0.5, 1)[1]).toBeCloseTo(-2);
    expect(pointAlong(a, b, pathOf(a, b, false, 0.4, 1, 1, -1), 0.5, -1)[1]).toBeCloseTo(-2);
  });

  it("of loops begin and end within their node, and go around beside it", () => {
    const at = [5, 5] as const;
    const path = pathOf(at, at, true, 1, 4, 1, 1);
    const far = (t: number): number => Math.hypot(...pointAlong(at, at, path, t, 1).map((value) => value - 5));
    expect(far(0)).toBeLessThan(4);
    expect(far(1)).toBeLessThan(4);
    expect(far(0.5)).toBeGreaterThan(8);
    expect(far(1 - path.under)).toBeCloseTo(4);
  });

  it("have heads that fit between their nodes", () => {
    const long = pathOf([0, 0], [100, 0], false, 0, 5, 1, 1);
    expect(headLength(long, 1, 1)).toBeGreaterThan(5);
    expect(headLength(long, 5, 1)).toBeGreaterThan(headLength(long, 1, 1));
    expect(headLength(pathOf([0, 0], [9, 0], false, 0, 5, 1, 1), 1, 1)).toBe(0);
    expect(headLength(pathOf([0, 0], [0, 0], false, 0, 5, 1, 1), 1, 1)).toBe(0);
  });
});

it("tells looks that need edges one by one, up to as many as can be drawn so", () => {
  expect(isStyled(PLAIN)).toBe(false);
  expect(isStyled({ ...PLAIN, hidden: new Uint8Array(1) })).toBe(false);
  expect(isStyled({ ...PLAIN, ends: true })).toBe(true);
  const heads = { ...PLAIN, heads: new Uint8Array(0) };
  expect([1000, 50_000, 1_000_000].map((edges) => drawnOneByOne(edges, PLAIN))).toEqual([true, false, false]);
  expect([1000, 50_000, 1_000_000].map((edges) => drawnOneByOne(edges, heads))).toEqual([true, true, false]);
});

describe("rows", () => {
  it("hold ends, colour, width and bend, in batches of the same kind, without what is hidden", () => {
    const pairs = Uint32Array.of(0, 1, 1, 2, 2, 2, 3, 0);
    const { rows, batches } = rowsOfEdges(
      pairs,
      {
        widths: Float32Array.of(1, 2.5, 3, 4),
        rgba: Uint8Array.from({ length: 16 }, (_, k) => 16 * k + 15),
        ends: false,
        bends: Float32Array.of(-0.5, 0, 1, 0),
        heads: Uint8Array.of(1, 0, 0, 0),
        hidden: Uint8Array.of(0, 0, 0, 1),
      },
      Uint32Array.of(3, 2, 1, 0),
    );
    expect(batches).toEqual([
      { first: 0, count: 1, bent: false, head: false },
      { first: 1, count: 1, bent: true, head: false },
      { first: 2, count: 1, bent: true, head: true },
    ]);
    expect([...rows.slice(0, 2), ...rows.slice(4, 6), ...rows.slice(8, 10)]).toEqual([1, 2, 2, 2, 0, 1]);
    expect(rows[2]).toBe(0x7f6f5f4f);
    expect([rows[3] & 0xffff, rows[7] & 0xffff, rows[11] & 0xffff].map((wide) => wide / 256)).toEqual([2.5, 3, 1]);
    expect([rows[3] | 0, rows[7] | 0, rows[11] | 0].map((packed) => (packed >> 16) / 2048)).toEqual([0, 1, -0.5]);
  });

  it("are as wide as all where nothing else is said", () => {
    const { rows, batches } = rowsOfEdges(Uint32Array.of(4, 5), PLAIN, Uint32Array.of(0));
    expect([...rows]).toEqual([4, 5, 0, 256]);
    expect(batches).toHaveLength(1);
    expect(rowsOfEdges(Uint32Array.of(4, 5), PLAIN, new Uint32Array(0)).batches).toEqual([]);
  });
});

describe("picking", () => {
  const positions = Float32Array.of(0, 0, 10, 0, 0, 10, 10, 10);
  const discs = {
    positions,
    flags: new Uint8Array(4),
    radii: new Float32Array(4).fill(1),
    order: null,
    grow: 1,
    least: 1,
    most: 1,
  };
  const at = { left: 0, top: 100, scale: 10 };
  const pairs = Uint32Array.of(0, 1, 2, 3, 0, 2, 0, 2, 3, 3);
  const bends = bendsOf(4, pairs, true);
  const pick = (left: number, top: number, looks = { ...PLAIN, bends }, flags = discs.flags): number =>
    pickEdge(pairs, looks, { ...discs, flags }, at, left, top, 3);

  it("finds straight edges, curves and loops, the nearest", () => {
    expect(pick(50, 99)).toBe(0);
    expect(pick(50, 2)).toBe(1);
    expect(pick(50, 50)).toBe(-1);
    // Half a step of 0.22 aside, of which a curve goes half the way.
    expect([pick(5.5, 50), pick(-5.5, 50)].sort()).toEqual([2, 3]);
    expect(pick(0, 50)).toBe(-1);
    const path = pathOf([100, 100], [100, 100], true, 1, 1, 1, 1);
    const [x, y] = pointAlong([100, 100], [100, 100], path, 0.4, 1);
    expect(pick(x, 100 - y)).toBe(4);
  });

  it("passes over what is hidden, itself or with an end", () => {
    expect(pick(50, 99, { ...PLAIN, bends, hidden: Uint8Array.of(1, 0, 0, 0, 0) } as never)).toBe(-1);
    expect(pick(50, 99, { ...PLAIN, bends }, Uint8Array.of(0, 1, 0, 0))).toBe(-1);
  });

  it("finds none in a tangle", () => {
    const many = Uint32Array.from({ length: 20 }, (_, k) => k % 2);
    expect(pickEdge(many, PLAIN, discs, at, 50, 100, 3)).toBe(-1);
    expect(pickEdge(many.subarray(0, 6), PLAIN, discs, at, 50, 100, 3)).toBe(2);
  });
});
