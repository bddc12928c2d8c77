// A view as it is kept outside of the browser: the widget's trait `_view`, `view` in an exported page's data. Small JSON;
// sets of nodes go beside it as bytes. Missing keys mean their defaults, and so does whatever cannot be.

import type { CameraPlace } from "../data/types.js";
import type { LegendState } from "../encoding/legend-entries.js";
import {
  type FilterRule,
  type Filters,
  INITIAL,
  type TableKind,
  type TimelineState,
  type Tool,
  type ViewState,
} from "./state.js";

export const VERSION = 1;

/** What of the state is in a saved view. */
export type SavedView = Pick<ViewState, "camera" | "tool" | "lens" | "filters" | "legend" | "table" | "timeline">;

export interface ViewJson extends Omit<SavedView, "table"> {
  readonly version: typeof VERSION;
  readonly table: TableKind | null;
}

export function toJson({ camera, tool, lens, filters, legend, table, timeline }: SavedView): ViewJson {
  return { version: VERSION, camera, tool, lens, filters, legend, table: table || null, timeline };
}

const TOOLS: readonly Tool[] = ["pan", "rectangle", "lasso"];
const TABLES: readonly TableKind[] = ["nodes", "edges"];

/** Reads a saved view; null where there is none, or one of another version. */
export function fromJson(value: unknown): SavedView | null {
  if (!isFields(value) || (value.version !== undefined && value.version !== VERSION)) return null;
  if (Object.keys(value).length === 0) return null;
  return {
    camera: readCamera(value.camera),
    tool: TOOLS.find((tool) => tool === value.tool) ?? INITIAL.tool,
    lens: value.lens === true,
    filters: readFilters(value.filters),
    legend: readLegend(value.legend),
    table: TABLES.find((table) => table === value.table) ?? INITIAL.table,
    timeline: readTimeline(value.timeline),
  };
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

function readCamera(value: unknown): CameraPlace | null {
  if (!isFields(value)) return null;
  const { center, span } = value;
  if (!Array.isArray(center) || center.length !== 2 || !center.every(isNumber) || !isNumber(span)) return null;
  return span > 0 ? { center: [center[0], center[1]], span } : null;
}

function readTimeline(value: unknown): TimelineState | null {
  if (!isFields(value) || typeof value.column !== "string") return null;
  const { column, window, speed } = value;
  return {
    column,
    window: isNumber(window) && window >= 0 && window < 1 ? window : 0,
    speed: isNumber(speed) && speed > 0 ? speed : 1,
  };
}

function readRule(value: unknown): FilterRule | null {
  if (!isFields(value)) return null;
  if (Array.isArray(value.without)) {
    return { without: value.without.filter((label) => label === null || typeof label === "string") };
  }
  const end = (bound: unknown): number | null => (isNumber(bound) ? bound : null);
  return "low" in value || "high" in value ? { low: end(value.low), high: end(value.high) } : null;
}

function readFilters(value: unknown): Filters {
  const rules = Object.entries(isFields(value) ? value : {}).map(([column, rule]) => [column, readRule(rule)] as const);
  return Object.fromEntries(rules.filter((entry): entry is [string, FilterRule] => entry[1] !== null));
}

function readLegend(value: unknown): LegendState {
  const given = isFields(value) ? value : {};
  const ids = (list: unknown): string[] =>
    Array.isArray(list) ? list.filter((id): id is string => typeof id === "string") : [];
  const column = typeof given.column === "string" ? given.column : "";
  return { column, isolated: ids(given.isolated), hidden: ids(given.hidden) };
}
