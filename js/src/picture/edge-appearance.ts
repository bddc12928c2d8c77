// From the columns of edges to how each of them looks.

import type { Column, GraphData, Shade } from "../data/types.js";
import { itemColors, shareOf } from "../encoding/colors.js";
import { bendsOf, type EdgeLooks, MOST_STYLED, PLAIN } from "../scene/edges/edge-look.js";
import type { ENDS } from "../store/state.js";

/** Widths in CSS pixels of the edges with the least and the greatest value, and of those without any. */
const EDGE_WIDTHS = { least: 0.6, most: 6, missing: 0.6 } as const;

export interface EdgeAppearance {
  readonly width: Column | null;
  readonly color: Column | typeof ENDS | null;
  readonly label: Column | null;
  readonly arrows: boolean;
  readonly curved: boolean;
}

export const PLAIN_EDGES: EdgeAppearance = { width: null, color: null, label: null, arrows: false, curved: false };

/** Whether edges are drawn by the same. */
export const sameEdges = (one: EdgeAppearance, other: EdgeAppearance): boolean =>
  (Object.keys(one) as (keyof EdgeAppearance)[]).every((key) => one[key] === other[key]);

/** How wide an edge of a value is drawn. */
export function edgeWidth(scale: readonly [number, number], value: number): number {
  const share = shareOf(scale, value);
  const { least, most, missing } = EDGE_WIDTHS;
  return Number.isNaN(share) ? missing : least + (most - least) * share;
}

/** Whether so many edges can have looks of their own. */
const canBeStyled = ({ pairs }: GraphData): boolean => pairs.length / 2 <= MOST_STYLED;

/** The looks of all edges; `hidden` has 1 for those that are left out. Of too many edges only the ends give colours. */
export function edgeLooks(
  graph: GraphData,
  { width, color, arrows, curved }: EdgeAppearance,
  hidden: Uint8Array | null,
  shade: Shade,
): EdgeLooks {
  const { pairs, nodes, directed } = graph;
  const ends = color === "ends";
  if (!canBeStyled(graph)) return { ...PLAIN, ends, hidden };
  const edges = pairs.length / 2;
  const heads = directed === true ? new Uint8Array(edges).fill(1) : directed || null;
  return {
    widths: width?.kind === "values" ? Float32Array.from(width.values, (value) => edgeWidth(width.scale, value)) : null,
    rgba: color && !ends ? itemColors(color, edges, graph, shade) : null,
    ends,
    bends: bendsOf(nodes, pairs, curved),
    heads: arrows ? heads : null,
    hidden,
  };
}
