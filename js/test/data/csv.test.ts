import { describe, expect, it } from "vitest";
import { csvCell } from "../../src/data/csv.js";

describe("a cell of csv", () => {
  it("is no formula, wherever a spreadsheet may take it to begin", () => {
    expect(csvCell("=1+1")).toBe("'=1+1");
    expect(csvCell("\uff1d1+1")).toBe("'\uff1d1+1");
    expect(csvCell("a;=1+1")).toBe(`"a;'=1+1"`);
    expect(csvCell("a\n@SUM(1)")).toBe(`"a\n'@SUM(1)"`);
    expect(csvCell('a";\uff0bcmd|x')).toBe(`"a"";'\uff0bcmd|x"`);
  });

  it("stays as it is where it is none", () => {
    expect(["-7", "+1e5", "a=b", "a - b", "1-2"].map(csvCell)).toEqual(["-7", "+1e5", "a=b", "a - b", "1-2"]);
    expect(csvCell("a; b")).toBe(`"a; b"`);
  });
});
