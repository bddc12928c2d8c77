// The same picture without WebGL2. Slower, so it batches where the picture allows it.

import { FADED, HIDDEN, RAISED, SELECTED } from "../data/types.js";
import { MOST_STYLED_ON_CANVAS, strokeEdges } from "./edges/canvas-edges.js";
import { isStyled } from "./edges/edge-look.js";
import {
  clearShare,
  context2d,
  edgeInk,
  FADED_EDGE,
  FADED_NODE,
  LAYERS,
  layerOf,
  type Part,
  type Renderer,
  RIM,
  raisedColor,
  raisedStyle,
  ringOf,
  type SceneState,
  spread,
  spreadPairs,
  type UnitRgba,
  type View,
} from "./renderer.js";

/** Strokes a draw: edges in one stroke do not darken each other where they cross, so there are many, but not one each. */
const STROKES = 4000;

/** Discs with a smaller radius in device pixels are drawn as squares; more of them than this not one by one. */
const DOT = 1.5;
const MANY = 2000;
/** Graphs of this size end up as dots, and their picture is better kept where it can be written to. */
const MANY_NODES = 50_000;

/** A renderer on a canvas that has no context yet, or null where there is no 2D context either. */
export function createCanvas2D(canvas: HTMLCanvasElement, state: SceneState): Renderer | null {
  const context = context2d(canvas, { alpha: false, willReadFrequently: state.nodes > MANY_NODES });
  return context ? new Canvas2D(context, state) : null;
}

