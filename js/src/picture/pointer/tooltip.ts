// What is known about the node under the pointer.

import { oneLine, plural } from "../../data/format.js";
import type { Column, GraphData, Shade } from "../../data/types.js";
import { make } from "../../dom/elements.js";
import { type ByteRgba, classColors, colorShare, toCss, valueScale } from "../../encoding/colors.js";
import { textOf } from "../../encoding/titles.js";

/** Rows that are shown at most, and of how many pixels of the picture's height there is one. */
const MOST_ROWS = 14;
const LEAST_ROWS = 4;
const HEIGHT_OF_ROW = 48;

export interface Row {
  readonly name: string;
  readonly value: string;
  readonly color: ByteRgba | null;
}

/** One row a column with a value; what the colours show comes first. */
export function rowsOf(
  node: number,
  columns: readonly Column[],
  colored: Column | null,
  graph: GraphData,
  shade: Shade,
): Row[] {
  const ordered = colored ? [colored, ...columns.filter((column) => column !== colored)] : columns;
  const rows: Row[] = [];
  for (const column of ordered) {
    const value = oneLine(textOf(column, node));
    if (value)
      rows.push({
        name: oneLine(column.name, 60) || "custom",
        value,
        color: column === colored ? swatch(column, node, graph, shade) : null,
      });
  }
  return rows;
}

function swatch(column: Column, node: number, graph: GraphData, shade: Shade): ByteRgba | null {
  if (column.kind === "classes") return classColors(column, graph, shade)[column.codes[node]] ?? null;
  if (column.kind !== "values") return null;
  const { colors } = valueScale(graph, shade);
  const share = colorShare(column, column.values[node]);
  return colors[Math.min(colors.length - 1, Math.floor(share * colors.length))] ?? null;
}

export class Tooltip {
  readonly element = make("div", "graphne-tooltip", { role: "tooltip", hidden: true });

  /** `neighbors` is null where a row says it already; `more` is said below. A low picture has room for few rows. */
  show(
    title: string,
    neighbors: number | null,
    rows: readonly Row[],
    more: readonly string[] = [],
    height = Infinity,
  ): void {
    const most = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(height / HEIGHT_OF_ROW)));
    const table = make("dl", "graphne-rows");
    for (const { name, value, color } of rows.slice(0, most)) {
      const cell = make("dd", "", {});
      if (color) {
        const dot = make("span", "graphne-swatch");
        dot.style.background = toCss(color);
        cell.append(dot);
      }
      cell.append(value);
      table.append(make("dt", "", {}, name), cell);
    }
    const left = rows.length - most;
    const footer = [
      ...(neighbors === null ? [] : [plural(neighbors, "neighbour")]),
      ...more,
      ...(left > 0 ? [`${left} more`] : []),
    ];
    this.element.replaceChildren(
      make("div", "graphne-tooltip-title", {}, title),
      ...(rows.length ? [table] : []),
      ...(footer.length ? [make("div", "graphne-tooltip-foot", {}, footer.join(" · "))] : []),
    );
    this.element.hidden = false;
  }

  /** Beside a point of a picture of the given size, wherever there is room. */
  place(left: number, top: number, width: number, height: number, gap: number): void {
    if (this.element.hidden) return;
    const own = [this.element.offsetWidth, this.element.offsetHeight] as const;
    const right = left + gap;
    const x = right + own[0] + 4 <= width ? right : Math.max(4, left - gap - own[0]);
    const y = Math.max(4, Math.min(height - own[1] - 4, top + gap));
    this.element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
