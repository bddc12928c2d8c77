// The node or the edge under the pointer, and its description beside it.

import { formatCount, plural } from "../../data/format.js";

import type { GraphData } from "../../data/types.js";
import { Disposables, perFrame } from "../../dom/disposables.js";
import type { SceneApi } from "../../scene/types.js";
import { type Appearance, plainAppearance } from "../appearance.js";
import type { Lens } from "../lens.js";
import { rowsOf, Tooltip } from "./tooltip.js";

/** Milliseconds between two looks at what is under a pointer that rests while the nodes move. */
const REPICK = 100;
/** Pixels around a disc that still count as it, for a pointer and for a finger. */
const TOLERANCE = { pointer: 3, touch: 10 } as const;
const EDGE_TOLERANCE = { pointer: 3, touch: 8 } as const;
/** Pixels between a point and what is said about it. */
const GAP = { pointer: 14, touch: 22 } as const;
/** The key of the column that holds every node's number of neighbours. */
const DEGREE_KEY = "degree";

export interface HoverEvents {
  /** Whether something is being dragged: then nothing is hovered anew. */
  dragging(): boolean;
  /** Another node is hovered, or none, -1, or another edge. Called before it is described. */
  changed(node: number): void;
}

export class Hover {
  readonly tooltip = new Tooltip();
  #disposables = new Disposables();
  #surface: HTMLElement;
  #scene: SceneApi;
  #graph: GraphData;
  #lens: Lens;
  #events: HoverEvents;
  #appearance: Appearance;
  #pointer: { left: number; top: number } | null = null;
  #node = -1;
  #edge = -1;
  #pickedAt = 0;
  #size: readonly [width: number, height: number] = [0, 0];
  #repick: () => void;

  constructor(surface: HTMLElement, scene: SceneApi, graph: GraphData, lens: Lens, events: HoverEvents) {
    this.#surface = surface;
    this.#scene = scene;
    this.#graph = graph;
    this.#lens = lens;
    this.#events = events;
    this.#appearance = plainAppearance(graph);
    this.#repick = perFrame(this.#disposables, () => this.#pick());
  }

  /** The node that is hovered, -1 for none. */
  get node(): number {
    return this.#node;
  }

  /** Which of the pairs is hovered, -1 for none. */
  get edge(): number {
    return this.#edge;
  }

  resize(width: number, height: number): void {
    this.#size = [width, height];
  }

  setAppearance(appearance: Appearance): void {
    this.#appearance = appearance;
    this.#describe();
  }

  /** The pointer is here. */
  pointAt(left: number, top: number): void {
    this.#pointer = { left, top };
    this.#repick();
  }

  /** The node at a point, with the tolerance that a pointer or a finger needs; -1 for none. */
  nodeAt(left: number, top: number, touch: boolean): number {
    return this.#scene.pick(left, top, touch ? TOLERANCE.touch : TOLERANCE.pointer);
  }

  /** The edge at a point where no node is. */
  edgeAt(left: number, top: number, touch: boolean): number {
    return this.#scene.pickEdge(left, top, touch ? EDGE_TOLERANCE.touch : EDGE_TOLERANCE.pointer);
  }

  /** A finger cannot hover: what it taps is described. */
  touch(node: number, edge: number, left: number, top: number): void {
    this.#hover(node, edge);
    this.tooltip.place(left, top, ...this.#size, GAP.touch);
  }

  /** The nodes or the camera moved: something else may be under the pointer by now. */
  moved(): void {
    if (this.#pointer && performance.now() - this.#pickedAt > REPICK) this.#repick();
  }

  leave(): void {
    this.#pointer = null;
    this.#hover(-1, -1);
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #pick(): void {
    this.#pickedAt = performance.now();
    if (!this.#pointer || this.#events.dragging()) return;
    const { left, top } = this.#pointer;
    const node = this.nodeAt(left, top, false);
    this.#hover(node, node < 0 ? this.edgeAt(left, top, false) : -1);
    this.tooltip.place(left, top, ...this.#size, GAP.pointer);
  }

  #hover(node: number, edge: number): void {
    if (node === this.#node && edge === this.#edge) return;
    this.#node = node;
    this.#edge = edge;
    this.#surface.classList.toggle("graphne-over", node >= 0 || edge >= 0);
    this.#events.changed(node);
    this.#describe();
  }

  #describe(): void {
    if (this.#node >= 0) this.#describeNode(this.#node);
    else if (this.#edge >= 0) this.#describeEdge(this.#edge);
    else this.tooltip.hide();
  }

  /** The ends of an edge, and what is known about it. */
  #describeEdge(edge: number): void {
    const { pairs, directed } = this.#graph;
    const { edgeColumns, edges, shade, title } = this.#appearance;
    const way = (typeof directed === "boolean" ? directed : directed[edge]) ? "→" : "–";
    const colored = typeof edges.color === "string" ? null : edges.color;
    const rows = rowsOf(edge, edgeColumns, colored, this.#graph, shade);
    this.tooltip.show(`${title(pairs[2 * edge])} ${way} ${title(pairs[2 * edge + 1])}`, null, rows, [], this.#size[1]);
  }

  #describeNode(node: number): void {
    const { columns, color, shade, title } = this.#appearance;
    const rows = rowsOf(node, columns, color, this.#graph, shade);
    const counted = columns.some(({ key }) => key === DEGREE_KEY);
    this.tooltip.show(
      title(node),
      counted ? null : this.#scene.neighborsOf(node).length,
      rows,
      this.#lensWords(),
      this.#size[1],
    );
  }

  #lensWords(): string[] {
    const { seen } = this.#lens;
    if (!seen) return [];
    const all = seen.near.length + seen.far.length;
    const strangers = seen.strangers.length ? [`${formatCount(seen.strangers.length)} near without an edge`] : [];
    return [`${formatCount(seen.near.length)} of ${plural(all, "neighbour")} near`, ...strangers];
  }
}
