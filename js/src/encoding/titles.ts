// What people call a node: by the label they chose, else by an attribute that names it, else by what the graph has.

import { oneLine, valueText } from "../data/format.js";
import type { Column, GraphData, Texts } from "../data/types.js";

export type Title = (node: number) => string;

/** Attributes that name nodes, the best first. */
const NAMING = ["label", "name", "title"];

const isNaming = ({ name }: Column): boolean => NAMING.includes(name.toLowerCase());

/** The name that the graph itself has for a node. */
export function nameOf(graph: GraphData, node: number): string {
  return graph.names ? oneLine(graph.names.at(node)) || `node ${node}` : `node ${node}`;
}

/** The texts of a column of classes or texts; null for numbers and colours. */
export function textsOf(column: Column | null): Texts | null {
  if (column?.kind === "text") return column.texts;
  if (column?.kind !== "classes") return null;
  const { codes, categories } = column;
  return { length: codes.length, at: (node) => categories[codes[node]]?.label ?? "" };
}

/** Attributes that name nodes: the label that was chosen, if it does, then others. */
export function namingColumns(label: Column | null, columns: readonly Column[]): Column[] {
  const rank = ({ name }: Column): number => NAMING.indexOf(name.toLowerCase());
  const others = columns.filter((column) => column !== label && isNaming(column) && textsOf(column));
  const chosen = label && textsOf(label) && (label.kind === "text" || isNaming(label)) ? [label] : [];
  return [...chosen, ...others.sort((a, b) => rank(a) - rank(b))];
}

/** How nodes are called; `label` is what is written beside them, "names" for what the graph itself has. */
export function titleBy(graph: GraphData, label: Column | "names" | null, columns: readonly Column[]): Title {
  const naming = label === "names" ? null : textsOf(namingColumns(label, columns)[0] ?? null);
  return naming ? (node) => oneLine(naming.at(node)) || nameOf(graph, node) : (node) => nameOf(graph, node);
}

/** A node's value in a column as text, "" for none. */
export function textOf(column: Column, node: number): string {
  switch (column.kind) {
    case "classes":
      return column.categories[column.codes[node]]?.label ?? "";
    case "values":
      return Number.isNaN(column.values[node]) ? "" : valueText(column, column.values[node]);
    case "text":
      return column.texts.at(node);
    case "colors":
      return "";
  }
}
