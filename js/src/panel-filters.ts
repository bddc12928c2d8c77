// The sheet of filters: two-sided sliders over numbers, boxes for classes.

import { type Rgba, toCss } from "./colors.js";
import { Bin, iconButton, make, perFrame, setText } from "./dom.js";
import { type Filter, filterable, hiddenBy, isRange, openFilter, type RangeFilter, stopsOf } from "./filters.js";
import { classLabel, formatCount, oneLine, plural, valueText } from "./format.js";
import type { Column } from "./types.js";

/** Classes that have a box; more could not be gone through. */
const MOST_BOXES = 60;

export class FiltersSheet {
  readonly element = make("div", "");
  #bin = new Bin();
  #nodes: number;
  #filters: Filter[] = [];
  #rows = make("div", "graphne-filters");
  #add = make("select", "graphne-select", { "aria-label": "Add a filter", title: "Choose what to filter by" });
  #said = make("p", "graphne-hint", { "aria-live": "polite" });
  #reset = make("button", "graphne-plain", { type: "button", title: "Remove all filters" }, "Show all");
  #columns: readonly Column[] = [];
  #looks = "";
  #colorsOf: (column: Column) => readonly Rgba[] = () => [];
  #filtered: (hidden: Uint8Array | null) => void;
  #apply: () => void;

