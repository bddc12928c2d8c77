// What a user can change about a view, all of it: one immutable object. Whatever is drawn, saved, exported, shared with
// linked views or undone is derived from it.

import type { CameraPlace, Theme } from "../data/types.js";
import type { LegendState } from "../encoding/legend-entries.js";
import type { SizeRange } from "../encoding/sizes.js";
import { NOWHERE, type Placement } from "./placement.js";

/** What the table beside the picture lists; "" while it is closed. */
export type TableKind = "" | "nodes" | "edges";

/** A column of dates or numbers over which time is played; what is seen of it at the moment is the filter of that column. */
export interface TimelineState {
  readonly column: string;
  /** The share of the time that is seen at once; 0 for all until then. */
  readonly window: number;
  readonly speed: number;
}

export type Tool = "pan" | "rectangle" | "lasso";

/** What stays of a column of numbers; null is an open end. */
export interface RangeRule {
  readonly low: number | null;
  readonly high: number | null;
}

/** The classes that are left out, by their labels; null stands for nodes without a class. */
export interface ClassRule {
  readonly without: readonly (string | null)[];
}

export type FilterRule = RangeRule | ClassRule;

/** Rules by the keys of their columns, in the order in which they were added. */
export type Filters = Readonly<Record<string, FilterRule>>;

export const isRangeRule = (rule: FilterRule): rule is RangeRule => !("without" in rule);

/** Colours that were chosen for classes: by the key of their column, then by their label. */
export type ChosenColors = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the picture is drawn by. Column keys, "" for none. */
export interface AppearanceState {
  readonly color: string;
  readonly size: string;
  readonly label: string;
  readonly edges: boolean;
  /** A column of numbers of the edges. */
  readonly edgeWidth: string;
  /** A column of the edges, or `ENDS`. */
  readonly edgeColor: string;
  readonly edgeLabel: string;
  /** Whether edges with a direction have heads, and edges between the same nodes are drawn beside each other. */
  readonly arrows: boolean;
  readonly curved: boolean;
  /** Whether the names of classes are written on the map. */
  readonly classNames: boolean;
  readonly colors: ChosenColors;
  readonly sizeRange: SizeRange;
  readonly exaggeration: number;
  readonly theme: Theme;
  readonly height: number;
}

export interface ViewState extends AppearanceState {
  /** Ascending, without repetition. */
  readonly selection: Uint32Array;
  /** Nodes hidden one by one: a bit each, the lowest of a byte first; empty if none is. */
  readonly hidden: Uint8Array;
  /** Nodes that were put somewhere by hand. */
  readonly placement: Placement;
  readonly filters: Filters;
  readonly legend: LegendState;
  /** null: the camera follows the whole layout. */
  readonly camera: CameraPlace | null;
  readonly tool: Tool;
  readonly table: TableKind;
  /** null while it is closed. */
  readonly timeline: TimelineState | null;
  /** Whether hovering shows where a node's neighbours are, and who is near without being one. */
  readonly lens: boolean;
}

/** In place of a column: edges have the colours of their ends. */
export const ENDS = "ends";

export const NO_FILTERS: Filters = {};

export const legendOf = (column: string): LegendState => ({ column, isolated: [], hidden: [] });

export const INITIAL: ViewState = {
  color: "",
  size: "",
  label: "",
  edges: true,
  edgeWidth: "",
  edgeColor: "",
  edgeLabel: "",
  arrows: true,
  curved: false,
  classNames: true,
  colors: {},
  sizeRange: null,
  exaggeration: 1,
  theme: "auto",
  height: 520,
  selection: new Uint32Array(0),
  hidden: new Uint8Array(0),
  placement: NOWHERE,
  filters: NO_FILTERS,
  legend: legendOf(""),
  camera: null,
  tool: "pan",
  table: "",
  timeline: null,
  lens: false,
};

/** Whether two values of the state say the same, member by member. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (ArrayBuffer.isView(one) && ArrayBuffer.isView(other)) {
    return sameItems(one as unknown as ArrayLike<number>, other as unknown as ArrayLike<number>);
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return keys.every((key) => key in b && same(a[key], b[key]));
}

export function sameItems(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one.length !== other.length) return false;
  for (let k = 0; k < one.length; k++) if (one[k] !== other[k]) return false;
  return true;
}
