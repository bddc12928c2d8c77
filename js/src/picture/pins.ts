// Nodes that are pinned where they are, and a small pin on each of them; a click on its head releases the node.

import { unrotated } from "../data/rotation.js";
import { HIDDEN, type Rotation } from "../data/types.js";
import { make, prepare } from "../dom/elements.js";
import type { SceneApi } from "../scene/types.js";
import { pinnedNodes } from "../store/placement.js";
import type { Store } from "../store/store.js";

export interface PinEvents {
  /** How the layout is rotated when it is drawn. */
  rotation(): Rotation | null;
  /** Whether the layout changes by itself at the moment. */
  moving(): boolean;
}

/** Pins that are drawn at most; more would cover the picture. */
const MOST = 1000;
/** Where a pin's head is beside its node, and its radius, in pixels. */
const HEAD = { right: 4, up: 7, radius: 3.6 } as const;

export class Pins {
  /** Whether there is anything to draw, or to wipe off. */
  shows = false;
  readonly canvas = make("canvas", "graphne-overlay graphne-pins", { "aria-hidden": "true" });
  #scene: SceneApi;
  #store: Store;
  #events: PinEvents;
  #forget: () => void;
  #nodes: Uint32Array = new Uint32Array(0);
  #ink = { color: "", halo: "" };

  constructor(scene: SceneApi, store: Store, events: PinEvents) {
    this.#scene = scene;
    this.#store = store;
    this.#events = events;
    this.#forget = store.subscribe(
      ({ placement }) => placement,
      () => this.#show(),
    );
    this.#show();
  }

  /** Pins nodes where they are; releases them, if all are pinned. */
  toggle(nodes: Uint32Array): void {
    const held = new Set(pinnedNodes(this.#store.state.placement));
    if (nodes.length === 0) return;
    if (nodes.every((node) => held.has(node))) {
      this.release(nodes);
      return;
    }
    const { positions } = this.#scene;
    const places = new Float32Array(2 * nodes.length);
    nodes.forEach((node, k) => places.set(positions.subarray(2 * node, 2 * node + 2), 2 * k));
    this.#store.dispatch({ type: "pin", nodes, places: unrotated(places, this.#events.rotation()) });
  }

  /** Releases nodes, all for null. They stay where they are, unless the layout moves them. */
  release(nodes: ArrayLike<number> | null): void {
    this.#store.dispatch({ type: "release", nodes, stay: !this.#events.moving() });
  }

  destroy(): void {
    this.#forget();
  }

  setInk(color: string, halo: string): void {
    this.#ink = { color, halo };
  }

  /** The node whose pin has its head at a point, -1 for none. */
  at(left: number, top: number, tolerance: number): number {
    const found = this.#visible().find((node) => {
      const [x, y] = this.#head(node);
      return Math.hypot(left - x, top - y) <= HEAD.radius + tolerance;
    });
    return found ?? -1;
  }

  /** After every draw of the scene. */
  draw(): void {
    const context = prepare(this.canvas, this.canvas.clientWidth, this.canvas.clientHeight);
    this.shows = this.#nodes.length > 0;
    if (!context || !this.shows) return;
    const { color, halo } = this.#ink;
    context.lineCap = "round";
    for (const node of this.#visible()) {
      const [x, y] = this.#head(node);
      const [left, top] = this.#middle(node);
      for (const [ink, width] of [
        [halo, 3.5],
        [color, 1.5],
      ] as const) {
        context.strokeStyle = ink;
        context.lineWidth = width;
        context.beginPath();
        context.moveTo(left, top);
        context.lineTo(x, y);
        context.stroke();
      }
      context.beginPath();
      context.arc(x, y, HEAD.radius, 0, 2 * Math.PI);
      context.fillStyle = color;
      context.fill();
      context.lineWidth = 1.2;
      context.strokeStyle = halo;
      context.stroke();
    }
  }

  #show(): void {
    this.#nodes = pinnedNodes(this.#store.state.placement);
    this.shows ||= this.#nodes.length > 0;
    this.#scene.invalidate();
  }

  #visible(): number[] {
    const { flags } = this.#scene;
    return Array.from(this.#nodes.subarray(0, MOST)).filter((node) => !(flags[node] & HIDDEN));
  }

  #middle(node: number): readonly [left: number, top: number] {
    const { positions, camera } = this.#scene;
    return camera.toScreen(positions[2 * node], positions[2 * node + 1]);
  }

  #head(node: number): readonly [left: number, top: number] {
    const [left, top] = this.#middle(node);
    const radius = this.#scene.radiusOf(node);
    return [left + HEAD.right + 0.6 * radius, top - HEAD.up - 0.8 * radius];
  }
}
