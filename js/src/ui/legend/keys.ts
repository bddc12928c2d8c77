// What sizes of nodes, and widths and colours of edges mean: below the legend of the colours, where they mean something.

import { classLabel, formatCount, oneLine, valueText } from "../../data/format.js";
import type { Column, GraphData, Shade, ValueColumn } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { make } from "../../dom/elements.js";
import { classColors, toCss } from "../../encoding/colors.js";
import { diameterIn } from "../../encoding/dots.js";
import { hasRange } from "../../encoding/sizes.js";
import { type EdgeAppearance, edgeWidth } from "../../picture/edge-appearance.js";
import { ENDS } from "../../store/state.js";
import type { Store } from "../../store/store.js";
import { scaleBar } from "./scale-bar.js";

/** What the keys are about. */
export interface KeyContent {
  readonly size: Column | null;
  /** Diameters in pixels of the smallest and the largest node. */
  readonly diameters: readonly [smallest: number, largest: number];
  readonly edges: EdgeAppearance;
}

/** Pixels of the largest disc in the key. */
const LARGEST_SHOWN = 40;
/** Diameters that can be asked for. */
const MOST_SIZE = 200;
/** Classes of edges that have a line. */
const MOST_LINES = 40;

export class Keys {
  readonly element = make("div", "graphne-keys");
  #disposables = new Disposables();
  #store: Store;
  #content: KeyContent | null = null;
  #ends: readonly HTMLInputElement[];
  /** What sizes mean, kept while it is shown: an input that leaves the page loses the focus, and tells its value once more. */
  #sizes: { readonly key: HTMLElement; readonly title: HTMLElement; readonly row: HTMLElement };

  constructor(store: Store) {
    this.#store = store;
    const end = (side: string): HTMLInputElement =>
      make("input", "graphne-number", {
        type: "number",
        min: "0",
        max: String(MOST_SIZE),
        step: "any",
        "aria-label": `${side} diameter in pixels`,
        title: `${side} diameter in pixels; empty for what suits`,
      });
    this.#ends = [end("Smallest"), end("Largest")];
    const range = make("div", "graphne-size-range", {}, this.#ends[0], " to ", this.#ends[1], " px");
    const [title, row] = [make("h4", "graphne-key-head"), make("div", "graphne-size-key")];
    this.#sizes = { key: make("section", "graphne-legend-key", {}, title, row, range), title, row };
    for (const input of this.#ends) this.#disposables.listen(input, "change", () => this.#resize());
  }

  /** Whether there is anything to explain. */
  show(content: KeyContent | null, graph: GraphData, shade: Shade): boolean {
    this.#content = content;
    const { size, edges } = content ?? { size: null, edges: null };
    const parts: HTMLElement[] = [];
    const { key } = this.#sizes;
    const sized = content && size?.kind === "values" && hasRange(size);
    if (sized) this.#showSizes(size, content.diameters);
    const { width, color } = edges ?? { width: null, color: null };
    if (width?.kind === "values" && width.high > width.low) parts.push(widths(width));
    if (color && color !== ENDS) parts.push(...edgeColors(color, graph, shade));
    for (const part of [...this.element.children]) if (part !== key || !sized) part.remove();
    if (sized && key.parentElement !== this.element) this.element.prepend(key);
    this.element.append(...parts);
    this.element.hidden = this.element.childElementCount === 0;
    return !this.element.hidden;
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #showSizes(column: ValueColumn, diameters: readonly [number, number]): void {
    const shrink = Math.min(1, LARGEST_SHOWN / diameters[1]);
    const steps = [0, 0.5, 1].map((share) => {
      const disc = make("span", "graphne-size-disc");
      disc.style.width = disc.style.height = `${Math.max(1, shrink * diameterIn(diameters, share)).toFixed(1)}px`;
      const value = column.low + share * (column.high - column.low);
      const text = valueText(column, column.whole ? Math.round(value) : value, true);
      return make("span", "graphne-size-step", {}, disc, make("span", "graphne-line-count", {}, text));
    });
    const { key, title, row } = this.#sizes;
    row.replaceChildren(...steps);
    const root = this.element.getRootNode() as Document | ShadowRoot;
    this.#ends.forEach((input, k) => {
      // Not while somebody types.
      if (root.activeElement !== input) input.value = String(Math.round(10 * diameters[k]) / 10);
    });
    entitle(key, title, "Size", column);
  }

  /** Takes the diameters that were typed; nothing, or what cannot be, is what suits. */
  #resize(): void {
    const [smallest, largest] = this.#ends.map(({ value }) => (value.trim() === "" ? Number.NaN : Number(value)));
    const known = smallest >= 0 && largest > 0 && largest <= MOST_SIZE;
    const sizeRange = known ? ([Math.min(smallest, largest), largest] as const) : null;
    this.#store.dispatch({ type: "set", part: { sizeRange } });
    if (this.#content && !known) {
      this.#ends.forEach((input, k) => {
        input.value = String(Math.round(10 * (this.#content as KeyContent).diameters[k]) / 10);
      });
    }
  }
}

function entitle(key: HTMLElement, title: HTMLElement, caption: string, column: Column): void {
  const name = oneLine(column.name, 60) || "custom";
  title.title = column.note ?? name;
  title.textContent = `${caption}: ${name}`;
  key.setAttribute("aria-label", `${caption} by ${name}`);
}

function section(caption: string, column: Column, ...content: HTMLElement[]): HTMLElement {
  const title = make("h4", "graphne-key-head");
  const key = make("section", "graphne-legend-key", {}, title, ...content);
  entitle(key, title, caption, column);
  return key;
}

function widths(column: ValueColumn): HTMLElement {
  const [low, high] = column.scale;
  const lines = [low, (low + high) / 2, high].map((value, k) => {
    const line = make("span", "graphne-width-line");
    line.style.height = `${edgeWidth(column.scale, value).toFixed(1)}px`;
    const more = k === 2 && column.high > high ? "≥ " : "";
    const text = more + valueText(column, column.whole ? Math.round(value) : value, true);
    return make("div", "graphne-line", {}, line, make("span", "graphne-line-count", {}, text));
  });
  return section("Edge width", column, ...lines);
}

function edgeColors(column: Column, graph: GraphData, shade: Shade): HTMLElement[] {
  if (column.kind === "values") return [section("Edge colour", column, ...scaleBar(column, graph, shade))];
  if (column.kind !== "classes") return [];
  const colors = classColors(column, graph, shade);
  const lines = column.categories.slice(0, MOST_LINES).map(({ label, count }, code) => {
    const swatch = make("span", "graphne-swatch");
    swatch.style.background = toCss(colors[code]);
    const name = make("span", "graphne-line-name", { title: label }, classLabel(label, 80));
    return make("div", "graphne-line", {}, swatch, name, make("span", "graphne-line-count", {}, formatCount(count)));
  });
  return [section("Edge colour", column, ...lines)];
}
