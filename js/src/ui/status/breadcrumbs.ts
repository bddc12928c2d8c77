// What is left out of the picture, a word each, to be taken back by a click: nodes that are hidden, filters, the legend.

import { classLabel, formatCount, limitText, oneLine, plural } from "../../data/format.js";
import type { Column } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { icon, make, QUIET } from "../../dom/elements.js";
import { asNumbers } from "../../store/filters.js";
import { countBits } from "../../store/nodes.js";
import { pinnedNodes } from "../../store/placement.js";
import { type FilterRule, isRangeRule, type ViewState } from "../../store/state.js";
import type { Store } from "../../store/store.js";

interface Crumb {
  readonly words: string;
  /** What a click does. */
  readonly spoken: string;
  undo(): void;
}

function ruleWords(name: string, rule: FilterRule, column: Column | undefined): string {
  if (!isRangeRule(rule)) {
    const [first] = rule.without;
    if (rule.without.length !== 1) return `${name}: ${plural(rule.without.length, "class", "classes")} left out`;
    return `${name}: without ${first === null ? "no value" : classLabel(first, 40)}`;
  }
  const { low, high } = rule;
  const limited = asNumbers(column) ?? { whole: false };
  const [from, to] = [low, high].map((end, at) => (end === null ? "" : limitText(limited, end, at === 1)));
  if (from && to) return `${name}: ${from} to ${to}`;
  return from ? `${name}: from ${from}` : to && `${name}: up to ${to}`;
}

export class Breadcrumbs {
  readonly element = make("nav", "graphne-crumbs", { "aria-label": "What is left out", [QUIET]: "true", hidden: true });
  #disposables = new Disposables();
  #store: Store;
  #columns: readonly Column[] = [];
  #release: () => void;

  /** `release`: lets go of all pinned nodes. */
  constructor(store: Store, release: () => void) {
    this.#store = store;
    this.#release = release;
    for (const select of [
      (state: ViewState) => state.hidden,
      (state: ViewState) => state.filters,
      (state: ViewState) => state.legend,
      (state: ViewState) => state.placement.pinned,
    ]) {
      this.#disposables.add(store.subscribe<unknown>(select, () => this.#draw()));
    }
  }

  show(columns: readonly Column[]): void {
    this.#columns = columns;
    this.#draw();
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  #crumbs(): Crumb[] {
    const store = this.#store;
    const { hidden, filters, legend, placement } = store.state;
    const crumbs: Crumb[] = [];
    const away = countBits(hidden);
    if (away) {
      crumbs.push({
        words: `${plural(away, "node")} hidden`,
        spoken: "Show hidden nodes again",
        undo: () => store.dispatch({ type: "unhide" }),
      });
    }
    for (const [column, rule] of Object.entries(filters)) {
      const known = this.#columns.find(({ key }) => key === column);
      const name = oneLine(known?.name ?? column, 40);
      const words = ruleWords(name, rule, known);
      if (!words || (!isRangeRule(rule) && rule.without.length === 0)) continue;
      const undo = (): void => store.dispatch({ type: "filter", column, rule: null });
      crumbs.push({ words, spoken: `Remove the filter by ${name}`, undo });
    }
    if (legend.hidden.length) {
      crumbs.push({
        words: `${plural(legend.hidden.length, "class", "classes")} hidden`,
        spoken: "Show hidden classes again",
        undo: () => store.dispatch({ type: "resetLegend" }),
      });
    }
    const held = pinnedNodes(placement).length;
    if (held)
      crumbs.push({ words: `${formatCount(held)} pinned`, spoken: "Release pinned nodes", undo: this.#release });
    return crumbs;
  }

  #draw(): void {
    const crumbs = this.#crumbs();
    this.element.hidden = crumbs.length === 0;
    this.element.replaceChildren(
      ...crumbs.map(({ words, spoken, undo }) => {
        const attributes = { type: "button", title: spoken, "aria-label": `${words}. ${spoken}` };
        const button = make("button", "graphne-crumb", attributes, words, icon("close"));
        button.addEventListener("click", undo);
        return button;
      }),
    );
  }
}
