// Where the viewer looks. Everything is in doubles: only what is left after subtracting the centre reaches the GPU.

import type { Bounds, CameraPlace } from "../data/types.js";
import { decay, easeInOut, reducedMotion } from "./motion.js";
import type { CameraApi } from "./types.js";

interface Viewpoint {
  x: number;
  y: number;
  scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Flight {
  readonly from: Viewpoint;
  /** null: wherever the whole layout is by then. */
  readonly to: Viewpoint | null;
  start: number;
}

const FLIGHT = 450;
/** Time constants of the approach to a layout that moves or shrinks; one that grows is followed at once. */
const SETTLE = 180;
const FARTHEST = 0.2;

export class Camera implements CameraApi {
  width = 1;
  height = 1;
  private viewpoint: Viewpoint = { x: 0, y: 0, scale: 1 };
  private follows = true;
  private flight: Flight | null = null;
  private bounds: Bounds | null = null;
  /** Room for the discs at the border, in pixels, and more beside and above them for their labels. */
  private margin = 0;
  private reserved: Size = { width: 0, height: 0 };
  private last = NaN;
  /** How the whole layout is looked at, its extent, and the room there is for it in pixels; asked for several times a draw. */
  private all: Viewpoint = { x: 0, y: 0, scale: 1 };
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
    return this.viewpoint.scale;
  }

  get x(): number {
    return this.viewpoint.x;
  }

  get y(): number {
    return this.viewpoint.y;
  }

  get zoom(): number {
    return this.all.scale > 0 ? this.viewpoint.scale / this.all.scale : 1;
  }

  /** The scale at which the whole layout is seen. */
  get fitScale(): number {
    return this.all.scale;
  }

  toScreen(x: number, y: number): readonly [number, number] {
    const { viewpoint } = this;
    return [
      this.width / 2 + (x - viewpoint.x) * viewpoint.scale,
      this.height / 2 - (y - viewpoint.y) * viewpoint.scale,
    ];
  }

  toWorld(left: number, top: number): readonly [number, number] {
    const { viewpoint } = this;
    return [
      viewpoint.x + (left - this.width / 2) / viewpoint.scale,
      viewpoint.y - (top - this.height / 2) / viewpoint.scale,
    ];
  }

  panBy(left: number, top: number): void {
    this.take();
    this.viewpoint.x -= left / this.viewpoint.scale;
    this.viewpoint.y += top / this.viewpoint.scale;
    this.stayNear();
    this.changed();
  }

  zoomBy(factor: number, left = this.width / 2, top = this.height / 2): void {
    if (!(factor > 0) || !Number.isFinite(factor)) return;
    this.take();
    const [x, y] = this.toWorld(left, top);
    const before = this.viewpoint.scale;
    this.viewpoint.scale = this.limited(before * factor);
    const kept = before / this.viewpoint.scale;
    this.viewpoint.x = x + (this.viewpoint.x - x) * kept;
    this.viewpoint.y = y + (this.viewpoint.y - y) * kept;
    this.stayNear();
    this.changed();
  }

  fit(animate = true): void {
    this.follows = true;
    this.last = NaN;
    if (animate && this.bounds && !reducedMotion()) this.flight = { from: { ...this.viewpoint }, to: null, start: NaN };
    else this.jump();
    this.changed();
  }

  flyTo(bounds: Bounds): void {
    if (![bounds.left, bounds.right, bounds.top, bounds.bottom].every(Number.isFinite)) return;
    this.take();
    const to = this.frame(bounds, extentOf(bounds));
    // A single node has no extent to fill the view with: come close, but keep its surroundings in sight.
    to.scale = this.limited(Math.min(to.scale, this.fitScale * Math.max(3, Math.sqrt(this.nodes) / 4)));
    if (reducedMotion()) this.viewpoint = to;
    else this.flight = { from: { ...this.viewpoint }, to, start: NaN };
    this.changed();
  }

  get place(): CameraPlace | null {
    if (this.follows) return null;
    const { x, y, scale } = this.flight?.to ?? this.viewpoint;
    return { center: [x, y], span: Math.min(this.width, this.height) / scale };
  }

  moveTo(place: CameraPlace | null, animate = true): void {
    if (!place) {
      this.fit(animate);
      return;
    }
    this.take();
    const to = { x: place.center[0], y: place.center[1], scale: Math.min(this.width, this.height) / place.span };
    if (animate && this.bounds && !reducedMotion()) this.flight = { from: { ...this.viewpoint }, to, start: NaN };
    else this.viewpoint = to;
    this.changed();
  }

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    const before = Math.min(this.width, this.height);
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.survey();
    // Whoever chose a place sees as much of the layout as before.
    const grown = this.follows ? 1 : Math.min(this.width, this.height) / before;
    for (const one of [this.viewpoint, this.flight?.from, this.flight?.to]) if (one) one.scale *= grown;
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

  reserve(width: number, height: number): void {
    if (width === this.reserved.width && height === this.reserved.height) return;
    this.reserved = { width, height };
    this.survey();
    if (this.follows && !this.flight) this.jump();
    this.changed();
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
    this.viewpoint = {
      x: flight.from.x + (to.x - flight.from.x) * way,
      y: flight.from.y + (to.y - flight.from.y) * way,
      scale,
    };
    if (p < 1) return true;
    this.viewpoint = { ...to };
    this.flight = null;
    return false;
  }

  /** Follows the layout: never lets a node out of sight, and comes closer without haste. */
  private settle(elapsed: number): boolean {
    const { viewpoint, all: to, extent, room } = this;
    if (reducedMotion()) {
      this.viewpoint = { ...to };
      return false;
    }
    const left = decay(elapsed, SETTLE);
    const x = to.x + (viewpoint.x - to.x) * left;
    const y = to.y + (viewpoint.y - to.y) * left;
    // The view is centred beside the layout's middle while it moves there, and needs that much more room.
    const most = Math.min(
      room.width / (extent.width + 2 * Math.abs(x - to.x)),
      room.height / (extent.height + 2 * Math.abs(y - to.y)),
    );
    const scale = Math.min(to.scale * (viewpoint.scale / to.scale) ** left, most);
    const off = Math.max(Math.abs(x - to.x), Math.abs(y - to.y)) * scale;
    const far = off > 0.2 || Math.abs(Math.log(scale / to.scale)) > 5e-4;
    this.viewpoint = far ? { x, y, scale } : { ...to };
    return far;
  }

  private jump(): void {
    this.flight = null;
    this.viewpoint = { ...this.all };
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
    // Labels are worth less than nodes: they get a tenth on each side at most.
    const [beside, above] = [Math.min(this.reserved.width, 0.1 * width), Math.min(this.reserved.height, 0.1 * height)];
    this.room = { width: width - 2 * (pad + beside), height: height - 2 * (pad + above) };
    if (!this.bounds) return;
    this.extent = extentOf(this.bounds);
    this.all = this.frame(this.bounds, this.extent);
  }

  private frame(bounds: Bounds, extent: Size): Viewpoint {
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
    const { bounds, viewpoint } = this;
    if (!bounds) return;
    const w = (0.45 * this.width) / viewpoint.scale;
    const h = (0.45 * this.height) / viewpoint.scale;
    viewpoint.x = Math.min(bounds.right + w, Math.max(bounds.left - w, viewpoint.x));
    viewpoint.y = Math.min(bounds.top + h, Math.max(bounds.bottom - h, viewpoint.y));
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
