// Analysis beside the picture: what the layout keeps, what classes look like, who is left out. Nothing here runs while
// the layout does: measuring begins when it rests, a slice at a time, and is given up when it moves.

import { rowsOf, type Rows } from "./adjacency.js";
import { classColors, type Rgba } from "./colors.js";
import { Bin, iconButton, make, setText } from "./dom.js";
import { formatCount, plural } from "./format.js";
import { degreesOf } from "./labels.js";
import { isHidden } from "./marks.js";
import { figuresOf, inSlices, misplacedOf, MOST_WHOLE, partsOf, recallOf, SAMPLE, sampleOf, stepsApart, type Votes, votesOf, type Work } from "./measures.js";
import { Panel } from "./panel.js";
import { ClassesSheet, type InEmbedding, percent, readInEmbedding } from "./panel-classes.js";
import { FiltersSheet } from "./panel-filters.js";
import { SelectionSheet } from "./panel-selection.js";
import type { Shade } from "./theme.js";
import type { Title } from "./titles.js";
import type { ClassColumn, Column, GraphData, Host, RunStatus, ValueColumn } from "./types.js";

/** The key and the name of the column that is measured here. */
export const RECALL_KEY = "s:neighbour recall";
const RECALL_NAME = "neighbour recall";
const DEGREE_KEY = "degree";
/** Milliseconds without a frame after which a layout rests. */
const REST = 300;
/** Nodes up to which the line under the picture is measured unasked: of more, to find who is near takes a moment. */
const MOST_UNASKED = 300_000;
const EXPLAINED =
  "Recall: neighbours in the graph that are near here. 15-NN: the 15 nearest tell the class. Edges: neighbours of the same class.";

const KEPT = "Of each node's neighbours, those who are among as many nearest nodes in the picture; the mean over the nodes";

export interface ExploreEvents {
  /** Where the nodes are; null before they are anywhere. */
  positions(): Float32Array | null;
  visit(node: number): void;
  pick(nodes: readonly number[]): void;
  fly(node: number): void;
  filtered(hidden: Uint8Array | null): void;
  /** The column of recall has other values. */
  measured(): void;
  /** The panel was opened or closed. */
  opened(open: boolean): void;
  failed(error: unknown): void;
}

/** What the line under the picture says about a layout. */
export function keptWords(share: number, about: { measured: number; nodes: number; sampledEdges: boolean; parts: number; isolates: number; given: boolean; embedded: boolean }): string {
  const { measured, nodes, sampledEdges, parts, isolates, given, embedded } = about;
  const few = measured < nodes ? ` (measured on ${formatCount(measured)} of ${plural(nodes, "node")})` : "";
  const kept = `The picture keeps ${percent(share)} % of ${sampledEdges ? "the drawn neighbours" : "neighbours"} near${few}`;
  // The vectors of all others are laid out as one, whatever the parts of the graph.
  if (embedded) return isolates && !sampledEdges ? `${kept} · ${plural(isolates, "isolate")} ${isolates === 1 ? "is" : "are"} placed apart, not trained` : kept;
  const pieces = [...(parts > 1 && !given ? [plural(parts, "part")] : []), ...(isolates > 0 ? [plural(isolates, "isolate")] : [])];
  if (sampledEdges || pieces.length === 0) return kept;
  const packed = given ? "not measured" : "packed, not measured";
  return `${kept} · ${pieces.join(" and ")} ${pieces.length === 1 && isolates === 1 ? "is" : "are"} ${packed}`;
}

export class Explore {
  readonly button = iconButton("analysis", "Analysis", "Classes, selection and filters");
  readonly panel: Panel;
  /** Stands under the picture, and keeps its place there while there is nothing to say: the picture shall not jump. */
  readonly line = make("div", "graphne-kept");
  #bin = new Bin();
  #graph: GraphData;
  #host: Host;
  #events: ExploreEvents;
  #classes: ClassesSheet;
  #selected: SelectionSheet;
  #filters: FiltersSheet;
  #words = make("span", "", { title: KEPT });
  #marks = make("span", "graphne-lens-key", { hidden: true });
  #columns: readonly Column[] = [];
  #title: Title = String;
  /** A bit for each node, as `Host.hid` has them. */
  #hidden: Uint8Array = new Uint8Array(0);
  #colored: Column | null = null;
  #shade: Shade = "light";
  #selection: Uint32Array = new Uint32Array(0);
  #status: RunStatus | null = null;
  #lens = false;
  #wantsRecall = false;
  #known: { rows: Rows; parts: { parts: number; isolates: number } } | null = null;
  #degrees: ArrayLike<number> | null = null;
  #recall: { of: Float32Array; asked: number; column: ValueColumn } | null = null;
  #unmeasured: ValueColumn | null = null;
  #votes: { of: Float32Array; column: ClassColumn; votes: Votes } | null = null;
  #embedded: { column: ClassColumn; found: InEmbedding } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #giveUp: (() => void) | null = null;

