// What the picture keeps of the graph, and how classes lie in it. What takes long is a generator that stops after every
// few nodes, to be run in slices; graphne_viz/evaluation measures the same.

import { neighborRows, type Rows } from "../data/adjacency.js";
import { NearestHeap, Tree } from "../data/nearest.js";
import type { Work } from "../data/time-slices.js";
import type { ClassColumn } from "../data/types.js";
import { type RecallBounds, recallBounds } from "./recall-bounds.js";

/** Nearest nodes that vote on a node's class. */
export const VOTERS = 15;
/** Of larger graphs so many nodes are measured; their nearest are searched among all. */
export const MOST_WHOLE = 50_000;
export const SAMPLE = 20_000;

const STRIDE = 16;

/** Some of the numbers below `count`, ascending and always the same; all of them if there are not more than `most`. */
export function sampleOf(count: number, most: number): Uint32Array {
  if (count <= most) return Uint32Array.from({ length: count }, (_, at) => at);
  const chosen = new Uint32Array(most);
  let seed = 1;
  let taken = 0;
  for (let at = 0; taken < most; at++) {
    // xorshift; each is taken with the chance that fills what is left (Knuth's algorithm S).
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    if (((seed >>> 0) / 2 ** 32) * (count - at) < most - taken) chosen[taken++] = at;
  }
  return chosen;
}

/**
 * The share of each node's neighbours that are among its as many nearest nodes; NaN without neighbours, and for nodes
 * that were not asked. Where more nodes are as far as the last with a place than places are left, each has its part.
 */
export function* recallOf(positions: Float32Array, rows: Rows, asked: Uint32Array): Work<Float32Array> {
  const { starts, ends } = rows;
  const recall = new Float32Array(positions.length >> 1).fill(Number.NaN);
  yield;
  const tree = new Tree(positions);
  const heap = new NearestHeap();
  for (let a = 0; a < asked.length; a++) {
    if (a % STRIDE === 0) yield;
    const node = asked[a];
    const places = starts[node + 1] - starts[node];
    if (places === 0) continue;
    const x = positions[2 * node];
    const y = positions[2 * node + 1];
    // One more than there are places, to see whether the last place is disputed.
    tree.find(x, y, node, places + 1, heap);
    if (heap.size <= places) {
      recall[node] = 1;
      continue;
    }
    const last = heap.second;
    const found = { nearer: 0, level: 0 };
    for (let k = starts[node]; k < starts[node + 1]; k++) {
      const dx = positions[2 * ends[k]] - x;
      const dy = positions[2 * ends[k] + 1] - y;
      const square = dx * dx + dy * dy;
      if (square < last) found.nearer++;
      else if (square === last) found.level++;
    }
    if (heap.limit > last) {
      recall[node] = (found.nearer + found.level) / places;
    } else {
      const all = tree.count(x, y, node, last);
      recall[node] = (found.nearer + (found.level * (places - all.nearer)) / all.level) / places;
    }
  }
  return recall;
}

/** What the nearest nodes say about a node's class. */
export interface Votes {
  /** The class most of them have, of equal ones that of the nearest; -1 where nobody was asked. */
  readonly winners: Int32Array;
  /** How many they are. */
  readonly votes: Uint8Array;
  readonly voters: number;
}

/** Lets the 15 nearest nodes with a class vote, or as many as there are, on every one that is asked and has one. */
export function* votesOf(
  positions: Float32Array,
  codes: ArrayLike<number>,
  classes: number,
  asked: Uint32Array,
): Work<Votes> {
  const nodes = positions.length >> 1;
  const known: number[] = [];
  for (let node = 0; node < nodes; node++) if (codes[node] < classes) known.push(node);
  const winners = new Int32Array(nodes).fill(-1);
  const votes = new Uint8Array(nodes);
  const voters = Math.min(VOTERS, known.length - 1);
  yield;
  if (voters < 1) return { winners, votes, voters: 0 };
  const tree = new Tree(positions, Uint32Array.from(known));
  const heap = new NearestHeap();
  for (let a = 0; a < asked.length; a++) {
    if (a % STRIDE === 0) yield;
    const node = asked[a];
    if (codes[node] >= classes) continue;
    tree.find(positions[2 * node], positions[2 * node + 1], node, voters, heap);
    heap.sort();
    for (let k = 0; k < heap.size; k++) {
      let alike = 0;
      for (let other = 0; other < heap.size; other++) if (codes[heap.nodes[other]] === codes[heap.nodes[k]]) alike++;
      if (alike <= votes[node]) continue;
      votes[node] = alike;
      winners[node] = codes[heap.nodes[k]];
    }
  }
  return { winners, votes, voters };
}

/** The figures of one class; NaN where there is nothing to measure. */
export interface ClassMetrics {
  readonly nodes: number;
  readonly recall: number;
  readonly accuracy: number;
  readonly homophily: number;
}

