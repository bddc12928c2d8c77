// The distortion lens: a node's neighbours wherever they are, and who is near it without being one.

import { nearestOf } from "../data/nearest.js";
import { HIDDEN } from "../data/types.js";
import { prepare } from "../dom/elements.js";
import type { SceneApi } from "../scene/types.js";

/** Nodes that are marked at most; more could not be told apart. */
const MOST = 600;
/** Milliseconds between two searches while the nodes move. */
const PATIENCE = 250;

export interface Seen {
  /** Neighbours among as many nearest nodes, and the others. */
  readonly near: readonly number[];
  readonly far: readonly number[];
  /** Who has the others' places: near, and not joined. */
  readonly strangers: readonly number[];
}

export function seenFrom(positions: Float32Array, node: number, neighbors: ArrayLike<number>): Seen {
  const joined = new Set(Array.from(neighbors));
  const nearest = nearestOf(positions, node, joined.size);
  const around = new Set(nearest);
  return {
    near: [...joined].filter((other) => around.has(other)),
    far: [...joined].filter((other) => !around.has(other)),
    strangers: Array.from(nearest).filter((other) => !joined.has(other)),
  };
}

export interface LensInk {
  readonly near: string;
  readonly far: string;
  readonly stranger: string;
}

export class Lens {
  on = false;
  /** Whether there is anything to draw, or to wipe off. */
  shows = false;
  #canvas: HTMLCanvasElement;
  #scene: SceneApi;
  #node = -1;
  #seen: Seen | null = null;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #size: readonly [number, number] = [0, 0];
  #ink: LensInk = { near: "#000", far: "#000", stranger: "#000" };
  #flags: Uint8Array = new Uint8Array(0);

  constructor(canvas: HTMLCanvasElement, scene: SceneApi) {
    this.#canvas = canvas;
    this.#scene = scene;
  }

  /** What is seen from the node that is looked at; null while there is none. */
  get seen(): Seen | null {
    return this.on ? this.#seen : null;
  }

  setInk(ink: LensInk): void {
    this.#ink = ink;
  }

  resize(width: number, height: number): void {
    this.#size = [width, height];
  }

  /** The node that is looked at, -1 for none; nodes that are hidden get no marks. */
  look(node: number, flags: Uint8Array): void {
    this.#flags = flags;
    if (!this.on || node < 0) {
      this.#node = -1;
      this.#seen = null;
    } else if (node !== this.#node) {
      this.#node = node;
      this.#search();
    }
  }

  /** After every draw of the scene. */
  draw(): void {
    if (this.#seen && performance.now() - this.#searchedAt > PATIENCE) this.#search();
    const context = prepare(this.#canvas, ...this.#size);
    this.shows = this.#seen !== null;
    if (!context || !this.#seen) return;
    const near = this.#marked(this.#seen.near);
    const far = this.#marked(this.#seen.far);
    const strangers = this.#marked(this.#seen.strangers);
    context.lineWidth = 1.5;
    context.strokeStyle = this.#ink.near;
    for (const node of near) this.#ring(context, node);
    context.strokeStyle = this.#ink.far;
    context.setLineDash([5, 3]);
    for (const node of far) this.#line(context, node);
    context.setLineDash([]);
    for (const node of far) this.#ring(context, node);
    context.strokeStyle = this.#ink.stranger;
    for (const node of strangers) this.#cross(context, node);
  }

  #marked(nodes: readonly number[]): number[] {
    return nodes.filter((node) => (this.#flags[node] & HIDDEN) === 0).slice(0, MOST);
  }

  #search(): void {
    this.#searchedAt = performance.now();
    this.shows = true;
    this.#seen = seenFrom(this.#scene.positions, this.#node, this.#scene.neighborsOf(this.#node));
  }

  #at(node: number): readonly [number, number] {
    const { positions, camera } = this.#scene;
    return camera.toScreen(positions[2 * node], positions[2 * node + 1]);
  }

  #ring(context: CanvasRenderingContext2D, node: number): void {
    context.beginPath();
    context.arc(...this.#at(node), this.#scene.radiusOf(node) + 3, 0, 2 * Math.PI);
    context.stroke();
  }

  #cross(context: CanvasRenderingContext2D, node: number): void {
    const [left, top] = this.#at(node);
    const arm = Math.min(5, this.#scene.radiusOf(node) + 1);
    context.beginPath();
    context.moveTo(left - arm, top - arm);
    context.lineTo(left + arm, top + arm);
    context.moveTo(left - arm, top + arm);
    context.lineTo(left + arm, top - arm);
    context.stroke();
  }

  #line(context: CanvasRenderingContext2D, node: number): void {
    context.beginPath();
    context.moveTo(...this.#at(this.#node));
    context.lineTo(...this.#at(node));
    context.stroke();
  }
}