  constructor(graph: GraphData, host: Host, events: ExploreEvents) {
    this.#graph = graph;
    this.#host = host;
    this.#events = events;
    const name: Title = (node) => this.#title(node);
    this.#classes = new ClassesSheet(name, { visit: events.visit, pick: (code) => this.#pick(code), measure: () => this.#askEmbedding() });
    this.#selected = new SelectionSheet(name, events.fly);
    this.#filters = new FiltersSheet(graph.nodes, events.filtered);
    const sheets = { classes: this.#classes.element, selection: this.#selected.element, filters: this.#filters.element };
    this.panel = new Panel(sheets, () => this.#turned());
    this.button.setAttribute("aria-expanded", "false");
    this.button.setAttribute("aria-controls", this.panel.element.id);
    this.#bin.listen(this.button, "click", () => this.panel.show(!this.panel.shown));
    const key = (kind: string, words: string): HTMLElement => make("span", "graphne-key", { "data-kind": kind }, words);
    this.#marks.append(key("near", "neighbour, near"), key("far", "neighbour, far"), key("stranger", "near without an edge"));
    this.line.append(this.#words, this.#marks);
    this.line.hidden = graph.pairs.length === 0;
    this.#bin.add(() => this.#stop());
    for (const part of [this.panel, this.#classes, this.#selected, this.#filters]) this.#bin.add(() => part.destroy());
  }

  /** The column of recall, in the place of one of the kernel's. */
  get column(): ValueColumn | null {
    const graph = this.#graph;
    if (graph.pairs.length === 0 || graph.columns.some(({ name }) => name === RECALL_NAME)) return null;
    return this.#recall?.column ?? (this.#unmeasured ??= recallColumn(new Float32Array(graph.nodes).fill(Number.NaN)));
  }

  show(columns: readonly Column[], title: Title, colored: Column | null, shade: Shade, wantsRecall: boolean): void {
    this.#columns = columns;
    this.#title = title;
    this.#colored = colored;
    this.#shade = shade;
    this.#wantsRecall = wantsRecall;
    this.#filters.show(columns, (column) => this.#colorsOf(column), shade);
    this.#draw();
    this.#consider();
  }

  select(selection: Uint32Array): void {
    this.#selection = selection;
    if (selection.length > 1 && this.panel.shown) this.panel.turn("selection");
    if (this.panel.open === "selection") this.#draw();
  }

  /** Other nodes are hidden than before. */
  hide(hidden: Uint8Array): void {
    this.#hidden = hidden;
    if (this.panel.open === "classes") this.#draw();
  }

  /** How far two selected nodes are apart in the graph, "" for any other number of nodes. */
  apart(selection: Uint32Array): string {
    if (selection.length !== 2) return "";
    const steps = stepsApart(this.#facts().rows, selection[0], selection[1]);
    const sampled = this.#sampledEdges;
    if (steps < 0) return sampled ? "not connected by the edges that are drawn" : "not connected";
    return `${sampled ? "at most " : ""}${plural(steps, "step")} apart in the graph`;
  }

  setStatus(status: RunStatus): void {
    this.#status = status;
    if (!this.#resting) this.#stop();
    this.#say();
    this.#consider();
  }

  setLens(on: boolean): void {
    this.#lens = on;
    this.#marks.hidden = !on;
    this.#say();
    this.#consider();
  }

  /** The nodes have other places. Frames of a run pass here, too: nothing is done for them. */
  moved(): void {
    if (!this.#resting) return;
    this.#say();
    this.#consider();
  }

  destroy(): void {
    this.#bin.empty();
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
    return this.#columns.find((column): column is ClassColumn => column.kind === "classes" && column.categories.length > 1) ?? null;
  }

  #facts(): { rows: Rows; parts: { parts: number; isolates: number } } {
    if (!this.#known) {
      const rows = rowsOf(this.#graph.nodes, this.#graph.pairs);
      this.#known = { rows, parts: partsOf(rows) };
    }
    return this.#known;
  }

  #colorsOf(column: Column): readonly Rgba[] {
    return column.kind === "classes" ? classColors(column, this.#graph, this.#shade) : [];
  }

  #turned(): void {
    const { shown } = this.panel;
    if (this.button.getAttribute("aria-expanded") !== String(shown)) {
      this.button.setAttribute("aria-expanded", String(shown));
      this.#events.opened(shown);
      if (!shown) this.button.focus();
    }
    this.#draw();
    this.#consider();
  }

  // ---- Measuring ----

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#giveUp?.();
    this.#giveUp = null;
  }

  /** What is wanted and not known of these positions. */
  #missing(positions: Float32Array): { recall: boolean; votes: ClassColumn | null } {
    const { nodes, pairs } = this.#graph;
    const column = this.panel.open === "classes" ? this.#column : null;
    const asked = nodes <= MOST_UNASKED || this.#lens || this.#wantsRecall || column !== null;
    const known = this.#recall?.of === positions && (this.#recall.asked === nodes || !this.#wantsRecall);
    return {
      recall: pairs.length > 0 && asked && !known,
      votes: column && (this.#votes?.of !== positions || this.#votes.column !== column) ? column : null,
    };
  }

  /** Measures what is wanted, once the layout has rested for a while. */
  #consider(): void {
    this.#stop();
    const positions = this.#events.positions();
    if (!this.#bin.open || !positions || !this.#resting) return;
    const { recall, votes } = this.#missing(positions);
    if (recall || votes) this.#timer = setTimeout(() => this.#measure(positions), REST);
  }

  #measure(positions: Float32Array): void {
    const { recall, votes } = this.#missing(positions);
    const { nodes } = this.#graph;
    const some = sampleOf(nodes, nodes > MOST_WHOLE ? SAMPLE : nodes);
    const asked = this.#wantsRecall ? sampleOf(nodes, nodes) : some;
    const rows = this.#facts().rows;
    const work = function* (): Work<{ values: Float32Array | null; told: Votes | null }> {
      const values = recall ? yield* recallOf(positions, rows, asked) : null;
      const told = votes ? yield* votesOf(positions, votes.codes, votes.categories.length, some) : null;
      return { values, told };
    };
    this.#giveUp = inSlices(work(), ({ values, told }) => {
      this.#giveUp = null;
      if (told && votes) this.#votes = { of: positions, column: votes, votes: told };
      if (values) {
        this.#recall = { of: positions, asked: asked.length, column: recallColumn(values) };
        this.#say();
        this.#events.measured();
      }
      this.#draw();
    });
  }

  /** Selects the nodes of a class that are to be seen. */
  #pick(code: number): void {
    const codes = this.#column?.codes ?? [];
    const nodes: number[] = [];
    for (let node = 0; node < codes.length; node++) if (codes[node] === code && !isHidden(this.#hidden, node)) nodes.push(node);
    this.#events.pick(nodes);
  }

  #askEmbedding(): void {
    const column = this.#column;
    if (!column || !this.#host.command) return;
    this.#classes.wait();
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

  // ---- Saying ----

  #say(): void {
    const known = this.#resting && this.#recall && this.#recall.of === this.#events.positions() ? this.#recall : null;
    let words = "";
    if (known) {
      const { values } = known.column;
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
      const about = { measured: known.asked, nodes, sampledEdges: this.#sampledEdges, given, embedded, ...this.#facts().parts };
      words = count ? keptWords(sum / count, about) : "";
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
        selection: this.#selection,
        classes: column,
        colors: column ? this.#colorsOf(column) : [],
        degrees: this.#degreesOf(),
        columns: first ? [first, ...columns.filter((other) => other !== first)] : columns,
      });
    }
  }

  #degreesOf(): ArrayLike<number> {
    const own = this.#columns.find((column): column is ValueColumn => column.key === DEGREE_KEY && column.kind === "values");
    return own ? own.values : (this.#degrees ??= degreesOf(this.#graph.nodes, this.#graph.pairs));
  }

  #drawClasses(): void {
    const column = this.#column;
    const positions = this.#events.positions();
    if (!column) {
      this.#classes.say("The graph has no attribute with classes to look at. Colour by one, or by communities.");
      return;
    }
    const votes = this.#votes?.column === column && this.#votes.of === positions ? this.#votes.votes : null;
    if (!votes || !positions) {
      this.#classes.say(this.#resting && positions ? "Measuring…" : "The classes are measured when the layout rests.");
      return;
    }
    const recall = this.#recall?.of === positions ? (this.#recall.column.values as Float32Array) : new Float32Array(this.#graph.nodes).fill(Number.NaN);
    const { nodes } = this.#graph;
    const sampled = nodes > MOST_WHOLE ? ` Recall and 15-NN were measured on ${formatCount(SAMPLE)} of ${formatCount(nodes)} nodes.` : "";
    const drawn = this.#sampledEdges ? " Only the edges that are drawn were counted." : "";
    const sheet = {
      column,
      colors: this.#colorsOf(column),
      figures: figuresOf(column, this.#graph.pairs, recall, votes),
      misplaced: misplacedOf(column.codes, votes, this.#degreesOf()).filter(({ node }) => !isHidden(this.#hidden, node)),
      embedded: this.#embedded?.column === column ? this.#embedded.found : null,
      note: EXPLAINED + sampled + drawn,
    };
    this.#classes.show(sheet, this.#host.command && this.#status?.steerable ? this.#status.dimension : 0);
  }
}

function recallColumn(values: Float32Array): ValueColumn {
  return { key: RECALL_KEY, name: RECALL_NAME, kind: "values", values, low: 0, high: 1, scale: [0, 1], whole: false };
}
