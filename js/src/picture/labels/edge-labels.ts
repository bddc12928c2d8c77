// Texts at the middle of edges in sight, without overlap: those with the greatest widths first, and before all the ones
// that the pointer is at. Edges that are shorter than their texts have none.

import { oneLine } from "../../data/format.js";
import { type GraphData, HIDDEN } from "../../data/types.js";
import { prepare } from "../../dom/elements.js";
import { textOf } from "../../encoding/titles.js";
import { type EdgeLooks, PLAIN, pathOf, pointAlong } from "../../scene/edges/edge-look.js";
import type { SceneApi } from "../../scene/types.js";
import { type EdgeAppearance, PLAIN_EDGES } from "../edge-appearance.js";
import { type Box, overlap } from "./class-names.js";
import { byImportance, type LabelStyle } from "./node-labels.js";

const FONT_SIZE = 10;
const LINE = 13;
const LONGEST = 24;
const MOST_LABELS = 60;
/** Edges in sight that are tried. */
const MOST_TRIED = 600;
/** Of more edges none is labelled. */
const MOST_EDGES = 100_000;
/** Milliseconds between two choices while the picture moves. */
const PATIENCE = 200;

export class EdgeLabels {
  readonly canvas: HTMLCanvasElement;
  /** Whether there is anything to draw, or to wipe off. */
  shows = false;
  #scene: SceneApi;
  #graph: GraphData;
  #appearance: EdgeAppearance = PLAIN_EDGES;
  #looks: EdgeLooks = PLAIN;
  #order: Uint32Array | null = null;
  #style: LabelStyle = { color: "#000", halo: "#fff", family: "sans-serif" };
  #size: readonly [number, number] = [0, 0];
  #pointed: { readonly node: number; readonly edge: number } = { node: -1, edge: -1 };
  #chosen: number[] = [];
  #chosenAt = Number.NEGATIVE_INFINITY;
  #late: ReturnType<typeof setTimeout> | undefined;
  #isEmpty = true;

  constructor(canvas: HTMLCanvasElement, scene: SceneApi, graph: GraphData) {
    this.canvas = canvas;
    this.#scene = scene;
    this.#graph = graph;
  }

  show(appearance: EdgeAppearance, looks: EdgeLooks): void {
    this.#appearance = appearance;
    this.#looks = looks;
    this.shows ||= appearance.label !== null;
    this.#order = null;
    this.#stale();
  }

  setStyle(style: LabelStyle): void {
    this.#style = style;
  }

  resize(width: number, height: number): void {
    this.#size = [width, height];
    this.#stale();
  }

  /** What the pointer is at; -1 for none. */
  point(node: number, edge: number): void {
    if (node === this.#pointed.node && edge === this.#pointed.edge) return;
    this.#pointed = { node, edge };
    this.#stale();
  }

  /** Draws around the names that are written on the map. */
  draw(names: readonly Box[]): void {
    const [width, height] = this.#size;
    const { label } = this.#appearance;
    this.shows = label !== null;
    const isEmpty = !label || !this.#scene.placed || this.#graph.pairs.length / 2 > MOST_EDGES;
    if (isEmpty && this.#isEmpty) return;
    this.#isEmpty = isEmpty;
    const context = prepare(this.canvas, width, height);
    if (!context || !label || isEmpty) return;
    context.font = `${FONT_SIZE}px ${this.#style.family}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = this.#style.halo;
    context.fillStyle = this.#style.color;
    clearTimeout(this.#late);
    if (performance.now() - this.#chosenAt >= PATIENCE) {
      this.#chosen = this.#choose(context, names);
      this.#chosenAt = performance.now();
    } else {
      this.#late = setTimeout(() => this.#scene.invalidate(), PATIENCE);
    }
    for (const edge of this.#chosen) {
      const [left, top] = this.#middleOf(edge);
      const text = this.#textOf(edge);
      context.strokeText(text, left, top);
      context.fillText(text, left, top);
    }
  }

  destroy(): void {
    clearTimeout(this.#late);
  }

  #stale(): void {
    this.#chosenAt = Number.NEGATIVE_INFINITY;
  }

  #textOf(edge: number): string {
    const { label } = this.#appearance;
    return label ? oneLine(textOf(label, edge), LONGEST) : "";
  }

  #ends(edge: number): [readonly [number, number], readonly [number, number]] {
    const { positions, camera } = this.#scene;
    const at = (node: number) => camera.toScreen(positions[2 * node], positions[2 * node + 1]);
    return [at(this.#graph.pairs[2 * edge]), at(this.#graph.pairs[2 * edge + 1])];
  }

  #middleOf(edge: number): readonly [left: number, top: number] {
    const { pairs } = this.#graph;
    const [a, b] = this.#ends(edge);
    const radius = this.#scene.radiusOf(pairs[2 * edge + 1]);
    const loops = pairs[2 * edge] === pairs[2 * edge + 1];
    return pointAlong(a, b, pathOf(a, b, loops, this.#looks.bends?.[edge] ?? 0, radius, 1, -1), 0.5, -1);
  }

  #choose(context: CanvasRenderingContext2D, names: readonly Box[]): number[] {
    const { pairs } = this.#graph;
    const [width, height] = this.#size;
    const { hidden, widths } = this.#looks;
    const flags = this.#scene.flags;
    const taken: Box[] = [...names];
    this.#order ??= byImportance(widths ?? new Uint8Array(pairs.length / 2));
    const { node, edge: pointed } = this.#pointed;
    const first = pointed >= 0 ? [pointed] : node >= 0 ? Array.from(this.#scene.edgesOf(node)) : [];
    const chosen = new Set<number>();
    let tried = 0;
    const consider = (edge: number): void => {
      if (chosen.has(edge) || hidden?.[edge] || (flags[pairs[2 * edge]] | flags[pairs[2 * edge + 1]]) & HIDDEN) return;
      const [left, top] = this.#middleOf(edge);
      if (left < 0 || top < 0 || left > width || top > height) return;
      tried++;
      const text = this.#textOf(edge);
      if (!text) return;
      const wide = context.measureText(text).width;
      const [a, b] = this.#ends(edge);
      const loops = pairs[2 * edge] === pairs[2 * edge + 1];
      if (edge !== pointed && !loops && Math.hypot(b[0] - a[0], b[1] - a[1]) < wide + 2 * LINE) return;
      const box: Box = [left - wide / 2 - 2, top - LINE / 2, left + wide / 2 + 2, top + LINE / 2];
      if (taken.some((other) => overlap(box, other))) return;
      taken.push(box);
      chosen.add(edge);
    };
    for (const edge of first) consider(edge);
    // Beside a node that is looked at, the labels of other edges would only be in the way.
    if (node < 0) {
      for (let k = 0; k < this.#order.length && tried < MOST_TRIED && chosen.size < MOST_LABELS; k++)
        consider(this.#order[k]);
    }
    return [...chosen];
  }
}
