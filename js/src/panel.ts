// The panel for analysis beside the picture: three sheets, of which one is open.

import { Bin, iconButton, make, QUIET } from "./dom.js";

export type SheetName = "classes" | "selection" | "filters";

const SHEETS: readonly (readonly [SheetName, string, string])[] = [
  ["classes", "Classes", "How each class keeps together, and who is among others"],
  ["selection", "Selection", "What is selected: classes, degrees and a table"],
  ["filters", "Filters", "Leave nodes out by class or number"],
];

let panels = 0;

export class Panel {
  readonly element: HTMLElement;
  #bin = new Bin();
  #tabs: HTMLButtonElement[];
  #sheets: Record<SheetName, HTMLElement>;
  #open: SheetName = "classes";
  #turned: () => void;

  /** `turned` is called when another sheet is to be seen, or the panel is opened or closed. */
  constructor(sheets: Record<SheetName, HTMLElement>, turned: () => void) {
    this.#sheets = sheets;
    this.#turned = turned;
    const id = `graphne-analysis-${++panels}`;
    this.#tabs = SHEETS.map(([name, label, title]) =>
      make("button", "graphne-tab", { type: "button", role: "tab", id: `${id}-${name}-tab`, "aria-controls": `${id}-${name}`, title }, label),
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
    this.#bin.listen(close, "click", () => this.show(false));
    this.#bin.listen<KeyboardEvent>(this.element, "keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.show(false);
    });
    this.#bin.listen<MouseEvent>(tabs, "click", (event) => {
      const at = this.#tabs.indexOf((event.target as Element).closest("button") as HTMLButtonElement);
      if (at >= 0) this.turn(SHEETS[at][0]);
    });
    this.#bin.listen<KeyboardEvent>(tabs, "keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      const at = (SHEETS.findIndex(([name]) => name === this.#open) + step + SHEETS.length) % SHEETS.length;
      event.preventDefault();
      this.turn(SHEETS[at][0]);
      this.#tabs[at].focus();
    });
    this.#dress();
  }

  get shown(): boolean {
    return !this.element.hidden;
  }

  /** The sheet that can be seen; null while the panel is closed. */
  get open(): SheetName | null {
    return this.shown ? this.#open : null;
  }

  show(shown: boolean): void {
    if (shown === this.shown) return;
    this.element.hidden = !shown;
    this.#turned();
  }

  turn(name: SheetName): void {
    if (name === this.#open) return;
    this.#open = name;
    this.#dress();
    this.#turned();
  }

  destroy(): void {
    this.#bin.empty();
    this.element.remove();
  }

  #dress(): void {
    SHEETS.forEach(([name], at) => {
      const open = name === this.#open;
      this.#sheets[name].hidden = !open;
      this.#tabs[at].setAttribute("aria-selected", String(open));
      this.#tabs[at].tabIndex = open ? 0 : -1;
    });
  }
}
