// How actions change the state: pure functions. What says nothing new gives back the very state it was given.

import type { CameraPlace } from "../data/types.js";
import type { LegendState } from "../encoding/legend-entries.js";
import { combine, type SelectMode, withBits } from "./nodes.js";
import { released, withPinned } from "./placement.js";
import {
  type ChosenColors,
  type FilterRule,
  INITIAL,
  legendOf,
  NO_FILTERS,
  same,
  type Tool,
  type ViewState,
} from "./state.js";

export type Action =
  | { readonly type: "select"; readonly nodes: ArrayLike<number>; readonly mode: SelectMode }
  /** Hides nodes one by one, and takes them out of the selection. */
  | { readonly type: "hide"; readonly nodes: ArrayLike<number>; readonly of: number }
  /** Shows all nodes again that were hidden one by one. */
  | { readonly type: "unhide" }
  /** Pins nodes at places of the layout, interleaved. */
  | { readonly type: "pin"; readonly nodes: ArrayLike<number>; readonly places: ArrayLike<number> }
  /** Releases nodes that are pinned, all for null; they stay where they are, or are the layout's again. */
  | { readonly type: "release"; readonly nodes: ArrayLike<number> | null; readonly stay: boolean }
  /** A rule of null removes the filter. */
  | { readonly type: "filter"; readonly column: string; readonly rule: FilterRule | null }
  | { readonly type: "clearFilters" }
  /** Looks at one entry of the legend alone, or at all again; shows it if it was hidden; `more` adds it to the others. */
  | { readonly type: "isolateEntry"; readonly id: string; readonly more: boolean }
  /** Hides an entry of the legend, or shows it again. */
  | { readonly type: "hideEntry"; readonly id: string }
  | { readonly type: "resetLegend" }
  /** Gives a class of a column another colour; null for its own again. */
  | { readonly type: "paintClass"; readonly column: string; readonly label: string; readonly color: string | null }
  | { readonly type: "moveCamera"; readonly to: CameraPlace | null }
  | { readonly type: "chooseTool"; readonly tool: Tool }
  /** Whatever is given as it is given: from the host, from linked views, from the history, from a menu. */
  | { readonly type: "set"; readonly part: Partial<ViewState> };

export function reduce(state: ViewState, action: Action): ViewState {
  switch (action.type) {
    case "select":
      return merge(state, { selection: combine(state.selection, action.nodes, action.mode) });
    case "hide":
      return merge(state, {
        hidden: withBits(state.hidden, action.nodes, action.of),
        selection: combine(state.selection, action.nodes, "remove"),
      });
    case "unhide":
      return merge(state, { hidden: INITIAL.hidden });
    case "pin":
      return merge(state, { placement: withPinned(state.placement, action.nodes, action.places) });
    case "release":
      return merge(state, { placement: released(state.placement, action.nodes, action.stay) });
    case "filter":
      return merge(state, { filters: withRule(state, action.column, action.rule) });
    case "clearFilters":
      return merge(state, { filters: NO_FILTERS });
    case "isolateEntry":
      return merge(state, { legend: isolate(state.legend, action.id, action.more) });
    case "hideEntry":
      return merge(state, { legend: hideEntry(state.legend, action.id) });
    case "resetLegend":
      return merge(state, { legend: legendOf(state.color) });
    case "paintClass":
      return merge(state, { colors: painted(state.colors, action.column, action.label, action.color) });
    case "moveCamera":
      return merge(state, { camera: action.to });
    case "chooseTool":
      return merge(state, { tool: action.tool });
    case "set":
      return merge(state, action.part);
  }
}

/** Takes over what differs. The legend is always that of the colours: another column has other entries. */
function merge(state: ViewState, part: Partial<ViewState>): ViewState {
  const changed = Object.entries(part).filter(
    ([key, value]) => value !== undefined && !same(value, state[key as keyof ViewState]),
  );
  if (changed.length === 0) return state;
  const next: ViewState = { ...state, ...(Object.fromEntries(changed) as Partial<ViewState>) };
  if (next.legend.column === next.color) return next;
  if (changed.length === 1 && changed[0][0] === "legend") return state;
  return { ...next, legend: state.legend.column === next.color ? state.legend : legendOf(next.color) };
}

function withRule({ filters }: ViewState, column: string, rule: FilterRule | null): ViewState["filters"] {
  if (rule) return { ...filters, [column]: rule };
  return Object.fromEntries(Object.entries(filters).filter(([key]) => key !== column));
}

/** The chosen colours with one more, or one less; columns without any are left out. */
function painted(colors: ChosenColors, column: string, label: string, color: string | null): ChosenColors {
  const entries = Object.entries(colors[column] ?? {}).filter(([other]) => other !== label);
  if (color !== null) entries.push([label, color]);
  const others = Object.entries(colors).filter(([key]) => key !== column);
  return Object.fromEntries(entries.length ? [...others, [column, Object.fromEntries(entries)]] : others);
}

const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];

/** A click: looks at this entry alone, or at all again; shows it if it was hidden; `more` adds it to the others. */
export function isolate(legend: LegendState, id: string, more = false): LegendState {
  if (legend.hidden.includes(id)) return { ...legend, hidden: toggled(legend.hidden, id) };
  if (more) return { ...legend, isolated: toggled(legend.isolated, id) };
  const alone = legend.isolated.length === 1 && legend.isolated[0] === id;
  return { ...legend, isolated: alone ? [] : [id] };
}

/** A double click: hides this entry, or shows it again. */
export function hideEntry(legend: LegendState, id: string): LegendState {
  const isolated = legend.isolated.filter((other) => other !== id);
  return { ...legend, isolated, hidden: toggled(legend.hidden, id) };
}
