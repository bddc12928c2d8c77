// A small live curve of the Kullback-Leibler divergence.

import { meaningOf } from "../../data/glossary.js";
import { make, prepare, setText } from "../../dom/elements.js";

const WIDTH = 120;
const HEIGHT = 30;
const MOST_POINTS = 600;

export type Point = readonly [iteration: number, kl: number];

/** Points of one run, in the order of their iterations; thinned out when they become many. */
export class Series {
  #points: Point[] = [];
  #run = -1;

  get points(): readonly Point[] {
    return this.#points;
  }

  /** Another run begins an empty curve. */
  enter(run: number): void {
    if (run === this.#run) return;
    this.#run = run;
    this.#points = [];
  }

  /** Tells whether the point was new and a number. */
  push(iteration: number, kl: number): boolean {
    const last = this.#points.at(-1);
    if (!Number.isFinite(kl) || !Number.isFinite(iteration) || (last && iteration <= last[0])) return false;
    // Not every frame is measured: one that repeats what is known says nothing about where the curve goes.
    if (last && kl === last[1]) return false;
    this.#points.push([iteration, kl]);
    if (this.#points.length > MOST_POINTS) {
      // Every other one goes; the newest always stays.
      this.#points = this.#points.filter((_, at) => at % 2 === (this.#points.length - 1) % 2);
    }
    return true;
  }

  /** What the kernel remembers, for a view that came late; it has nothing newer than what was pushed. */
  load(history: readonly Point[]): void {
    const pushed = this.#points;
    this.#points = [];
    for (const [iteration, kl] of history) this.push(iteration, kl);
    for (const [iteration, kl] of pushed) this.push(iteration, kl);
  }
}

/** Screen points of a curve, x and y interleaved. A single point becomes a level line. */
export function trace(points: readonly Point[], width: number, height: number): Float64Array {
  const first = points[0];
  const end = points.at(-1);
  if (!first || !end) return new Float64Array(0);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    low = Math.min(low, point[1]);
    high = Math.max(high, point[1]);
  }
  const across = end[0] - first[0] || 1;
  const up = high - low || 1;
  const traced = new Float64Array(2 * points.length);
  points.forEach(([iteration, kl], at) => {
    traced[2 * at] = 2 + ((width - 5) * (iteration - first[0])) / across;
    traced[2 * at + 1] = high > low ? 3 + ((height - 6) * (high - kl)) / up : height / 2;
  });
  return traced;
}

/** With three digits that matter; the rounding of sums must not make it "-0.000". */
export function writtenKl(kl: number): string {
  return kl.toFixed(kl >= 100 ? 0 : kl >= 10 ? 1 : 3).replace(/^-(0\.0+)$/, "$1");
}

export class KlCurve {
  readonly element: HTMLElement;
  readonly series = new Series();
  #canvas = make("canvas", "graphne-curve-canvas", { "aria-hidden": "true" });
  #value = make("span", "graphne-curve-value");
  #width = WIDTH;
  #measured = false;
  /** The moment that is looked at; null for the newest. */
  #moment: { readonly iteration: number; readonly kl: number } | null = null;
  #ink = { line: "#888", dot: "#000" };

  constructor() {
    this.element = make(
      "div",
      "graphne-curve",
      { title: meaningOf("KL divergence") },
      this.#canvas,
      make("span", "graphne-curve-text", {}, make("span", "graphne-caption", {}, "KL"), this.#value),
    );
  }

  setInk(line: string, dot: string): void {
    this.#ink = { line, dot };
    this.draw();
  }

  /** Looks at a moment of the run; null for the newest. */
  mark(moment: { readonly iteration: number; readonly kl: number } | null): void {
    this.#moment = moment;
    this.draw();
  }

  /** Its width may have changed. It is asked for once, when it is seen: each time the browser lays out the page. */
  resized(): void {
    this.#measured = false;
    this.draw();
  }

  draw(): void {
    const { points } = this.series;
    const last = points.at(-1);
    this.element.hidden = !last;
    if (!last) return;
    const moment = this.#moment;
    const after = moment ? points.findIndex(([iteration]) => iteration > moment.iteration) : -1;
    const at = after < 0 ? points.length - 1 : Math.max(0, after - 1);
    const kl = moment && Number.isFinite(moment.kl) ? moment.kl : points[at][1];
    setText(this.#value, writtenKl(kl));
    // One point is no curve.
    this.#canvas.hidden = points.length < 2;
    if (!this.#measured && !this.#canvas.hidden) {
      this.#width = this.#canvas.clientWidth || WIDTH;
      this.#measured = this.#canvas.clientWidth > 0;
    }
    const context = prepare(this.#canvas, this.#width, HEIGHT);
    if (!context) return;
    const traced = trace(points, this.#width, HEIGHT);
    context.beginPath();
    for (let at = 0; at < traced.length; at += 2) context.lineTo(traced[at], traced[at + 1]);
    context.strokeStyle = this.#ink.line;
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.stroke();
    context.beginPath();
    context.arc(traced[2 * at], traced[2 * at + 1], 2.5, 0, 7);
    context.fillStyle = this.#ink.dot;
    context.fill();
  }
}
