// Which nodes are left out, by their classes and numbers.

import { HIDDEN, type ClassColumn, type Column, type ValueColumn } from "./types.js";

/** Steps of a slider at most; values that are more are told apart by rank, so that skewed ones can be parted, too. */
const MOST_STEPS = 400;

export interface RangeFilter {
  readonly column: ValueColumn;
  readonly low: number;
  readonly high: number;
}

export interface ClassFilter {
  readonly column: ClassColumn;
  /** Codes that are left out; the number of categories stands for nodes without a class. */
  readonly without: ReadonlySet<number>;
}

export type Filter = RangeFilter | ClassFilter;

export const isRange = (filter: Filter): filter is RangeFilter => filter.column.kind === "values";

/** A filter that leaves nobody out. */
export function openFilter(column: ClassColumn | ValueColumn): Filter {
  return column.kind === "values" ? { column, low: column.low, high: column.high } : { column, without: new Set() };
}

/** HIDDEN for the nodes that a filter leaves out, 0 for the others; null where none does. */
export function hiddenBy(filters: readonly Filter[], nodes: number): Uint8Array | null {
  const acting = filters.filter((filter) =>
    isRange(filter) ? filter.low > filter.column.low || filter.high < filter.column.high : filter.without.size > 0,
  );
  if (acting.length === 0) return null;
  const hidden = new Uint8Array(nodes);
  for (const filter of acting) {
    if (isRange(filter)) {
      const { low, high } = filter;
      const { values } = filter.column;
      // A node without a value is in no range.
      for (let i = 0; i < nodes; i++) if (!(values[i] >= low && values[i] <= high)) hidden[i] = HIDDEN;
    } else {
      const { codes, categories } = filter.column;
      const out = Uint8Array.from({ length: categories.length + 1 }, (_, code) => (filter.without.has(code) ? HIDDEN : 0));
      for (let i = 0; i < nodes; i++) hidden[i] |= out[Math.min(codes[i], categories.length)];
    }
  }
  return hidden;
}

/** The values a slider stops at, ascending: all different ones, or so many of them by rank. */
export function stopsOf({ values }: ValueColumn): number[] {
  const sorted = values.filter(Number.isFinite).sort();
  const distinct: number[] = [];
  for (const value of sorted) if (value !== distinct.at(-1)) distinct.push(value);
  if (distinct.length <= MOST_STEPS) return distinct;
  const stops = new Set<number>();
  for (let k = 0; k < MOST_STEPS; k++) stops.add(sorted[Math.round((k * (sorted.length - 1)) / (MOST_STEPS - 1))]);
  return [...stops];
}

/** What nodes can be filtered by. */
export function filterable(columns: readonly Column[]): (ClassColumn | ValueColumn)[] {
  return columns.filter((column): column is ClassColumn | ValueColumn => {
    if (column.kind === "values") return column.high > column.low;
    return column.kind === "classes" && column.categories.length > 1;
  });
}
