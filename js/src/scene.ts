// A canvas with the nodes and edges of a graph, and nothing else on it.
//
// Arrays that are handed in are kept by reference and only read: the caller must not write to them afterwards, and hands
// them in anew when they have changed. Positions may be views into a message.

import { Adjacency } from "./adjacency.js";
import { Camera } from "./camera.js";
import { createCanvas2D } from "./canvas2d.js";
import { Effort } from "./effort.js";
import { EdgeLength } from "./lengths.js";
import { easeInOut, Pace, reducedMotion, Trail } from "./motion.js";
import { boundsOfSome, frameBounds, isFiniteBox, pick, within, type Discs, type Projection } from "./picking.js";
import { DEFAULT_COLORS, edgeStyle, growth, layersOf, LEAST_RADIUS, parseColor, RING, ringOf, type Model, type View } from "./renderer.js";
import { Stage } from "./stage.js";
import type { Bounds, CameraApi, SceneApi, SceneColors, SceneInfo } from "./types.js";

export interface SceneOptions {
  /** Draw with Canvas 2D even where there is WebGL2. */
  readonly forceCanvas?: boolean;
}

export function createScene(el: HTMLElement, nodes: number, pairs: Uint32Array, options: SceneOptions = {}): SceneApi {
  return new Scene(el, nodes, pairs, options);
}

interface Move {
  readonly positions: Float32Array;
  readonly bounds: Bounds | null;
  readonly duration: number;
  readonly ease: boolean;
}

/** Milliseconds without a draw after which the picture rests. */
const REST = 160;
/** The same between the frames of a stream: there the next one should not have to wait for this one's last edges. */
const STREAM_REST = 1200;
/** Milliseconds between two draws of a stream by a renderer in software. */
const CALM = 60;
/** Milliseconds without a draw that tell nothing of how long drawing takes: the page was out of sight. */
const AWAY = 2000;

class Scene implements SceneApi {
  private readonly look: Camera;
  private readonly model: Model;
  private readonly stage: Stage;
  private readonly neighbors: Adjacency;
  private readonly pace = new Pace();
  private readonly effort: Effort;
  private readonly listeners = new Set<() => void>();
  /** Positions were set that the renderer does not know yet. */
  private unplaced = false;
  private pending: Move | null = null;
  private readonly lengths: EdgeLength;
  /** The move that is under way. */
  private move: Move | null = null;
  private started = 0;
  private fromBounds: Bounds | null = null;
  private bounds: Bounds | null = null;
  private largest = 3;
  private lastTick = NaN;
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

  constructor(el: HTMLElement, nodes: number, pairs: Uint32Array, options: SceneOptions) {
    this.model = {
      nodes,
      placed: false,
      pairs,
      trail: new Trail(new Float32Array(2 * nodes)),
      rgba: new Uint8Array(4 * nodes).fill(128),
      radii: new Float32Array(nodes).fill(this.largest),
      flags: new Uint8Array(nodes),
      layers: 2,
      edgesVisible: true,
      background: parseColor(DEFAULT_COLORS.background),
      edge: parseColor(DEFAULT_COLORS.edge),
      selection: parseColor(DEFAULT_COLORS.selection),
      raised: -1,
      raisedEnds: new Uint32Array(0),
    };
    this.look = new Camera(nodes, () => this.invalidate());
    this.neighbors = new Adjacency(nodes, pairs);
    this.lengths = new EdgeLength(pairs);
    this.stage = new Stage(el, this.model, options.forceCanvas === true, {
      // Drawn at once: a resized canvas is blank, and waiting for the next frame would show that.
      resized: () => {
        // A cell that is folded away has no size; its picture waits as it is.
        if (this.stage.width === 0 || this.stage.height === 0) return;
        this.look.resize(this.stage.width, this.stage.height);
        if (this.stage.visible) this.tick(performance.now());
      },
      stale: () => this.invalidate(),
      // A new renderer knows the latest frame, not the way there.
      rebuilt: () => {
        this.model.trail.place(this.model.trail.to);
        this.move = null;
        this.fromBounds = this.bounds;
        this.unplaced = true;
        this.invalidate();
      },
    });
    this.effort = new Effort(pairs.length >> 1, this.stage.info.software);
    this.look.resize(this.stage.width, this.stage.height);
    this.invalidate();
  }

  get canvas(): HTMLCanvasElement {
    return this.stage.canvas;
  }

  get camera(): CameraApi {
    return this.look;
  }

  get info(): SceneInfo {
    return this.stage.info;
  }

  get positions(): Float32Array {
    return this.model.trail.now();
  }

