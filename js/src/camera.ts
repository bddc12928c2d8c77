// Where the viewer looks. Everything is in doubles: only what is left after subtracting the centre reaches the GPU.

import { decay, easeInOut, reducedMotion } from "./motion.js";
import type { Bounds, CameraApi } from "./types.js";

interface Look {
  x: number;
  y: number;
  scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Flight {
  readonly from: Look;
  /** null: wherever the whole layout is by then. */
  readonly to: Look | null;
  start: number;
}

const FLIGHT = 450;
/** Time constants of the approach to a layout that moves or shrinks; one that grows is followed at once. */
const SETTLE = 180;
const FARTHEST = 0.2;

export class Camera implements CameraApi {
  width = 1;
  height = 1;
  private look: Look = { x: 0, y: 0, scale: 1 };
  private follows = true;
  private flight: Flight | null = null;
  private bounds: Bounds | null = null;
  /** Room for the discs at the border, in pixels. */
  private margin = 0;
  private last = NaN;
  /** How the whole layout is looked at, its extent, and the room there is for it in pixels; asked for several times a draw. */
  private all: Look = { x: 0, y: 0, scale: 1 };
  private extent: Size = { width: 1, height: 1 };
  private room: Size = { width: 1, height: 1 };

  /** `changed` is called when the user moved the camera and a draw is needed. */
  constructor(
    private readonly nodes: number,
    private readonly changed: () => void,
  ) {}

  get following(): boolean {
    return this.follows;
  }

  get scale(): number {
    return this.look.scale;
  }

  get x(): number {
    return this.look.x;
  }

  get y(): number {
    return this.look.y;
  }

  /** The scale at which the whole layout is seen. */
  get fitScale(): number {
    return this.all.scale;
  }

  toScreen(x: number, y: number): readonly [number, number] {
    const { look } = this;
    return [this.width / 2 + (x - look.x) * look.scale, this.height / 2 - (y - look.y) * look.scale];
  }

  toWorld(left: number, top: number): readonly [number, number] {
    const { look } = this;
    return [look.x + (left - this.width / 2) / look.scale, look.y - (top - this.height / 2) / look.scale];
  }

  panBy(left: number, top: number): void {
    this.take();
    this.look.x -= left / this.look.scale;
    this.look.y += top / this.look.scale;
    this.stayNear();
    this.changed();
  }

  zoomBy(factor: number, left = this.width / 2, top = this.height / 2): void {
    if (!(factor > 0) || !Number.isFinite(factor)) return;
    this.take();
    const [x, y] = this.toWorld(left, top);
    const before = this.look.scale;
    this.look.scale = this.limited(before * factor);
    const kept = before / this.look.scale;
    this.look.x = x + (this.look.x - x) * kept;
    this.look.y = y + (this.look.y - y) * kept;
    this.stayNear();
    this.changed();
  }

  fit(animate = true): void {
    this.follows = true;
    this.last = NaN;
    if (animate && this.bounds && !reducedMotion()) this.flight = { from: { ...this.look }, to: null, start: NaN };
    else this.jump();
    this.changed();
  }

  flyTo(bounds: Bounds): void {
    if (![bounds.left, bounds.right, bounds.top, bounds.bottom].every(Number.isFinite)) return;
    this.take();
    const to = this.frame(bounds, extentOf(bounds));
    // A single node has no extent to fill the view with: come close, but keep its surroundings in sight.
    to.scale = this.limited(Math.min(to.scale, this.fitScale * Math.max(3, Math.sqrt(this.nodes) / 4)));
    if (reducedMotion()) this.look = to;
    else this.flight = { from: { ...this.look }, to, start: NaN };
    this.changed();
  }

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.survey();
    // A new size is the host's doing, no move to be watched.
    if (this.follows && !this.flight) this.jump();
  }

  /** Tells where the layout is drawn now; the first layout is shown at once. */
  watch(bounds: Bounds, margin: number): void {
    const first = this.bounds === null;
    this.bounds = bounds;
    this.margin = margin;
    this.survey();
    if (first && this.follows) this.jump();
  }

  /** Moves on to the time `now`; whether there is more to come. */
  step(now: number): boolean {
    if (!this.bounds) return false;
    const elapsed = Number.isNaN(this.last) ? 0 : now - this.last;
    this.last = now;
    if (this.flight) return this.fly(this.flight, now);
    return this.follows ? this.settle(elapsed) : false;
  }

