// The sheet of filters: two-sided sliders over numbers, boxes for classes. What they say is in the store; rows and boxes
// are patched by key, so that nothing takes a slider out of the user's hand.

import { classLabel, formatCount, oneLine, plural, valueText } from "../data/format.js";
import type { ClassColumn, Column, ValueColumn } from "../data/types.js";
import { Disposables } from "../dom/disposables.js";
import { iconButton, make, setText } from "../dom/elements.js";
import { patch } from "../dom/patch.js";
import { type ByteRgba, toCss } from "../encoding/colors.js";
import { asNumbers, filterable, isEdgeKey, openRule, stopsOf } from "../store/filters.js";
import { countBits } from "../store/nodes.js";
import { isRangeRule, type RangeRule } from "../store/state.js";
import type { Store } from "../store/store.js";

/** Classes that have a box; more could not be gone through. */
const MOST_BOXES = 60;

const nameOf = (column: Column): string => {
  const name = oneLine(column.name, 40) || "custom";
  return isEdgeKey(column.key) ? `${name} of edges` : name;
};

/** A filter on the sheet: its column, and how the sheet shows the rule of it. */
interface Row {
  readonly id: string;
  readonly column: ClassColumn | ValueColumn;
  readonly element: HTMLElement;
  update(): void;
}

