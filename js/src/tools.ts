// The strip of tools beside the picture.

import { Bin, type IconName, iconButton, make, QUIET } from "./dom.js";
import type { Tool } from "./interaction.js";

export interface ToolEvents {
  tool(tool: Tool): void;
  zoom(factor: number): void;
  fit(): void;
  edges(visible: boolean): void;
  lens(on: boolean): void;
  save(): void;
  /** null where the page may not fill the screen. */
  screen: (() => void) | null;
}

const TOOLS: readonly [Tool, IconName, string, string][] = [
  ["pan", "pan", "Move", "Move the picture (shift-drag selects)"],
  ["rectangle", "rectangle", "Rectangle", "Select with a rectangle; shift adds, alt removes"],
  ["lasso", "lasso", "Lasso", "Select with a lasso; shift adds, alt removes"],
];

export class Tools {
  readonly element: HTMLElement;
  #bin = new Bin();
  #modes: Record<Tool, HTMLButtonElement>;
  #edges = iconButton("edges", "Edges", "Show or hide the edges");
  readonly save = iconButton("save", "Save", "Save a picture or a file");
  #lens = iconButton("lens", "Distortion lens", "Hover shows true neighbours wherever they are, and who is near without being one");

  constructor(events: ToolEvents) {
    const on = (button: HTMLButtonElement, action: () => void): HTMLButtonElement => {
      this.#bin.listen(button, "click", action);
      return button;
    };
    const modes = TOOLS.map(([tool, name, label, title]) => [tool, on(iconButton(name, label, title), () => events.tool(tool))] as const);
    this.#modes = Object.fromEntries(modes) as Record<Tool, HTMLButtonElement>;
    on(this.#edges, () => events.edges(this.#edges.getAttribute("aria-pressed") !== "true"));
    const group = (label: string, ...buttons: HTMLButtonElement[]): HTMLElement =>
      make("div", "graphne-group", { role: "group", "aria-label": label }, ...buttons);
    on(this.#lens, () => events.lens(this.#lens.getAttribute("aria-pressed") !== "true"));
    const last = [this.#edges, this.#lens, on(this.save, () => events.save())];
    if (events.screen) last.push(on(iconButton("screen", "Full screen", "Fill the screen, or go back"), events.screen));
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
      group("Picture", ...last),
    );
    this.show("pan");
    this.showLens(false, true);
  }

  showLens(on: boolean, any: boolean): void {
    this.#lens.setAttribute("aria-pressed", String(on));
    this.#lens.disabled = !any;
  }

  show(tool: Tool): void {
    for (const [name, button] of Object.entries(this.#modes)) button.setAttribute("aria-pressed", String(name === tool));
  }

  showEdges(visible: boolean, any: boolean): void {
    this.#edges.setAttribute("aria-pressed", String(visible));
    this.#edges.disabled = !any;
  }

  destroy(): void {
    this.#bin.empty();
    this.element.remove();
  }
}
