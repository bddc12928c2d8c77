// How long the edges are on average, which tells how much ink they take.

import { HIDDEN } from "../data/types.js";
import type { PositionTween } from "./motion.js";

/** Edges that are looked at. */
const SAMPLES = 500;

/** The mean length of the edges as they are drawn: worked out once a frame and followed between two. */
export class EdgeLength {
  /** Ends of a sample spread over all edges. Side by side: every frame passes here, and the list of all is far apart. */
  private readonly ends: Uint32Array;
  private frame: Float32Array | null = null;
  private from = 0;
  private to = 0;
  private now = 0;
  private next: Float32Array | null = null;
  private nextLength = 0;
  /** Those of the ends that can be seen. */
  private seen: Uint32Array;
  /** The part of the edges that can be seen: one is hidden with either of its ends. */
  share = 1;

  constructor(pairs: Uint32Array) {
    const edges = pairs.length >> 1;
    const samples = Math.min(edges, SAMPLES);
    this.ends = new Uint32Array(2 * samples);
    for (let s = 0; s < samples; s++) {
      const k = Math.floor((s * edges) / samples);
      this.ends[2 * s] = pairs[2 * k];
      this.ends[2 * s + 1] = pairs[2 * k + 1];
    }
    this.seen = this.ends;
  }

  /** Other nodes may be hidden than before. */
  see(flags: Uint8Array): void {
    const { ends } = this;
    const isSeen = (at: number): boolean => !((flags[ends[at]] | flags[ends[at ^ 1]]) & HIDDEN);
    let seen = 0;
    for (let k = 0; k < ends.length; k += 2) if (isSeen(k)) seen++;
    const share = ends.length ? (2 * seen) / ends.length : 1;
    this.seen = share < 1 ? ends.filter((_, at) => isSeen(at)) : ends;
    if (share === this.share) return;
    this.share = share;
    this.frame = this.next = null;
  }

  /** Looks at a frame that comes next: just after it was checked its positions are at hand, and when it is drawn no longer. */
  expect(positions: Float32Array): void {
    this.next = positions;
    this.nextLength = meanLength(this.seen, positions);
  }

  along(tween: PositionTween): number {
    if (this.frame !== tween.to) {
      this.to = this.next === tween.to ? this.nextLength : meanLength(this.seen, tween.to);
      this.from = this.frame ? this.now : this.to;
      this.frame = tween.to;
    }
    this.now = this.from + (this.to - this.from) * tween.t;
    return this.now;
  }
}

function meanLength(ends: Uint32Array, positions: Float32Array): number {
  if (ends.length === 0) return 0;
  let sum = 0;
  for (let k = 0; k < ends.length; k += 2) {
    const i = 2 * ends[k];
    const j = 2 * ends[k + 1];
    const x = positions[i] - positions[j];
    const y = positions[i + 1] - positions[j + 1];
    // Not Math.hypot: its guard against overflow takes time at every frame, and positions are far from it.
    sum += Math.sqrt(x * x + y * y);
  }
  return (2 * sum) / ends.length;
}
