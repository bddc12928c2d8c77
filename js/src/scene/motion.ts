// How things move: positions between two frames, the pace of a stream, and easing.

let asked: typeof matchMedia | undefined;
let reduced = false;

/** Whether the user asked for little motion. It can be changed while we run: we are told, since to ask takes time at every frame. */
export function reducedMotion(): boolean {
  if (typeof matchMedia !== "function") return false;
  if (asked !== matchMedia) {
    asked = matchMedia;
    const wish = matchMedia("(prefers-reduced-motion: reduce)");
    reduced = wish.matches;
    wish.addEventListener?.("change", ({ matches }) => (reduced = matches));
  }
  return reduced;
}

/** Starts and ends gently; for a move that stands alone. */
export function easeInOut(p: number): number {
  return p < 0.5 ? 4 * p * p * p : 1 - 4 * (1 - p) ** 3;
}

/** How much of the way is left to an exponential approach after a time. */
export function decay(elapsed: number, timeConstant: number): number {
  return Math.exp(-Math.max(0, elapsed) / timeConstant);
}

/** The time between frames, smoothed: a stream that stutters moves evenly. */
export class FrameInterval {
  private last = NaN;
  private mean = NaN;

  /** How long the move to a frame that arrives now should take, in milliseconds. */
  next(now: number): number {
    const gap = now - this.last;
    this.last = now;
    // After a pause the old pace says more than the pause's length.
    if (gap >= 0 && gap < PAUSE) this.mean = Number.isNaN(this.mean) ? gap : this.mean + 0.25 * (gap - this.mean);
    if (Number.isNaN(this.mean)) return FIRST;
    // A little longer than the gap: a frame that comes late should find the nodes still on their way.
    return Math.min(LONGEST, 1.15 * this.mean);
  }
}

const PAUSE = 3000;
const FIRST = 150;
const LONGEST = 1000;

/**
 * Positions on their way from where they were drawn to the newest frame.
 *
 * When a frame arrives in the middle of a move, the next move starts from what is on the screen: a weighted mean of the
 * frames so far. Frames and weights are kept instead of their sum, so that a new frame costs nothing here; the sum is
 * formed when someone asks. Frames are kept by reference and never written to.
 */
export class PositionTween {
  private progress = 1;
  private frames: Float32Array[] = [];
  private weights: number[] = [];
  private goal: Float32Array;
  private sum: Float32Array | null = null;
  private sumAt = NaN;
  /** Frames that nobody else has. */
  private readonly own = new WeakSet<Float32Array>();

  constructor(positions: Float32Array) {
    this.goal = positions;
  }

  /** Progress of the move, 0 to 1. */
  get t(): number {
    return this.progress;
  }

  set t(progress: number) {
    if (progress < 1) this.progress = progress;
    else this.place(this.goal);
  }

  get to(): Float32Array {
    return this.goal;
  }

  /** Ends all motion: the nodes are there. */
  place(positions: Float32Array): void {
    this.goal = positions;
    this.frames = [];
    this.weights = [];
    this.progress = 1;
    this.sumAt = NaN;
  }

  /** Puts some nodes somewhere, in all frames alike, so that they stand there whatever the move does. */
  patch(nodes: ArrayLike<number>, places: ArrayLike<number>): void {
    this.goal = this.patched(this.goal, nodes, places);
    this.frames = this.frames.map((frame) => this.patched(frame, nodes, places));
    this.sumAt = NaN;
  }

  /** A frame with nodes elsewhere; frames are copied once, since others hold them, too. */
  patched(frame: Float32Array, nodes: ArrayLike<number>, places: ArrayLike<number>): Float32Array {
    const own = this.own.has(frame) ? frame : frame.slice();
    this.own.add(own);
    for (let k = 0; k < nodes.length; k++) {
      own[2 * nodes[k]] = places[2 * k];
      own[2 * nodes[k] + 1] = places[2 * k + 1];
    }
    return own;
  }

  /** From where the nodes are now to a new frame. */
  retarget(positions: Float32Array): void {
    const frames = [this.goal];
    const weights = [this.t];
    for (let k = 0; k < this.frames.length; k++) {
      const weight = this.weights[k] * (1 - this.t);
      // Less than a thousandth of a move cannot be seen; its share goes to the newest frame.
      if (weight >= 1e-3) {
        frames.push(this.frames[k]);
        weights.push(weight);
        continue;
      }
      weights[0] += weight;
    }
    if (frames.length > MOST) {
      const sum = new Float32Array(this.goal.length);
      add(sum, frames, weights);
      this.frames = [sum];
      this.weights = [1];
    } else {
      this.frames = frames;
      this.weights = weights;
    }
    this.goal = positions;
    this.progress = 0;
    this.sumAt = NaN;
  }

  /** All positions now; valid until the next call. */
  now(): Float32Array {
    if (this.t >= 1 || this.frames.length === 0) return this.goal;
    if (this.sumAt === this.t && this.sum) return this.sum;
    this.sum ??= new Float32Array(this.goal.length);
    this.sum.fill(0);
    add(this.sum, [...this.frames, this.goal], [...this.weights.map((w) => w * (1 - this.t)), this.t]);
    this.sumAt = this.t;
    return this.sum;
  }

  /** One coordinate now, without forming all the others. */
  coordinate(index: number): number {
    if (this.t >= 1 || this.frames.length === 0) return this.goal[index];
    let from = 0;
    for (let k = 0; k < this.frames.length; k++) from += this.weights[k] * this.frames[k][index];
    return from + this.t * (this.goal[index] - from);
  }
}

/** Frames a trail holds before it adds them up: enough for a steady stream, little enough for memory. */
const MOST = 6;

function add(sum: Float32Array, frames: readonly Float32Array[], weights: readonly number[]): void {
  for (let k = 0; k < frames.length; k++) {
    const frame = frames[k];
    const weight = weights[k];
    for (let i = 0; i < sum.length; i++) sum[i] += weight * frame[i];
  }
}
