// @ts-expect-error -- the types of Node are not installed for the sake of one call
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { recallBounds } from "../../src/analysis/recall-bounds.js";
import { neighborRows } from "../../src/data/adjacency.js";

interface Case {
  readonly name: string;
  readonly nodes: number;
  readonly star?: boolean;
  readonly pairs?: readonly (readonly [number, number])[];
  readonly random: number;
  readonly best: number;
}

const { cases } = JSON.parse(readFileSync("test/analysis/recall_bounds.json", "utf8") as string) as { cases: Case[] };

it.each(cases.map((each) => [each.name, each] as const))("knows what can be kept of %s", (_, given) => {
  const star = Array.from({ length: given.nodes - 1 }, (_, k) => [0, k + 1]);
  const pairs = Uint32Array.from((given.star ? star : (given.pairs ?? [])).flat());
  const all = Uint32Array.from({ length: given.nodes }, (_, node) => node);
  const { random, best } = recallBounds(neighborRows(given.nodes, pairs), all);
  expect(random).toBeCloseTo(given.random, 9);
  expect(best).toBeCloseTo(given.best, 9);
});
