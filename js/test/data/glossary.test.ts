import { expect, test } from "vitest";

import { meaningOf } from "../../src/data/glossary.js";
import { computable, statisticOf, titleOf } from "../../src/data/statistics.js";

const OFFERED = computable([], false).map(([key]) => statisticOf(key) ?? "");

test.each(["degree", "neighbour recall", ...OFFERED])(
  "the statistic %s is explained in a sentence of its own",
  (name) => {
    expect(meaningOf(name).split(" ").length).toBeGreaterThan(5);
  },
);

test("no two statistics have the same explanation", () => {
  expect(OFFERED.length).toBeGreaterThan(10);
  expect(new Set(OFFERED.map(meaningOf)).size).toBe(OFFERED.length);
  expect(OFFERED.map(titleOf)).toContain("eigenvector centrality");
});

test("what needs no explanation has none", () => {
  expect(meaningOf("department")).toBe("");
});
