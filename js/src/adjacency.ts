// Who is whose neighbour, from the drawn pairs. Built when first asked for: a graph that is only looked at pays nothing.

export class Adjacency {
  private starts: Uint32Array | null = null;
  private ends: Uint32Array | null = null;

  constructor(
    private readonly nodes: number,
    private readonly pairs: Uint32Array,
  ) {}

  /** Neighbours of a node, ascending, each once, without the node itself. */
  of(node: number): Uint32Array {
    if (!Number.isInteger(node) || node < 0 || node >= this.nodes) return new Uint32Array(0);
    if (!this.starts) this.build();
    const starts = this.starts as Uint32Array;
    const found = (this.ends as Uint32Array).slice(starts[node], starts[node + 1]).sort();
    // Parallel edges and loops name a node more than once, or the node itself.
    let kept = 0;
    for (let i = 0; i < found.length; i++) {
      if (found[i] !== node && (kept === 0 || found[i] !== found[kept - 1])) found[kept++] = found[i];
    }
    return found.subarray(0, kept);
  }

  /** Compressed rows: the ends of node i's edges are ends[starts[i] .. starts[i + 1]). */
  private build(): void {
    const { nodes, pairs } = this;
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
    this.starts = starts;
    this.ends = ends;
  }
}
