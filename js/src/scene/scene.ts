// A canvas with the nodes and edges of a graph, and nothing else on it.
//
// Arrays that are handed in are kept by reference and only read: the caller must not write to them afterwards, and hands
// them in anew when they have changed. Positions may be views into a message.

import { Adjacency } from "../data/adjacency.js";
import { boundsOfSome, frameBounds, isFiniteBox } from "../data/bounds.js";
import type { Bounds } from "../data/types.js";
import { dotStyle, layoutArea } from "../encoding/dots.js";
import { sameItems } from "../store/state.js";
import { Camera } from "./camera.js";
import { CanvasHost } from "./canvas-host.js";
import { createCanvas2D } from "./canvas2d.js";
import { type Activity, DrawSchedule, SOFTWARE_INTERVAL } from "./draw-schedule.js";
import { EdgeBudget } from "./edge-budget.js";
import { EdgeLength } from "./edge-lengths.js";
import { type EdgeLooks, PLAIN } from "./edges/edge-look.js";
import { pickEdge } from "./edges/edge-picking.js";
import { FrameInterval, PositionTween, reducedMotion } from "./motion.js";
import { NodeMotion } from "./node-motion.js";
import { type Discs, type Projection, pick, within } from "./picking.js";
import {
  DEFAULT_COLORS,
  edgeStyle,
  growth,
  LEAST_RADIUS,
  layersOf,
  parseColor,
  RING,
  ringOf,
  type SceneState,
  type View,
} from "./renderer.js";
import type { SceneApi, SceneColors, SceneInfo } from "./types.js";

export interface SceneOptions {
  /** Draw with Canvas 2D even where there is WebGL2. */
  readonly forceCanvas?: boolean;
}

/** Nodes that are moved one by one. */
const FEW = 256;

export function createScene(el: HTMLElement, nodes: number, pairs: Uint32Array, options: SceneOptions = {}): SceneApi {
  return new Scene(el, nodes, pairs, options);
}

class Scene implements SceneApi {
  readonly camera: Camera;
  steady = false;
  private readonly state: SceneState;
  private readonly host: CanvasHost;
  private readonly neighbors: Adjacency;
  private readonly interval = new FrameInterval();
  private readonly budget: EdgeBudget;
  private readonly schedule: DrawSchedule;
  private readonly motion: NodeMotion;
  private readonly lengths: EdgeLength;
  private readonly listeners = new Set<() => void>();
  /** Positions were set that the renderer does not know yet. */
  private unplaced = false;
  private largest = 3;
  /** Of the widths that edges have of their own, in CSS pixels. */
  private meanWidth = 0;
  /** The last opacity of discs, and what it was worked out for. */
  private known = { zoom: 0, width: 0, height: 0, opacity: 1 };
  private ended = false;

  constructor(el: HTMLElement, nodes: number, pairs: Uint32Array, options: SceneOptions) {
    this.state = {
      nodes,
      placed: false,
      pairs,
      looks: PLAIN,
      shown: pairs.length >> 1,
      tween: new PositionTween(new Float32Array(2 * nodes)),
      rgba: new Uint8Array(4 * nodes).fill(128),
      radii: new Float32Array(nodes).fill(this.largest),
      flags: new Uint8Array(nodes),
      order: null,
      layers: 2,
      edgesVisible: true,
      background: parseColor(DEFAULT_COLORS.background),
      edge: parseColor(DEFAULT_COLORS.edge),
      selection: parseColor(DEFAULT_COLORS.selection),
      raised: -1,
      raisedEdges: new Uint32Array(0),
    };
    this.motion = new NodeMotion(this.state.tween);
    this.camera = new Camera(nodes, () => this.invalidate());
    this.neighbors = new Adjacency(nodes, pairs);
    this.lengths = new EdgeLength(pairs);
    this.host = new CanvasHost(el, this.state, options.forceCanvas === true, {
      // Drawn at once: a resized canvas is blank, and waiting for the next frame would show that.
      resized: () => {
        // A cell that is folded away has no size; its picture waits as it is.
        if (this.host.width === 0 || this.host.height === 0) return;
        this.camera.resize(this.host.width, this.host.height);
        if (this.host.visible) this.schedule.now();
      },
      stale: () => this.invalidate(),
      // A new renderer knows the latest frame, not the way there.
      rebuilt: () => {
        this.motion.finish();
        this.unplaced = true;
        this.invalidate();
      },
    });
    this.budget = new EdgeBudget(pairs.length >> 1, this.host.info.software);
    this.schedule = new DrawSchedule(this.budget, {
      visible: () => this.host.visible,
      software: () => this.info.software,
      draw: (now, since, resting) => this.step(now, since, resting),
      drawn: () => {
        for (const listener of this.listeners) listener();
      },
      // For programs that take pictures of the page: they can wait for the last one.
      moving: (yes) => el.toggleAttribute("data-moving", yes),
    });
    this.camera.resize(this.host.width, this.host.height);
    this.invalidate();
  }

