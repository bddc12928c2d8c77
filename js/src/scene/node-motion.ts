// Nodes on their way from where they are drawn to the newest positions, and the box that they are drawn in meanwhile.

import type { Bounds } from "../data/types.js";
import { easeInOut, type PositionTween } from "./motion.js";

interface Move {
  readonly positions: Float32Array;
  readonly bounds: Bounds | null;
  readonly duration: number;
  /** Whether it starts and ends gently; the moves of a stream follow one another evenly. */
  readonly ease: boolean;
}

export class NodeMotion {
  private pending: Move | null = null;
  /** The move that is under way. */
  private move: Move | null = null;
  private started = 0;
  private from: Bounds | null = null;
  private to: Bounds | null = null;

  constructor(private readonly tween: PositionTween) {}

  /** Ends all motion: the nodes are there. */
  place(positions: Float32Array, bounds: Bounds | null): void {
    this.pending = this.move = null;
    this.tween.place(positions);
    this.from = this.to = bounds;
  }

  /** Ends the move under way: the nodes are where it leads. */
  finish(): void {
    this.tween.place(this.tween.to);
    this.move = null;
    this.from = this.to;
  }

  /** Plans a move that begins with the next draw. Frames that come faster than they are drawn replace each other here. */
  plan(positions: Float32Array, bounds: Bounds | null, duration: number, ease: boolean): void {
    this.pending = { positions, bounds, duration, ease };
  }

  /** Puts some nodes somewhere at once; where the others go is as it was. */
  patch(nodes: ArrayLike<number>, places: ArrayLike<number>): void {
    this.tween.patch(nodes, places);
    if (this.pending) {
      this.pending = { ...this.pending, positions: this.tween.patched(this.pending.positions, nodes, places) };
    }
  }

  /** Whether there is a move under way or planned. */
  get active(): boolean {
    return this.pending !== null || this.move !== null;
  }

  /**
   * Moves the nodes on; whether they are still on their way. `begin` hears of a new goal before the tween does, and the
   * move to it begins at `since`: where the nodes stood at the last draw of a stream, standing still for one would be a stutter.
   */
  advance(now: number, since: number, begin: (positions: Float32Array) => void): boolean {
    if (this.pending) {
      begin(this.pending.positions);
      this.from = this.bounds;
      this.move = this.pending;
      this.to = this.move.bounds;
      this.pending = null;
      this.tween.retarget(this.move.positions);
      this.started = since;
    }
    if (!this.move) return false;
    const p = Math.min(1, Math.max(0, (now - this.started) / this.move.duration));
    this.tween.t = this.move.ease ? easeInOut(p) : p;
    if (p >= 1) this.move = null;
    return this.move !== null;
  }

  /** What is drawn lies within these: nodes between two places lie between the two places' bounds. */
  get bounds(): Bounds | null {
    const { from: a, to: b } = this;
    const { t } = this.tween;
    if (!a || !b || t >= 1) return b;
    const mix = (p: number, q: number): number => p + (q - p) * t;
    return {
      left: mix(a.left, b.left),
      bottom: mix(a.bottom, b.bottom),
      right: mix(a.right, b.right),
      top: mix(a.top, b.top),
    };
  }
}
