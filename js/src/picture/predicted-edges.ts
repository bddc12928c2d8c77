// Edges that are not there, but that the vectors of an embedding foretell: dashed, above the others.

import { HIDDEN } from "../data/types.js";
import { make, prepare } from "../dom/elements.js";
import type { SceneApi } from "../scene/types.js";

/** Dashed lines that are drawn at most; more could not be told apart, and would slow every move. */
const MOST = 2000;

export class PredictedEdges {
  /** Whether there is anything to draw, or to wipe off. */
  shows = false;
  readonly canvas = make("canvas", "graphne-overlay graphne-predicted", { "aria-hidden": "true" });
  #scene: SceneApi;
  /** The two ends of each edge, one after the other. */
  #ends: Uint32Array = new Uint32Array(0);
  #flags: Uint8Array;

  /** `flags`: those of the nodes, as they are at any time; nodes that are hidden have no edges. */
  constructor(scene: SceneApi, flags: Uint8Array) {
    this.#scene = scene;
    this.#flags = flags;
  }

  show(ends: Uint32Array): void {
    this.#ends = ends;
    this.shows ||= ends.length > 0;
    this.#scene.invalidate();
  }

  /** After every draw of the scene. */
  draw(): void {
    const context = prepare(this.canvas, this.canvas.clientWidth, this.canvas.clientHeight);
    this.shows = this.#ends.length > 0;
    if (!context || !this.shows) return;
    const { positions, camera } = this.#scene;
    const at = (node: number) => camera.toScreen(positions[2 * node], positions[2 * node + 1]);
    context.strokeStyle = getComputedStyle(this.canvas).color;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.beginPath();
    for (let k = 0; k < Math.min(this.#ends.length, 2 * MOST); k += 2) {
      const [one, other] = [this.#ends[k], this.#ends[k + 1]];
      if ((this.#flags[one] | this.#flags[other]) & HIDDEN) continue;
      context.moveTo(...at(one));
      context.lineTo(...at(other));
    }
    context.stroke();
    context.setLineDash([]);
  }
}
