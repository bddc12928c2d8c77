// What is measured of a layout, and when: once it has rested for a while, and never for positions that are out of date.
// Whoever shows the figures says what is wanted; nothing else is measured.

import type { ClassColumn, GraphData, ValueColumn } from "../data/types.js";
import { type Measured, MOST_WHOLE, SAMPLE, sampleOf, type Votes } from "./measures.js";
import { measureOffThread } from "./measuring.js";
import type { RecallBounds } from "./recall-bounds.js";

/** The key and the name of the column that is measured here. */
export const RECALL_KEY = "s:neighbour recall";
const RECALL_NAME = "neighbour recall";
/** Milliseconds without a frame after which a layout rests. */
const REST = 300;

export interface Wanted {
  /** Recall of every node, of a sample of a large graph, or none. */
  readonly recall: "all" | "some" | null;
  /** The classes that the nearest nodes are asked about. */
  readonly votes: ClassColumn | null;
}

export interface MetricsEvents {
  /** The positions to measure; null while there are none, or while they move. */
  resting(): Float32Array | null;
  wanted(): Wanted;
  /** Something else is known; `recall`, if the column of recall has other values. */
  measured(recall: boolean): void;
  failed(error: unknown): void;
}

export class LayoutMetrics {
  /** Parts and isolates of the graph, once anything was measured. */
  parts: Measured["parts"] = { parts: 0, isolates: 0 };
  #graph: GraphData;
  #events: MetricsEvents;
  #recall: { of: Float32Array; asked: number; column: ValueColumn; bounds: RecallBounds } | null = null;
  #unmeasured: ValueColumn | null = null;
  #votes: { of: Float32Array; column: ClassColumn; votes: Votes } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #giveUp: (() => void) | null = null;

  constructor(graph: GraphData, events: MetricsEvents) {
    this.#graph = graph;
    this.#events = events;
  }

  /** The column of recall, as it was measured last; null for a graph that has none, or one of its own. */
  get column(): ValueColumn | null {
    const { nodes, pairs, columns } = this.#graph;
    if (pairs.length === 0 || columns.some(({ name }) => name === RECALL_NAME)) return null;
    if (this.#recall) return this.#recall.column;
    return (this.#unmeasured ??= recallColumn(new Float32Array(nodes).fill(Number.NaN), true));
  }

  /** Recall at these positions, and of how many nodes it was asked; null while it is not known. */
  recallOf(
    positions: Float32Array | null,
  ): { readonly values: Float32Array; readonly asked: number; readonly bounds: RecallBounds } | null {
    if (!this.#recall || this.#recall.of !== positions) return null;
    const { column, asked, bounds } = this.#recall;
    return { values: column.values as Float32Array, asked, bounds };
  }

  votesOf(positions: Float32Array | null, column: ClassColumn): Votes | null {
    return this.#votes?.of === positions && this.#votes.column === column ? this.#votes.votes : null;
  }

  /** Measures what is wanted and not known, once the layout has rested for a while. */
  consider(): void {
    this.stop();
    const positions = this.#events.resting();
    if (!positions) return;
    const { recall, votes } = this.#missing(positions);
    if (recall || votes) this.#timer = setTimeout(() => this.#measure(positions), REST);
  }

  /** Gives up what is being measured. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#giveUp?.();
    this.#giveUp = null;
  }

  #missing(positions: Float32Array): Wanted {
    const { nodes, pairs } = this.#graph;
    const { recall, votes } = this.#events.wanted();
    const known = this.recallOf(positions);
    const enough = known && (recall === "some" || known.asked === nodes);
    return {
      recall: pairs.length > 0 && !enough ? recall : null,
      votes: votes && !this.votesOf(positions, votes) ? votes : null,
    };
  }

  #measure(positions: Float32Array): void {
    const { recall, votes } = this.#missing(positions);
    const { nodes, pairs } = this.#graph;
    const some = sampleOf(nodes, nodes > MOST_WHOLE ? SAMPLE : nodes);
    const asked = recall === "all" ? sampleOf(nodes, nodes) : some;
    const request = {
      positions,
      pairs,
      recall: recall ? asked : null,
      votes: votes && { codes: votes.codes, classes: votes.categories.length, asked: some },
    };
    const done = (found: Measured): void => {
      this.#giveUp = null;
      this.parts = found.parts;
      if (found.votes && votes) this.#votes = { of: positions, column: votes, votes: found.votes };
      if (found.recall && found.bounds) {
        const column = recallColumn(found.recall, asked.length < nodes);
        this.#recall = { of: positions, asked: asked.length, column, bounds: found.bounds };
      }
      this.#events.measured(found.recall !== null);
    };
    this.#giveUp = measureOffThread(request, done, (error) => this.#events.failed(error));
  }
}

function recallColumn(values: Float32Array, sampled: boolean): ValueColumn {
  const range = { low: 0, high: 1, scale: [0, 1] as const, whole: false };
  return { key: RECALL_KEY, name: RECALL_NAME, kind: "values", values, ...range, sampled };
}
