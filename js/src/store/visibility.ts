// Who can be seen: derived from what is hidden one by one, from the filters and from the legend, and from nothing else.

import { type Column, type GraphData, HIDDEN } from "../data/types.js";
import type { LegendState } from "../encoding/legend-entries.js";
import { codeMarks, legendLines } from "../encoding/legend-entries.js";
import { hiddenBy } from "./filters.js";
import type { ClassMarks } from "./marks.js";
import { bitsOf, hasBit } from "./nodes.js";
import { sameItems, type ViewState } from "./state.js";
import type { Store } from "./store.js";

/** What the legend asks of the nodes of each class; null where it asks nothing. */
export function legendMarks(legend: LegendState, column: Column | null, graph: GraphData): ClassMarks | null {
  if (column?.kind !== "classes" || column.key !== legend.column) return null;
  const { lines, lineOf } = legendLines(column, graph, "light");
  const table = codeMarks(legend, lines, lineOf);
  return table.some((mark) => mark !== 0) ? { codes: column.codes, table } : null;
}

/** HIDDEN or 0 for every node; null where all can be seen. */
export function hiddenFlags(
  { hidden, filters }: Pick<ViewState, "hidden" | "filters">,
  columns: readonly Column[],
  classes: ClassMarks | null,
  nodes: number,
): Uint8Array | null {
  let flags = hiddenBy(filters, columns, nodes);
  if (hidden.length > 0) {
    flags ??= new Uint8Array(nodes);
    for (let i = 0; i < nodes; i++) if (hasBit(hidden, i)) flags[i] = HIDDEN;
  }
  if (classes?.table.includes(HIDDEN)) {
    flags ??= new Uint8Array(nodes);
    const { codes, table } = classes;
    for (let i = 0; i < nodes; i++) flags[i] |= table[Math.min(codes[i], table.length - 1)] & HIDDEN;
  }
  return flags;
}

/** How many pairs can be seen. */
function countPairs(pairs: Uint32Array, nodes: Uint8Array | null, edges: Uint8Array | null): number {
  let seen = 0;
  for (let k = 0; k < pairs.length; k += 2) {
    if (!(edges?.[k >> 1] || (nodes && nodes[pairs[k]] | nodes[pairs[k + 1]]))) seen++;
  }
  return seen;
}

export class Visibility {
  /** What the legend asks of each class. */
  marks: ClassMarks | null = null;
  /** HIDDEN or 0 for every node; null where all can be seen. */
  flags: Uint8Array | null = null;
  /** The same, a bit each; empty where all can be seen. */
  bits: Uint8Array = new Uint8Array(0);
  /** HIDDEN for the pairs that filters of edges leave out, 0 for the others; null where none does. */
  edgeFlags: Uint8Array | null = null;
  /** How many of the pairs can be seen: neither left out, nor an end of them. */
  pairs: number;
  #unsubscribe: () => void;
  #store: Store;
  #graph: GraphData;
  #columns: readonly Column[] = [];
  #colored: Column | null = null;
  #changed: (others: boolean) => void;

  /** `changed` hears whenever marks or flags are other ones, and whether other nodes or edges can be seen. */
  constructor(store: Store, graph: GraphData, changed: (others: boolean) => void) {
    this.#store = store;
    this.#graph = graph;
    this.#changed = changed;
    this.pairs = graph.pairs.length >> 1;
    let last: Pick<ViewState, "hidden" | "filters" | "legend"> = store.state;
    const concerned = ({ hidden, filters, legend }: ViewState): typeof last => {
      const same = hidden === last.hidden && filters === last.filters && legend === last.legend;
      return same ? last : (last = { hidden, filters, legend });
    };
    this.#unsubscribe = store.subscribe(concerned, () => this.#derive());
  }

  show(columns: readonly Column[], colored: Column | null): void {
    this.#columns = columns;
    this.#colored = colored;
    this.#derive();
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #derive(): void {
    const { state } = this.#store;
    this.marks = legendMarks(state.legend, this.#colored, this.#graph);
    this.flags = hiddenFlags(state, this.#columns, this.marks, this.#graph.nodes);
    const bits = this.flags ? bitsOf(this.flags) : new Uint8Array(0);
    const { pairs, edgeColumns } = this.#graph;
    const edgeFlags = hiddenBy(state.filters, edgeColumns, pairs.length >> 1);
    const otherNodes = !sameItems(bits, this.bits);
    const otherEdges = !sameItems(edgeFlags ?? [], this.edgeFlags ?? []);
    if (otherNodes) this.bits = bits;
    if (otherEdges) this.edgeFlags = edgeFlags;
    if (otherNodes || otherEdges) this.pairs = countPairs(pairs, this.flags, this.edgeFlags);
    this.#changed(otherNodes || otherEdges);
  }
}
