// The sheet of predicted edges: pairs of nodes that an embedding holds for neighbours, and how far it is to be trusted.

import { plural } from "../data/format.js";
import { Disposables } from "../dom/disposables.js";
import { make } from "../dom/elements.js";
import { render } from "../dom/patch.js";
import type { Title } from "../encoding/titles.js";
import type { Host, Question } from "../store/api.js";

const COUNTS: readonly number[] = [20, 50, 200, 1000];
/** Pairs that are listed; all of them are drawn. */
const MOST_LISTED = 200;
const ABOUT =
  "Pairs of nodes without an edge whose vectors are most similar: edges that may be missing, or to come. They are drawn dashed.";

export interface PredictedLinks {
  /** The two ends of each pair, one after the other; the most similar first. */
  readonly ends: Uint32Array;
  readonly similarity: Float32Array;
}

/** What the kernel has found; null where it is no such thing. */
export function readLinks(answer: unknown, nodes: number): PredictedLinks | null {
  if (typeof answer !== "object" || answer === null) return null;
  const { ends, similarity } = answer as { ends?: unknown; similarity?: unknown };
  if (!Array.isArray(ends) || !Array.isArray(similarity) || ends.length !== 2 * similarity.length) return null;
  if (!ends.every((node) => Number.isInteger(node) && node >= 0 && node < nodes)) return null;
  return { ends: Uint32Array.from(ends), similarity: Float32Array.from(similarity, Number) };
}

export interface LinksEvents {
  fly(node: number): void;
  /** Other edges are to be drawn dashed. */
  predicted(ends: Uint32Array): void;
  failed(error: unknown): void;
}

export class LinksSheet {
  readonly element = make("div", "");
  #disposables = new Disposables();
  #nameOf: Title;
  #nodes: number;
  #host: Host;
  #events: LinksEvents;
  #count = make("select", "graphne-select", {
    "aria-label": "Number of predicted edges",
    title: "How many edges to predict",
  });
  #show = make("button", "graphne-plain", { type: "button" });
  #test = make("button", "graphne-plain", { type: "button" }, "Test on held-out edges");
  #row = make("p", "graphne-row", {}, this.#count, this.#show);
  #links: PredictedLinks | null = null;
  #auc: number | null = null;
  #busy: "show" | "test" | null = null;

  constructor(nodes: number, nameOf: Title, host: Host, events: LinksEvents) {
    this.#nodes = nodes;
    this.#nameOf = nameOf;
    this.#host = host;
    this.#events = events;
    this.#count.append(...COUNTS.map((count) => make("option", "", { value: String(count) }, String(count))));
    this.#show.title = "Draw the predicted edges dashed, or no longer";
    this.#test.title = "Train again without a tenth of the edges, and see how well these are told from other pairs";
    this.#disposables.listen<MouseEvent>(this.element, "click", (event) => {
      const button = (event.target as Element).closest("button");
      if (button === this.#show) this.#links ? this.#forget() : this.#ask();
      else if (button === this.#test) this.#askAuc();
      else if (button?.dataset.node !== undefined) events.fly(Number(button.dataset.node));
    });
    this.#disposables.listen(this.#count, "change", () => {
      if (this.#links) this.#ask();
    });
    this.draw();
  }

  draw(): void {
    this.#show.textContent = this.#busy === "show" ? "Looking…" : this.#links ? "Hide" : "Show";
    this.#show.disabled = this.#busy === "show";
    this.#test.textContent = this.#busy === "test" ? "Training…" : "Test on held-out edges";
    this.#test.disabled = this.#busy === "test";
    render(
      this.element,
      make("p", "graphne-hint", {}, ABOUT),
      this.#row,
      this.#test,
      make("p", "graphne-hint", {}, this.#aucText()),
      ...this.#list(),
    );
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #aucText(): string {
    if (this.#auc === null) return "";
    return `AUC on held-out edges: ${(100 * this.#auc).toFixed(1)} %. So often an edge that training has not seen is more similar than a pair without one; by chance 50 %.`;
  }

  #list(): HTMLElement[] {
    const { ends, similarity } = this.#links ?? { ends: [], similarity: [] };
    if (!this.#links) return [];
    const lines = Array.from(similarity.slice(0, MOST_LISTED), (value, k) => {
      const [one, other] = [ends[2 * k], ends[2 * k + 1]];
      const name = `${this.#nameOf(one)} – ${this.#nameOf(other)}`;
      const button = make(
        "button",
        "graphne-line",
        { type: "button", title: `${name}. Go there.`, "data-node": String(one) },
        make("span", "graphne-line-name", {}, name),
        make("span", "graphne-line-count", {}, value.toFixed(2)),
      );
      return make("li", "", { "data-key": `${one}-${other}` }, button);
    });
    const title = plural(similarity.length, "predicted edge");
    return [
      make("h3", "graphne-heading", { title: "With the cosine similarity of their vectors" }, title),
      make("ul", "graphne-list", { "aria-label": title }, ...lines),
    ];
  }

  #forget(): void {
    this.#links = null;
    this.#events.predicted(new Uint32Array(0));
    this.draw();
  }

  #ask(): void {
    this.#command("show", "predicted_links", { count: Number(this.#count.value) }, (answer) => {
      this.#links = readLinks(answer, this.#nodes);
      this.#events.predicted(this.#links?.ends ?? new Uint32Array(0));
    });
  }

  #askAuc(): void {
    this.#command("test", "link_auc", {}, (answer) => {
      this.#auc = typeof answer === "number" ? answer : null;
    });
  }

  #command(
    busy: "show" | "test",
    name: Question,
    fields: Record<string, number>,
    take: (answer: unknown) => void,
  ): void {
    this.#busy = busy;
    this.draw();
    const ended = (): void => {
      if (this.#busy === busy) this.#busy = null;
      if (this.#disposables.open) this.draw();
    };
    this.#host.command?.(name, fields).then(
      (answer) => {
        if (this.#disposables.open) take(answer);
        ended();
      },
      (error: unknown) => {
        ended();
        this.#events.failed(error);
      },
    );
  }
}
