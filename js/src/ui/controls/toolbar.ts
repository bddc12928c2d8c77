// The strip of tools beside the picture.

import { Disposables } from "../../dom/disposables.js";
import { enable, type IconName, iconButton, make, QUIET } from "../../dom/elements.js";
import type { Tool } from "../../store/state.js";
import type { Store } from "../../store/store.js";

export interface ToolbarEvents {
  zoom(factor: number): void;
  fit(): void;
  save(): void;
  /** null where the page may not fill the screen. */
  screen: (() => void) | null;
}

const TOOLS: readonly [Tool, IconName, string, string][] = [
  ["pan", "pan", "Move", "Move the picture (shift-drag selects)"],
  ["rectangle", "rectangle", "Rectangle", "Select with a rectangle; shift adds, alt removes"],
  ["lasso", "lasso", "Lasso", "Select with a lasso; shift adds, alt removes"],
];

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform ?? "");

export class Toolbar {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #store: Store;
  #modes: Record<Tool, HTMLButtonElement>;
  #undo = iconButton("undo", "Undo", `Undo (${isMac() ? "⌘Z" : "Ctrl+Z"})`);
  #redo = iconButton("redo", "Redo", `Redo (${isMac() ? "⇧⌘Z" : "Ctrl+Shift+Z"})`);
  #edges = iconButton("edges", "Edges", "Show or hide the edges");
  readonly save = iconButton("save", "Save", "Save a picture or a file");
  #lens = iconButton(
    "lens",
    "Distortion lens",
    "Distortion lens: hover over a node to see where its neighbours are, and which near nodes are not neighbours",
  );

  constructor(store: Store, events: ToolbarEvents) {
    this.#store = store;
    const on = (button: HTMLButtonElement, action: () => void): HTMLButtonElement => {
      this.#disposables.listen(button, "click", action);
      return button;
    };
    const modes = TOOLS.map(
      ([tool, name, label, title]) =>
        [tool, on(iconButton(name, label, title), () => store.dispatch({ type: "chooseTool", tool }))] as const,
    );
    this.#modes = Object.fromEntries(modes) as Record<Tool, HTMLButtonElement>;
    on(this.#edges, () => store.dispatch({ type: "set", part: { edges: !store.state.edges } }));
    const group = (label: string, ...buttons: HTMLButtonElement[]): HTMLElement =>
      make("div", "graphne-group", { role: "group", "aria-label": label }, ...buttons);
    on(this.#lens, () => store.dispatch({ type: "set", part: { lens: !store.state.lens } }));
    const last = [this.#edges, this.#lens, on(this.save, () => events.save())];
    if (events.screen) last.push(on(iconButton("screen", "Full screen", "Enter or leave full screen"), events.screen));
    this.element = make(
      "div",
      "graphne-panel graphne-tools",
      { [QUIET]: "true", role: "toolbar", "aria-label": "Tools", "aria-orientation": "vertical" },
      group("Mode", ...modes.map(([, button]) => button)),
      group(
        "View",
        on(iconButton("zoomIn", "Zoom in", "Zoom in (+)"), () => events.zoom(1.5)),
        on(iconButton("zoomOut", "Zoom out", "Zoom out (−)"), () => events.zoom(1 / 1.5)),
        on(iconButton("fit", "Show all", "Show the whole graph (0)"), () => events.fit()),
      ),
      group(
        "History",
        on(this.#undo, () => store.undo()),
        on(this.#redo, () => store.redo()),
      ),
      group("Picture", ...last),
    );
    this.#moveFocusByArrows();
    this.#disposables.add(
      store.subscribe(
        (state) => state,
        () => this.#update(),
      ),
    );
    this.#update();
  }

  /** Whether there are neighbours to be seen through the lens. */
  set hasNeighbors(any: boolean) {
    this.#lens.disabled = !any;
  }

  /** Whether there are edges that could be shown. */
  set hasEdges(any: boolean) {
    this.#edges.disabled = !any;
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  #update(): void {
    const { tool, edges, lens } = this.#store.state;
    for (const [name, button] of Object.entries(this.#modes))
      button.setAttribute("aria-pressed", String(name === tool));
    this.#edges.setAttribute("aria-pressed", String(edges));
    this.#lens.setAttribute("aria-pressed", String(lens));
    enable(this.#undo, this.#store.canUndo);
    enable(this.#redo, this.#store.canRedo);
  }

  /** The tab key stops once at a toolbar; arrows go from button to button. */
  #moveFocusByArrows(): void {
    const buttons = Array.from(this.element.querySelectorAll("button"));
    const stopAt = (stop: HTMLButtonElement): void => {
      for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
    };
    stopAt(buttons[0]);
    this.#disposables.listen<FocusEvent>(this.element, "focusin", ({ target }) => {
      const button = (target as Element).closest("button");
      if (button) stopAt(button);
    });
    this.#disposables.listen<KeyboardEvent>(this.element, "keydown", (event) => {
      const able = buttons.filter(({ disabled }) => !disabled);
      const at = able.indexOf((event.target as Element).closest("button") as HTMLButtonElement);
      const steps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
      const to =
        event.key === "Home" ? 0 : event.key === "End" ? -1 : event.key in steps ? at + steps[event.key] : null;
      if (at < 0 || to === null) return;
      event.preventDefault();
      able.at(to % able.length)?.focus();
    });
  }
}
