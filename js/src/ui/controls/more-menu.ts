// What edges show, and what is written on the map: a few menus and boxes that unfold beside those of the nodes.

import { oneLine } from "../../data/format.js";
import type { Column, GraphData } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { make } from "../../dom/elements.js";
import { suits } from "../../encoding/colors.js";
import { type AppearanceState, ENDS } from "../../store/state.js";
import type { Store } from "../../store/store.js";

const SELECTS = {
  edgeWidth: { caption: "Edge width", title: "What the widths of edges show", suits: suits.size },
  edgeColor: { caption: "Edge colour", title: "What the colours of edges show", suits: suits.color },
  edgeLabel: { caption: "Edge label", title: "What is written on the edges", suits: suits.label },
} as const;

const BOXES = {
  arrows: { caption: "Arrows", title: "Show the direction of edges" },
  curved: { caption: "Curves", title: "Draw edges between the same two nodes beside each other" },
  classNames: { caption: "Names on the map", title: "Write the names of classes on the map" },
} as const;

type SelectKey = keyof typeof SELECTS;
type BoxKey = keyof typeof BOXES;

const selectKeys = Object.keys(SELECTS) as SelectKey[];
const boxKeys = Object.keys(BOXES) as BoxKey[];

/** Which menus and boxes make a difference. */
function offered(graph: GraphData, color: Column | null): Record<BoxKey, boolean> {
  return {
    arrows: graph.directed !== false,
    curved: graph.pairs.length > 0,
    classNames: color?.kind === "classes" && color.categories.length > 1,
  };
}

export class MoreMenu {
  readonly element: HTMLDetailsElement;
  #disposables = new Disposables();
  #store: Store;
  #selects = new Map<SelectKey, HTMLSelectElement>();
  #boxes = new Map<BoxKey, HTMLInputElement>();
  #rows = new Map<string, HTMLElement>();

  constructor(store: Store) {
    this.#store = store;
    const set = (part: Partial<AppearanceState>): void => store.dispatch({ type: "set", part });
    for (const key of selectKeys) {
      const { caption, title } = SELECTS[key];
      const select = make("select", "graphne-select", { title, "aria-label": title });
      this.#disposables.listen(select, "change", () => set({ [key]: select.value }));
      this.#selects.set(key, select);
      const box = make("span", "graphne-select-box", {}, select);
      this.#rows.set(key, make("label", "graphne-choice", {}, make("span", "graphne-caption", {}, caption), box));
    }
    for (const key of boxKeys) {
      const { caption, title } = BOXES[key];
      const box = make("input", "", { type: "checkbox", "aria-label": caption, title });
      this.#disposables.listen(box, "change", () => set({ [key]: box.checked }));
      this.#boxes.set(key, box);
      this.#rows.set(key, make("label", "graphne-check", { title }, box, make("span", "graphne-caption", {}, caption)));
    }
    const body = make("div", "graphne-more-body", {}, ...this.#rows.values());
    const summary = make("summary", "graphne-more-head", { title: "Edges, arrows and names" }, "More");
    this.element = make("details", "graphne-more", {}, summary, body);
    const isOutside = (event: Event): boolean => !event.composedPath().includes(this.element);
    this.#disposables.listen<Event>(document, "pointerdown", (event) => {
      if (isOutside(event)) this.element.open = false;
    });
    this.#disposables.listen<KeyboardEvent>(this.element, "keydown", (event) => {
      if (event.key !== "Escape" || !this.element.open) return;
      event.preventDefault();
      this.element.open = false;
      summary.focus();
    });
  }

  /** Offers what suits, and shows what is chosen; `color` is what the nodes' colours show. */
  show(graph: GraphData, color: Column | null): void {
    const { state } = this.#store;
    const any = offered(graph, color);
    for (const [key, select] of this.#selects) {
      const columns = graph.edgeColumns.filter(SELECTS[key].suits);
      const options: [key: string, name: string][] = [
        ["", "none"],
        ...(key === "edgeColor" && graph.pairs.length > 0 ? [[ENDS, "as their ends"] as [string, string]] : []),
        ...columns.map((column): [string, string] => [column.key, oneLine(column.name, 40) || "custom"]),
      ];
      const same =
        options.length === select.options.length && options.every(([value], k) => value === select.options[k].value);
      if (!same) select.replaceChildren(...options.map(([value, name]) => make("option", "", { value }, name)));
      select.value = options.some(([value]) => value === state[key]) ? state[key] : "";
      this.#rowOf(key).hidden = options.length < 2;
    }
    for (const [key, box] of this.#boxes) {
      box.checked = state[key];
      this.#rowOf(key).hidden = !any[key];
    }
    this.element.hidden = [...this.#rows.values()].every(({ hidden }) => hidden);
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  #rowOf(key: string): HTMLElement {
    return this.#rows.get(key) as HTMLElement;
  }
}
