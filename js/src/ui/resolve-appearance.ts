// From the keys of a state to the columns that they stand for.

import type { Column, GraphData, Shade, Texts } from "../data/types.js";
import { mergeColumns, paintedColumn } from "../encoding/colors.js";
import { namingColumns, textsOf, titleBy } from "../encoding/titles.js";
import type { Appearance } from "../picture/appearance.js";
import { ENDS, type ViewState } from "../store/state.js";
import { NAMES_KEY } from "./controls/appearance-menus.js";

/** The columns of a graph, those that came later and one that was measured here, in the colours of the state. */
export function allColumns(
  graph: GraphData,
  extra: readonly Column[],
  measured: Column | null,
  { colors }: ViewState,
): Column[] {
  const own = mergeColumns(graph, extra).map((column) => paintedColumn(column, colors[column.key]));
  return measured ? [...own, measured] : own;
}

/** What the picture is drawn by. A key without a column means none. */
export function resolveAppearance(
  graph: GraphData,
  columns: readonly Column[],
  state: ViewState,
  shade: Shade,
): Appearance {
  const { color, size, label, edgeWidth, edgeColor, edgeLabel, arrows, curved, colors, classNames, sizeRange } = state;
  const edgeColumns = graph.edgeColumns.map((column) => paintedColumn(column, colors[column.key]));
  const find = (key: string, among = columns): Column | null => among.find((column) => column.key === key) ?? null;
  const written = find(label) ?? (label === NAMES_KEY && graph.names ? "names" : null);
  return {
    color: find(color),
    size: find(size),
    label: written,
    edges: {
      width: find(edgeWidth, edgeColumns),
      color: edgeColor === ENDS ? ENDS : find(edgeColor, edgeColumns),
      label: find(edgeLabel, edgeColumns),
      arrows,
      curved,
    },
    classNames,
    sizeRange,
    columns,
    edgeColumns,
    title: titleBy(graph, written, columns),
    shade,
  };
}

/** The texts in which a search looks, beside the names: what stands on the nodes, and what they are called. */
export function searchedTexts({ label, columns }: Appearance): Texts[] {
  const beside = label === "names" ? null : label;
  const sought = new Set([...(beside ? [beside] : []), ...namingColumns(beside, columns)]);
  return [...sought].map(textsOf).filter((texts) => texts !== null);
}
