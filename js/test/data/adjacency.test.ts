import { expect, it } from "vitest";
import { Adjacency } from "../../src/data/adjacency.js";

it("finds neighbours once each, in order, without loops", () => {
  const adjacency = new Adjacency(5, Uint32Array.of(3, 0, 0, 1, 1, 0, 2, 2, 0, 3, 1, 3));
  expect([0, 1, 2, 3, 4].map((node) => [...adjacency.of(node)])).toEqual([[1, 3], [0, 3], [], [0, 1], []]);
});

it("finds the edges of a node, loops and parallel ones once each", () => {
  const adjacency = new Adjacency(4, Uint32Array.of(3, 0, 0, 1, 1, 0, 2, 2, 0, 3, 1, 3));
  expect([0, 1, 2, 3, 4].map((node) => [...adjacency.edgesOf(node)])).toEqual([
    [0, 1, 2, 4],
    [1, 2, 5],
    [3],
    [0, 4, 5],
    [],
  ]);
});

it("answers for nodes that do not exist", () => {
  const adjacency = new Adjacency(2, Uint32Array.of(0, 1));
  for (const node of [-1, 2, 0.5, NaN]) expect(adjacency.of(node)).toHaveLength(0);
  expect(new Adjacency(0, new Uint32Array(0)).of(0)).toHaveLength(0);
});

it("hands out copies", () => {
  const adjacency = new Adjacency(2, Uint32Array.of(0, 1));
  adjacency.of(0)[0] = 7;
  expect([...adjacency.of(0)]).toEqual([1]);
});

it("gives the same answers before and after it built its rows", () => {
  const nodes = 300;
  const edges = 210_000;
  let seed = 9;
  const pairs = Uint32Array.from({ length: 2 * edges }, () => ((seed = (seed * 48271) % 2147483647) >> 3) % nodes);
  // One node with few neighbours, so that the answers differ from node to node.
  for (let k = 0; k < pairs.length; k++) if (pairs[k] === 17) pairs[k] = 18;
  pairs.set([17, 250, 17, 3]);
  const adjacency = new Adjacency(nodes, pairs);
  const before = [0, 17, 299].map((node) => [...adjacency.of(node)]);
  expect(before[1]).toEqual([3, 250]);
  for (let k = 0; k < 100; k++) adjacency.of(17);
  expect((adjacency as unknown as { rows: unknown }).rows).not.toBeNull();
  expect([0, 17, 299].map((node) => [...adjacency.of(node)])).toEqual(before);
});
