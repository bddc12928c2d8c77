// When the scene is drawn: in the next animation frame; a little later, where software draws a stream; and once more, with
// all of its edges, when it has come to rest.

import type { EdgeBudget } from "./edge-budget.js";

/** Milliseconds without a draw after which the picture rests. */
const REST = 160;
/** The same between the frames of a stream: there the next one should not have to wait for this one's last edges. */
const STREAM_REST = 1200;
/** Milliseconds between two draws of a stream by a renderer in software. */
export const SOFTWARE_INTERVAL = 60;
/** Milliseconds without a draw that tell nothing of how long drawing takes: the page was out of sight. */
const AWAY = 2000;

/** What goes on after a draw: nothing, the layout moves, or the user moves the camera. */
export type Activity = "none" | "layout" | "camera";

export interface Drawing {
  /** Whether anybody would see it. */
  visible(): boolean;
  /** Whether a renderer in software draws: it would take the cores from the very layout it shows. */
  software(): boolean;
  /** Draws at the time `now`; `since` is when the series of draws that this one belongs to was last drawn. */
  draw(now: number, since: number, resting: boolean): Activity;
  drawn(): void;
  /** Another picture is on its way, or none is any more. */
  moving(yes: boolean): void;
}

export class DrawSchedule {
  private last = NaN;
  private lastFrame = -Infinity;
  /** The last draw was one of a series. */
  private running = false;
  private request = 0;
  private requested = 0;
  /** A draw that is put off. */
  private later = 0;
  /** Draws everything once the picture rests. */
  private rest = 0;
  private ended = false;
  private moving = false;

  constructor(
    private readonly budget: EdgeBudget,
    private readonly drawing: Drawing,
  ) {}

  /** Draws in the next animation frame. */
  next(): void {
    if (this.ended || this.request !== 0 || !this.drawing.visible()) return;
    this.requested = performance.now();
    this.request = requestAnimationFrame(this.onFrame);
    this.tell();
  }

  /** Draws what the layout has come to, without haste where software draws. */
  soon(): void {
    if (this.ended || this.request !== 0 || this.later !== 0) return;
    const wait = this.drawing.software() ? this.last + SOFTWARE_INTERVAL - performance.now() : 0;
    if (wait > 0) {
      this.later = window.setTimeout(this.onLater, wait);
      this.tell();
    } else this.next();
  }

  /** Draws at once. */
  now(time = performance.now(), resting = false): void {
    if (this.ended) return;
    this.unplan();
    cancelAnimationFrame(this.request);
    this.request = 0;
    // In a stream, a move begins where the last draw left the nodes.
    const activity = this.drawing.draw(time, this.running ? this.last : time, resting);
    this.last = time;
    this.running = activity !== "none";
    // Where the user moves the camera, every picture counts.
    if (activity === "camera") this.next();
    else if (activity === "layout") this.soon();
    else if (!resting && this.budget.share < 1) this.restLater();
    this.drawing.drawn();
    this.tell();
  }

  /** A frame of a stream has come. */
  frameCame(time: number): void {
    this.lastFrame = time;
  }

  stop(): void {
    this.ended = true;
    cancelAnimationFrame(this.request);
    this.unplan();
  }

  private readonly onFrame = (time: number): void => {
    this.request = 0;
    // Only draws of a series tell how long drawing takes; one that was put off is measured from when it was wanted.
    const from = this.requested - this.last < 12 ? this.last : this.requested;
    if (this.running && time - from < AWAY) this.budget.measure(time - from);
    this.now(time);
  };

  private readonly onLater = (): void => {
    this.later = 0;
    this.next();
  };

  /** Says whether a picture is on its way, where that has changed. */
  private tell(): void {
    const moving = this.request !== 0 || this.later !== 0 || this.rest !== 0;
    if (moving === this.moving) return;
    this.moving = moving;
    this.drawing.moving(moving);
  }

  /** Forgets what was planned for later. */
  private unplan(): void {
    if (this.rest !== 0) clearTimeout(this.rest);
    if (this.later !== 0) clearTimeout(this.later);
    this.rest = this.later = 0;
  }

  /** Draws all edges when nothing has moved for a while. */
  private restLater(): void {
    const streaming = performance.now() - this.lastFrame < STREAM_REST;
    this.rest = window.setTimeout(
      () => {
        this.rest = 0;
        // What waits for an animation frame has not come to rest.
        if (this.request === 0 && this.later === 0 && this.drawing.visible()) this.now(performance.now(), true);
        else this.tell();
      },
      streaming ? STREAM_REST : REST,
    );
  }
}
