// What a legend of classes lists: an entry for each class with a colour of its own, one for all others, one for none.

import { classLabel, formatCount } from "../data/format.js";
import { type ClassColumn, FADED, type GraphData, HIDDEN, type Shade } from "../data/types.js";
import { type ByteRgba, classColors } from "./colors.js";

export interface LegendLine {
  /** Stays the same when categories come and go: what was hidden by name is still hidden. */
  readonly id: string;
  readonly label: string;
  /** All of the label where that is more: long names often differ at their ends. */
  readonly whole: string;
  readonly color: ByteRgba;
  readonly count: number;
}

/** Which entries of the legend are looked at alone, and which are hidden. */
export interface LegendState {
  /** The column that the entries are of: that of the colours. */
  readonly column: string;
  readonly isolated: readonly string[];
  readonly hidden: readonly string[];
}

const OTHER = "\u0000other";
const MISSING = "\u0000missing";

/** The lines for a column of classes, and the line of every code. */
export function legendLines(
  column: ClassColumn,
  graph: GraphData,
  shade: Shade,
): { lines: LegendLine[]; lineOf: Uint32Array } {
  const colors = classColors(column, graph, shade);
  const { categories } = column;
  const lines: LegendLine[] = [];
  const lineOf = new Uint32Array(categories.length + 1);
  const rest = { count: 0, classes: 0, color: null as ByteRgba | null };
  let known = 0;
  categories.forEach(({ label, color, count }, code) => {
    known += count;
    if (color !== null) {
      lineOf[code] = lines.length;
      lines.push({
        id: label,
        label: classLabel(label, 80),
        whole: classLabel(label, 1000),
        color: colors[code],
        count,
      });
    } else {
      rest.count += count;
      rest.classes += 1;
      rest.color = colors[code];
    }
  });
  if (rest.color) {
    categories.forEach(({ color }, code) => {
      if (color === null) lineOf[code] = lines.length;
    });
    const label = `${formatCount(rest.classes)} more class${rest.classes > 1 ? "es" : ""}`;
    lines.push({ id: OTHER, label, whole: label, color: rest.color, count: rest.count });
  }
  lineOf[categories.length] = lines.length;
  if (graph.nodes > known) {
    const label = "no value";
    lines.push({ id: MISSING, label, whole: label, color: colors[categories.length], count: graph.nodes - known });
  }
  return { lines, lineOf };
}

/** Without entries that are gone. */
export function prune(legend: LegendState, lines: readonly LegendLine[]): LegendState {
  const ids = new Set(lines.map(({ id }) => id));
  const known = (id: string): boolean => ids.has(id);
  return { ...legend, isolated: legend.isolated.filter(known), hidden: legend.hidden.filter(known) };
}

/** 0, FADED or HIDDEN for every code. */
export function codeMarks(legend: LegendState, lines: readonly LegendLine[], lineOf: Uint32Array): Uint8Array {
  const { isolated, hidden } = prune(legend, lines);
  return Uint8Array.from(lineOf, (line) => {
    const id = lines[line]?.id;
    if (id === undefined) return 0;
    if (hidden.includes(id)) return HIDDEN;
    return isolated.length > 0 && !isolated.includes(id) ? FADED : 0;
  });
}
