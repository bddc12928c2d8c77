import { describe, expect, it } from "vitest";
import { EdgeBudget } from "../../src/scene/edge-budget.js";

describe("EdgeBudget", () => {
  it("draws everything as long as that is quick, and whenever the picture rests", () => {
    const budget = new EdgeBudget(100_000, false);
    for (let k = 0; k < 100; k++) budget.measure(17);
    expect(budget.count(true, Infinity)).toBe(100_000);
    for (let k = 0; k < 100; k++) budget.measure(20 + 3000 * budget.share);
    expect(budget.count(true, Infinity)).toBe(3000);
    expect(budget.count(false, Infinity)).toBe(100_000);
    expect(budget.count(false, 50_000)).toBe(50_000);
  });

  it("finds the share that the machine can draw, and comes back when it is idle again", () => {
    const budget = new EdgeBudget(100_000, false);
    for (let k = 0; k < 200; k++) budget.measure(200 * budget.share);
    expect(200 * budget.share).toBeLessThan(56);
    expect(200 * budget.share).toBeGreaterThan(10);
    for (let k = 0; k < 2000; k++) budget.measure(17);
    expect(budget.share).toBe(1);
  });

  it("does not save on edges when it is something else that is slow", () => {
    const budget = new EdgeBudget(100_000, false);
    let saved = 0;
    for (let k = 0; k < 1000; k++) {
      budget.measure(300);
      if (budget.share < 1) saved++;
    }
    expect(saved).toBeLessThan(80);
  });

  it("is not bothered by one slow frame", () => {
    const budget = new EdgeBudget(100_000, false);
    budget.measure(17);
    budget.measure(60);
    budget.measure(17);
    expect(budget.share).toBe(1);
  });

  it("begins low in software, and has no share of few or no edges to save", () => {
    expect(new EdgeBudget(1_000_000, true).count(true, Infinity)).toBe(25_000);
    expect(new EdgeBudget(2000, true).count(true, Infinity)).toBe(2000);
    expect(new EdgeBudget(0, true).count(true, Infinity)).toBe(0);
  });
});