  setPositions(positions: Float32Array, duration?: number): void {
    this.expect(positions, 2, "positions");
    if (this.ended) return;
    const bounds = frameBounds(positions);
    if (!isFiniteBox(bounds)) throw new Error("Some positions are not finite numbers; the scene keeps the last ones.");
    this.lengths.expect(positions);
    const now = performance.now();
    const paced = this.pace.next(now);
    const time = duration ?? paced;
    // Between the pictures that software is given time for, there is nothing to see of the way from frame to frame.
    const brisk = this.info.software && duration === undefined && paced < 2 * CALM;
    if (this.model.placed) this.lastFrame = now;
    if (!this.model.placed || !(time > 0) || brisk || reducedMotion()) {
      this.model.placed = true;
      this.pending = this.move = null;
      this.model.trail.place(positions);
      this.fromBounds = this.bounds = bounds;
      this.watch();
      this.unplaced = true;
    } else {
      // Frames that come faster than they can be drawn replace each other here, before anything is uploaded.
      this.pending = { positions, bounds, duration: time, ease: duration !== undefined };
    }
    this.drawSoon();
  }

  setColors(rgba: Uint8Array): void {
    this.expect(rgba, 4, "colours");
    this.model.rgba = rgba;
    this.stage.renderer?.changed("colors");
    this.invalidate();
  }

  setRadii(radii: Float32Array): void {
    this.expect(radii, 1, "radii");
    this.model.radii = radii;
    this.largest = 0;
    for (let i = 0; i < radii.length; i++) if (radii[i] > this.largest) this.largest = radii[i];
    this.stage.renderer?.changed("radii");
    this.invalidate();
  }

  setFlags(flags: Uint8Array): void {
    this.expect(flags, 1, "flags");
    this.model.flags = flags;
    this.model.layers = layersOf(flags);
    this.stage.renderer?.changed("flags");
    this.invalidate();
  }

  setEdgesVisible(visible: boolean): void {
    this.model.edgesVisible = visible;
    this.invalidate();
  }

  setSceneColors(colors: SceneColors): void {
    this.model.background = parseColor(colors.background);
    this.model.edge = parseColor(colors.edge);
    this.model.selection = parseColor(colors.selection);
    this.invalidate();
  }

  raiseEdgesOf(node: number): void {
    const ends = this.neighbors.of(node);
    this.model.raised = ends.length > 0 ? node : -1;
    this.model.raisedEnds = ends;
    this.invalidate();
  }

  pick(left: number, top: number, tolerance = 0): number {
    return this.model.placed ? pick(this.discs(), this.projection(), left, top, tolerance) : -1;
  }

  within(polygon: Float64Array): Uint32Array {
    return this.model.placed ? within(this.discs(), this.projection(), polygon) : new Uint32Array(0);
  }

  neighborsOf(node: number): Uint32Array {
    return this.neighbors.of(node);
  }

  radiusOf(node: number): number {
    const { grow, least } = this.discs();
    return Math.max(least, (this.model.radii[node] ?? 0) * grow);
  }

  boundsOf(nodes: Uint32Array): Bounds | null {
    return boundsOfSome(this.positions, nodes);
  }

