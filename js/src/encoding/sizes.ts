// From a column to one radius a node, by the same rules as in the pictures Python draws (graphne_viz/encoding/sizes.py).

import type { Column, ValueColumn } from "../data/types.js";
import { shareOf } from "./colors.js";
import { diameterIn } from "./dots.js";

/** Diameters in pixels of the nodes with the least and the greatest value; null for what suits the graph. */
export type SizeRange = readonly [smallest: number, largest: number] | null;

/** Bounds of a node's area where a size is given by values, relative to the area it would have without. */
const SMALLEST_AREA = 0.4;
const LARGEST_AREA = 8;
/** The same of all nodes together: where most of them have a large value, discs would cover each other. */
const MOST_ON_AVERAGE = 2.5;

/** The key of a column whose values are areas in square points, not numbers to be mapped to areas. */
const AREA_KEY = "custom:area";
const PIXELS_PER_POINT = 96 / 72;

/**
 * Diameters in pixels of the nodes with the least and the greatest value; `base` is the radius of one without a size,
 * `range` are those that were asked for.
 */
export function diameterRange(
  column: Column | null,
  nodes: number,
  base: number,
  range: SizeRange,
): readonly [smallest: number, largest: number] {
  if (range) return range;
  let sum = 0;
  if (column?.kind === "values") for (let i = 0; i < nodes; i++) sum += shareIn(column, i);
  const largest = SMALLEST_AREA + (MOST_ON_AVERAGE - SMALLEST_AREA) / Math.max(sum / Math.max(nodes, 1), 1e-9);
  return [2 * base * Math.sqrt(SMALLEST_AREA), 2 * base * Math.sqrt(Math.min(LARGEST_AREA, largest))];
}

/** Where a node lies in the whole range, not only in that of the colours: sizes are there to show the few large ones. */
function shareIn({ low, high, values }: ValueColumn, node: number): number {
  const share = shareOf([low, high], values[node]);
  return Number.isNaN(share) ? 0 : share;
}

/** Whether a column tells sizes by a range of values. */
export const hasRange = (column: Column | null): boolean =>
  column?.kind === "values" && column.key !== AREA_KEY && column.high > column.low;

/** One radius a node, in pixels; `range` are the diameters that were asked for. */
export function nodeRadii(column: Column | null, nodes: number, base: number, range: SizeRange = null): Float32Array {
  const radii = new Float32Array(nodes).fill(base);
  if (column?.kind === "values" && column.key === AREA_KEY) {
    // As matplotlib's scatter has it: the area is that of the square around the disc.
    return radii.map((_, i) => (column.values[i] >= 0 ? (Math.sqrt(column.values[i]) / 2) * PIXELS_PER_POINT : base));
  }
  if (column?.kind !== "values" || !hasRange(column)) return radii;
  const diameters = diameterRange(column, nodes, base, range);
  for (let i = 0; i < nodes; i++) radii[i] = diameterIn(diameters, shareIn(column, i)) / 2;
  return radii;
}
