// Which nodes stand out, which step back and which are not there: one byte of flags a node.

import { FADED, HIDDEN, RAISED, SELECTED } from "../data/types.js";

/** What the legend says about a node: `table[codes[node]]` is 0, FADED or HIDDEN. */
export interface ClassMarks {
  readonly codes: ArrayLike<number>;
  readonly table: Uint8Array;
}

export interface Marked {
  /** The node that is looked at (see `centerOf`), -1 for none, and its neighbours. */
  readonly center: number;
  readonly neighbors: ArrayLike<number>;
  /** Nodes whose names match the search; null while nothing is searched. */
  readonly matches: ArrayLike<number> | null;
  readonly selection: ArrayLike<number>;
  readonly classes: ClassMarks | null;
  /** HIDDEN or 0 a node, by the filters; null without any. */
  readonly hidden: Uint8Array | null;
}

/** The node whose neighbourhood is shown: the one under the pointer, or a single one that is selected. */
export function centerOf(hovered: number, matches: ArrayLike<number> | null, selection: ArrayLike<number>): number {
  if (hovered >= 0) return hovered;
  return matches === null && selection.length === 1 ? selection[0] : -1;
}

/** A neighbourhood wins over a search, a search over the selection, the selection over the legend. */
export function markNodes(flags: Uint8Array, marked: Marked): Uint8Array {
  const { center, neighbors, matches, selection, classes, hidden } = marked;
  const fade = center >= 0 || matches !== null || selection.length > 0 ? FADED : 0;
  if (classes) {
    const { codes, table } = classes;
    const last = table.length - 1;
    for (let i = 0; i < flags.length; i++) flags[i] = table[Math.min(codes[i], last)] | fade;
  } else {
    flags.fill(fade);
  }
  if (hidden) for (let i = 0; i < flags.length; i++) flags[i] |= hidden[i];
  const stand = (nodes: ArrayLike<number>, raise: number): void => {
    for (let k = 0; k < nodes.length; k++) {
      if (nodes[k] < flags.length) flags[nodes[k]] = (flags[nodes[k]] & HIDDEN) | raise;
    }
  };
  if (center >= 0) {
    stand(neighbors, RAISED);
    stand([center], RAISED);
  } else if (matches) {
    stand(matches, RAISED);
  } else {
    // A selection is marked by its outline; raising all of it would draw half the graph twice.
    stand(selection, 0);
  }
  for (let k = 0; k < selection.length; k++) {
    if (selection[k] < flags.length) flags[selection[k]] |= SELECTED;
  }
  return flags;
}
