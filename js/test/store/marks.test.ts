import { describe, expect, it } from "vitest";
import { formatValue, oneLine, plural } from "../../src/data/format.js";
import { FADED, HIDDEN, RAISED, SELECTED } from "../../src/data/types.js";
import { centerOf, markNodes } from "../../src/store/marks.js";

const nobody = { center: -1, neighbors: [], matches: null, selection: [], classes: null, hidden: null };
const mark = (marked: Partial<Parameters<typeof markNodes>[1]>): number[] =>
  Array.from(markNodes(new Uint8Array(4), { ...nobody, ...marked }));

describe("markNodes", () => {
  it("marks nobody", () => {
    expect(mark({})).toEqual([0, 0, 0, 0]);
  });

  it("shows the node at the centre, the first one, too, among its neighbours", () => {
    expect(mark({ center: 0, neighbors: [2] })).toEqual([RAISED, FADED, RAISED, FADED]);
  });

  it("shows matches above a selection, and none at all if nothing matches", () => {
    expect(mark({ matches: [1], selection: [3] })).toEqual([FADED, RAISED, FADED, FADED | SELECTED]);
    expect(mark({ matches: [] })).toEqual([FADED, FADED, FADED, FADED]);
  });

  it("keeps hidden what the legend hides", () => {
    const classes = { codes: Uint8Array.of(0, 0, 1, 9), table: Uint8Array.of(HIDDEN, FADED) };
    expect(mark({ classes })).toEqual([HIDDEN, HIDDEN, FADED, FADED]);
    expect(mark({ classes, center: 0, neighbors: [2] })).toEqual([HIDDEN | RAISED, HIDDEN | FADED, RAISED, FADED]);
    expect(mark({ classes, selection: [2, 3] })).toEqual([HIDDEN | FADED, HIDDEN | FADED, SELECTED, SELECTED]);
  });

  it("passes over nodes that are not there", () => {
    expect(mark({ selection: [99, 1] })).toEqual([FADED, SELECTED, FADED, FADED]);
  });
});

it("centres on what is hovered, else on a single selected node", () => {
  expect(centerOf(0, null, [5])).toBe(0);
  expect(centerOf(-1, null, [0])).toBe(0);
  expect(centerOf(-1, [3], [0])).toBe(-1);
  expect(centerOf(-1, null, [0, 1])).toBe(-1);
});

it("writes numbers as people do", () => {
  const written = [0, 7, -3, 2004, 12_345, 1.5, 1 / 3, 1234.56, 1e-7, 2.5e9 + 0.5, Number.NaN].map((value) =>
    formatValue(value),
  );
  expect(written).toEqual(["0", "7", "−3", "2004", "12,345", "1.5", "0.3333", "1,235", "1e-7", "2.5e9", "no value"]);
  expect([plural(1, "node"), plural(2000, "node")]).toEqual(["1 node", "2,000 nodes"]);
});

it("makes one short line of any text", () => {
  expect(oneLine("two\nlines\u0000\u202eback")).toBe("two lines back");
  expect(oneLine("abcdef", 4)).toBe("abc…");
  expect(oneLine("👩‍🚀".repeat(100), 5)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
});
