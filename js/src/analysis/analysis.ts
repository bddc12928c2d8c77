// Analysis beside the picture: what the layout keeps, what classes look like, who is left out. Nothing here runs while
// the layout does: measuring begins when it rests, and is given up when it moves.

import { degreesOf, type Rows, rowsOf } from "../data/adjacency.js";
import { formatCount, plural } from "../data/format.js";
import type { ClassColumn, Column, GraphData, RunStatus, Shade, ValueColumn } from "../data/types.js";
import { Disposables } from "../dom/disposables.js";
import { iconButton, make, setText } from "../dom/elements.js";
import { type ByteRgba, classColors } from "../encoding/colors.js";
import type { Title } from "../encoding/titles.js";
import type { Host } from "../store/api.js";
import { complement, hasBit } from "../store/nodes.js";
import type { Store } from "../store/store.js";
import { LayoutMetrics, RECALL_KEY, type Wanted } from "./layout-metrics.js";
import { classMetricsOf, MOST_WHOLE, misplacedOf, SAMPLE, stepsApart } from "./measures.js";
import { Panel } from "./panel.js";
import { ClassesSheet, type InEmbedding, readInEmbedding } from "./panel-classes.js";
import { FiltersSheet } from "./panel-filters.js";
import { LinksSheet } from "./panel-links.js";
import { SelectionSheet } from "./panel-selection.js";
import { recallText } from "./recall-text.js";

const DEGREE_KEY = "degree";
/** Nodes up to which the line under the picture is measured unasked: of more, to find who is near takes a moment. */
const MOST_UNASKED = 300_000;
const EXPLAINED =
  "Recall: neighbours in the graph that are also near in the picture. 15-NN: nodes whose 15 nearest nodes predict their class. Edges: neighbours of the same class.";

const KEPT =
  "Neighbour recall: the share of a node's neighbours in the graph that are among as many nearest nodes in the picture, averaged over the nodes";

export interface AnalysisEvents {
  /** Where the nodes are; null before they are anywhere. */
  positions(): Float32Array | null;
  visit(node: number): void;
  fly(node: number): void;
  /** Edges to draw that are not there: their ends, one after the other. */
  predicted(ends: Uint32Array): void;
  /** The column of recall has other values. */
  measured(): void;
  /** The panel was opened or closed. */
  opened(open: boolean): void;
  failed(error: unknown): void;
}

const unselected = (store: Store, nodes: number): Uint32Array => complement(store.state.selection, nodes);

export class Analysis {
  readonly button = iconButton("analysis", "Analysis", "Classes, selection and filters");
  readonly panel: Panel;
  /** Stands under the picture, and keeps its place there while there is nothing to say: the picture shall not jump. */
  readonly line = make("div", "graphne-kept");
  #disposables = new Disposables();
  #graph: GraphData;
  #host: Host;
  #store: Store;
  #events: AnalysisEvents;
  #classes: ClassesSheet;
  #selected: SelectionSheet;
  #filters: FiltersSheet;
  #links: LinksSheet;
  #words = make("span", "", { title: KEPT });
  #marks = make("span", "graphne-lens-key", { hidden: true });
  #metrics: LayoutMetrics;
  #columns: readonly Column[] = [];
  #title: Title = String;
  /** A bit for each node, as `Host.visibilityChanged` has them. */
  #hidden: Uint8Array = new Uint8Array(0);
  #colored: Column | null = null;
  #shade: Shade = "light";
  #status: RunStatus | null = null;
  #wantsRecall = false;
  #rows: Rows | null = null;
  #degrees: ArrayLike<number> | null = null;
  #embedded: { column: ClassColumn; found: InEmbedding } | null = null;

