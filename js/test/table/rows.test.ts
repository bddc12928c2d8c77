import { describe, expect, it } from "vitest";
import type { Column } from "../../src/data/types.js";
import { edgeColumns, nodeColumns, searchRows, sortRows } from "../../src/table/rows.js";
import { classColumn, graphOf, valueColumn } from "../fakes.js";

const NAMES = ["bob", "Ann", "n10", "n9", ""];
const graph = graphOf(NAMES, [], [0, 1, 1, 2, 3, 2]);
const columns: Column[] = [classColumn(["b", "a", "b", "a", "c"]), valueColumn([2, Number.NaN, -1, 2, 7])];
const [name, kind, value] = nodeColumns(graph, columns);
const all = Uint32Array.of(0, 1, 2, 3, 4);

const found = (words: string): number[] => {
  const work = searchRows(all, [name, kind, value], words);
  let step = work.next();
  while (!step.done) step = work.next();
  return [...step.value];
};

describe("rows", () => {
  it("are sorted by numbers, classes and texts, what is missing last either way", () => {
    expect([...sortRows(all, value, false)]).toEqual([2, 0, 3, 4, 1]);
    expect([...sortRows(all, value, true)]).toEqual([4, 0, 3, 2, 1]);
    expect([...sortRows(all, kind, false)]).toEqual([1, 3, 0, 2, 4]);
    expect([...sortRows(all, name, false)]).toEqual([1, 0, 2, 3, 4]);
    expect([...sortRows(all, name, true)]).toEqual([3, 2, 0, 1, 4]);
    expect([...sortRows(Uint32Array.of(3, 1), name, false)]).toEqual([1, 3]);
  });

  it("are found by what stands in any column, in whatever case", () => {
    expect(found("AN")).toEqual([1]);
    expect(found("7")).toEqual([4]);
    expect(found("c")).toEqual([4]);
    expect(found("nobody")).toEqual([]);
  });

  it("of edges have the names of both ends", () => {
    const [source, target] = edgeColumns(graph);
    expect([0, 1, 2].map((row) => `${source.text(row)}-${target.text(row)}`)).toEqual(["bob-Ann", "Ann-n10", "n9-n10"]);
  });
});
