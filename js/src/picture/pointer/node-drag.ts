// Nodes that are dragged: they follow the pointer at once, whatever the layout does, and are pinned where they are dropped.

import { rotated, unrotated } from "../../data/rotation.js";
import type { Rotation } from "../../data/types.js";
import { Disposables, perFrame } from "../../dom/disposables.js";
import type { SceneApi } from "../../scene/types.js";
import type { Store } from "../../store/store.js";

/** Pixels around a disc that still count as it, for a pointer. */
const TOLERANCE = 1;
const TOUCH_TOLERANCE = 10;
/** Pixels that a disc must measure from its middle to be taken up: among smaller ones a hand moves the picture. */
const LEAST_RADIUS = 1.75;

export class NodeDrag {
  /** Those that are held. */
  nodes = new Uint32Array(0);
  #disposables = new Disposables();
  #scene: SceneApi;
  #store: Store;
  #rotation: () => Rotation | null;
  /** Where they and the pointer were when they were taken up, as they are drawn. */
  #from = new Float32Array(0);
  #grip: readonly [x: number, y: number] = [0, 0];
  #pointer = { left: 0, top: 0 };
  #moved = false;
  #aimed = -1;
  #follow: () => void;

  constructor(scene: SceneApi, store: Store, rotation: () => Rotation | null) {
    this.#scene = scene;
    this.#store = store;
    this.#rotation = rotation;
    this.#follow = perFrame(this.#disposables, () => {
      this.#place();
      scene.present();
    });
  }

  get active(): boolean {
    return this.nodes.length > 0;
  }

  /** A pointer was pressed: what is there now is meant, wherever a running layout moves it. */
  aim(left: number, top: number, touch: boolean): void {
    this.#aimed = this.#scene.pick(left, top, touch ? TOUCH_TOLERANCE : TOLERANCE);
  }

  /** Takes up the node that was aimed at, with the selection if it is selected; whether there is one to be taken up. */
  grab(left: number, top: number, touch: boolean): boolean {
    const { selection } = this.#store.state;
    const node = this.#aimed;
    if (node < 0) return false;
    const chosen = selection.includes(node);
    // A finger moves the picture, unless it is on a node that was tapped before.
    if (!chosen && (touch || this.#scene.radiusOf(node) < LEAST_RADIUS)) return false;
    const { flags, positions, camera } = this.#scene;
    this.nodes = chosen ? selection.filter((one) => !(flags[one] & 1)) : Uint32Array.of(node);
    this.#from = new Float32Array(2 * this.nodes.length);
    this.nodes.forEach((one, k) => this.#from.set(positions.subarray(2 * one, 2 * one + 2), 2 * k));
    this.#grip = camera.toWorld(left, top);
    this.#moved = false;
    this.#scene.steady = true;
    return true;
  }

  move(left: number, top: number): void {
    this.#pointer = { left, top };
    this.#follow();
  }

  /** Lets go of them; returns which, and pins them where they are. */
  drop(): Uint32Array {
    const { nodes } = this;
    if (this.active) this.#place();
    this.#end();
    return nodes;
  }

  /** Lets go of them as if nothing had happened. */
  cancel(): void {
    const moved = this.active && this.#moved;
    this.#end();
    if (moved) this.#store.undo();
  }

  /** Where the held nodes are to be drawn, interleaved. */
  get places(): Float32Array {
    const { left, top } = this.#pointer;
    const [x, y] = this.#scene.camera.toWorld(left, top);
    return this.#from.map((value, k) => value + (k % 2 ? y - this.#grip[1] : x - this.#grip[0]));
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #end(): void {
    this.nodes = new Uint32Array(0);
    this.#scene.steady = false;
  }

  #place(): void {
    if (!this.active) return;
    const places = unrotated(this.places, this.#rotation());
    const amends = this.#moved;
    this.#moved = true;
    this.#store.dispatch({ type: "pin", nodes: this.nodes, places }, "user", amends);
  }

  /** Shows held nodes where the pointer has them, whatever comes of the layout. */
  show(positions: Float32Array): void {
    const held = new Float32Array(2 * this.nodes.length);
    this.nodes.forEach((node, k) => held.set(positions.subarray(2 * node, 2 * node + 2), 2 * k));
    this.#scene.moveNodes(this.nodes, rotated(held, this.#rotation()));
  }
}
