// The panel for analysis beside the picture: some sheets, of which one is open.

import { Disposables } from "../dom/disposables.js";
import { iconButton, make, QUIET } from "../dom/elements.js";

export type SheetName = "classes" | "selection" | "filters" | "links";

const SHEETS: readonly (readonly [SheetName, string, string])[] = [
  ["classes", "Classes", "How well each class holds together, and which nodes lie among another one"],
  ["selection", "Selection", "The selected nodes: classes, degrees and a table"],
  ["filters", "Filters", "Hide nodes by class or by value"],
  ["links", "Links", "Edges that the embedding predicts"],
];

let panels = 0;

export class Panel {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #tabs: HTMLButtonElement[];
  #sheets: Record<SheetName, HTMLElement>;
  #open: SheetName = "classes";
  #changed: () => void;

  /** `changed` is called when another sheet is to be seen, or the panel is opened or closed. */
  constructor(sheets: Record<SheetName, HTMLElement>, changed: () => void) {
    this.#sheets = sheets;
    this.#changed = changed;
    const id = `graphne-analysis-${++panels}`;
    this.#tabs = SHEETS.map(([name, label, title]) =>
      make(
        "button",
        "graphne-tab",
        { type: "button", role: "tab", id: `${id}-${name}-tab`, "aria-controls": `${id}-${name}`, title },
        label,
      ),
    );
    const close = iconButton("close", "Close the analysis");
    const tabs = make("div", "graphne-tabs", { role: "tablist", "aria-label": "Analysis" }, ...this.#tabs);
    for (const [name] of SHEETS) {
      const sheet = sheets[name];
      sheet.id = `${id}-${name}`;
      sheet.setAttribute("role", "tabpanel");
      sheet.setAttribute("aria-labelledby", `${id}-${name}-tab`);
      sheet.classList.add("graphne-sheet");
    }
    this.element = make(
      "aside",
      "graphne-panel graphne-analysis",
      { id, "aria-label": "Analysis", [QUIET]: "true", hidden: true },
      make("div", "graphne-analysis-head", {}, tabs, close),
      ...SHEETS.map(([name]) => sheets[name]),
    );
    this.#disposables.listen(close, "click", () => this.show(false));
    this.#disposables.listen<KeyboardEvent>(this.element, "keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.show(false);
    });
    this.#disposables.listen<MouseEvent>(tabs, "click", (event) => {
      const at = this.#tabs.indexOf((event.target as Element).closest("button") as HTMLButtonElement);
      if (at >= 0) this.openSheet(SHEETS[at][0]);
    });
    this.#disposables.listen<KeyboardEvent>(tabs, "keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      let at = SHEETS.findIndex(([name]) => name === this.#open);
      do at = (at + step + SHEETS.length) % SHEETS.length;
      while (this.#tabs[at].hidden);
      event.preventDefault();
      this.openSheet(SHEETS[at][0]);
      this.#tabs[at].focus();
    });
    this.#update();
  }

  get shown(): boolean {
    return !this.element.hidden;
  }

  /** The sheet that can be seen; null while the panel is closed. */
  get open(): SheetName | null {
    return this.shown ? this.#open : null;
  }

  /** Whether there is a sheet at all. */
  offer(name: SheetName, offered: boolean): void {
    this.#tabs[SHEETS.findIndex(([sheet]) => sheet === name)].hidden = !offered;
    if (!offered && this.#open === name) this.openSheet("classes");
  }

  show(shown: boolean): void {
    if (shown === this.shown) return;
    this.element.hidden = !shown;
    this.#changed();
  }

  openSheet(name: SheetName): void {
    if (name === this.#open) return;
    this.#open = name;
    this.#update();
    this.#changed();
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  #update(): void {
    SHEETS.forEach(([name], at) => {
      const open = name === this.#open;
      this.#sheets[name].hidden = !open;
      this.#tabs[at].setAttribute("aria-selected", String(open));
      this.#tabs[at].tabIndex = open ? 0 : -1;
    });
  }
}
