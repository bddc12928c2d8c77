// The rows of a table: what stands in them, in which order, and which of them hold some words. No elements here.

import { csvNumber } from "../data/csv.js";
import type { Work } from "../data/time-slices.js";
import type { Column, GraphData, Texts } from "../data/types.js";
import { textOf } from "../encoding/titles.js";

export interface TableColumn {
  readonly key: string;
  readonly name: string;
  readonly numeric: boolean;
  /** What is read in a row. */
  text(row: number): string;
  /** What is written to a file. */
  plain(row: number): string;
  /** Numbers that sort as the rows do, NaN where there is none; null where only the texts tell. */
  readonly keys: (() => ArrayLike<number>) | null;
}

/** What the rows of a table are. */
export type RowKind = "nodes" | "edges";

/** Rows between two looks at the clock. */
const PORTION = 2_000;

export const rowCount = (graph: GraphData, kind: RowKind): number =>
  kind === "nodes" ? graph.nodes : graph.pairs.length >> 1;

/** The nodes that a row is about: itself, or both ends of an edge. */
export function endsOf({ pairs }: GraphData, kind: RowKind, row: number): readonly number[] {
  return kind === "nodes" ? [row] : [pairs[2 * row], pairs[2 * row + 1]];
}

/** Rows whose nodes are seen, all for null, without edges that are left out themselves: ascending. */
export function listedRows(
  graph: GraphData,
  kind: RowKind,
  seen: ((node: number) => boolean) | null,
  hiddenEdges: Uint8Array | null,
): Uint32Array {
  const { pairs } = graph;
  const rows = new Uint32Array(rowCount(graph, kind));
  const hidden = kind === "edges" ? hiddenEdges : null;
  let count = 0;
  for (let row = 0; row < rows.length; row++) {
    const listed = !seen || (kind === "nodes" ? seen(row) : seen(pairs[2 * row]) && seen(pairs[2 * row + 1]));
    if (listed && !hidden?.[row]) rows[count++] = row;
  }
  return rows.slice(0, count);
}

export function columnOf(column: Column): TableColumn | null {
  const { key, name } = column;
  if (column.kind === "colors") return null;
  const text = (row: number): string => textOf(column, row);
  if (column.kind === "values") {
    const { values, date } = column;
    return { key, name, numeric: true, text, plain: date ? text : (row) => csvNumber(values, row), keys: () => values };
  }
  const keys = column.kind === "classes" ? () => ranks(column.codes, column.categories) : null;
  return { key, name, numeric: column.kind === "classes" && column.numbers === true, text, plain: text, keys };
}

/** Names as a column; numbers where there are none. */
export function namesColumn(
  key: string,
  name: string,
  names: Texts | null,
  rows: number,
  node: (row: number) => number,
): TableColumn {
  const text = (row: number): string => names?.at(node(row)) ?? String(node(row));
  const keys = names ? null : () => Float64Array.from({ length: rows }, (_, row) => node(row));
  return { key, name, numeric: false, text, plain: text, keys };
}

export const nodeColumns = (graph: GraphData, columns: readonly Column[]): TableColumn[] => [
  namesColumn("node", "node", graph.names, graph.nodes, (row) => row),
  ...known(columns),
];

export const edgeColumns = ({ pairs, names, edgeColumns }: GraphData): TableColumn[] => [
  namesColumn("source", "source", names, pairs.length >> 1, (row) => pairs[2 * row]),
  namesColumn("target", "target", names, pairs.length >> 1, (row) => pairs[2 * row + 1]),
  ...known(edgeColumns),
];

const known = (columns: readonly Column[]): TableColumn[] => columns.map(columnOf).filter((column) => column !== null);

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** The place of each row's class among the names of all classes. */
function ranks(codes: ArrayLike<number>, categories: readonly { readonly label: string }[]): Float64Array {
  const order = categories.map((_, code) => code);
  order.sort((a, b) => COLLATOR.compare(categories[a].label, categories[b].label));
  const rank = new Float64Array(categories.length + 1).fill(Number.NaN);
  order.forEach((code, place) => void (rank[code] = place));
  return Float64Array.from(codes, (code) => rank[code]);
}

/** Sorts rows by a column, those without a value last; equal ones stay in the order of their numbers. */
export function sortRows(rows: Uint32Array, column: TableColumn, descending: boolean): Uint32Array {
  const sign = descending ? -1 : 1;
  if (column.keys) {
    const keys = column.keys();
    const value = (row: number): number => (Number.isNaN(keys[row]) ? Infinity : sign * keys[row]);
    const values = new Float64Array(rows.reduce((most, row) => Math.max(most, row + 1), 0));
    for (const row of rows) values[row] = value(row);
    return rows.slice().sort((a, b) => values[a] - values[b] || a - b);
  }
  return sortTexts(rows, column, sign);
}

/** What no number begins with; to read every word as one takes time. */
const LETTER = /^[a-df-hj-z]/;

/** Texts by their first characters, which a number holds; only where these are the same the texts are compared. */
function sortTexts(rows: Uint32Array, column: TableColumn, sign: number): Uint32Array {
  const size = rows.reduce((most, row) => Math.max(most, row + 1), 0);
  const heads = new Float64Array(size);
  const texts = new Array<string>(size);
  for (const row of rows) {
    const text = column.text(row).toLowerCase();
    texts[row] = text;
    const number = LETTER.test(text) ? Number.NaN : Number(text);
    // Numbers come before words, in their own order; nothing comes last.
    if (text === "") heads[row] = Infinity;
    else if (Number.isFinite(number)) heads[row] = sign * (Math.sign(number) * Math.log1p(Math.abs(number)) - 1000);
    else
      heads[row] =
        sign * ((text.charCodeAt(0) * 65536 + (text.charCodeAt(1) || 0)) * 65536 + (text.charCodeAt(2) || 0));
  }
  const compare = (a: number, b: number): number => {
    const [one, other] = [texts[a], texts[b]];
    return one === other ? a - b : sign * (one < other ? -1 : 1);
  };
  return rows.slice().sort((a, b) => heads[a] - heads[b] || compare(a, b) || 0);
}

/** The rows in which any column holds some words, in whatever case; in slices, for there may be many. */
export function* searchRows(rows: Uint32Array, columns: readonly TableColumn[], words: string): Work<Uint32Array> {
  const sought = words.trim().toLowerCase();
  const found = new Uint32Array(rows.length);
  let count = 0;
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k];
    if (columns.some((column) => column.text(row).toLowerCase().includes(sought))) found[count++] = row;
    if (k % PORTION === PORTION - 1) yield;
  }
  return found.slice(0, count);
}