  onDraw(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  toBlob(): Promise<Blob> {
    if (this.ended) return Promise.reject(new Error("The view is closed."));
    let canvas = this.stage.prepare();
    const view = this.view(canvas, true);
    if (this.stage.renderer) {
      // The picture is gone once this task ends, so it is drawn for the occasion.
      this.draw(view);
    } else {
      canvas = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
      createCanvas2D(canvas, this.model)?.draw(view);
    }
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser could not make a picture of the view."))));
    });
  }

  invalidate(): void {
    if (this.ended || this.request !== 0 || !this.stage?.visible) return;
    this.requested = performance.now();
    this.request = requestAnimationFrame(this.onFrame);
  }

  private readonly onFrame = (now: number): void => {
    this.request = 0;
    // Only draws of a series tell how long drawing takes; one that was put off is measured from when it was wanted.
    const from = this.requested - this.lastTick < 12 ? this.lastTick : this.requested;
    if (this.running && now - from < AWAY) this.effort.measure(now - from);
    this.tick(now);
  };

  private readonly onLater = (): void => {
    this.later = 0;
    this.invalidate();
  };

  /** Draws what the layout has come to; a renderer in software would take the cores from the very layout it shows. */
  private drawSoon(): void {
    if (this.ended || this.request !== 0 || this.later !== 0) return;
    const wait = this.info.software ? this.lastTick + CALM - performance.now() : 0;
    if (wait > 0) this.later = window.setTimeout(this.onLater, wait);
    else this.invalidate();
  }

  destroy(): void {
    if (this.ended) return;
    this.ended = true;
    cancelAnimationFrame(this.request);
    this.unplan();
    this.listeners.clear();
    this.stage.destroy();
  }

  private tick(now: number, resting = false): void {
    if (this.ended) return;
    this.unplan();
    const moving = this.advance(now);
    const watched = this.look.step(now);
    this.lastTick = now;
    if (this.stage.renderer && this.stage.width > 0 && this.stage.height > 0) this.draw(this.view(this.stage.prepare(), resting));
    this.running = moving || watched;
    // Where the user moves the camera, every picture counts.
    if (watched && !this.look.following) this.invalidate();
    else if (this.running) this.drawSoon();
    else if (!resting && this.effort.share < 1) this.restLater();
    for (const listener of this.listeners) listener();
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
    this.rest = window.setTimeout(() => {
      this.rest = 0;
      // What waits for an animation frame has not come to rest.
      if (this.request === 0 && this.later === 0 && this.stage.visible) this.tick(performance.now(), true);
    }, streaming ? STREAM_REST : REST);
  }

  /** Moves the nodes on; whether they are still on their way. */
  private advance(now: number): boolean {
    const { trail } = this.model;
    if (this.pending) {
      this.upload();
      this.stage.renderer?.retarget(this.pending.positions);
      this.fromBounds = this.drawnBounds();
      this.move = this.pending;
      this.bounds = this.move.bounds;
      this.pending = null;
      trail.retarget(this.move.positions);
      // The nodes stand where the last draw left them; in a stream, standing still for this one would be a stutter.
      this.started = this.running ? this.lastTick : now;
    }
    if (!this.move) return false;
    const p = Math.min(1, Math.max(0, (now - this.started) / this.move.duration));
    trail.t = this.move.ease ? easeInOut(p) : p;
    if (p >= 1) this.move = null;
    this.watch();
    return this.move !== null;
  }

  /** Brings positions that were set without a move to the GPU. */
  private upload(): void {
    if (this.unplaced) this.stage.renderer?.place();
    this.unplaced = false;
  }

  private draw(view: View): void {
    this.upload();
    this.stage.renderer?.draw(view);
  }

  /** What is drawn lies within these: nodes between two places lie between the two places' bounds. */
  private drawnBounds(): Bounds | null {
    const { fromBounds: a, bounds: b } = this;
    const { t } = this.model.trail;
    if (!a || !b || t >= 1) return b;
    const mix = (p: number, q: number): number => p + (q - p) * t;
    return { left: mix(a.left, b.left), bottom: mix(a.bottom, b.bottom), right: mix(a.right, b.right), top: mix(a.top, b.top) };
  }

  private watch(): void {
    const bounds = this.drawnBounds();
    if (bounds) this.look.watch(bounds, Math.min(40, this.largest) + RING.gapMost + RING.widthMost);
  }

  private view(canvas: HTMLCanvasElement, resting: boolean): View {
    const { ratio } = this.stage;
    const { pairs } = this.model;
    const scale = this.look.scale * ratio;
    const area = this.drawnBounds() ?? { left: 0, bottom: 0, right: 0, top: 0 };
    const edges = pairs.length >> 1;
    const count = this.effort.count(!resting, this.info.mostEdges);
    // A part of the edges is drawn a little stronger than all would be, or the picture would fade whenever it moves.
    const style = edgeStyle(Math.sqrt(count * edges), this.lengths.along(this.model.trail), area, scale, ratio);
    const grow = growth(this.look.scale, this.look.fitScale) * ratio;
    return {
      width: canvas.width,
      height: canvas.height,
      ratio,
      x: this.look.x,
      y: this.look.y,
      scale,
      grow,
      least: LEAST_RADIUS,
      reach: ringOf(Math.max(LEAST_RADIUS, this.largest * grow), ratio)[1] + 1,
      edges: { ...style, count },
    };
  }

  private discs(): Discs {
    const { flags, radii } = this.model;
    const grow = growth(this.look.scale, this.look.fitScale);
    return { positions: this.positions, flags, radii, grow, least: LEAST_RADIUS / this.stage.ratio };
  }

  private projection(): Projection {
    const [left, top] = this.look.toScreen(0, 0);
    return { left, top, scale: this.look.scale };
  }

  private expect(values: ArrayLike<number>, each: number, what: string): void {
    const length = each * this.model.nodes;
    if (values.length !== length) throw new Error(`A scene of ${this.model.nodes} nodes takes ${length} numbers as ${what}, not ${values.length}.`);
  }
}
