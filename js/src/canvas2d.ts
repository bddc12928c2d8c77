// The same picture without WebGL2. Slower, so it batches where the picture allows it.

import { FADED, HIDDEN, SELECTED } from "./types.js";
import { clearShare, context2d, edgeColor, FADED_EDGE, FADED_NODE, LAYERS, layerOf, raisedColor, raisedStyle, RIM, ringOf, spread, type Model, type Renderer, type Rgba, type View } from "./renderer.js";

/** Strokes a draw: edges in one stroke do not darken each other where they cross, so there are many, but not one each. */
const STROKES = 4000;

/** Discs with a smaller radius in device pixels are drawn as squares; more of them than this not one by one. */
const DOT = 1.5;
const MANY = 2000;
/** Graphs of this size end up as dots, and their picture is better kept where it can be written to. */
const MANY_NODES = 50_000;

/** A renderer on a canvas that has no context yet, or null where there is no 2D context either. */
export function createCanvas2D(canvas: HTMLCanvasElement, model: Model): Renderer | null {
  const context = context2d(canvas, { alpha: false, willReadFrequently: model.nodes > MANY_NODES });
  return context ? new Canvas2D(context, model) : null;
}

class Canvas2D implements Renderer {
  private order: Uint32Array | null = null;
  private readonly colors = new Map<number, string>();

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly model: Model,
  ) {}

  // Everything is read from the model at each draw.
  place(): void {}
  retarget(): void {}
  changed(): void {}
  destroy(): void {
    this.order = null;
  }

  draw(view: View): void {
    const { context, model } = this;
    context.globalAlpha = 1;
    context.fillStyle = css(model.background);
    context.fillRect(0, 0, view.width, view.height);
    if (model.nodes === 0 || !model.placed) return;
    const at = this.project(view);
    if (model.edgesVisible) this.drawEdges(view, at);
    for (let layer = 0; layer < LAYERS - 1; layer++) this.drawLayer(view, at, layer);
    if (model.raised >= 0) this.drawRaised(view, at);
    this.drawLayer(view, at, LAYERS - 1);
    context.globalAlpha = 1;
  }

  /** Device pixels of every node. */
  private project(view: View): Float32Array {
    const world = this.model.trail.now();
    const at = new Float32Array(world.length);
    for (let i = 0; i < world.length; i += 2) {
      at[i] = view.width / 2 + (world[i] - view.x) * view.scale;
      at[i + 1] = view.height / 2 - (world[i + 1] - view.y) * view.scale;
    }
    return at;
  }

  private drawEdges(view: View, at: Float32Array): void {
    const { context, model } = this;
    const { flags } = model;
    this.order ??= spread(model.pairs);
    const pairs = this.order;
    const { count } = view.edges;
    const batch = Math.ceil(count / STROKES);
    context.strokeStyle = css(edgeColor(model, view.edges));
    context.lineWidth = view.edges.width;
    context.lineCap = "butt";
    for (const faded of [true, false]) {
      if (faded && (model.layers & 1) === 0) continue;
      context.globalAlpha = model.edge[3] * view.edges.alpha * (faded ? FADED_EDGE : clearShare(model));
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
    const { context, model } = this;
    const { raised, raisedEnds, flags } = model;
    if ((flags[raised] & HIDDEN) !== 0) return;
    const ends = raisedEnds.filter((end) => (flags[end] & HIDDEN) === 0);
    const { alpha, width } = raisedStyle(ends.length, view.ratio);
    context.globalAlpha = alpha;
    context.strokeStyle = css([...raisedColor(model), 1]);
    context.lineWidth = width;
    for (const end of ends) {
      context.beginPath();
      context.moveTo(at[2 * raised], at[2 * raised + 1]);
      context.lineTo(at[2 * end], at[2 * end + 1]);
      context.stroke();
    }
  }

  private drawLayer(view: View, at: Float32Array, layer: number): void {
    const { model } = this;
    if ((model.layers & (1 << layer)) === 0) return;
    const shown: number[] = [];
    for (let i = 0; i < model.nodes; i++) {
      const flag = model.flags[i];
      if ((flag & HIDDEN) !== 0 || layerOf(flag) !== layer) continue;
      const beyond = ringOf(this.size(view, i), view.ratio)[1];
      if (at[2 * i] < -beyond || at[2 * i + 1] < -beyond || at[2 * i] > view.width + beyond || at[2 * i + 1] > view.height + beyond) continue;
      shown.push(i);
    }
    if (layer >= 2) this.drawRings(view, at, shown);
    this.drawDiscs(view, at, shown);
  }

  private drawRings(view: View, at: Float32Array, shown: readonly number[]): void {
    const { context, model } = this;
    const [background, selection] = [css(model.background), css(model.selection)];
    for (const i of shown) {
      if ((model.flags[i] & SELECTED) === 0) continue;
      const [inner, outer] = ringOf(this.size(view, i), view.ratio);
      context.globalAlpha = this.alpha(i);
      this.disc(at[2 * i], at[2 * i + 1], outer, selection);
      this.disc(at[2 * i], at[2 * i + 1], inner, background);
    }
  }

  private drawDiscs(view: View, at: Float32Array, shown: readonly number[]): void {
    const background = css(this.model.background);
    const dots = shown.filter((i) => this.size(view, i) < DOT);
    const many = dots.length > MANY;
    if (many) this.blit(view, at, dots);
    for (const i of shown) {
      const size = this.size(view, i);
      if (many && size < DOT) continue;
      const rim = size > RIM.from * view.ratio ? Math.min(RIM.part * size, RIM.most * view.ratio) : 0;
      this.context.globalAlpha = this.alpha(i);
      if (rim > 0) this.disc(at[2 * i], at[2 * i + 1], size, background);
      if (size < DOT) this.dot(at[2 * i], at[2 * i + 1], size, this.color(i));
      else this.disc(at[2 * i], at[2 * i + 1], size - rim, this.color(i));
    }
  }

  /** Writes dots into the picture's memory: a call for each of a million would take minutes. */
  private blit(view: View, at: Float32Array, dots: readonly number[]): void {
    const { context, model } = this;
    const { rgba } = model;
    const image = context.getImageData(0, 0, view.width, view.height);
    const { data, width, height } = image;
    for (const i of dots) {
      const side = Math.max(1, Math.round(this.size(view, i) * Math.sqrt(Math.PI)));
      const alpha = this.alpha(i);
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
    return Math.max(view.least, this.model.radii[node] * view.grow);
  }

  private alpha(node: number): number {
    return (this.model.rgba[4 * node + 3] / 255) * ((this.model.flags[node] & FADED) !== 0 ? FADED_NODE : 1);
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

  /** Few colours are used by many nodes, and making the text costs more than drawing a dot. */
  private color(node: number): string {
    const { rgba } = this.model;
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
  return (a < 0 && b < 0) || (c < 0 && d < 0) || (a > view.width && b > view.width) || (c > view.height && d > view.height);
}

function css([r, g, b]: Rgba): string {
  return `rgb(${Math.round(255 * r)},${Math.round(255 * g)},${Math.round(255 * b)})`;
}
