// What can be done with sets of nodes, in a menu at the pointer: those of the selection, of a class, of a component, or so
// many steps around a node are selected, kept alone or hidden.

import { formatCount } from "../../data/format.js";
import { Disposables } from "../../dom/disposables.js";
import { make, QUIET } from "../../dom/elements.js";

export interface NodeSet {
  readonly name: string;
  readonly nodes: Uint32Array;
}

export interface MenuItem {
  readonly words: string;
  run(): void;
}

export interface MenuContent {
  /** What was pointed at. */
  readonly title: string;
  readonly sets: readonly NodeSet[];
  readonly items: readonly MenuItem[];
}

export type SetCommand = "select" | "others" | "keep" | "hide";

const COMMANDS: readonly (readonly [SetCommand, words: string, spoken: string])[] = [
  ["select", "Select", "Select"],
  ["others", "Others", "Select others than"],
  ["keep", "Keep only", "Keep only"],
  ["hide", "Hide", "Hide"],
];

export class ContextMenu {
  readonly element = make("div", "graphne-panel graphne-context", {
    role: "dialog",
    "aria-label": "Nodes",
    [QUIET]: "true",
    hidden: true,
  });
  #disposables = new Disposables();
  #back: HTMLElement | null = null;

  constructor(area: HTMLElement, command: (command: SetCommand, set: NodeSet) => void) {
    this.#command = command;
    area.append(this.element);
    const outside = (event: Event): void => {
      if (!this.element.hidden && !event.composedPath().includes(this.element)) this.close(false);
    };
    this.#disposables.listen(window, "pointerdown", outside, { capture: true });
    this.#disposables.listen<KeyboardEvent>(this.element, "keydown", (event) => this.#key(event));
    this.#disposables.listen(this.element, "contextmenu", (event: Event) => event.preventDefault());
  }

  #command: (command: SetCommand, set: NodeSet) => void;

  /** Opens it at a point of the area; whoever has the focus gets it back. */
  open(content: MenuContent, left: number, top: number, back: HTMLElement): void {
    this.#back = back;
    const act = (run: () => void): (() => void) => {
      return () => {
        this.close(true);
        run();
      };
    };
    const button = (words: string, spoken: string, run: () => void): HTMLButtonElement => {
      const made = make("button", "graphne-plain", { type: "button", "aria-label": spoken, title: spoken }, words);
      made.addEventListener("click", act(run));
      return made;
    };
    const rows = content.sets.map((set) => {
      const words = `${set.name} (${formatCount(set.nodes.length)})`;
      return make(
        "div",
        "graphne-context-row",
        { role: "group", "aria-label": words },
        make("span", "graphne-context-name", { title: words }, words),
        ...COMMANDS.map(([command, short, spoken]) =>
          button(short, `${spoken} ${set.name}`, () => this.#command(command, set)),
        ),
      );
    });
    const items = content.items.map(({ words, run }) => button(words, words, run));
    this.element.replaceChildren(
      make("p", "graphne-context-title", {}, content.title),
      ...rows,
      make("div", "graphne-context-items", {}, ...items),
    );
    this.element.hidden = false;
    const room = this.element.parentElement ?? this.element;
    const most = (place: number, size: number, all: number): number => Math.max(4, Math.min(place, all - size - 4));
    this.element.style.left = `${most(left, this.element.offsetWidth, room.clientWidth)}px`;
    this.element.style.top = `${most(top, this.element.offsetHeight, room.clientHeight)}px`;
    this.element.querySelector("button")?.focus();
  }

  close(focus: boolean): void {
    if (this.element.hidden) return;
    this.element.hidden = true;
    if (focus) this.#back?.focus({ preventScroll: true });
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  /** Arrows go from button to button; up and down to the same one of the next row. */
  #key(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.close(true);
    } else {
      const buttons = [...this.element.querySelectorAll("button")];
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      const inRow = buttons[at]?.closest(".graphne-context-row") ? COMMANDS.length : 1;
      const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: inRow, ArrowUp: -inRow };
      const step = steps[event.key];
      if (step === undefined) return;
      buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
