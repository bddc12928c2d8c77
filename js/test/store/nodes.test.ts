import { describe, expect, it } from "vitest";
import { HIDDEN } from "../../src/data/types.js";
import { bitsOf, cleanBits, combine, countBits, hasBit, withBits } from "../../src/store/nodes.js";
import { sameItems } from "../../src/store/state.js";

it("combines selections", () => {
  const before = Uint32Array.of(1, 10);
  expect(Array.from(combine(before, [9, 2, 2], "replace"))).toEqual([2, 9]);
  expect(Array.from(combine(before, [9, 10], "add"))).toEqual([1, 9, 10]);
  expect(Array.from(combine(before, [10, 3], "remove"))).toEqual([1]);
  expect(Array.from(before)).toEqual([1, 10]);
  expect([sameItems([1, 2], [1, 2]), sameItems([1], [1, 2]), sameItems([1, 3], [1, 2])]).toEqual([true, false, false]);
});

describe("hidden nodes", () => {
  it("are a bit each, and nothing if there are none", () => {
    const flags = new Uint8Array(11);
    expect(bitsOf(flags)).toEqual(new Uint8Array(0));
    flags[1] = HIDDEN;
    flags[10] = HIDDEN;
    expect(bitsOf(flags)).toEqual(Uint8Array.of(0b10, 0b100));
    expect(countBits(Uint8Array.of(0b10, 0b101))).toBe(3);
    expect([hasBit(Uint8Array.of(0b10), 1), hasBit(Uint8Array.of(0b10), 9)]).toEqual([true, false]);
  });

  it("are added to, within the graph", () => {
    expect(withBits(new Uint8Array(0), [0, 10, 99], 11)).toEqual(Uint8Array.of(1, 0b100));
    expect(withBits(Uint8Array.of(2, 0), [0], 11)).toEqual(Uint8Array.of(3, 0));
  });

  it("are none beyond the graph, however they come", () => {
    expect(cleanBits(Uint8Array.of(0xff, 0xff, 0xff), 11)).toEqual(Uint8Array.of(0xff, 0b111));
    expect(cleanBits(Uint8Array.of(1), 11)).toEqual(Uint8Array.of(1));
    expect(cleanBits(Uint8Array.of(0, 0), 11)).toEqual(new Uint8Array(0));
  });
});
