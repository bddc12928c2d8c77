// Who is connected to whom, over how many steps, and by which way.

import { neighborRows, type Rows } from "./adjacency.js";

/** Walks along the edges of one graph; rows are built when they are first needed. */
export class Traversal {
  #rows: Rows | null = null;
  #nodes: number;
  #pairs: Uint32Array;
  #directed: boolean | Uint8Array;

  constructor(nodes: number, pairs: Uint32Array, directed: boolean | Uint8Array = false) {
    this.#nodes = nodes;
    this.#pairs = pairs;
    this.#directed = directed;
  }

  /** All nodes within so many steps of one, itself included, ascending. */
  within(node: number, steps: number): Uint32Array {
    const { starts, ends } = this.#ready();
    const seen = new Set([node]);
    let rim = [node];
    for (let step = 0; step < steps && rim.length; step++) {
      const next: number[] = [];
      for (const one of rim) {
        for (let k = starts[one]; k < starts[one + 1]; k++) {
          if (seen.has(ends[k])) continue;
          seen.add(ends[k]);
          next.push(ends[k]);
        }
      }
      rim = next;
    }
    return Uint32Array.from(seen).sort();
  }

  /** The nodes of the largest component, ascending; of two as large, the one with the first node. */
  giant(): Uint32Array {
    const { starts, ends } = this.#ready();
    const part = new Int32Array(this.#nodes).fill(-1);
    const queue = new Uint32Array(this.#nodes);
    let best = -1;
    let most = 0;
    for (let first = 0; first < this.#nodes; first++) {
      if (part[first] >= 0) continue;
      part[first] = first;
      queue[0] = first;
      let count = 1;
      for (let at = 0; at < count; at++) {
        for (let k = starts[queue[at]]; k < starts[queue[at] + 1]; k++) {
          if (part[ends[k]] >= 0) continue;
          part[ends[k]] = first;
          queue[count++] = ends[k];
        }
      }
      if (count > most) [best, most] = [first, count];
    }
    const found = new Uint32Array(most);
    for (let node = 0, at = 0; node < this.#nodes; node++) if (part[node] === best) found[at++] = node;
    return found;
  }

  /** The nodes of a shortest path along the edges, both ends included; null where there is none. What is hidden is not passed. */
  path(
    from: number,
    to: number,
    hidden: Uint8Array | null = null,
    hiddenEdges: Uint8Array | null = null,
  ): number[] | null {
    const plain = this.#directed === false && !hiddenEdges;
    const { starts, ends } = plain ? this.#ready() : this.#outgoing(hiddenEdges);
    const before = new Map([[from, -1]]);
    let rim = [from];
    while (rim.length && !before.has(to)) {
      const next: number[] = [];
      for (const one of rim) {
        for (let k = starts[one]; k < starts[one + 1]; k++) {
          if (before.has(ends[k]) || hidden?.[ends[k]]) continue;
          before.set(ends[k], one);
          next.push(ends[k]);
        }
      }
      rim = next;
    }
    if (!before.has(to)) return null;
    const path: number[] = [];
    for (let at = to; at >= 0; at = before.get(at) ?? -1) path.unshift(at);
    return path;
  }

  /** Where edges that can be seen lead to: those with a direction from their source only. */
  #outgoing(hidden: Uint8Array | null): Rows {
    const directed = this.#directed;
    const isDirected = (edge: number): boolean => (typeof directed === "boolean" ? directed : directed[edge] !== 0);
    const starts = new Uint32Array(this.#nodes + 1);
    const each = (visit: (from: number, to: number) => void): void => {
      for (let edge = 0; 2 * edge < this.#pairs.length; edge++) {
        if (hidden?.[edge]) continue;
        const [source, target] = [this.#pairs[2 * edge], this.#pairs[2 * edge + 1]];
        visit(source, target);
        if (!isDirected(edge)) visit(target, source);
      }
    };
    each((from) => starts[from + 1]++);
    for (let node = 0; node < this.#nodes; node++) starts[node + 1] += starts[node];
    const ends = new Uint32Array(starts[this.#nodes]);
    const next = starts.slice(0, this.#nodes);
    each((from, to) => {
      ends[next[from]++] = to;
    });
    return { starts, ends };
  }

  #ready(): Rows {
    return (this.#rows ??= neighborRows(this.#nodes, this.#pairs));
  }
}
