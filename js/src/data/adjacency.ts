// Who is whose neighbour, from the drawn pairs. A graph that is only looked at pays nothing: rows are built when they are
// asked for, and for millions of edges, where building halts the page for half a second, not before they pay off.

/** Rows of so many edges are built within a few milliseconds. */
const SMALL = 200_000;
/** Questions that are answered by reading all pairs before rows are built; one takes some milliseconds. */
const PATIENCE = 64;

export class Adjacency {
  private rows: { readonly starts: Uint32Array; readonly edges: Uint32Array } | null = null;
  private asked = 0;

  constructor(
    private readonly nodes: number,
    private readonly pairs: Uint32Array,
  ) {}

  /** Neighbours of a node, ascending, each once, without the node itself. */
  of(node: number): Uint32Array {
    const { pairs } = this;
    const found = this.edgesOf(node)
      .map((edge) => (pairs[2 * edge] === node ? pairs[2 * edge + 1] : pairs[2 * edge]))
      .sort();
    // Parallel edges and loops name a node more than once, or the node itself.
    let kept = 0;
    for (let i = 0; i < found.length; i++) {
      if (found[i] !== node && (kept === 0 || found[i] !== found[kept - 1])) found[kept++] = found[i];
    }
    return found.slice(0, kept);
  }

  /** The pairs that a node is an end of, ascending, each once. */
  edgesOf(node: number): Uint32Array {
    if (!Number.isInteger(node) || node < 0 || node >= this.nodes) return new Uint32Array(0);
    if (!this.rows && (this.pairs.length <= 2 * SMALL || ++this.asked > PATIENCE)) this.rows = this.build();
    if (this.rows) return this.rows.edges.slice(this.rows.starts[node], this.rows.starts[node + 1]);
    const { pairs } = this;
    const found: number[] = [];
    for (let k = 0; k < pairs.length; k += 2) if (pairs[k] === node || pairs[k + 1] === node) found.push(k >> 1);
    return Uint32Array.from(found);
  }

  private build(): { starts: Uint32Array; edges: Uint32Array } {
    const { nodes, pairs } = this;
    const starts = new Uint32Array(nodes + 1);
    const isSecond = (k: number): boolean => (k & 1) === 1 && pairs[k] === pairs[k - 1];
    for (let k = 0; k < pairs.length; k++) if (!isSecond(k)) starts[pairs[k] + 1]++;
    for (let i = 0; i < nodes; i++) starts[i + 1] += starts[i];
    const edges = new Uint32Array(starts[nodes]);
    const next = starts.slice(0, nodes);
    for (let k = 0; k < pairs.length; k++) if (!isSecond(k)) edges[next[pairs[k]]++] = k >> 1;
    return { starts, edges };
  }
}

/** Compressed rows: the ends of node i's edges are ends[starts[i] .. starts[i + 1]). */
export interface Rows {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The same with each neighbour once, and without loops: who a node's neighbours are, whatever edges lead there. */
export function neighborRows(nodes: number, pairs: Uint32Array): Rows {
  const { starts: from, ends } = rowsOf(nodes, pairs);
  const starts = new Uint32Array(nodes + 1);
  const seenBy = new Uint32Array(nodes);
  let kept = 0;
  for (let node = 0; node < nodes; node++) {
    for (let k = from[node]; k < from[node + 1]; k++) {
      const end = ends[k];
      if (end === node || seenBy[end] === node + 1) continue;
      seenBy[end] = node + 1;
      ends[kept++] = end;
    }
    starts[node + 1] = kept;
  }
  return { starts, ends: ends.subarray(0, kept) };
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

/** Number of drawn edges at every node. */
export function degreesOf(nodes: number, pairs: Uint32Array): Uint32Array {
  const degrees = new Uint32Array(nodes);
  for (let k = 0; k < pairs.length; k++) degrees[pairs[k]]++;
  return degrees;
}
