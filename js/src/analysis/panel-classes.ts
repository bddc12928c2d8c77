// The sheet about classes: figures of each, and the nodes that are surrounded by another one.

import { classLabel, formatCount, oneLine, percent, plural } from "../data/format.js";
import type { ClassColumn } from "../data/types.js";
import { Disposables } from "../dom/disposables.js";
import { make } from "../dom/elements.js";
import { render } from "../dom/patch.js";
import { type ByteRgba, toCss } from "../encoding/colors.js";
import type { ClassMetrics, Misplaced } from "./measures.js";

/** Nodes that are listed. */
const MOST_LISTED = 100;
/** Classes that are listed; the rest has no colours either. */
const MOST_CLASSES = 200;

/** What the kernel found about the classes in an embedding. */
export interface InEmbedding {
  readonly dimension: number;
  readonly accuracy: readonly (number | null)[];
  readonly all: number | null;
}

/** Reads what a kernel answered; null if that cannot be it. */
export function readInEmbedding(answer: unknown, classes: number): InEmbedding | null {
  const given = (typeof answer === "object" && answer !== null ? answer : {}) as Record<string, unknown>;
  const { dimension, accuracy, all } = given;
  const share = (value: unknown): value is number | null =>
    value === null || (typeof value === "number" && Number.isFinite(value));
  if (typeof dimension !== "number" || !Array.isArray(accuracy) || accuracy.length !== classes) return null;
  return accuracy.every(share) && share(all) ? { dimension, accuracy, all } : null;
}

export interface ClassSheet {
  readonly column: ClassColumn;
  readonly colors: readonly ByteRgba[];
  readonly figures: readonly ClassMetrics[];
  readonly misplaced: readonly Misplaced[];
  readonly embedded: InEmbedding | null;
  /** What has to be said about how it was measured, "" for nothing. */
  readonly note: string;
}

const swatch = (color: ByteRgba): HTMLElement => {
  const dot = make("span", "graphne-swatch", { "aria-hidden": "true" });
  dot.style.background = toCss(color);
  return dot;
};

export class ClassesSheet {
  readonly element = make("div", "");
  #disposables = new Disposables();
  #nameOf: (node: number) => string;
  #measure = make("button", "graphne-plain", { type: "button", "data-key": "measure" });

  constructor(
    nameOf: (node: number) => string,
    events: { visit(node: number): void; pick(code: number): void; measure(): void },
  ) {
    this.#nameOf = nameOf;
    this.#disposables.listen<MouseEvent>(this.element, "click", (event) => {
      const target = event.target as Element;
      const { node, code } = target.closest<HTMLElement>("[data-node], [data-code]")?.dataset ?? {};
      if (node !== undefined) events.visit(Number(node));
      else if (code !== undefined) events.pick(Number(code));
      else if (target.closest("button") === this.#measure) events.measure();
    });
  }

  /** Says something instead of figures. */
  showMessage(message: string): void {
    render(this.element, make("p", "graphne-hint", {}, message));
  }

  /** `dimension`: that of an embedding in which can be measured, too; 0 for none. */
  show(sheet: ClassSheet, dimension: number): void {
    const parts: HTMLElement[] = [this.#table(sheet)];
    const offer = dimension > 0 && !sheet.embedded;
    if (offer) {
      this.#measure.textContent = `Measure in ${dimension}D as well`;
      this.#measure.title = "Have the kernel measure how often the 15 nearest vectors predict a node's class";
      this.#measure.disabled = false;
      parts.push(this.#measure);
    }
    parts.push(make("p", "graphne-hint", {}, `All figures in %. ${sheet.note}`.trim()), ...this.#list(sheet));
    render(this.element, ...parts);
  }

  /** The kernel is measuring. */
  showBusy(): void {
    this.#measure.disabled = true;
    this.#measure.textContent = "Measuring…";
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #table({ column, colors, figures, embedded }: ClassSheet): HTMLElement {
    const heads: [string, string][] = [
      ["nodes", "Number of nodes"],
      ["recall", "Neighbours in the graph that are among as many nearest nodes in the picture"],
      ["15-NN", "Nodes whose 15 nearest nodes in the picture predict their class, by majority"],
      ...(embedded
        ? ([[`${embedded.dimension}D`, `The same among the vectors of ${embedded.dimension} dimensions`]] as [
            string,
            string,
          ][])
        : []),
      ["edges", "Neighbours in the graph that are of the same class (edge homophily)"],
    ];
    const head = make("tr", "", {}, make("th", "", { scope: "col" }, oneLine(column.name, 40) || "class"));
    head.append(...heads.map(([text, title]) => make("th", "graphne-figure", { scope: "col", title }, text)));
    const row = (
      name: (Node | string)[],
      { nodes, recall, accuracy, homophily }: ClassMetrics,
      far: number | null | undefined,
    ): HTMLElement => {
      const cells = [
        formatCount(nodes),
        percent(recall),
        percent(accuracy),
        ...(embedded ? [percent(far ?? null)] : []),
        percent(homophily),
      ];
      return make(
        "tr",
        "",
        {},
        make("th", "", { scope: "row" }, ...name),
        ...cells.map((cell) => make("td", "graphne-figure", {}, cell)),
      );
    };
    const rows = column.categories.slice(0, MOST_CLASSES).map(({ label }, code) => {
      const title = `${classLabel(label)}: select its nodes`;
      const name = make(
        "button",
        "graphne-class-name",
        { type: "button", title, "data-code": String(code) },
        classLabel(label, 60),
      );
      return row([swatch(colors[code]), name], figures[code], embedded?.accuracy[code]);
    });
    const all = row(["all"], figures[figures.length - 1], embedded?.all);
    all.classList.add("graphne-total");
    const body = make("tbody", "", {}, ...rows, all);
    return make("table", "graphne-table", { "aria-label": "Figures of each class" }, make("thead", "", {}, head), body);
  }

  #list({ column, colors, misplaced }: ClassSheet): HTMLElement[] {
    const { categories } = column;
    const title = misplaced.length
      ? `${plural(misplaced.length, "node")} among another class`
      : "No node is among another class";
    const heading = make(
      "h3",
      "graphne-heading",
      { title: "More than half of the 15 nearest nodes belong to one other class" },
      title,
    );
    const lines = misplaced.slice(0, MOST_LISTED).map(({ node, code, around, share }) => {
      const name = this.#nameOf(node);
      const words = `${name}: ${classLabel(categories[code].label, 60)}, among ${classLabel(categories[around].label, 60)}`;
      const button = make(
        "button",
        "graphne-line",
        { type: "button", title: `${words}. Go there.`, "data-node": String(node) },
        swatch(colors[code]),
        make("span", "graphne-line-name", {}, name),
        make("span", "graphne-line-count", {}, `${percent(share)}%`),
        swatch(colors[around]),
      );
      return make("li", "", { "data-key": String(node) }, button);
    });
    const list = make("ul", "graphne-list", { "aria-label": title }, ...lines);
    const rest = misplaced.length - lines.length;
    return [heading, list, ...(rest > 0 ? [make("p", "graphne-hint", {}, `and ${formatCount(rest)} more`)] : [])];
  }
}
