import { describe, expect, it } from "vitest";
import { heightOf, rowsInView, scrollTo, topOf } from "../../src/table/row-window.js";

const VIEW = 240; // a header and nine rows

describe("the rows in a scrolled view", () => {
  it("are the first at the top and the last at the end", () => {
    expect(rowsInView(100, VIEW, 0)).toEqual({ first: 0, fits: 10 });
    expect(rowsInView(100, VIEW, heightOf(100) - (VIEW - 24))).toEqual({ first: 91, fits: 10 });
    expect(rowsInView(5, VIEW, 0).first).toBe(0);
  });

  it("stand where they belong, and of too many for a browser where the view is", () => {
    expect(topOf(30, 10, 100, 725)).toBe(720);
    const many = 10_000_000;
    expect(heightOf(many)).toBe(15e6);
    expect(topOf(5_000_000, 10, many, 7.5e6)).toBe(7.5e6);
    expect(topOf(many - 9, 10, many, 15e6)).toBe(15e6 - 240);
  });

  it.each([100, 10_000_000])("can be brought into view wherever they are among %i", (rows) => {
    for (const row of [0, 1, 50, rows >> 1, rows - 2, rows - 1]) {
      const top = scrollTo(row, rows, VIEW, heightOf(rows) / 3) ?? heightOf(rows) / 3;
      const { first, fits } = rowsInView(rows, VIEW, top);
      expect(row).toBeGreaterThanOrEqual(first);
      expect(row).toBeLessThan(first + fits);
      expect(scrollTo(row, rows, VIEW, top) ?? top).toBe(top);
    }
  });
});