  get canvas(): HTMLCanvasElement {
    return this.host.canvas;
  }

  get info(): SceneInfo {
    return this.host.info;
  }

  get placed(): boolean {
    return this.state.placed;
  }

  get positions(): Float32Array {
    return this.state.tween.now();
  }

  setPositions(positions: Float32Array, duration?: number): void {
    this.expect(positions, 2, "positions");
    if (this.ended) return;
    const bounds = frameBounds(positions);
    if (!isFiniteBox(bounds)) throw new Error("Some positions are not finite numbers; the scene keeps the last ones.");
    this.lengths.expect(positions);
    const now = performance.now();
    const paced = this.interval.next(now);
    const time = duration ?? paced;
    // Between the pictures that software is given time for, there is nothing to see of the way from frame to frame.
    const brisk = this.info.software && duration === undefined && paced < 2 * SOFTWARE_INTERVAL;
    if (this.state.placed) this.schedule.frameCame(now);
    if (!this.state.placed || !(time > 0) || brisk || reducedMotion()) {
      this.state.placed = true;
      this.motion.place(positions, bounds);
      this.watch();
      this.unplaced = true;
    } else {
      this.motion.plan(positions, bounds, time, duration !== undefined);
    }
    // Who holds a node waits for the answer of the others.
    if (this.steady) this.schedule.next();
    else this.schedule.soon();
  }

  moveNodes(nodes: Uint32Array, places: ArrayLike<number>): void {
    if (this.ended || !this.state.placed) return;
    this.motion.patch(nodes, places);
    if (nodes.length > FEW) {
      // Not worth a call for each: all nodes are there at once.
      this.motion.finish();
      this.unplaced = true;
    } else if (!this.unplaced) {
      this.host.renderer?.patch(nodes);
    }
    this.schedule.next();
  }

  present(): void {
    if (this.state.placed && !this.ended && this.host.visible) this.schedule.now();
  }

  setColors(rgba: Uint8Array): void {
    this.expect(rgba, 4, "colours");
    this.state.rgba = rgba;
    this.host.renderer?.changed("colors");
    this.invalidate();
  }

  setRadii(radii: Float32Array): void {
    this.expect(radii, 1, "radii");
    this.state.radii = radii;
    this.largest = 0;
    for (let i = 0; i < radii.length; i++) if (radii[i] > this.largest) this.largest = radii[i];
    this.watch(); // larger discs need more room at the border
    this.host.renderer?.changed("radii");
    this.invalidate();
  }

  setOrder(order: Uint32Array | null): void {
    if (order) this.expect(order, 1, "the order");
    this.state.order = order;
    this.host.renderer?.changed("order");
    this.invalidate();
  }

  setFlags(flags: Uint8Array): void {
    this.expect(flags, 1, "flags");
    this.state.flags = flags;
    this.state.layers = layersOf(flags);
    this.lengths.see(flags);
    this.host.renderer?.changed("flags");
    this.invalidate();
  }

  setEdgesVisible(visible: boolean): void {
    this.state.edgesVisible = visible;
    this.invalidate();
  }

  setSceneColors(colors: SceneColors): void {
    this.state.background = parseColor(colors.background);
    this.state.edge = parseColor(colors.edge);
    this.state.selection = parseColor(colors.selection);
    this.invalidate();
  }

  setEdgeLooks(looks: EdgeLooks): void {
    const { state } = this;
    const edges = state.pairs.length >> 1;
    state.looks = looks;
    state.shown = edges - (looks.hidden?.reduce((sum, hides) => sum + hides, 0) ?? 0);
    this.meanWidth = looks.widths ? looks.widths.reduce((sum, width) => sum + width, 0) / Math.max(1, edges) : 0;
    this.host.renderer?.changed("edges");
    this.invalidate();
  }

  raiseEdgesOf(node: number): void {
    const edges = this.neighbors.edgesOf(node);
    this.raise(edges.length > 0 ? node : -1, edges);
  }

  raiseEdge(edge: number): void {
    this.raise(-1, Uint32Array.of(edge));
  }

  raiseEdges(edges: Uint32Array): void {
    this.raise(-1, edges);
  }

  private raise(raised: number, edges: Uint32Array): void {
    const { state } = this;
    // At every move of the pointer the same is asked for again.
    if (raised === state.raised && sameItems(edges, state.raisedEdges)) return;
    state.raised = raised;
    state.raisedEdges = edges;
    this.host.renderer?.changed("raised");
    this.invalidate();
  }

  pick(left: number, top: number, tolerance = 0): number {
    return this.state.placed ? pick(this.discs(), this.projection(), left, top, tolerance) : -1;
  }

  pickEdge(left: number, top: number, tolerance = 3): number {
    const { placed, pairs, looks, edgesVisible } = this.state;
    if (!placed || !edgesVisible) return -1;
    return pickEdge(pairs, looks, this.discs(), this.projection(), left, top, tolerance);
  }