  constructor(graph: GraphData, host: Host, store: Store, events: AnalysisEvents) {
    this.#graph = graph;
    this.#store = store;
    this.#host = host;
    this.#events = events;
    this.#metrics = new LayoutMetrics(graph, {
      resting: () => (this.#disposables.open && this.#resting ? events.positions() : null),
      wanted: () => this.#wanted(),
      measured: (recall) => this.#measured(recall),
      failed: (error) => events.failed(error),
    });
    const name: Title = (node) => this.#title(node);
    this.#classes = new ClassesSheet(name, {
      visit: events.visit,
      pick: (code) => this.#pick(code),
      measure: () => this.#askEmbedding(),
    });
    this.#selected = new SelectionSheet(name, {
      fly: events.fly,
      hide: () => store.dispatch({ type: "hide", nodes: store.state.selection, of: graph.nodes }),
      invert: () => store.dispatch({ type: "select", nodes: unselected(store, graph.nodes), mode: "replace" }),
      keep: () => store.dispatch({ type: "hide", nodes: unselected(store, graph.nodes), of: graph.nodes }),
    });
    this.#filters = new FiltersSheet(graph.nodes, store);
    this.#links = new LinksSheet(graph.nodes, name, host, events);
    const sheets = {
      classes: this.#classes.element,
      selection: this.#selected.element,
      filters: this.#filters.element,
      links: this.#links.element,
    };
    this.panel = new Panel(sheets, () => this.#panelChanged());
    this.panel.offer("links", false);
    this.button.setAttribute("aria-expanded", "false");
    this.button.setAttribute("aria-controls", this.panel.element.id);
    this.#disposables.listen(this.button, "click", () => this.panel.show(!this.panel.shown));
    const key = (kind: string, words: string): HTMLElement => make("span", "graphne-key", { "data-kind": kind }, words);
    this.#marks.append(
      key("near", "neighbour, near"),
      key("far", "neighbour, far"),
      key("stranger", "near without an edge"),
    );
    this.line.append(this.#words, this.#marks);
    this.line.hidden = graph.pairs.length === 0;
    this.#disposables.add(() => this.#metrics.stop());
    this.#disposables.add(
      store.subscribe(
        ({ selection }) => selection,
        () => this.#selectionChanged(),
      ),
    );
    this.#marks.hidden = !store.state.lens;
    this.#disposables.add(
      store.subscribe(
        ({ lens }) => lens,
        (on) => {
          this.#marks.hidden = !on;
          this.#updateLine();
          this.#metrics.consider();
        },
      ),
    );
    this.#disposables.add(
      store.subscribe(
        ({ filters }) => RECALL_KEY in filters,
        () => this.#metrics.consider(),
      ),
    );
    for (const part of [this.panel, this.#classes, this.#selected, this.#filters, this.#links])
      this.#disposables.add(() => part.destroy());
  }

  /** The column of recall, in the place of one of the kernel's. */
  get column(): ValueColumn | null {
    return this.#metrics.column;
  }

  show(columns: readonly Column[], title: Title, colored: Column | null, shade: Shade, wantsRecall: boolean): void {
    this.#columns = columns;
    this.#title = title;
    this.#colored = colored;
    this.#shade = shade;
    this.#wantsRecall = wantsRecall;
    this.#filters.show([...columns, ...this.#graph.edgeColumns], (column) => this.#colorsOf(column));
    this.#draw();
    this.#metrics.consider();
  }

  /** Other nodes are hidden than before. */
  hide(hidden: Uint8Array): void {
    this.#hidden = hidden;
    this.#filters.hide(hidden);
    if (this.panel.open === "classes") this.#draw();
  }

  /** How far two selected nodes are apart in the graph, "" for any other number of nodes. */
  distanceText(selection: Uint32Array): string {
    if (selection.length !== 2) return "";
    this.#rows ??= rowsOf(this.#graph.nodes, this.#graph.pairs);
    const steps = stepsApart(this.#rows, selection[0], selection[1]);
    const sampled = this.#sampledEdges;
    if (steps < 0) return sampled ? "not connected by the drawn edges" : "not connected";
    return `${sampled ? "at most " : ""}${plural(steps, "step")} apart in the graph`;
  }

  setStatus(status: RunStatus): void {
    this.#status = status;
    this.panel.offer("links", status.dimension > 0 && status.steerable && this.#host.command !== undefined);
    if (!this.#resting) this.#metrics.stop();
    this.#updateLine();
    this.#metrics.consider();
  }

  /** The nodes have other places. Frames of a run pass here, too: nothing is done for them. */
  moved(): void {
    if (!this.#resting) return;
    this.#updateLine();
    this.#metrics.consider();
  }

  destroy(): void {
    this.#disposables.empty();
  }

  get #sampledEdges(): boolean {
    return this.#graph.edges > this.#graph.pairs.length >> 1;
  }

  get #resting(): boolean {
    return this.#status !== null && this.#status.state !== "running" && this.#status.state !== "starting";
  }

  /** The classes that are looked at: those that the colours show, or any. */
  get #column(): ClassColumn | null {
    if (this.#colored?.kind === "classes") return this.#colored;
    return (
      this.#columns.find(
        (column): column is ClassColumn => column.kind === "classes" && column.categories.length > 1,
      ) ?? null
    );
  }

  #selectionChanged(): void {
    if (this.#store.state.selection.length > 1 && this.panel.shown) this.panel.openSheet("selection");
    if (this.panel.open === "selection") this.#draw();
  }

  #colorsOf(column: Column): readonly ByteRgba[] {
    return column.kind === "classes" ? classColors(column, this.#graph, this.#shade) : [];
  }

  #panelChanged(): void {
    const { shown } = this.panel;
    if (this.button.getAttribute("aria-expanded") !== String(shown)) {
      this.button.setAttribute("aria-expanded", String(shown));
      this.#events.opened(shown);
      if (!shown) this.button.focus();
    }
    this.#draw();
    this.#metrics.consider();
  }

  // ---- Measuring ----

  #wanted(): Wanted {
    const votes = this.panel.open === "classes" ? this.#column : null;
    const all = this.#wantsRecall || RECALL_KEY in this.#store.state.filters;
    const asked = this.#graph.nodes <= MOST_UNASKED || this.#store.state.lens || votes !== null;
    return { recall: all ? "all" : asked ? "some" : null, votes };
  }

  #measured(recall: boolean): void {
    if (recall) {
      this.#updateLine();
      this.#events.measured();
    }
    this.#draw();
  }

  /** Selects the nodes of a class that are to be seen. */
  #pick(code: number): void {
    const codes = this.#column?.codes ?? [];
    const nodes: number[] = [];
    for (let node = 0; node < codes.length; node++)
      if (codes[node] === code && !hasBit(this.#hidden, node)) nodes.push(node);
    this.#store.dispatch({ type: "select", nodes, mode: "replace" });
  }

  #askEmbedding(): void {
    const column = this.#column;
    if (!column || !this.#host.command) return;
    this.#classes.showBusy();
    this.#host.command("classes", { column: column.key }).then(
      (answer) => {
        const found = readInEmbedding(answer, column.categories.length);
        if (found) this.#embedded = { column, found };
        this.#draw();
      },
      (error: unknown) => {
        this.#draw();
        this.#events.failed(error);
      },
    );
  }

  // ---- Showing ----

  #updateLine(): void {
    const known = this.#resting ? this.#metrics.recallOf(this.#events.positions()) : null;
    let words = "";
    if (known) {
      const { values } = known;
      let sum = 0;
      let count = 0;
      for (let i = 0; i < values.length; i++) {
        if (Number.isNaN(values[i])) continue;
        sum += values[i];
        count++;
      }
      const given = this.#status?.state === "idle";
      const { nodes } = this.#graph;
      const embedded = (this.#status?.dimension ?? 0) > 0;
      const about = {
        measured: known.asked,
        nodes,
        sampledEdges: this.#sampledEdges,
        given,
        embedded,
        bounds: known.bounds,
        ...this.#metrics.parts,
      };
      words = count ? recallText(sum / count, about) : "";
    }
    setText(this.#words, words);
  }

  #draw(): void {
    if (this.panel.open === "classes") this.#drawClasses();
    else if (this.panel.open === "selection") {
      const column = this.#column;
      const columns = this.#columns;
      const first = this.#colored;
      this.#selected.show({
        selection: this.#store.state.selection,
        classes: column,
        colors: column ? this.#colorsOf(column) : [],
        degrees: this.#degreesOf(),
        columns: first ? [first, ...columns.filter((other) => other !== first)] : columns,
      });
    }
  }

  #degreesOf(): ArrayLike<number> {
    const own = this.#columns.find(
      (column): column is ValueColumn => column.key === DEGREE_KEY && column.kind === "values",
    );
    return own ? own.values : (this.#degrees ??= degreesOf(this.#graph.nodes, this.#graph.pairs));
  }

  #drawClasses(): void {
    const column = this.#column;
    const positions = this.#events.positions();
    if (!column) {
      this.#classes.showMessage("This graph has no attribute with classes. Colour it by communities to get some.");
      return;
    }
    const votes = this.#metrics.votesOf(positions, column);
    if (!votes || !positions) {
      this.#classes.showMessage(
        this.#resting && positions ? "Measuring…" : "Classes are measured once the layout comes to rest.",
      );
      return;
    }
    const { nodes } = this.#graph;
    const recall = this.#metrics.recallOf(positions)?.values ?? new Float32Array(nodes).fill(Number.NaN);
    const sampled =
      nodes > MOST_WHOLE
        ? ` Recall and 15-NN were measured on ${formatCount(SAMPLE)} of ${formatCount(nodes)} nodes.`
        : "";
    const drawn = this.#sampledEdges ? " Only the edges that are drawn were counted." : "";
    const sheet = {
      column,
      colors: this.#colorsOf(column),
      figures: classMetricsOf(column, this.#graph.pairs, recall, votes),
      misplaced: misplacedOf(column.codes, votes, this.#degreesOf()).filter(({ node }) => !hasBit(this.#hidden, node)),
      embedded: this.#embedded?.column === column ? this.#embedded.found : null,
      note: EXPLAINED + sampled + drawn,
    };
    this.#classes.show(sheet, this.#host.command && this.#status?.steerable ? this.#status.dimension : 0);
  }
}
