import { describe, expect, it } from "vitest";
import { Traversal } from "../../src/data/traversal.js";

// A path 0 - 1 - 2 - 3, a way round 0 - 4 - 3, a pair apart, and a node alone; one edge twice, and a loop.
const traversal = new Traversal(8, Uint32Array.of(0, 1, 1, 2, 2, 3, 0, 4, 4, 3, 5, 6, 1, 0, 2, 2));

describe("Traversal", () => {
  it("finds who is within so many steps", () => {
    expect([...traversal.within(1, 0)]).toEqual([1]);
    expect([...traversal.within(1, 1)]).toEqual([0, 1, 2]);
    expect([...traversal.within(1, Number.POSITIVE_INFINITY)]).toEqual([0, 1, 2, 3, 4]);
    expect([...traversal.within(7, 3)]).toEqual([7]);
  });

  it("finds the giant component", () => {
    expect([...traversal.giant()]).toEqual([0, 1, 2, 3, 4]);
    expect([...new Traversal(0, new Uint32Array(0)).giant()]).toEqual([]);
    expect([...new Traversal(2, new Uint32Array(0)).giant()]).toEqual([0]);
  });

  it("finds a shortest path, around hidden nodes, or none", () => {
    expect(traversal.path(1, 4)).toEqual([1, 0, 4]);
    expect(traversal.path(0, 3)).toEqual([0, 4, 3]);
    expect(traversal.path(0, 3, Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0))).toEqual([0, 1, 2, 3]);
    expect(traversal.path(0, 5)).toBeNull();
    expect(traversal.path(2, 2)).toEqual([2]);
  });

  it("goes along edges in their direction, and along none that is hidden", () => {
    const pairs = Uint32Array.of(0, 1, 1, 2, 3, 2, 0, 3);
    const all = new Traversal(4, pairs, true);
    expect(all.path(0, 2)).toEqual([0, 1, 2]);
    expect(all.path(2, 0)).toBeNull();
    expect(all.path(0, 2, null, Uint8Array.of(0, 1, 0, 0))).toEqual([0, 3, 2]);
    const some = new Traversal(4, pairs, Uint8Array.of(1, 0, 1, 0));
    expect(some.path(2, 1)).toEqual([2, 1]);
    expect(some.path(1, 0)).toBeNull();
    expect(new Traversal(4, pairs).path(1, 0, null, Uint8Array.of(1, 0, 0, 0))).toEqual([1, 2, 3, 0]);
  });
});
