// What neighbours kept can be at all: a star's leaves cannot all be nearest to its centre, and a layout at random keeps a
// few by chance. test/analysis/recall_bounds.json holds examples.

import type { Rows } from "../data/adjacency.js";

/**
 * In the plane a node is among the k nearest of at most so many times k others: of those within an angle of 60 degrees
 * the k nearest to it may have it so, and the rest have k nearer ones.
 */
const ANGLES = 6;

export interface RecallBounds {
  /** What nodes at random places would keep on average. */
  readonly random: number;
  /** What no layout can exceed. */
  readonly best: number;
}

/**
 * The means over some nodes, without those that have no neighbours. `rows` names each neighbour once. By chance, k of
 * the others are nearest: k / (n - 1) of the neighbours. At best, each node is kept by its neighbours of the fewest
 * neighbours first, by one of k only while fewer than 6 k keep it.
 */
export function recallBounds({ starts, ends }: Rows, asked: Uint32Array): RecallBounds {
  const nodes = starts.length - 1;
  const degree = (node: number): number => starts[node + 1] - starts[node];
  const kept = new Uint32Array(nodes);
  for (let node = 0; node < nodes; node++) {
    const neighbors = ends.subarray(starts[node], starts[node + 1]);
    // Whoever has few neighbours is kept by all of them.
    const isKept = neighbors.length <= ANGLES;
    const order = isKept ? neighbors : neighbors.slice().sort((a, b) => degree(a) - degree(b));
    let count = 0;
    for (const other of order) {
      if (count >= ANGLES * degree(other)) continue;
      count++;
      kept[other]++;
    }
  }
  let [random, best, measured] = [0, 0, 0];
  for (const node of asked) {
    const places = degree(node);
    if (places === 0) continue;
    measured++;
    random += places / (nodes - 1);
    best += kept[node] / places;
  }
  return { random: random / measured, best: best / measured };
}
