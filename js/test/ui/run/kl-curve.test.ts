import { describe, expect, it } from "vitest";
import { Series, trace, writtenKl } from "../../../src/ui/run/kl-curve.js";

it("writes what rounding left below zero as zero", () => {
  expect([-1e-9, 0, 0.4894, 12.34, 123.4].map(writtenKl)).toEqual(["0.000", "0.000", "0.489", "12.3", "123"]);
});

describe("Series", () => {
  it("takes numbers in order and nothing else", () => {
    const series = new Series();
    series.enter(1);
    expect(series.push(10, 3)).toBe(true);
    expect(series.push(20, Number.NaN)).toBe(false);
    expect(series.push(10, 2)).toBe(false);
    expect(series.push(30, 1)).toBe(true);
    expect(series.points).toEqual([
      [10, 3],
      [30, 1],
    ]);
  });

  it("begins anew with another run, and only then", () => {
    const series = new Series();
    series.enter(1);
    series.push(10, 3);
    series.enter(1);
    expect(series.points).toHaveLength(1);
    series.enter(2);
    expect(series.points).toHaveLength(0);
    expect(series.push(5, 1)).toBe(true);
  });

  it("stays small and keeps its newest point", () => {
    const series = new Series();
    for (let k = 1; k <= 10_000; k++) series.push(k, 1 / k);
    expect(series.points.length).toBeLessThanOrEqual(600);
    expect(series.points.at(-1)).toEqual([10_000, 1 / 10_000]);
  });

  it("joins what the kernel remembers with what came since", () => {
    const series = new Series();
    series.push(30, 3);
    series.load([
      [10, 5],
      [20, 4],
    ]);
    expect(series.points.map(([iteration]) => iteration)).toEqual([10, 20, 30]);
  });
});

describe("trace", () => {
  it("runs from left to right, high values at the top", () => {
    const traced = trace(
      [
        [0, 5],
        [10, 1],
        [20, 3],
      ],
      100,
      40,
    );
    expect(traced[0]).toBeLessThan(traced[2]);
    expect(traced[1]).toBe(3);
    expect(traced[3]).toBe(37);
  });

  it("is level where nothing changes and empty where nothing is", () => {
    expect(Array.from(trace([[1, 2]], 100, 40))).toEqual([2, 20]);
    expect(trace([], 100, 40)).toHaveLength(0);
  });
});
