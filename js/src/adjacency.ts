// Who is whose neighbour, from the drawn pairs. A graph that is only looked at pays nothing: rows are built when they are
// asked for, and for millions of edges, where building halts the page for half a second, not before they pay off.

/** Rows of so many edges are built within a few milliseconds. */
const SMALL = 200_000;
/** Questions that are answered by reading all pairs before rows are built; one takes some milliseconds. */
const PATIENCE = 64;

export class Adjacency {
  private starts: Uint32Array | null = null;
  private ends: Uint32Array | null = null;
  private asked = 0;

  constructor(
    private readonly nodes: number,
    private readonly pairs: Uint32Array,
  ) {}

  /** Neighbours of a node, ascending, each once, without the node itself. */
  of(node: number): Uint32Array {
    if (!Number.isInteger(node) || node < 0 || node >= this.nodes) return new Uint32Array(0);
    if (!this.starts && (this.pairs.length <= 2 * SMALL || ++this.asked > PATIENCE)) this.build();
    const found = (this.starts ? this.row(node) : this.search(node)).sort();
    // Parallel edges and loops name a node more than once, or the node itself.
    let kept = 0;
    for (let i = 0; i < found.length; i++) {
      if (found[i] !== node && (kept === 0 || found[i] !== found[kept - 1])) found[kept++] = found[i];
    }
    return found.slice(0, kept);
  }

  private row(node: number): Uint32Array {
    const starts = this.starts as Uint32Array;
    return (this.ends as Uint32Array).slice(starts[node], starts[node + 1]);
  }

  private search(node: number): Uint32Array {
    const { pairs } = this;
    const found: number[] = [];
    for (let k = 0; k < pairs.length; k++) if (pairs[k] === node) found.push(pairs[k ^ 1]);
    return Uint32Array.from(found);
  }

  private build(): void {
    const { starts, ends } = rowsOf(this.nodes, this.pairs);
    this.starts = starts;
    this.ends = ends;
  }
}

/** Compressed rows: the ends of node i's edges are ends[starts[i] .. starts[i + 1]). */
export interface Rows {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

export function rowsOf(nodes: number, pairs: Uint32Array): Rows {
  const starts = new Uint32Array(nodes + 1);
  for (let k = 0; k < pairs.length; k++) starts[pairs[k] + 1]++;
  for (let i = 0; i < nodes; i++) starts[i + 1] += starts[i];
  const ends = new Uint32Array(pairs.length);
  const next = starts.slice(0, nodes);
  for (let k = 0; k < pairs.length; k += 2) {
    const i = pairs[k];
    const j = pairs[k + 1];
    ends[next[i]++] = j;
    ends[next[j]++] = i;
  }
  return { starts, ends };
}
