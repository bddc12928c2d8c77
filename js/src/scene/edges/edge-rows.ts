// Edges as rows of four numbers for the graphics card: source, target, colour, and width and bend in one.

import type { EdgeLooks } from "./edge-look.js";

/** Some rows that are drawn in the same way. */
export interface Batch {
  readonly first: number;
  readonly count: number;
  readonly bent: boolean;
  readonly head: boolean;
}

export interface EdgeRows {
  readonly rows: Uint32Array;
  readonly batches: readonly Batch[];
}

/** Parts of a pixel, and of a length, that widths and bends are told to. */
export const WIDTH_STEPS = 256;
export const BEND_STEPS = 2048;
const MOST = 0xffff;

/** Bytes of a colour as one number, red in the lowest; 0, which is no colour, for an edge without one of its own. */
const colorOf = (rgba: Uint8Array | null, k: number): number =>
  rgba ? (rgba[4 * k] | (rgba[4 * k + 1] << 8) | (rgba[4 * k + 2] << 16) | (rgba[4 * k + 3] << 24)) >>> 0 : 0;

/** Rows of some edges in the order given, straight ones first, and those without a head before those with one. */
export function rowsOfEdges(pairs: Uint32Array, looks: EdgeLooks, edges: Uint32Array): EdgeRows {
  const { widths, rgba, bends, heads, hidden } = looks;
  const kindOf = (k: number): number => (hidden?.[k] ? -1 : (bends && bends[k] !== 0 ? 2 : 0) + (heads?.[k] ? 1 : 0));
  const counts = [0, 0, 0, 0];
  for (const k of edges) if (!hidden?.[k]) counts[kindOf(k)]++;
  const next = counts.map((_, kind) => counts.slice(0, kind).reduce((sum, count) => sum + count, 0));
  const batches = counts.map((count, kind) => ({
    first: next[kind],
    count,
    bent: kind > 1,
    head: kind % 2 === 1,
  }));
  const rows = new Uint32Array(4 * counts.reduce((sum, count) => sum + count, 0));
  for (const k of edges) {
    const kind = kindOf(k);
    if (kind < 0) continue;
    const at = 4 * next[kind]++;
    const width = Math.min(MOST, Math.round(WIDTH_STEPS * (widths?.[k] ?? 1)));
    const bend = Math.round(BEND_STEPS * (bends?.[k] ?? 0)) & MOST;
    rows[at] = pairs[2 * k];
    rows[at + 1] = pairs[2 * k + 1];
    rows[at + 2] = colorOf(rgba, k);
    rows[at + 3] = (width | (bend << 16)) >>> 0;
  }
  return { rows, batches: batches.filter(({ count }) => count > 0) };
}
