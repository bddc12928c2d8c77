// What the picture is drawn by, with the columns that the state's keys stand for.

import type { Column, GraphData, Shade } from "../data/types.js";
import type { SizeRange } from "../encoding/sizes.js";
import { nameOf, type Title } from "../encoding/titles.js";
import { type EdgeAppearance, PLAIN_EDGES } from "./edge-appearance.js";

export interface Appearance {
  readonly color: Column | null;
  readonly size: Column | null;
  /** What is written beside nodes; "names" for their own names. */
  readonly label: Column | "names" | null;
  readonly edges: EdgeAppearance;
  /** Whether the names of classes are written on the map. */
  readonly classNames: boolean;
  readonly sizeRange: SizeRange;
  readonly columns: readonly Column[];
  readonly edgeColumns: readonly Column[];
  /** How nodes are called wherever one of them is spoken of. */
  readonly title: Title;
  readonly shade: Shade;
}

/** A graph without any attributes, as it is before anything is known of them. */
export const plainAppearance = (graph: GraphData): Appearance => ({
  color: null,
  size: null,
  label: null,
  edges: PLAIN_EDGES,
  classNames: false,
  sizeRange: null,
  columns: [],
  edgeColumns: [],
  title: (node) => nameOf(graph, node),
  shade: "light",
});
