// How many of the edges are drawn while the picture moves. A graphics card draws millions; a renderer in software, or an
// old card, would make every move a slide show. So a part stands for all while things move, and all are drawn when
// they rest.

import type { SceneInfo } from "./types.js";

/** Milliseconds between draws that still look like motion, and that leave room for more. */
const SLOW = 55;
const AIM = 42;
const FAST = 24;
/** Edges that are always drawn. */
const LEAST = 3000;
/** Renderers without a graphics card need about a second for so many edges, and cannot be interrupted. */
const MOST_IN_SOFTWARE = 400_000;
const MOST_ON_CANVAS = 60_000;

/** The most edges that are drawn at all: every part of the graph keeps its share. */
export function mostEdges({ backend, software }: Pick<SceneInfo, "backend" | "software">): number {
  if (backend === "canvas2d") return MOST_ON_CANVAS;
  return software ? MOST_IN_SOFTWARE : Infinity;
}

/** Draws after a change before it is judged, and before a change that was in vain is tried again. */
const SETTLED = 4;
const RESIGNED = 80;

export class EdgeBudget {
  /** The part of the edges to draw while the picture moves. */
  share: number;
  private readonly least: number;
  private mean = AIM;
  private samples = 0;
  /** The share and the time before the last cut. */
  private before: { share: number; mean: number } | null = null;
  private resigned = 0;

  constructor(
    private readonly edges: number,
    software: boolean,
  ) {
    this.least = edges > LEAST ? LEAST / edges : 1;
    this.share = software ? Math.max(this.least, Math.min(1, 25_000 / edges)) : 1;
  }

  /** Learns from the time between two draws of which the second was wanted right after the first. */
  measure(interval: number): void {
    this.samples++;
    this.resigned = Math.max(0, this.resigned - 1);
    this.mean = this.samples === 1 ? interval : this.mean + 0.3 * (interval - this.mean);
    if (this.samples < SETTLED) return;
    const { before } = this;
    this.before = null;
    if (before && this.mean > 0.85 * before.mean) {
      // Fewer edges were no help, so it is not the edges that take the time.
      this.resigned = RESIGNED;
      this.change(before.share);
    } else if (this.mean > SLOW && this.resigned === 0 && this.share > this.least) {
      this.before = { share: this.share, mean: this.mean };
      this.change(this.share * Math.max(0.4, AIM / this.mean));
    } else if (this.mean < FAST && this.share < 1 && this.samples >= 20) {
      // Slowly up: edges that come and go are worse than a few too few.
      this.change(this.share * 1.4);
    }
  }

  /** How many edges to draw now. */
  count(moving: boolean, most: number): number {
    const share = moving ? this.share : 1;
    return Math.min(most, Math.ceil(this.edges * share));
  }

  private change(share: number): void {
    this.share = Math.min(1, Math.max(this.least, share));
    this.samples = 0;
  }
}
