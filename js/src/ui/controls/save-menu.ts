// What can be taken away from a view, in a menu beside its button.

import { csvNumber, csvText } from "../../data/csv.js";
import { plural } from "../../data/format.js";
import type { Column, GraphData } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { download } from "../../dom/download.js";
import { make, QUIET } from "../../dom/elements.js";
import { textOf } from "../../encoding/titles.js";
import type { Host } from "../../store/api.js";

export interface ExportOption {
  readonly words: string;
  readonly file: string;
  make(): Promise<Blob>;
}

/** What a kernel makes, and of which kind that is. */
const FROM_KERNEL = [
  ["Vector picture, with legend", "svg", "image/svg+xml"],
  ["Web page, offline", "html", "text/html"],
  ["Graph for Gephi", "gexf", "application/xml"],
] as const;

/** Some nodes as a table, a line each: name and attributes. */
export function tableOf(graph: GraphData, columns: readonly Column[], nodes: ArrayLike<number>): string {
  const shown = columns.filter(({ kind }) => kind !== "colors");
  const value = (column: Column, node: number): string => {
    if (column.kind !== "values" || column.date) return textOf(column, node);
    return csvNumber(column.values, node);
  };
  const name = (node: number): string => graph.names?.at(node) ?? String(node);
  const lines = [["node", ...shown.map(({ name }) => name)]];
  for (let k = 0; k < nodes.length; k++)
    lines.push([name(nodes[k]), ...shown.map((column) => value(column, nodes[k]))]);
  return csvText(lines);
}

export interface Exported {
  readonly graph: GraphData;
  readonly columns: readonly Column[];
  readonly selection: Uint32Array;
  /** The picture as it is seen; null where there is none. */
  readonly picture: (() => Promise<Blob>) | null;
  /** Who makes files; undefined where nobody answers. */
  readonly command: Host["command"];
}

export function exportOptionsOf({ graph, columns, selection, picture, command }: Exported): ExportOption[] {
  const seen = picture ? [{ words: "Picture as seen", file: "graph.png", make: picture }] : [];
  const made = command
    ? FROM_KERNEL.map(([words, ending, type]) => ({
        words,
        file: `graph.${ending}`,
        make: async () => new Blob([(await command("take", { format: ending })) as Uint8Array<ArrayBuffer>], { type }),
      }))
    : [];
  const table = (): Promise<Blob> =>
    Promise.resolve(new Blob([tableOf(graph, columns, selection)], { type: "text/csv" }));
  const chosen = selection.length
    ? [{ words: `Table of ${plural(selection.length, "selected node")}`, file: "selection.csv", make: table }]
    : [];
  return [...seen, ...made, ...chosen];
}

export interface SaveMenuEvents {
  /** Something is being made; "" when that has ended. */
  busy(words: string): void;
  failed(error: unknown): void;
}

export class SaveMenu {
  readonly element = make("div", "graphne-panel graphne-save", {
    [QUIET]: "true",
    role: "menu",
    "aria-label": "Save",
    hidden: true,
  });
  #disposables = new Disposables();
  #button: HTMLElement;
  #events: SaveMenuEvents;
  #options: readonly ExportOption[] = [];

  constructor(button: HTMLElement, events: SaveMenuEvents) {
    this.#button = button;
    this.#events = events;
    button.setAttribute("aria-haspopup", "menu");
    this.#disposables.listen<MouseEvent>(this.element, "click", ({ target }) => {
      const line = (target as Element).closest("button");
      if (line) void this.#save(this.#options[Array.from(this.element.children).indexOf(line)]);
    });
    this.#disposables.listen<KeyboardEvent>(this.element, "keydown", (event) => this.#key(event));
    this.#disposables.listen<FocusEvent>(this.element, "focusout", ({ relatedTarget }) => {
      if (relatedTarget && !this.element.contains(relatedTarget as Node)) this.close();
    });
    this.#disposables.listen<Event>(document, "pointerdown", (event) => {
      const path = event.composedPath();
      if (!path.includes(this.element) && !path.includes(button)) this.close();
    });
  }

  /** Opens with what there is, or closes; a single thing needs no menu. */
  toggle(options: readonly ExportOption[]): void {
    if (!this.element.hidden) {
      this.close();
      return;
    }
    this.#options = options;
    if (options.length <= 1) {
      void this.#save(options[0]);
      return;
    }
    const line = ({ words, file }: ExportOption): HTMLElement => {
      const ending = make("span", "graphne-line-count", {}, file.slice(file.lastIndexOf(".") + 1).toUpperCase());
      return make(
        "button",
        "graphne-line",
        { type: "button", role: "menuitem" },
        make("span", "graphne-line-name", {}, words),
        ending,
      );
    };
    this.element.replaceChildren(...options.map(line));
    this.element.hidden = false;
    this.#button.setAttribute("aria-expanded", "true");
    // Beside its button, but not below the picture.
    const { offsetTop: top } = this.#button;
    const room = (this.element.offsetParent as HTMLElement | null)?.clientHeight ?? Infinity;
    this.element.style.top = `${Math.max(6, Math.min(top, room - this.element.offsetHeight - 6))}px`;
    (this.element.firstElementChild as HTMLElement | null)?.focus();
  }

  close(): void {
    this.element.hidden = true;
    this.#button.setAttribute("aria-expanded", "false");
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  async #save(option: ExportOption | undefined): Promise<void> {
    this.close();
    this.#button.focus();
    if (!option) return;
    this.#events.busy(`Preparing ${option.file} …`);
    try {
      download(await option.make(), option.file);
    } catch (error) {
      if (this.#disposables.open) this.#events.failed(error);
    } finally {
      if (this.#disposables.open) this.#events.busy("");
    }
  }

  #key(event: KeyboardEvent): void {
    const lines = Array.from(this.element.children) as HTMLElement[];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      this.close();
      this.#button.focus();
    } else if (step) {
      const at = lines.indexOf((this.element.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement);
      lines[(at + step + lines.length) % lines.length]?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