  within(polygon: Float64Array): Uint32Array {
    return this.state.placed ? within(this.discs(), this.projection(), polygon) : new Uint32Array(0);
  }

  edgesOf(node: number): Uint32Array {
    return this.neighbors.edgesOf(node);
  }

  get flags(): Uint8Array {
    return this.state.flags;
  }

  neighborsOf(node: number): Uint32Array {
    return this.neighbors.of(node);
  }

  radiusOf(node: number): number {
    const { grow, least } = this.discs();
    return Math.max(least, (this.state.radii[node] ?? 0) * grow);
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
    let canvas = this.host.prepare();
    const view = this.view(true);
    if (this.host.renderer) {
      // The picture is gone once this task ends, so it is drawn for the occasion.
      this.draw(view);
    } else {
      canvas = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
      createCanvas2D(canvas, this.state)?.draw(view);
    }
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) =>
        blob ? resolve(blob) : reject(new Error("The browser could not make a picture of the view.")),
      );
    });
  }

  invalidate(): void {
    // The camera asks while the scene is being put together.
    this.schedule?.next();
  }

  destroy(): void {
    if (this.ended) return;
    this.ended = true;
    this.schedule.stop();
    this.listeners.clear();
    this.host.destroy();
  }

  /** A move begins: the renderer goes from what it draws now. */
  private readonly begin = (positions: Float32Array): void => {
    this.upload();
    this.host.renderer?.retarget(positions);
  };

  /** Moves nodes and camera on, and draws them. */
  private step(now: number, since: number, resting: boolean): Activity {
    const { active } = this.motion;
    const moving = this.motion.advance(now, since, this.begin);
    if (active) this.watch();
    const watched = this.camera.step(now);
    if (this.host.renderer && this.host.width > 0 && this.host.height > 0) {
      this.host.prepare();
      this.draw(this.view(resting));
    }
    if (watched && !this.camera.following) return "camera";
    return moving || watched ? "layout" : "none";
  }

  /** Brings positions that were set without a move to the GPU. */
  private upload(): void {
    if (this.unplaced) this.host.renderer?.place();
    this.unplaced = false;
  }

  private draw(view: View): void {
    this.upload();
    this.host.renderer?.draw(view);
  }

  private watch(): void {
    const { bounds } = this.motion;
    if (bounds && !this.steady) this.camera.watch(bounds, Math.min(40, this.largest) + RING.gapMost + RING.widthMost);
  }

  /** What is to be drawn on the canvas as it was prepared. */
  private view(resting: boolean): View {
    const { ratio, columns, rows } = this.host;
    const scale = this.camera.scale * ratio;
    const area = this.motion.bounds ?? { left: 0, bottom: 0, right: 0, top: 0 };
    const { shown: edges, looks } = this.state;
    const grow = growth(this.camera.scale, this.camera.fitScale);
    const count = Math.min(edges, this.budget.count(!resting, this.info.mostEdges));
    // A part of the edges is drawn a little stronger than all would be, or the picture would fade whenever it moves.
    const style = edgeStyle(
      Math.sqrt(count * edges) * this.lengths.share,
      this.lengths.along(this.state.tween),
      area,
      scale,
      ratio,
      looks.widths ? { mean: this.meanWidth, zoom: grow } : null,
    );
    return {
      width: columns,
      height: rows,
      ratio,
      x: this.camera.x,
      y: this.camera.y,
      scale,
      grow: grow * ratio,
      least: LEAST_RADIUS,
      opacity: this.opacity(),
      reach: ringOf(Math.max(LEAST_RADIUS, this.largest * grow * ratio), ratio)[1] + 1,
      edges: { ...style, count },
    };
  }

  /** How opaque discs are: as if those in sight were all, since close up nobody is crowded. */
  private opacity(): number {
    const { width, height } = this.host;
    const zoom = Math.max(1, this.camera.zoom);
    // While all are in sight it is the same at every draw.
    const { known } = this;
    if (zoom !== known.zoom || width !== known.width || height !== known.height) {
      const { opacity } = dotStyle(this.state.nodes / zoom ** 2, layoutArea(width, height));
      this.known = { zoom, width, height, opacity };
    }
    return this.known.opacity;
  }

  private discs(): Discs {
    const { flags, radii, order } = this.state;
    const grow = growth(this.camera.scale, this.camera.fitScale);
    const least = LEAST_RADIUS / this.host.ratio;
    return { positions: this.positions, flags, radii, order, grow, least, most: Math.max(least, this.largest * grow) };
  }

  private projection(): Projection {
    const [left, top] = this.camera.toScreen(0, 0);
    return { left, top, scale: this.camera.scale };
  }

  private expect(values: ArrayLike<number>, each: number, what: string): void {
    const length = each * this.state.nodes;
    if (values.length !== length)
      throw new Error(`A scene of ${this.state.nodes} nodes takes ${length} numbers as ${what}, not ${values.length}.`);
  }
}
