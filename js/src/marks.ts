// Which nodes stand out, which step back and which are not there: one byte of flags a node.

import { FADED, HIDDEN, RAISED, SELECTED } from "./types.js";

/** What the legend says about a node: `table[codes[node]]` is 0, FADED or HIDDEN. */
export interface ClassMarks {
  readonly codes: ArrayLike<number>;
  readonly table: Uint8Array;
}

export interface Marked {
  /** The node under the pointer, -1 for none, and its neighbours. */
  readonly hovered: number;
  readonly neighbors: ArrayLike<number>;
  /** Nodes whose names match the search; null while nothing is searched. */
  readonly matches: ArrayLike<number> | null;
  readonly selection: ArrayLike<number>;
  readonly classes: ClassMarks | null;
}

/** Hovering wins over a search, a search over the selection, the selection over the legend. */
export function markNodes(flags: Uint8Array, marked: Marked): Uint8Array {
  const { hovered, neighbors, matches, selection, classes } = marked;
  const focus = hovered >= 0 ? neighbors : (matches ?? selection);
  const fade = hovered >= 0 || matches !== null || selection.length > 0 ? FADED : 0;
  if (classes) {
    const { codes, table } = classes;
    const last = table.length - 1;
    for (let i = 0; i < flags.length; i++) flags[i] = table[Math.min(codes[i], last)] | fade;
  } else {
    flags.fill(fade);
  }
  if (fade) {
    // A selection is marked by its outline; raising all of it would draw half the graph twice.
    const raise = hovered >= 0 || matches !== null ? RAISED : 0;
    const stand = (node: number): void => {
      if (node < flags.length) flags[node] = (flags[node] & HIDDEN) | raise;
    };
    for (let k = 0; k < focus.length; k++) stand(focus[k]);
    if (hovered >= 0) stand(hovered);
  }
  for (let k = 0; k < selection.length; k++) {
    if (selection[k] < flags.length) flags[selection[k]] |= SELECTED;
  }
  return flags;
}

export type SelectMode = "replace" | "add" | "remove";

/** A new selection, ascending and without repetition. */
export function combine(before: Uint32Array, chosen: ArrayLike<number>, mode: SelectMode): Uint32Array {
  const nodes = new Set(mode === "replace" ? [] : before);
  for (let k = 0; k < chosen.length; k++) {
    if (mode === "remove") nodes.delete(chosen[k]);
    else nodes.add(chosen[k]);
  }
  return Uint32Array.from(nodes).sort();
}

export function sameNodes(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one.length !== other.length) return false;
  for (let k = 0; k < one.length; k++) if (one[k] !== other[k]) return false;
  return true;
}
