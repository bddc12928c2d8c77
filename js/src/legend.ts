// What the colours mean: classes with their counts, or a colour bar.

import { type Rgba, classColors, toCss, valueScale } from "./colors.js";
import { Bin, icon, make, QUIET } from "./dom.js";
import { classLabel, formatCount, oneLine, valueText } from "./format.js";
import type { ClassMarks } from "./marks.js";
import { type ClassColumn, type Column, FADED, type GraphData, HIDDEN, type ValueColumn } from "./types.js";
import type { Shade } from "./theme.js";

export interface LegendLine {
  /** Stays the same when categories come and go: what was hidden by name is still hidden. */
  readonly id: string;
  readonly label: string;
  /** All of the label where that is more: long names often differ at their ends. */
  readonly whole: string;
  readonly color: Rgba;
  readonly count: number;
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
  const rest = { count: 0, classes: 0, color: null as Rgba | null };
  let known = 0;
  categories.forEach(({ label, color, count }, code) => {
    known += count;
    if (color !== null) {
      lineOf[code] = lines.length;
      lines.push({ id: label, label: classLabel(label, 80), whole: classLabel(label, 1000), color: colors[code], count });
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

/** Which lines are looked at alone, and which are hidden. */
export interface LegendState {
  readonly isolated: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
}

export const ALL_SHOWN: LegendState = { isolated: new Set(), hidden: new Set() };

function toggled(set: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** A click: looks at this line alone, or at all again; shows it if it was hidden; `more` adds it to the others. */
export function isolate(state: LegendState, id: string, more = false): LegendState {
  if (state.hidden.has(id)) return { ...state, hidden: toggled(state.hidden, id) };
  if (more) return { ...state, isolated: toggled(state.isolated, id) };
  const alone = state.isolated.size === 1 && state.isolated.has(id);
  return { ...state, isolated: alone ? new Set() : new Set([id]) };
}

/** A double click: hides this line, or shows it again. */
export function hide(state: LegendState, id: string): LegendState {
  const isolated = new Set(state.isolated);
  isolated.delete(id);
  return { isolated, hidden: toggled(state.hidden, id) };
}

/** Forgets lines that are gone. */
export function prune(state: LegendState, lines: readonly LegendLine[]): LegendState {
  const ids = new Set(lines.map(({ id }) => id));
  const keep = (set: ReadonlySet<string>): Set<string> => new Set([...set].filter((id) => ids.has(id)));
  return { isolated: keep(state.isolated), hidden: keep(state.hidden) };
}

/** 0, FADED or HIDDEN for every code. */
export function codeMarks(state: LegendState, lines: readonly LegendLine[], lineOf: Uint32Array): Uint8Array {
  return Uint8Array.from(lineOf, (line) => {
    const id = lines[line]?.id;
    if (id === undefined) return 0;
    if (state.hidden.has(id)) return HIDDEN;
    return state.isolated.size > 0 && !state.isolated.has(id) ? FADED : 0;
  });
}

/** Round numbers from low to high, about `most` of them. */
export function ticks(low: number, high: number, most: number, whole: boolean): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return Number.isFinite(low) ? [low] : [];
  let step = 10 ** Math.floor(Math.log10(span / most));
  for (const factor of [2, 2.5, 2]) if (span / step > most) step *= factor;
  if (whole) step = Math.max(1, Math.round(step));
  const found: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

/** Letters that have room under a colour bar, with some air between them. */
const MOST_LETTERS = 20;

const HELP = "Click: only this class. Shift-click: this one, too. Double click or H: hide it.";

export class Legend {
  readonly element: HTMLElement;
  #bin = new Bin();
  #title = make("span", "graphne-legend-name");
  #body = make("div", "graphne-legend-body");
  #note = make("p", "graphne-legend-note");
  #toggle = make("button", "graphne-legend-head", { type: "button" }, this.#title, icon("chevron"));
  #changed: () => void;
  #column: Column | null = null;
  #state = ALL_SHOWN;
  #lines: LegendLine[] = [];
  #lineOf: Uint32Array = new Uint32Array(0);
  #buttons: HTMLButtonElement[] = [];

  constructor(changed: () => void) {
    this.#changed = changed;
    this.element = make("section", "graphne-panel graphne-legend", { [QUIET]: "true", "aria-label": "Legend" }, this.#toggle, this.#note, this.#body);
    this.fold(false);
    this.#bin.listen(this.#toggle, "click", () => this.fold(!this.folded));
    // Delegated, so that lines can come and go without listeners of their own.
    let before = this.#state;
    this.#bin.listen<MouseEvent>(this.#body, "click", (event) => {
      const id = this.#idOf(event);
      // The second click of a double click would undo the first and make the picture flicker.
      if (id === null || event.detail > 1) return;
      before = this.#state;
      this.#enter(isolate(this.#state, id, event.shiftKey));
    });
    this.#bin.listen<MouseEvent>(this.#body, "dblclick", (event) => {
      const id = this.#idOf(event);
      if (id !== null) this.#enter(hide(before, id));
    });
    this.#bin.listen<KeyboardEvent>(this.#body, "keydown", (event) => {
      const id = this.#idOf(event);
      if (id === null || event.key.toLowerCase() !== "h" || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.#enter(hide(this.#state, id));
    });
  }

  get folded(): boolean {
    return this.element.classList.contains("graphne-folded");
  }

  fold(folded: boolean): void {
    this.element.classList.toggle("graphne-folded", folded);
    this.#toggle.setAttribute("aria-expanded", String(!folded));
    this.#toggle.title = folded ? "Show the legend" : "Fold the legend";
  }

  /** What the legend asks of the nodes now. */
  get marks(): ClassMarks | null {
    const column = this.#column;
    if (column?.kind !== "classes" || (!this.#state.isolated.size && !this.#state.hidden.size)) return null;
    return { codes: column.codes, table: codeMarks(this.#state, this.#lines, this.#lineOf) };
  }

  get state(): LegendState {
    return this.#state;
  }

  /** Takes over what is picked out in a legend of the same column; nobody is told. */
  adopt(state: LegendState): void {
    this.#state = prune(state, this.#lines);
    this.#dress();
  }

  /** Shows all lines again; tells whether any was not shown. */
  reset(): boolean {
    if (!this.#state.isolated.size && !this.#state.hidden.size) return false;
    this.#enter(ALL_SHOWN);
    return true;
  }

  show(column: Column | null, graph: GraphData, shade: Shade): void {
    if (column?.key !== this.#column?.key) this.#state = ALL_SHOWN;
    this.#column = column;
    this.#lines = [];
    this.#buttons = [];
    this.#title.textContent = column ? oneLine(column.name, 60) || "colour" : "";
    this.#title.title = column ? [column.name, column.note].filter(Boolean).join(": ") : "";
    this.#note.textContent = column?.note ?? "";
    this.#note.hidden = !column?.note;
    const explained = column?.kind === "classes" || column?.kind === "values";
    this.element.hidden = !explained || graph.nodes === 0;
    if (column?.kind === "classes") this.#showClasses(column, graph, shade);
    else if (column?.kind === "values") this.#showValues(column, graph, shade);
    else this.#body.replaceChildren();
  }

  destroy(): void {
    this.#bin.empty();
    this.element.remove();
  }

  #showClasses(column: ClassColumn, graph: GraphData, shade: Shade): void {
    const { lines, lineOf } = legendLines(column, graph, shade);
    this.#lines = lines;
    this.#lineOf = lineOf;
    this.#state = prune(this.#state, lines);
    this.#buttons = lines.map(({ label, whole, color, count }, index) => {
      const swatch = make("span", "graphne-swatch");
      swatch.style.background = toCss(color);
      const name = make("span", "graphne-line-name", {}, label);
      const button = make("button", "graphne-line", { type: "button", title: `${whole}\n${HELP}` }, swatch, name);
      button.append(make("span", "graphne-line-count", {}, formatCount(count)));
      button.dataset["line"] = String(index);
      return button;
    });
    this.#body.replaceChildren(...this.#buttons);
    this.#dress();
  }

  #showValues(column: ValueColumn, graph: GraphData, shade: Shade): void {
    const { colors, missing } = valueScale(graph, shade);
    const [low, high] = column.scale;
    const bar = make("div", "graphne-scale", { role: "img" });
    bar.setAttribute("aria-label", `Colours from ${valueText(column, low)} to ${valueText(column, high)}`);
    if (column.low < low || column.high > high) {
      bar.title = `Values from ${valueText(column, column.low)} to ${valueText(column, column.high)}; those beyond the scale have the colour of its end`;
    }
    bar.style.background = `linear-gradient(to right, ${colors.map(toCss).join(", ")})`;
    const axis = make("div", "graphne-scale-ticks");
    const span = high - low;
    const share = (value: number): number => (span > 0 ? (value - low) / span : 0.5);
    const tickText = (value: number): string =>
      (value === low && column.low < low ? "≤ " : value === high && column.high > high ? "≥ " : "") +
      // Within two days it is the time that tells them apart; there is no room for the year, too.
      (column.date && span < 2 ? valueText(column, value).slice(5) : valueText(column, value, true));
    // The ends are always written; between them the round number nearest to the middle, which has room.
    const round = ticks(low, high, 5, column.whole).filter((value) => Math.abs(share(value) - 0.5) < 0.15);
    const nearest = round.sort((a, b) => Math.abs(share(a) - 0.5) - Math.abs(share(b) - 0.5)).slice(0, 1);
    const letters = (value: number): number => tickText(value).length;
    // The ends begin and end with the bar; the middle one is about its place.
    const fits = (value: number): boolean => {
      const half = letters(value) / 2 / MOST_LETTERS;
      return share(value) - half > letters(low) / MOST_LETTERS && share(value) + half < 1 - letters(high) / MOST_LETTERS;
    };
    const middle = nearest.filter(fits);
    for (const value of span > 0 ? [low, ...middle, high] : [low]) {
      const tick = make("span", "graphne-tick", {}, tickText(value));
      tick.style.left = `${100 * share(value)}%`;
      tick.style.transform = `translateX(${-100 * share(value)}%)`;
      axis.append(tick);
    }
    let unknown = 0;
    for (let i = 0; i < column.values.length; i++) if (!Number.isFinite(column.values[i])) unknown++;
    // Where nobody has a value, and no range is known, there is no scale either.
    this.#body.replaceChildren(...(unknown < column.values.length || span > 0 ? [bar, axis] : []));
    if (unknown > 0) {
      const swatch = make("span", "graphne-swatch");
      swatch.style.background = toCss(missing);
      const name = make("span", "graphne-line-name", {}, "no value");
      const count = make("span", "graphne-line-count", {}, formatCount(unknown));
      this.#body.append(make("div", "graphne-line", {}, swatch, name, count));
    }
  }

  #idOf(event: Event): string | null {
    const line = (event.target as Element | null)?.closest<HTMLElement>("[data-line]")?.dataset["line"];
    return line === undefined ? null : (this.#lines[Number(line)]?.id ?? null);
  }

  #enter(state: LegendState): void {
    this.#state = state;
    this.#dress();
    this.#changed();
  }

  #dress(): void {
    const { isolated, hidden } = this.#state;
    this.#lines.forEach(({ id }, index) => {
      const button = this.#buttons[index];
      button.classList.toggle("graphne-hidden", hidden.has(id));
      button.classList.toggle("graphne-away", isolated.size > 0 && !isolated.has(id));
      button.setAttribute("aria-pressed", String(isolated.has(id)));
    });
  }
}