  private fly(flight: Flight, now: number): boolean {
    if (Number.isNaN(flight.start)) flight.start = now;
    const p = Math.min(1, (now - flight.start) / FLIGHT);
    const to = flight.to ?? this.all;
    const scale = flight.from.scale * (to.scale / flight.from.scale) ** easeInOut(p);
    // Weighted by what is in view, the way is straight on the screen however much the scale changes.
    const ratio = flight.from.scale / to.scale;
    const way = Math.abs(ratio - 1) < 1e-3 ? easeInOut(p) : (flight.from.scale / scale - 1) / (ratio - 1);
    this.look = {
      x: flight.from.x + (to.x - flight.from.x) * way,
      y: flight.from.y + (to.y - flight.from.y) * way,
      scale,
    };
    if (p < 1) return true;
    this.look = { ...to };
    this.flight = null;
    return false;
  }

  /** Follows the layout: never lets a node out of sight, and comes closer without haste. */
  private settle(elapsed: number): boolean {
    const { look, all: to, extent, room } = this;
    if (reducedMotion()) {
      this.look = { ...to };
      return false;
    }
    const left = decay(elapsed, SETTLE);
    const x = to.x + (look.x - to.x) * left;
    const y = to.y + (look.y - to.y) * left;
    // The view is centred beside the layout's middle while it moves there, and needs that much more room.
    const most = Math.min(room.width / (extent.width + 2 * Math.abs(x - to.x)), room.height / (extent.height + 2 * Math.abs(y - to.y)));
    const scale = Math.min(to.scale * (look.scale / to.scale) ** left, most);
    const off = Math.max(Math.abs(x - to.x), Math.abs(y - to.y)) * scale;
    const far = off > 0.2 || Math.abs(Math.log(scale / to.scale)) > 5e-4;
    this.look = far ? { x, y, scale } : { ...to };
    return far;
  }

  private jump(): void {
    this.flight = null;
    this.look = { ...this.all };
  }

  /** The user has the camera. */
  private take(): void {
    this.follows = false;
    this.flight = null;
  }

  /** Works out how the whole layout is looked at: its bounds or the view's size are other ones. */
  private survey(): void {
    const { width, height } = this;
    // Small views give at most a fifth to the margin on each side.
    const pad = Math.min(this.margin + 0.03 * Math.min(width, height), 0.2 * Math.min(width, height));
    this.room = { width: width - 2 * pad, height: height - 2 * pad };
    if (!this.bounds) return;
    this.extent = extentOf(this.bounds);
    this.all = this.frame(this.bounds, this.extent);
  }

  private frame(bounds: Bounds, extent: Size): Look {
    return {
      x: (bounds.left + bounds.right) / 2,
      y: (bounds.bottom + bounds.top) / 2,
      scale: Math.min(this.room.width / extent.width, this.room.height / extent.height),
    };
  }

  private limited(scale: number): number {
    const fit = this.fitScale;
    const closest = Math.min(2e4, Math.max(60, 10 * Math.sqrt(this.nodes)));
    return Math.min(fit * closest, Math.max(fit * FARTHEST, scale));
  }

  /** The layout can be pushed to the border of the view but not out of reach. */
  private stayNear(): void {
    const { bounds, look } = this;
    if (!bounds) return;
    const w = (0.45 * this.width) / look.scale;
    const h = (0.45 * this.height) / look.scale;
    look.x = Math.min(bounds.right + w, Math.max(bounds.left - w, look.x));
    look.y = Math.min(bounds.top + h, Math.max(bounds.bottom - h, look.y));
  }
}

/** The extent to show; nodes all on a point, or closer than float32 can tell, get some room around them. */
function extentOf(bounds: Bounds): Size {
  const width = bounds.right - bounds.left;
  const height = bounds.top - bounds.bottom;
  const reach = Math.max(Math.abs(bounds.left), Math.abs(bounds.right), Math.abs(bounds.bottom), Math.abs(bounds.top));
  const least = Math.max(width, height) > 0 ? Math.max(1e-6 * reach, 1e-30) : Math.max(1, 1e-3 * reach);
  return { width: Math.max(width, least), height: Math.max(height, least) };
}
