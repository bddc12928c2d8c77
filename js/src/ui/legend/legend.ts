// What the colours mean: classes with their counts, or a colour bar.

import { formatCount, oneLine } from "../../data/format.js";
import { meaningOf } from "../../data/glossary.js";
import type { Column, GraphData, Shade } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { icon, make, QUIET, setText } from "../../dom/elements.js";
import { patch } from "../../dom/patch.js";
import { toCss } from "../../encoding/colors.js";
import { type LegendLine, legendLines, prune } from "../../encoding/legend-entries.js";
import type { Store } from "../../store/store.js";
import { ColorPicker } from "./color-picker.js";
import { type KeyContent, Keys } from "./keys.js";
import { scaleBar } from "./scale-bar.js";

const HELP =
  "Click to show only this class, Shift-click to add it, double-click or H to hide it. Click on the dot or press C for another colour, with Alt for its own.";
/** From so many classes on they can be searched. */
const SEARCHED = 13;

export class Legend {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #title = make("span", "graphne-legend-name");
  #body = make("div", "graphne-legend-body");
  #note = make("p", "graphne-legend-note");
  #toggle = make("button", "graphne-legend-head", { type: "button" }, this.#title, icon("chevron"));
  #search = make("input", "graphne-legend-search", {
    type: "search",
    placeholder: "Find a class",
    "aria-label": "Find a class",
    title: "Find a class",
    hidden: true,
  });
  #keys: Keys;
  #store: Store;
  #column: Column | null = null;
  #lines: readonly LegendLine[] = [];

  constructor(store: Store) {
    this.#store = store;
    this.element = make(
      "section",
      "graphne-panel graphne-legend",
      { [QUIET]: "true", "aria-label": "Legend" },
      this.#toggle,
      this.#note,
      this.#search,
      this.#body,
    );
    this.#keys = new Keys(store);
    this.#disposables.add(() => this.#keys.destroy());
    this.element.append(this.#keys.element);
    new ColorPicker(this.#disposables, store, this.element, this.#body, () => this.#column?.key ?? "");
    this.#disposables.listen(this.#search, "input", () => this.#drawEntries());
    this.fold(false);
    this.#disposables.listen(this.#toggle, "click", () => this.fold(!this.folded));
    this.#disposables.add(
      store.subscribe(
        ({ legend }) => legend,
        () => this.#drawEntries(),
      ),
    );
    // Delegated, so that entries can come and go without listeners of their own.
    let before = store.state.legend;
    this.#disposables.listen<MouseEvent>(this.#body, "click", (event) => {
      const id = this.#idOf(event);
      // The second click of a double click would undo the first and make the picture flicker.
      if (id === null || event.detail > 1) return;
      before = store.state.legend;
      store.dispatch({ type: "isolateEntry", id, more: event.shiftKey });
    });
    this.#disposables.listen<MouseEvent>(this.#body, "dblclick", (event) => {
      const id = this.#idOf(event);
      if (id === null) return;
      // What its first click did was not meant.
      if (store.state.legend !== before) store.undo();
      store.dispatch({ type: "hideEntry", id });
    });
    this.#disposables.listen<KeyboardEvent>(this.#body, "keydown", (event) => {
      const id = this.#idOf(event);
      if (id === null || event.key.toLowerCase() !== "h" || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      store.dispatch({ type: "hideEntry", id });
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

  /** Explains the colours by a column, and whatever else has a key. */
  show(column: Column | null, graph: GraphData, shade: Shade, keys: KeyContent | null = null): void {
    // Entries of classes are patched; whatever else was there makes room.
    if (column?.kind !== "classes" || this.#column?.kind !== "classes") this.#body.replaceChildren();
    if (column?.key !== this.#column?.key) this.#search.value = "";
    this.#column = column;
    this.#lines = [];
    this.#title.textContent = column ? oneLine(column.name, 60) || "colour" : "";
    this.#title.title = column
      ? [column.name, column.key.startsWith("a:") ? "" : meaningOf(column.name), column.note].filter(Boolean).join(": ")
      : "";
    this.#note.textContent = column?.note ?? "";
    this.#note.hidden = !column?.note;
    const explained = column?.kind === "classes" || column?.kind === "values";
    const others = this.#keys.show(keys, graph, shade);
    if (!explained) this.#title.textContent = others ? "Legend" : "";
    this.element.hidden = (!explained && !others) || graph.nodes === 0;
    this.#search.hidden = true;
    if (column?.kind === "classes") {
      this.#lines = legendLines(column, graph, shade).lines;
      this.#search.hidden = this.#lines.length < SEARCHED;
      this.#drawEntries();
    } else if (column?.kind === "values") {
      this.#body.replaceChildren(...scaleBar(column, graph, shade));
    }
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  #drawEntries(): void {
    if (this.#column?.kind !== "classes") return;
    const { isolated, hidden } = prune(this.#store.state.legend, this.#lines);
    const sought = this.#search.value.trim().toLowerCase();
    const found = sought ? this.#lines.filter(({ whole }) => whole.toLowerCase().includes(sought)) : this.#lines;
    patch(this.#body, found, {
      key: ({ id }) => id,
      make: ({ id }) => {
        const button = make("button", "graphne-line", { type: "button" });
        button.append(make("span", "graphne-swatch"), make("span", "graphne-line-name"));
        button.append(make("span", "graphne-line-count"));
        button.dataset.id = id;
        return button;
      },
      update: (button, { id, label, whole, color, count }) => {
        const [swatch, name, number] = button.children as unknown as HTMLElement[];
        swatch.style.background = toCss(color);
        setText(name, label);
        setText(number, formatCount(count));
        button.title = `${whole}\n${HELP}`;
        button.classList.toggle("graphne-hidden", hidden.includes(id));
        button.classList.toggle("graphne-away", isolated.length > 0 && !isolated.includes(id));
        button.setAttribute("aria-pressed", String(isolated.includes(id)));
      },
    });
  }

  #idOf(event: Event): string | null {
    return (event.target as Element | null)?.closest<HTMLElement>("[data-id]")?.dataset.id ?? null;
  }
}