/** Those of every class in its order, and last those of all. */
export function classMetricsOf(
  column: ClassColumn,
  pairs: Uint32Array,
  recall: Float32Array,
  { winners }: Votes,
): ClassMetrics[] {
  const { codes, categories } = column;
  const all = categories.length;
  const sums = Array.from({ length: all + 1 }, () => ({
    nodes: 0,
    recall: 0,
    measured: 0,
    right: 0,
    asked: 0,
    same: 0,
    ends: 0,
  }));
  const count = (code: number, add: (sum: (typeof sums)[0]) => void): void => {
    add(sums[code]);
    add(sums[all]);
  };
  for (let node = 0; node < codes.length; node++) {
    const code = codes[node];
    if (code >= all) continue;
    count(code, (sum) => {
      sum.nodes++;
      if (!Number.isNaN(recall[node])) {
        sum.recall += recall[node];
        sum.measured++;
      }
      if (winners[node] < 0) return;
      sum.asked++;
      if (winners[node] === code) sum.right++;
    });
  }
  for (let k = 0; k < pairs.length; k += 2) {
    const one = codes[pairs[k]];
    const other = codes[pairs[k + 1]];
    if (one >= all || other >= all) continue;
    for (const code of [one, other]) {
      count(code, (sum) => {
        sum.ends++;
        if (one === other) sum.same++;
      });
    }
  }
  return sums.map((sum) => ({
    nodes: sum.nodes,
    recall: sum.recall / sum.measured,
    accuracy: sum.right / sum.asked,
    homophily: sum.same / sum.ends,
  }));
}

export interface Misplaced {
  readonly node: number;
  readonly code: number;
  readonly around: number;
  readonly share: number;
}

/** Nodes of which more than half of the nearest have one other class: the clearest cases first, of these the hubs. */
export function misplacedOf(
  codes: ArrayLike<number>,
  { winners, votes, voters }: Votes,
  degrees: ArrayLike<number>,
): Misplaced[] {
  const found: Misplaced[] = [];
  for (let node = 0; node < winners.length; node++) {
    if (winners[node] < 0 || winners[node] === codes[node] || 2 * votes[node] <= voters) continue;
    found.push({ node, code: codes[node], around: winners[node], share: votes[node] / voters });
  }
  return found.sort((a, b) => b.share - a.share || degrees[b.node] - degrees[a.node] || a.node - b.node);
}

/** Edges on a shortest path between two nodes; -1 where there is none. */
export function stepsApart({ starts, ends }: Rows, from: number, to: number): number {
  if (from === to) return 0;
  const seen = new Uint8Array(starts.length - 1);
  seen[from] = 1;
  let front = [from];
  for (let steps = 1; front.length > 0; steps++) {
    const next: number[] = [];
    for (const node of front) {
      for (let k = starts[node]; k < starts[node + 1]; k++) {
        if (ends[k] === to) return steps;
        if (seen[ends[k]]) continue;
        seen[ends[k]] = 1;
        next.push(ends[k]);
      }
    }
    front = next;
  }
  return -1;
}

/** How many parts of several nodes the graph has, and how many nodes without any neighbour. */
export function partsOf({ starts, ends }: Rows): { parts: number; isolates: number } {
  const nodes = starts.length - 1;
  const seen = new Uint8Array(nodes);
  let parts = 0;
  let isolates = 0;
  const waiting: number[] = [];
  for (let first = 0; first < nodes; first++) {
    if (starts[first] === starts[first + 1]) isolates++;
    else if (!seen[first]) parts++;
    if (seen[first]) continue;
    waiting.push(first);
    seen[first] = 1;
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (let k = starts[node]; k < starts[node + 1]; k++) {
        if (seen[ends[k]]) continue;
        seen[ends[k]] = 1;
        waiting.push(ends[k]);
      }
    }
  }
  return { parts, isolates };
}

/** What is to be measured of a layout. */
export interface MeasureRequest {
  readonly positions: Float32Array;
  readonly pairs: Uint32Array;
  /** The nodes whose recall is wanted; null for none. */
  readonly recall: Uint32Array | null;
  /** The nodes whose nearest ones vote; null for none. */
  readonly votes: {
    readonly codes: ClassColumn["codes"];
    readonly classes: number;
    readonly asked: Uint32Array;
  } | null;
}

export interface Measured {
  readonly recall: Float32Array | null;
  /** What recall of these nodes could be; null with it. */
  readonly bounds: RecallBounds | null;
  readonly votes: Votes | null;
  readonly parts: { readonly parts: number; readonly isolates: number };
}

export function* measure({ positions, pairs, recall, votes }: MeasureRequest): Work<Measured> {
  const rows = neighborRows(positions.length >> 1, pairs);
  yield;
  const parts = partsOf(rows);
  yield;
  return {
    parts,
    bounds: recall && recallBounds(rows, recall),
    recall: recall && (yield* recallOf(positions, rows, recall)),
    votes: votes && (yield* votesOf(positions, votes.codes, votes.classes, votes.asked)),
  };
}
