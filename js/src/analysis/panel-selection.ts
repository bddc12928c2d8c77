// The sheet about the selection: its classes, its degrees, and a table of its nodes.

import { classLabel, formatCount, formatValue, oneLine, plural } from "../data/format.js";
import type { ClassColumn, Column } from "../data/types.js";
import { Disposables } from "../dom/disposables.js";
import { make } from "../dom/elements.js";
import { render } from "../dom/patch.js";
import { type ByteRgba, toCss } from "../encoding/colors.js";
import { textOf } from "../encoding/titles.js";

/** Rows and columns of the table, lines of the classes, and bars of the histogram at most. */
const MOST_ROWS = 200;
const MOST_COLUMNS = 6;
const MOST_CLASSES = 12;
const MOST_BARS = 24;

export interface ClassCount {
  readonly code: number;
  readonly count: number;
}

/** How many of some nodes have each class, the most frequent first; the number of categories stands for none. */
export function countClasses(codes: ArrayLike<number>, classes: number, nodes: Uint32Array): ClassCount[] {
  const counts = new Uint32Array(classes + 1);
  for (const node of nodes) counts[Math.min(codes[node], classes)]++;
  const found = Array.from(counts, (count, code) => ({ code, count })).filter(({ count }) => count > 0);
  return found.sort((a, b) => b.count - a.count || a.code - b.code);
}

export interface Bar {
  /** Whole numbers, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A histogram of whole numbers in at most 24 bars of the same width. */
export function histogram(values: readonly number[]): Bar[] {
  const known = values.filter(Number.isFinite);
  if (known.length === 0) return [];
  let low = Infinity;
  let high = -Infinity;
  for (const value of known) {
    low = Math.min(low, Math.floor(value));
    high = Math.max(high, Math.floor(value));
  }
  const width = Math.ceil((high - low + 1) / MOST_BARS);
  const counts = new Uint32Array(Math.floor((high - low) / width) + 1);
  for (const value of known) counts[Math.floor((Math.floor(value) - low) / width)]++;
  return Array.from(counts, (count, k) => ({
    from: low + k * width,
    to: Math.min(high, low + (k + 1) * width - 1),
    count,
  }));
}

export interface SelectionSheetData {
  readonly selection: Uint32Array;
  readonly classes: ClassColumn | null;
  readonly colors: readonly ByteRgba[];
  readonly degrees: ArrayLike<number>;
  readonly columns: readonly Column[];
}

export class SelectionSheet {
  readonly element = make("div", "");
  #disposables = new Disposables();
  #nameOf: (node: number) => string;

