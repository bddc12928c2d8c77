// Another colour for a class: a click on its dot opens the browser's own picker; with Alt, it gets back its own colour.

import type { Disposables } from "../../dom/disposables.js";
import { make } from "../../dom/elements.js";
import { parseColor, toHex } from "../../encoding/colors.js";
import type { Store } from "../../store/store.js";

/** Listens in a list of lines within a place, whose `data-id` are labels of classes; entries that are none begin with a null byte. */
export class ColorPicker {
  readonly element = make("input", "graphne-color-picker", {
    type: "color",
    tabindex: "-1",
    "aria-label": "Colour of the class",
  });
  #store: Store;
  #place: HTMLElement;
  #columnOf: () => string;
  #label: string | null = null;

  constructor(disposables: Disposables, store: Store, place: HTMLElement, list: HTMLElement, columnOf: () => string) {
    this.#store = store;
    this.#place = place;
    this.#columnOf = columnOf;
    // Before others hear of it: a click on the dot is no click on the class.
    disposables.listen<MouseEvent>(
      list,
      "click",
      (event) => {
        const dot = (event.target as Element).closest<HTMLElement>(".graphne-swatch");
        if (dot && this.#pick(dot, event.altKey)) event.stopImmediatePropagation();
      },
      { capture: true },
    );
    disposables.listen<KeyboardEvent>(list, "keydown", (event) => {
      if (event.key.toLowerCase() !== "c" || event.ctrlKey || event.metaKey) return;
      const dot = (event.target as Element).querySelector<HTMLElement>(".graphne-swatch");
      if (dot && this.#pick(dot, event.altKey)) event.preventDefault();
    });
    disposables.listen(this.element, "input", () => this.#paint(this.element.value));
  }

  #pick(dot: HTMLElement, own: boolean): boolean {
    const label = dot.closest<HTMLElement>("[data-id]")?.dataset.id;
    if (label === undefined || label.startsWith("\u0000")) return false;
    this.#label = label;
    if (own) {
      this.#paint(null);
      return true;
    }
    const shown = parseColor(getComputedStyle(dot).backgroundColor);
    if (shown) this.element.value = toHex(shown);
    // It is there only when it is needed, and the browser opens its picker beside it: it has to be where the dot is.
    this.#place.append(this.element);
    const [at, around] = [dot, this.element.offsetParent].map((one) => one?.getBoundingClientRect());
    if (at && around) {
      this.element.style.left = `${at.left - around.left}px`;
      this.element.style.top = `${at.bottom - around.top}px`;
    }
    this.element.click();
    return true;
  }

  #paint(color: string | null): void {
    if (this.#label === null) return;
    this.#store.dispatch({ type: "paintClass", column: this.#columnOf(), label: this.#label, color });
  }
}
