import { describe, expect, it } from "vitest";
import { boundsOf, boundsOfSome, checkedBounds, frameBounds } from "../../src/data/bounds.js";

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
    for (const at of [0, 3, 4095, 4096, 4098, 12_345, 2 * nodes - 3, 2 * nodes - 2, 2 * nodes - 1]) {
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