export class FiltersSheet {
  readonly element = make("div", "");
  #disposables = new Disposables();
  #nodes: number;
  #store: Store;
  #rows = make("div", "graphne-filters");
  #shown = new Map<string, Row>();
  #add = make("select", "graphne-select", { "aria-label": "Add a filter", title: "Choose what to filter by" });
  #summary = make("p", "graphne-hint", { "aria-live": "polite" });
  #unhide = make("button", "graphne-plain", {
    type: "button",
    title: "Show the nodes again that were hidden one by one",
  });
  #reset = make("button", "graphne-plain", { type: "button", title: "Remove all filters" }, "Clear filters");
  #columns: readonly Column[] = [];
  #made = 0;
  #invisible: Uint8Array = new Uint8Array(0);
  #colorsOf: (column: Column) => readonly ByteRgba[] = () => [];

  constructor(nodes: number, store: Store) {
    this.#nodes = nodes;
    this.#store = store;
    const box = make("span", "graphne-select-box", {}, this.#add);
    const foot = make("div", "graphne-filter-foot", {}, box, this.#reset, this.#unhide);
    this.element.append(this.#rows, foot, this.#summary);
    this.#disposables.listen(this.#add, "change", () => {
      const column = filterable(this.#columns).find(({ key }) => key === this.#add.value);
      this.#add.value = "";
      if (!column) return;
      store.dispatch({ type: "filter", column: column.key, rule: openRule(column) });
      this.#rows.lastElementChild?.querySelector("input")?.focus();
    });
    this.#disposables.listen(this.#reset, "click", () => store.dispatch({ type: "clearFilters" }));
    this.#disposables.listen(this.#unhide, "click", () => store.dispatch({ type: "unhide" }));
    for (const key of ["filters", "hidden"] as const) {
      this.#disposables.add(
        store.subscribe(
          (state) => state[key],
          () => this.#draw(),
        ),
      );
    }
  }

  /** Columns may have got other values, or other colours. */
  show(columns: readonly Column[], colorsOf: (column: Column) => readonly ByteRgba[]): void {
    this.#columns = columns;
    this.#colorsOf = colorsOf;
    this.#draw();
  }

  /** Other nodes can be seen than before. */
  hide(invisible: Uint8Array): void {
    this.#invisible = invisible;
    this.#count();
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #draw(): void {
    const { filters } = this.#store.state;
    const columns = filterable(this.#columns);
    const open = columns.filter(({ key }) => !(key in filters));
    const options = [
      { key: "", name: "Add a filter…" },
      ...open.map((column) => ({ key: column.key, name: nameOf(column) })),
    ];
    patch(this.#add, options, {
      key: ({ key }) => key,
      make: ({ key }) => make("option", "", { value: key }),
      update: (option, { name }) => setText(option, name),
    });
    this.#add.disabled = open.length === 0;
    this.#reset.hidden = Object.keys(filters).length === 0;
    // Few numbers are boxes, unless a range was asked for, as by a timeline.
    const filtered = Object.entries(filters).flatMap(([key, rule]) =>
      columns
        .filter((column) => column.key === key)
        .map((column) => (isRangeRule(rule) ? (asNumbers(column) ?? column) : column)),
    );
    const rows = filtered.map((column) => {
      const known = this.#shown.get(column.key);
      return known && fits(known.column, column) ? known : this.#row(column);
    });
    this.#shown = new Map(rows.map((row) => [row.column.key, row]));
    patch(this.#rows, rows, { key: ({ id }) => id, make: ({ element }) => element, update: (_, row) => row.update() });
    this.#count();
  }

  #count(): void {
    const { hidden } = this.#store.state;
    const away = countBits(this.#invisible);
    const shown = `${formatCount(this.#nodes - away)} of ${formatCount(this.#nodes)} nodes are shown`;
    setText(this.#summary, away > 0 ? `${shown}, with the edges between them.` : "");
    const count = countBits(hidden);
    this.#unhide.hidden = count === 0;
    setText(this.#unhide, `Show ${plural(count, "hidden node")}`);
  }

  #row(column: ClassColumn | ValueColumn): Row {
    const name = nameOf(column);
    const remove = iconButton("close", `Remove the filter by ${name}`);
    remove.addEventListener("click", () => this.#store.dispatch({ type: "filter", column: column.key, rule: null }));
    const value = make("output", "graphne-filter-value");
    const { body, update } = column.kind === "values" ? this.#range(column, value) : this.#boxes(column);
    const head = make("div", "graphne-filter-head", {}, make("span", "graphne-line-name", {}, name), value, remove);
    const element = make("div", "graphne-filter", { role: "group", "aria-label": `Filter by ${name}` }, head, body);
    return { id: String(++this.#made), column, element, update };
  }

  #range(column: ValueColumn, value: HTMLElement): { body: HTMLElement; update: () => void } {
    const { key } = column;
    const name = nameOf(column);
    const stops = stopsOf(column);
    const last = stops.length - 1;
    const slider = (side: string): HTMLInputElement =>
      make("input", "graphne-slider", {
        type: "range",
        min: "0",
        max: String(last),
        step: "1",
        "aria-label": `${name} ${side}`,
        title: `${name} ${side}`,
      });
    const [from, to] = [slider("from"), slider("to")];
    const body = make("div", "graphne-range", {}, make("div", "graphne-range-track"), from, to);
    const update = (): void => {
      const rule = this.#store.state.filters[key];
      if (!rule || !isRangeRule(rule)) return;
      const [a, b] = stepsOf(stops, rule);
      if (from.value !== String(a)) from.value = String(a);
      if (to.value !== String(b)) to.value = String(b);
      const words = [valueText(column, rule.low ?? stops[0]), valueText(column, rule.high ?? stops[last])];
      from.setAttribute("aria-valuetext", words[0]);
      to.setAttribute("aria-valuetext", words[1]);
      setText(value, words.join(" to "));
      body.style.setProperty("--graphne-from", String(last ? a / last : 0));
      body.style.setProperty("--graphne-to", String(last ? b / last : 1));
      // Where both are at the upper end, the lower one must be on top to be moved at all.
      from.style.zIndex = a > last / 2 ? "2" : "";
    };
    const moved = (mine: HTMLInputElement, other: HTMLInputElement, sign: number): void => {
      if (sign * (Number(mine.value) - Number(other.value)) > 0) mine.value = other.value;
      const [a, b] = [Number(from.value), Number(to.value)];
      // An end of the slider is open: values that come later are not left out.
      const rule = { low: a === 0 ? null : stops[a], high: b === last ? null : stops[b] };
      this.#store.dispatch({ type: "filter", column: key, rule });
    };
    from.addEventListener("input", () => moved(from, to, 1));
    to.addEventListener("input", () => moved(to, from, -1));
    return { body, update };
  }

  #boxes(column: ClassColumn): { body: HTMLElement; update: () => void } {
    const { key, categories } = column;
    const known = categories.reduce((sum, { count }) => sum + count, 0);
    const labels: (string | null)[] = categories.slice(0, MOST_BOXES).map(({ label }) => label);
    const rest = categories.length - labels.length;
    if (known < column.codes.length) labels.push(null);
    const boxes = labels.map((label) => {
      const box = make("input", "", { type: "checkbox" });
      box.addEventListener("change", () => {
        const rule = this.#store.state.filters[key];
        if (!rule || isRangeRule(rule)) return;
        const others = rule.without.filter((other) => other !== label);
        this.#store.dispatch({
          type: "filter",
          column: key,
          rule: { without: box.checked ? others : [...others, label] },
        });
      });
      const dot = make("span", "graphne-swatch", { "aria-hidden": "true" });
      const words = label === null ? "no value" : classLabel(label, 60);
      const element = make(
        "label",
        "graphne-box",
        { title: words },
        box,
        dot,
        make("span", "graphne-line-name", {}, words),
      );
      return { label, box, dot, element };
    });
    const more =
      rest > 0
        ? [make("span", "graphne-hint", {}, `${plural(rest, "more class is", "more classes are")} not listed.`)]
        : [];
    const list = { role: "group", "aria-label": `Classes of ${nameOf(column)}` };
    const body = make("div", "graphne-boxes", list, ...boxes.map(({ element }) => element), ...more);
    const update = (): void => {
      const rule = this.#store.state.filters[key];
      const without = rule && !isRangeRule(rule) ? rule.without : [];
      const colors = this.#colorsOf(column);
      boxes.forEach(({ label, box, dot }, at) => {
        box.checked = !without.includes(label);
        const color = colors[label === null ? categories.length : at];
        dot.style.background = color ? toCss(color) : "";
      });
    };
    return { body, update };
  }
}

/** Whether the row of a column can go on for the same column as it is now: its stops or boxes are the same. */
function fits(one: ClassColumn | ValueColumn, other: ClassColumn | ValueColumn): boolean {
  if (one === other) return true;
  if (one.kind === "values") return other.kind === "values" && one.values === other.values;
  if (other.kind === "values" || one.categories.length !== other.categories.length) return false;
  return one.categories.every(({ label, count }, k) => {
    const now = other.categories[k];
    return now.label === label && now.count === count;
  });
}

/** The steps of a slider at which a rule's ends are. */
function stepsOf(stops: readonly number[], { low, high }: RangeRule): [from: number, to: number] {
  const last = stops.length - 1;
  const first = low === null ? 0 : stops.findIndex((stop) => stop >= low);
  const end = high === null ? last : stops.filter((stop) => stop <= high).length - 1;
  return [first < 0 ? last : first, Math.max(0, end)];
}