  constructor(nodes: number, filtered: (hidden: Uint8Array | null) => void) {
    this.#nodes = nodes;
    this.#filtered = filtered;
    // A slider that is dragged says so more often than anything can be drawn.
    this.#apply = perFrame(this.#bin, () => this.#act());
    const box = make("span", "graphne-select-box", {}, this.#add);
    this.element.append(this.#rows, make("div", "graphne-filter-foot", {}, box, this.#reset), this.#said);
    this.#bin.listen(this.#add, "change", () => {
      const column = filterable(this.#columns).find(({ key }) => key === this.#add.value);
      this.#add.value = "";
      if (!column) return;
      this.#filters.push(openFilter(column));
      this.#draw();
      this.#rows.lastElementChild?.querySelector("input")?.focus();
    });
    this.#bin.listen(this.#reset, "click", () => this.clear());
  }

  /** Tells whether there was anything to clear. */
  clear(): boolean {
    if (this.#filters.length === 0) return false;
    this.#filters = [];
    this.#draw();
    this.#act();
    return true;
  }

  /** Columns may have got other values; filters whose columns are gone go, too. */
  show(columns: readonly Column[], colorsOf: (column: Column) => readonly Rgba[], shade: string): void {
    const before = this.#filters;
    const looks = [shade, ...filterable(columns).map(({ key, name }) => `${key} ${name}`)].join("\n");
    this.#columns = columns;
    this.#colorsOf = colorsOf;
    const known = new Map(filterable(columns).map((column) => [column.key, column]));
    this.#filters = before.flatMap((filter): Filter[] => {
      const column = known.get(filter.column.key);
      if (!column || column.kind !== filter.column.kind) return [];
      if (column === filter.column) return [filter];
      // What was at an end stays there.
      if (column.kind === "values" && isRange(filter)) {
        const low = filter.low <= filter.column.low ? column.low : filter.low;
        return [{ column, low, high: filter.high >= filter.column.high ? column.high : filter.high }];
      }
      return [openFilter(column)];
    });
    const same = before.length === this.#filters.length && before.every((filter, at) => filter === this.#filters[at]);
    if (!same) this.#apply();
    // Drawing anew would take a slider out of the user's hand.
    if (!same || looks !== this.#looks) this.#draw();
    this.#looks = looks;
  }

  destroy(): void {
    this.#bin.empty();
  }

  #act(): void {
    const hidden = hiddenBy(this.#filters, this.#nodes);
    let shown = this.#nodes;
    if (hidden) for (let i = 0; i < hidden.length; i++) if (hidden[i]) shown--;
    setText(this.#said, hidden ? `${formatCount(shown)} of ${formatCount(this.#nodes)} nodes are shown, with the edges between them.` : "");
    this.#filtered(hidden);
  }

  #draw(): void {
    const used = new Set(this.#filters.map(({ column }) => column.key));
    const open = filterable(this.#columns).filter(({ key }) => !used.has(key));
    const options = open.map(({ key, name }) => make("option", "", { value: key }, oneLine(name, 40) || "custom"));
    this.#add.replaceChildren(make("option", "", { value: "" }, "Add a filter…"), ...options);
    this.#add.disabled = open.length === 0;
    this.#reset.hidden = this.#filters.length === 0;
    this.#rows.replaceChildren(...this.#filters.map((_, at) => this.#row(at)));
  }

  #row(at: number): HTMLElement {
    const filter = this.#filters[at];
    const name = oneLine(filter.column.name, 40) || "custom";
    const remove = iconButton("close", `Remove the filter by ${name}`);
    remove.addEventListener("click", () => {
      this.#filters.splice(at, 1);
      this.#draw();
      this.#act();
    });
    const value = make("output", "graphne-filter-value");
    const body = isRange(filter) ? this.#range(at, filter, name, value) : this.#boxes(at, name);
    return make("div", "graphne-filter", { role: "group", "aria-label": `Filter by ${name}` }, make("div", "graphne-filter-head", {}, make("span", "graphne-line-name", {}, name), value, remove), body);
  }

  #range(at: number, { column, low, high }: RangeFilter, name: string, value: HTMLElement): HTMLElement {
    const stops = stopsOf(column);
    const last = stops.length - 1;
    const first = stops.findIndex((stop) => stop >= low);
    const end = stops.filter((stop) => stop <= high).length - 1;
    const slider = (side: string, position: number): HTMLInputElement => {
      const range = { type: "range", min: "0", max: String(last), step: "1", "aria-label": `${name} ${side}`, title: `${name} ${side}` };
      const input = make("input", "graphne-slider", range);
      input.value = String(position);
      return input;
    };
    const [from, to] = [slider("from", first < 0 ? last : first), slider("to", end < 0 ? 0 : end)];
    const box = make("div", "graphne-range", {}, make("div", "graphne-range-track"), from, to);
    const show = (): void => {
      const [a, b] = [Number(from.value), Number(to.value)];
      from.setAttribute("aria-valuetext", valueText(column, stops[a]));
      to.setAttribute("aria-valuetext", valueText(column, stops[b]));
      setText(value, `${valueText(column, stops[a])} to ${valueText(column, stops[b])}`);
      box.style.setProperty("--graphne-from", String(last ? a / last : 0));
      box.style.setProperty("--graphne-to", String(last ? b / last : 1));
      // Where both are at the upper end, the lower one must be on top to be moved at all.
      from.style.zIndex = a > last / 2 ? "2" : "";
    };
    const moved = (mine: HTMLInputElement, other: HTMLInputElement, sign: number): void => {
      if (sign * (Number(mine.value) - Number(other.value)) > 0) mine.value = other.value;
      show();
      this.#filters[at] = { column, low: stops[Number(from.value)], high: stops[Number(to.value)] };
      this.#apply();
    };
    from.addEventListener("input", () => moved(from, to, 1));
    to.addEventListener("input", () => moved(to, from, -1));
    show();
    return box;
  }

  #boxes(at: number, name: string): HTMLElement {
    const filter = this.#filters[at];
    if (isRange(filter)) return make("div", "");
    const { column } = filter;
    const colors = this.#colorsOf(column);
    const known = column.categories.reduce((sum, { count }) => sum + count, 0);
    const labels = column.categories.slice(0, MOST_BOXES).map(({ label }) => classLabel(label, 60));
    const codes = labels.map((_, code) => code);
    if (known < this.#nodes) codes.push(column.categories.length);
    const boxes = codes.map((code) => {
      const box = make("input", "", { type: "checkbox" });
      box.checked = !filter.without.has(code);
      box.addEventListener("change", () => {
        const now = this.#filters[at];
        if (isRange(now)) return;
        const without = new Set(now.without);
        if (box.checked) without.delete(code);
        else without.add(code);
        this.#filters[at] = { column, without };
        this.#apply();
      });
      const dot = make("span", "graphne-swatch", { "aria-hidden": "true" });
      dot.style.background = colors[code] ? toCss(colors[code]) : "";
      const label = labels[code] ?? "no value";
      return make("label", "graphne-box", { title: label }, box, dot, make("span", "graphne-line-name", {}, label));
    });
    const rest = column.categories.length - labels.length;
    const more = rest > 0 ? [make("span", "graphne-hint", {}, `${plural(rest, "more class has", "more classes have")} no box here.`)] : [];
    return make("div", "graphne-boxes", { role: "group", "aria-label": `Classes of ${name}` }, ...boxes, ...more);
  }
}