  constructor(
    nameOf: (node: number) => string,
    events: { fly(node: number): void; hide(): void; invert(): void; keep(): void },
  ) {
    this.#nameOf = nameOf;
    this.#disposables.listen<MouseEvent>(this.element, "click", (event) => {
      const target = event.target as Element;
      const node = target.closest<HTMLElement>("[data-node]")?.dataset.node;
      if (node !== undefined) events.fly(Number(node));
      else if (target.closest("[data-key='hide']")) events.hide();
      else if (target.closest("[data-key='invert']")) events.invert();
      else if (target.closest("[data-key='keep']")) events.keep();
    });
  }

  show(data: SelectionSheetData): void {
    const { selection } = data;
    if (selection.length === 0) {
      render(
        this.element,
        make("p", "graphne-hint", {}, "Nothing is selected. Draw around nodes with the lasso, or shift-drag."),
      );
      return;
    }
    const words = selection.length === 1 ? "Hide this node" : "Hide these nodes";
    render(
      this.element,
      make("h3", "graphne-heading", {}, `${plural(selection.length, "node")} selected`),
      make(
        "button",
        "graphne-plain",
        { type: "button", "data-key": "hide", title: `${words} (h on the picture)` },
        words,
      ),
      make(
        "button",
        "graphne-plain",
        { type: "button", "data-key": "keep", title: "Hide all other nodes" },
        "Keep only",
      ),
      make(
        "button",
        "graphne-plain",
        { type: "button", "data-key": "invert", title: "Select all other nodes" },
        "Invert",
      ),
      ...this.#classes(data),
      ...this.#degrees(data),
      ...this.#table(data),
    );
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #classes({ classes, colors, selection }: SelectionSheetData): HTMLElement[] {
    if (!classes) return [];
    const { categories, codes } = classes;
    const counts = countClasses(codes, categories.length, selection);
    const lines = counts.slice(0, MOST_CLASSES).map(({ code, count }) => {
      const label = code < categories.length ? classLabel(categories[code].label, 60) : "no value";
      const fill = make("span", "graphne-share-fill");
      fill.style.background = toCss(colors[code]);
      fill.style.width = `${(100 * count) / selection.length}%`;
      const name = make("span", "graphne-line-name", { title: label }, label);
      return make(
        "li",
        "graphne-share",
        { "data-key": String(code) },
        name,
        make("span", "graphne-line-count", {}, formatCount(count)),
        fill,
      );
    });
    const rest = counts.length - lines.length;
    const more = rest > 0 ? [make("li", "graphne-hint", {}, `and ${plural(rest, "more class", "more classes")}`)] : [];
    return [make("ul", "graphne-list", { "aria-label": "Classes of the selection" }, ...lines, ...more)];
  }

  #degrees({ degrees, selection }: SelectionSheetData): HTMLElement[] {
    const bars = histogram(Array.from(selection, (node) => degrees[node]));
    if (bars.length === 0) return [];
    const most = Math.max(...bars.map(({ count }) => count));
    const drawn = bars.map(({ from, to, count }) => {
      const range = from === to ? `degree ${from}` : `degree ${from} to ${to}`;
      const bar = make("span", "graphne-histogram-bar", { title: `${range}: ${plural(count, "node")}` });
      bar.style.height = `${count ? Math.max(4, (100 * count) / most) : 0}%`;
      return bar;
    });
    const [low, high] = [bars[0].from, bars[bars.length - 1].to];
    const words = `Degrees from ${low} to ${high}`;
    const axis = make(
      "div",
      "graphne-histogram-axis",
      {},
      make("span", "", {}, formatValue(low)),
      make("span", "", {}, "degree"),
      make("span", "", {}, formatValue(high)),
    );
    return [make("div", "graphne-histogram", { role: "img", "aria-label": words }, ...drawn), axis];
  }

  #table({ columns, selection }: SelectionSheetData): HTMLElement[] {
    const shown = columns.filter(({ kind }) => kind !== "colors").slice(0, MOST_COLUMNS);
    const heads = shown.map(({ name, kind }) =>
      make("th", kind === "values" ? "graphne-figure" : "", { scope: "col" }, oneLine(name, 30) || "value"),
    );
    const rows = Array.from(selection.subarray(0, MOST_ROWS), (node) => {
      const name = this.#nameOf(node);
      const button = make(
        "button",
        "graphne-plain graphne-node-name",
        { type: "button", title: `Go to ${name}`, "data-node": String(node) },
        oneLine(name, 40),
      );
      const cells = shown.map((column) =>
        make("td", column.kind === "values" ? "graphne-figure" : "", {}, oneLine(textOf(column, node), 40)),
      );
      return make("tr", "", { "data-key": String(node) }, make("th", "", { scope: "row" }, button), ...cells);
    });
    const head = make("thead", "", {}, make("tr", "", {}, make("th", "", { scope: "col" }, "node"), ...heads));
    const table = make(
      "table",
      "graphne-table",
      { "aria-label": "Selected nodes" },
      head,
      make("tbody", "", {}, ...rows),
    );
    const rest = selection.length - rows.length;
    const more =
      rest > 0
        ? [
            make(
              "p",
              "graphne-hint",
              {},
              `The first ${formatCount(rows.length)} of ${formatCount(selection.length)} are listed.`,
            ),
          ]
        : [];
    return [
      make(
        "div",
        "graphne-scroll",
        { tabindex: "0", role: "region", "aria-label": "Table of the selected nodes" },
        table,
      ),
      ...more,
    ];
  }
}