class Canvas2D implements Renderer {
  /** The edges, or their ends, in the order in which a part stands for all. */
  private spreadEdges: Uint32Array | null = null;
  private spreadEnds: Uint32Array | null = null;
  private readonly colors = new Map<number, string>();

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly state: SceneState,
  ) {}

  // Nearly everything is read from the state at each draw.
  place(): void {}
  retarget(): void {}
  patch(): void {}
  changed(part: Part): void {
    if (part === "edges") this.spreadEnds = null;
  }
  destroy(): void {
    this.spreadEdges = this.spreadEnds = null;
  }

  draw(view: View): void {
    const { context, state } = this;
    context.globalAlpha = 1;
    context.fillStyle = css(state.background);
    context.fillRect(0, 0, view.width, view.height);
    if (state.nodes === 0 || !state.placed) return;
    const at = this.project(view);
    if (state.edgesVisible) this.drawEdges(view, at);
    for (let layer = 0; layer < LAYERS - 1; layer++) this.drawLayer(view, at, layer);
    if (state.raisedEdges.length > 0) this.drawRaised(view, at);
    this.drawLayer(view, at, LAYERS - 1);
    context.globalAlpha = 1;
  }

  /** Device pixels of every node. */
  private project(view: View): Float32Array {
    const world = this.state.tween.now();
    const at = new Float32Array(world.length);
    for (let i = 0; i < world.length; i += 2) {
      at[i] = view.width / 2 + (world[i] - view.x) * view.scale;
      at[i + 1] = view.height / 2 - (world[i + 1] - view.y) * view.scale;
    }
    return at;
  }

  private drawEdges(view: View, at: Float32Array): void {
    const { context, state } = this;
    const { flags, looks, background, edge } = state;
    const { count } = view.edges;
    const { alpha, depth } = edgeInk(looks, view.edges);
    if (isStyled(looks) && state.shown <= MOST_STYLED_ON_CANVAS) {
      this.spreadEdges ??= spread(state.pairs.length >> 1);
      const shown = this.spreadEdges.subarray(0, Math.ceil((count / state.shown) * this.spreadEdges.length));
      const color: UnitRgba = [edge[0], edge[1], edge[2], edge[3] * alpha];
      const pen = looks.widths ? view.edges.pen : view.edges.width;
      strokeEdges(context, state, view, at, shown, { pen, least: 0, color, depth, clear: clearShare(state) });
      return;
    }
    this.spreadEnds ??= spreadPairs(state.pairs, looks.hidden);
    const pairs = this.spreadEnds;
    const batch = Math.ceil(count / STROKES);
    const mix = (k: 0 | 1 | 2): number => background[k] + (edge[k] - background[k]) * depth;
    context.strokeStyle = css([mix(0), mix(1), mix(2), 1]);
    context.lineWidth = view.edges.width;
    context.lineCap = "butt";
    for (const faded of [true, false]) {
      if (faded && (state.layers & 1) === 0) continue;
      context.globalAlpha = edge[3] * alpha * (faded ? FADED_EDGE : clearShare(state));
      let held = 0;
      context.beginPath();
      for (let k = 0; k < count; k++) {
        const i = pairs[2 * k];
        const j = pairs[2 * k + 1];
        const either = flags[i] | flags[j];
        if ((either & HIDDEN) !== 0 || ((either & FADED) !== 0) !== faded || beside(view, at, i, j)) continue;
        context.moveTo(at[2 * i], at[2 * i + 1]);
        context.lineTo(at[2 * j], at[2 * j + 1]);
        if (++held < batch) continue;
        context.stroke();
        context.beginPath();
        held = 0;
      }
      if (held > 0) context.stroke();
    }
  }

  private drawRaised(view: View, at: Float32Array): void {
    const { context, state } = this;
    const { alpha, width } = raisedStyle(state.raisedEdges.length, view.ratio);
    const pen = state.looks.widths ? view.edges.pen : width;
    const color: UnitRgba = [...raisedColor(state), alpha];
    strokeEdges(context, state, view, at, state.raisedEdges, { pen, least: width, color, depth: 1, clear: 1 });
  }

  private drawLayer(view: View, at: Float32Array, layer: number): void {
    const { state } = this;
    if ((state.layers & (1 << layer)) === 0) return;
    const shown: number[] = [];
    for (let k = 0; k < state.nodes; k++) {
      const i = state.order ? state.order[k] : k;
      const flag = state.flags[i];
      if ((flag & HIDDEN) !== 0 || layerOf(flag) !== layer) continue;
      const margin = ringOf(this.size(view, i), view.ratio)[1];
      if (
        at[2 * i] < -margin ||
        at[2 * i + 1] < -margin ||
        at[2 * i] > view.width + margin ||
        at[2 * i + 1] > view.height + margin
      )
        continue;
      shown.push(i);
    }
    if (layer >= 2) this.drawRings(view, at, shown);
    this.drawDiscs(view, at, shown);
  }

  private drawRings(view: View, at: Float32Array, shown: readonly number[]): void {
    const { context, state } = this;
    const [background, selection] = [css(state.background), css(state.selection)];
    for (const i of shown) {
      if ((state.flags[i] & SELECTED) === 0) continue;
      const [inner, outer] = ringOf(this.size(view, i), view.ratio);
      context.globalAlpha = this.alpha(view, i);
      this.disc(at[2 * i], at[2 * i + 1], outer, selection);
      this.disc(at[2 * i], at[2 * i + 1], inner, background);
    }
  }

  private drawDiscs(view: View, at: Float32Array, shown: readonly number[]): void {
    const background = css(this.state.background);
    const dots = shown.filter((i) => this.size(view, i) < DOT);
    const many = dots.length > MANY;
    if (many) this.blit(view, at, dots);
    for (const i of shown) {
      const size = this.size(view, i);
      if (many && size < DOT) continue;
      const rim = size > RIM.from * view.ratio ? Math.min(RIM.part * size, RIM.most * view.ratio) : 0;
      this.context.globalAlpha = this.alpha(view, i);
      if (rim > 0) this.disc(at[2 * i], at[2 * i + 1], size, background);
      if (size < DOT) this.dot(at[2 * i], at[2 * i + 1], size, this.color(i));
      else this.disc(at[2 * i], at[2 * i + 1], size - rim, this.color(i));
    }
  }

  /** Writes dots into the picture's memory: a call for each of a million would take minutes. */
  private blit(view: View, at: Float32Array, dots: readonly number[]): void {
    const { context, state } = this;
    const { rgba } = state;
    const image = context.getImageData(0, 0, view.width, view.height);
    const { data, width, height } = image;
    for (const i of dots) {
      const side = Math.max(1, Math.round(this.size(view, i) * Math.sqrt(Math.PI)));
      const alpha = this.alpha(view, i);
      const left = Math.round(at[2 * i] - side / 2);
      const top = Math.round(at[2 * i + 1] - side / 2);
      for (let y = Math.max(0, top); y < Math.min(height, top + side); y++) {
        for (let x = Math.max(0, left); x < Math.min(width, left + side); x++) {
          const to = 4 * (y * width + x);
          for (let k = 0; k < 3; k++) data[to + k] += (rgba[4 * i + k] - data[to + k]) * alpha;
        }
      }
    }
    context.putImageData(image, 0, 0);
  }

  private size(view: View, node: number): number {
    return Math.max(view.least, this.state.radii[node] * view.grow);
  }

  private alpha({ opacity }: View, node: number): number {
    const flags = this.state.flags[node];
    const own = this.state.rgba[4 * node + 3] / 255;
    return own * ((flags & FADED) !== 0 ? FADED_NODE : 1) * (flags & (SELECTED | RAISED) ? 1 : opacity);
  }

  private disc(x: number, y: number, radius: number, color: string): void {
    const { context } = this;
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }

  /** A disc of a pixel or two is a square to the eye, and much cheaper as one. */
  private dot(x: number, y: number, radius: number, color: string): void {
    const side = radius * Math.sqrt(Math.PI);
    this.context.fillStyle = color;
    this.context.fillRect(x - side / 2, y - side / 2, side, side);
  }

  /** NearestHeap colours are used by many nodes, and making the text costs more than drawing a dot. */
  private color(node: number): string {
    const { rgba } = this.state;
    const key = (rgba[4 * node] << 16) | (rgba[4 * node + 1] << 8) | rgba[4 * node + 2];
    let text = this.colors.get(key);
    if (text === undefined) {
      text = `#${key.toString(16).padStart(6, "0")}`;
      this.colors.set(key, text);
    }
    return text;
  }
}

/** Whether an edge is wholly on one side of the view. */
function beside(view: View, at: Float32Array, i: number, j: number): boolean {
  const a = at[2 * i];
  const b = at[2 * j];
  const c = at[2 * i + 1];
  const d = at[2 * j + 1];
  return (
    (a < 0 && b < 0) || (c < 0 && d < 0) || (a > view.width && b > view.width) || (c > view.height && d > view.height)
  );
}

function css([r, g, b]: UnitRgba): string {
  return `rgb(${Math.round(255 * r)},${Math.round(255 * g)},${Math.round(255 * b)})`;
}
