// Which nodes the filters leave out. Rules name columns and classes as people do, so they outlive columns that come anew.

import { type ClassColumn, type Column, HIDDEN, type ValueColumn } from "../data/types.js";
import { type ClassRule, type FilterRule, type Filters, isRangeRule, type RangeRule } from "./state.js";

/** Steps of a slider at most; values that are more are told apart by rank, so that skewed ones can be parted, too. */
const MOST_STEPS = 400;

/** Whether a key is that of a column of edges. */
export const isEdgeKey = (key: string): boolean => key.startsWith("e:");

const asked = new WeakMap<ClassColumn, ValueColumn>();

/** A column of numbers itself, one of few numbers as such a column, and null for any other. */
export function asNumbers(column: Column | undefined): ValueColumn | null {
  if (column?.kind === "values") return column;
  if (column?.kind !== "classes" || !column.numbers) return null;
  const known = asked.get(column);
  if (known) return known;
  const { key, name, codes, categories } = column;
  const numbers = [...categories.map(({ label }) => Number(label)), Number.NaN];
  const finite = numbers.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const values = Float64Array.from(codes, (code) => numbers[code]);
  const whole = finite.every(Number.isInteger);
  const made: ValueColumn = { key, name, kind: "values", values, low, high, scale: [low, high], whole };
  asked.set(column, made);
  return made;
}

/** A rule that leaves nobody out. */
export function openRule(column: ClassColumn | ValueColumn): FilterRule {
  return column.kind === "values" ? { low: null, high: null } : { without: [] };
}

/** HIDDEN for the nodes that the filters leave out, 0 for the others; null where none does. */
export function hiddenBy(filters: Filters, columns: readonly Column[], nodes: number): Uint8Array | null {
  let hidden: Uint8Array | null = null;
  for (const [key, rule] of Object.entries(filters)) {
    const column = columns.find((one) => one.key === key);
    const numbers = isRangeRule(rule) ? asNumbers(column) : null;
    if (numbers && isRangeRule(rule) && (rule.low !== null || rule.high !== null)) {
      hidden ??= new Uint8Array(nodes);
      hideByNumber(hidden, numbers, rule);
    } else if (column?.kind === "classes" && !isRangeRule(rule) && rule.without.length > 0) {
      hidden ??= new Uint8Array(nodes);
      hideByClass(hidden, column, rule);
    }
  }
  return hidden;
}

function hideByNumber(hidden: Uint8Array, { values, sampled }: ValueColumn, { low, high }: RangeRule): void {
  const from = low ?? Number.NEGATIVE_INFINITY;
  const to = high ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i < hidden.length; i++) {
    if (values[i] >= from && values[i] <= to) continue;
    // A node without a value is in no range; one that was not measured may be.
    if (sampled && Number.isNaN(values[i])) continue;
    hidden[i] = HIDDEN;
  }
}

function hideByClass(hidden: Uint8Array, { codes, categories }: ClassColumn, { without }: ClassRule): void {
  const labels = new Set(without);
  const out = Uint8Array.from({ length: categories.length + 1 }, (_, code) =>
    labels.has(categories[code]?.label ?? null) ? HIDDEN : 0,
  );
  for (let i = 0; i < hidden.length; i++) hidden[i] |= out[Math.min(codes[i], categories.length)];
}

/** The values a slider stops at, ascending: all different ones, or so many of them by rank; the ends, if none is known. */
export function stopsOf({ values, low, high }: ValueColumn): number[] {
  const sorted = values.filter(Number.isFinite).sort();
  const distinct: number[] = [];
  for (const value of sorted) if (value !== distinct.at(-1)) distinct.push(value);
  if (distinct.length === 0) return [low, high];
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
