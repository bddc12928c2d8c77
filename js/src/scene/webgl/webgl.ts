// The scene drawn with WebGL2: one buffer of positions for discs and lines, two frames of it, and what lies between
// them is worked out on the GPU.

import { drawnOneByOne } from "../edges/edge-look.js";
import { rowsOfEdges } from "../edges/edge-rows.js";
import {
  clearShare,
  edgeInk,
  LAYERS,
  type Part,
  type Renderer,
  RING,
  raisedColor,
  raisedStyle,
  type SceneState,
  spread,
  spreadPairs,
  type UnitRgba,
  type View,
} from "../renderer.js";
import { buffer, compile, type Program } from "./gpu.js";
import { padded, RibbonSet, Ribbons, type Stroke } from "./ribbons.js";
import * as shader from "./shaders.js";

export interface Capability {
  /** Why there is no WebGL2; "" where there is. */
  readonly reason: string;
  readonly software: boolean;
  readonly name: string;
}

let known: Capability | null = null;

/** What the browser can do: asked once, with a context that is given back, since smoothing must be chosen beforehand. */
export function capability(): Capability {
  if (known) return known;
  let gl: WebGL2RenderingContext | null = null;
  try {
    gl = document.createElement("canvas").getContext("webgl2");
  } catch {
    // jsdom and locked-down browsers throw instead of answering null.
  }
  if (!gl) return { reason: "WebGL2 is not available in this browser", software: false, name: "" };
  const unmasked = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(unmasked ? unmasked.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? "");
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  known = { reason: "", software: /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name), name };
  return known;
}

/** A renderer on a canvas that has no context yet; throws an Error that says why there is none. */
export function createWebGL(canvas: HTMLCanvasElement, state: SceneState): Renderer {
  const { reason, software } = capability();
  if (reason) throw new Error(reason);
  const gl = canvas.getContext("webgl2", {
    // Blended lines would make an alpha channel translucent, and the page would shine through.
    alpha: false,
    antialias: !software,
    depth: false,
    stencil: false,
    preserveDrawingBuffer: false,
    powerPreference: state.nodes + state.pairs.length > 100_000 ? "high-performance" : "default",
  });
  if (!gl) throw new Error("The browser gave no WebGL2 context");
  try {
    return new WebGL(gl, state);
  } catch (error) {
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    throw error;
  }
}

/** Layers in which there can be rings: of the selected, and of the raised that are selected, too. */
const SELECTED_LAYERS = 0b1100;

class WebGL implements Renderer {
  private readonly discs: Program;
  private readonly lines: Program;
  private readonly ribbons: Ribbons;
  private readonly blend: Program;
  private from: WebGLBuffer;
  private to: WebGLBuffer;
  private spare: WebGLBuffer;
  private readonly colors: WebGLBuffer;
  private readonly radii: WebGLBuffer;
  private readonly flags: WebGLBuffer;
  /** The ends of the edges that are drawn as lines, and behind them the order of the discs. */
  private readonly indices: WebGLBuffer;
  private orderAt = 0;
  /** All edges, where they are drawn one by one, and those that stand out. */
  private readonly edges: RibbonSet;
  private readonly raised: RibbonSet;
  private positionsVersion = 0;
  private readonly largestPoint: number;
  /** Discs and lines read the same buffers; ribbons read none. */
  private readonly array: WebGLVertexArrayObject;
  private readonly nothing: WebGLVertexArrayObject;
  private readonly feedback: WebGLTransformFeedback;
  /** What the browser was told last. */
  private boundBuffer: WebGLBuffer | null = null;
  private boundArray: WebGLVertexArrayObject | null = null;
  private viewport = { border: -1, width: 0, height: 0 };
  private cleared: UnitRgba | null = null;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly state: SceneState,
  ) {
    this.discs = compile(gl, shader.DISC_VERTEX, shader.DISC_FRAGMENT);
    this.lines = compile(gl, shader.LINE_VERTEX, shader.LINE_FRAGMENT);
    this.ribbons = new Ribbons(gl, state);
    this.blend = compile(gl, shader.BLEND_VERTEX, shader.BLEND_FRAGMENT, ["between"]);
    // Whole rows of a texture, since textures are filled from them.
    const bytes = 8 * padded(state.nodes);
    this.from = buffer(gl, bytes, gl.DYNAMIC_DRAW);
    this.to = buffer(gl, bytes, gl.DYNAMIC_DRAW);
    this.spare = buffer(gl, bytes, gl.DYNAMIC_COPY);
    this.colors = buffer(gl, 4 * state.nodes, gl.STATIC_DRAW);
    this.radii = buffer(gl, 4 * state.nodes, gl.STATIC_DRAW);
    this.flags = buffer(gl, state.nodes, gl.DYNAMIC_DRAW);
    this.edges = new RibbonSet(gl);
    this.raised = new RibbonSet(gl);
    this.largestPoint = (gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE) as Float32Array | null)?.[1] ?? 64;
    this.indices = gl.createBuffer();
    this.array = gl.createVertexArray();
    this.nothing = gl.createVertexArray();
    this.feedback = gl.createTransformFeedback();
    this.describe();
    for (const part of ["colors", "radii", "flags", "edges", "raised"] as const) this.changed(part);
    this.place();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  place(): void {
    this.fill(this.to, this.state.tween.to);
    this.positionsVersion++;
  }

  retarget(positions: Float32Array): void {
    const { t } = this.state.tween;
    if (t < 1) {
      this.capture(t);
      [this.from, this.to, this.spare] = [this.spare, this.from, this.to];
    } else {
      [this.from, this.to] = [this.to, this.from];
    }
    this.fill(this.to, positions);
    this.positionsVersion++;
    this.point();
  }

  patch(nodes: Uint32Array): void {
    const { gl } = this;
    const goal = this.state.tween.to;
    for (const buffer of [this.from, this.to]) {
      this.bindBuffer(buffer);
      for (const node of nodes) gl.bufferSubData(gl.ARRAY_BUFFER, 8 * node, goal, 2 * node, 2);
    }
    this.positionsVersion++;
  }

  changed(part: Part): void {
    const { gl, state } = this;
    if (part === "order") {
      this.bindArray(this.array);
      if (state.order) gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, this.orderAt, state.order);
      return;
    }
    if (part === "edges") {
      this.index();
      return;
    }
    if (part === "raised") {
      this.raised.load(rowsOfEdges(state.pairs, state.looks, state.raisedEdges));
      return;
    }
    this.fill(this[part], part === "colors" ? state.rgba : state[part]);
    this.ribbons.changed(part === "flags" ? "flags" : "styles");
  }

  draw(view: View): void {
    const { gl, state } = this;
    this.prepare(view);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (state.nodes === 0 || !state.placed) return;
    if (state.edgesVisible && view.edges.count > 0) {
      if (this.oneByOne) this.drawRibbons(view);
      else this.drawLines(view);
    }
    const raised = state.raisedEdges.length > 0;
    // One layer holds every node unless something stands out.
    if (state.layers & (state.layers - 1)) {
      for (let layer = 0; layer < LAYERS - 1; layer++) if (state.layers & (1 << layer)) this.drawDiscs(view, layer);
      if (raised) this.drawRaised(view);
      if (state.layers & (1 << (LAYERS - 1))) this.drawDiscs(view, LAYERS - 1);
    } else {
      if (raised) this.drawRaised(view);
      this.drawDiscs(view, -1);
    }
  }

  destroy(): void {
    const { gl } = this;
    for (const { program } of [this.discs, this.lines, this.blend]) gl.deleteProgram(program);
    for (const held of [this.from, this.to, this.spare, this.colors, this.radii, this.flags, this.indices])
      gl.deleteBuffer(held);
    for (const held of [this.ribbons, this.edges.table, this.raised.table]) held.destroy();
    for (const array of [this.array, this.nothing]) gl.deleteVertexArray(array);
    gl.deleteTransformFeedback(this.feedback);
    // A page has few contexts: this one is given back now, not when the canvas happens to be collected.
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  /** Writes what is drawn now into the spare buffer. */
  private capture(t: number): void {
    const { gl } = this;
    this.blend.use();
    this.blend.set("move", 0, 0, t);
    this.bindArray(this.array);
    gl.enable(gl.RASTERIZER_DISCARD);
    this.bindBuffer(null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, this.feedback);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, this.spare);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, this.state.nodes);
    gl.endTransformFeedback();
    // A buffer that is bound here cannot be read as an attribute.
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.disable(gl.RASTERIZER_DISCARD);
  }

  private describe(): void {
    const { gl } = this;
    this.bindArray(this.array);
    this.attribute(shader.COLOR, this.colors, 4, gl.UNSIGNED_BYTE);
    this.attribute(shader.RADIUS, this.radii, 1, gl.FLOAT);
    this.bindBuffer(this.flags);
    gl.enableVertexAttribArray(shader.FLAGS);
    gl.vertexAttribIPointer(shader.FLAGS, 1, gl.UNSIGNED_BYTE, 0, 0);
    this.point();
  }

  private get oneByOne(): boolean {
    return drawnOneByOne(this.state.pairs.length >> 1, this.state.looks);
  }

  /** Brings the edges to the graphics card, as rows or as ends of lines, and behind those the order of the discs. */
  private index(): void {
    const { gl } = this;
    const { nodes, pairs, looks } = this.state;
    const lines = this.oneByOne ? new Uint32Array(0) : spreadPairs(pairs, looks.hidden);
    if (this.oneByOne) this.edges.load(rowsOfEdges(pairs, looks, spread(pairs.length >> 1)));
    this.orderAt = 4 * lines.length;
    this.bindArray(this.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.orderAt + 4 * nodes, gl.STATIC_DRAW);
    gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, lines);
    this.changed("order");
    this.changed("raised");
  }

  /** Lets the vertex array read the buffers that are from and to now. */
  private point(): void {
    const { gl } = this;
    this.bindArray(this.array);
    this.attribute(shader.FROM, this.from, 2, gl.FLOAT);
    this.attribute(shader.TO, this.to, 2, gl.FLOAT);
  }

  private attribute(index: number, source: WebGLBuffer, size: number, type: number): void {
    const { gl } = this;
    this.bindBuffer(source);
    gl.enableVertexAttribArray(index);
    gl.vertexAttribPointer(index, size, type, type === gl.UNSIGNED_BYTE, 0, 0);
  }

  // What is bound stays so: binding it again would be a call for nothing at every frame.

  private bindBuffer(buffer: WebGLBuffer | null): void {
    if (this.boundBuffer === buffer) return;
    this.boundBuffer = buffer;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
  }

  private bindArray(array: WebGLVertexArrayObject): void {
    if (this.boundArray === array) return;
    this.boundArray = array;
    this.gl.bindVertexArray(array);
  }

  private fill(buffer: WebGLBuffer, values: Float32Array | Uint8Array): void {
    this.bindBuffer(buffer);
    this.gl.bufferSubData(this.gl.ARRAY_BUFFER, 0, values);
  }

  /** Sets what all parts of a draw share. */
  private prepare(view: View): void {
    const { gl, viewport, cleared } = this;
    // A point is dropped when its centre is out of the viewport, so the viewport reaches into the canvas as far as a disc can.
    const border = Math.ceil(Math.min(view.reach, this.largestPoint / 2));
    const width = view.width + 2 * border;
    const height = view.height + 2 * border;
    if (viewport.border !== border || viewport.width !== width || viewport.height !== height) {
      this.viewport = { border, width, height };
      gl.viewport(-border, -border, width, height);
    }
    const { background } = this.state;
    if (cleared !== background) {
      this.cleared = background;
      gl.clearColor(background[0], background[1], background[2], 1);
    }
  }

  private use(program: Program, view: View): void {
    const { width, height } = this.viewport;
    const x = Math.fround(view.x);
    const y = Math.fround(view.y);
    const unitX = (2 * view.scale) / width;
    const unitY = (2 * view.scale) / height;
    program.use();
    program.set("world", x, y, unitX, unitY);
    program.set("move", (x - view.x) * unitX, (y - view.y) * unitY, this.state.tween.t);
  }

  private drawDiscs(view: View, layer: number): void {
    const { state, discs } = this;
    const most = Math.max(view.least, this.largestPoint / 2 - 1 - (RING.gapMost + RING.widthMost) * view.ratio);
    this.use(discs, view);
    discs.set("sizes", view.grow, view.least, most, view.ratio);
    discs.set("background", state.background[0], state.background[1], state.background[2]);
    discs.set("selection", state.selection[0], state.selection[1], state.selection[2]);
    this.bindArray(this.array);
    if (state.layers & SELECTED_LAYERS && (layer < 0 || (1 << layer) & SELECTED_LAYERS)) {
      discs.set("pass", layer, 1, view.opacity);
      this.drawPoints();
    }
    discs.set("pass", layer, 0, view.opacity);
    this.drawPoints();
  }

  private drawPoints(): void {
    const { gl, state } = this;
    if (state.order) gl.drawElements(gl.POINTS, state.nodes, gl.UNSIGNED_INT, this.orderAt);
    else gl.drawArrays(gl.POINTS, 0, state.nodes);
  }

  private drawLines(view: View): void {
    const { gl, lines, state } = this;
    this.use(lines, view);
    const { edge, background, looks } = state;
    const { alpha, depth } = edgeInk(looks, view.edges);
    const mixed = (k: 0 | 1 | 2): number => background[k] + (edge[k] - background[k]) * depth;
    lines.set("ink", mixed(0), mixed(1), mixed(2), edge[3] * alpha);
    lines.set("background", background[0], background[1], background[2]);
    // The depth changes at every frame that moves: without colours of the ends it would be a call for nothing.
    lines.set("share", clearShare(state), looks.ends ? 1 : 0, looks.ends ? depth : 0);
    this.bindArray(this.array);
    gl.drawElements(gl.LINES, 2 * view.edges.count, gl.UNSIGNED_INT, 0);
  }

  private drawRibbons(view: View): void {
    const { state } = this;
    const { alpha, depth } = edgeInk(state.looks, view.edges);
    const [red, green, blue, own] = state.edge;
    this.drawSet(this.edges, view, {
      pen: state.looks.widths ? view.edges.pen : view.edges.width,
      least: 0,
      color: [red, green, blue, own * alpha],
      depth,
      clear: clearShare(state),
      part: view.edges.count / state.shown,
    });
  }

  private drawRaised(view: View): void {
    const { state } = this;
    const { alpha, width } = raisedStyle(state.raisedEdges.length, view.ratio);
    this.drawSet(this.raised, view, {
      pen: state.looks.widths ? view.edges.pen : width,
      least: width,
      color: [...raisedColor(state), alpha],
      depth: 1,
      clear: 1,
      part: 1,
    });
  }

  private drawSet(set: RibbonSet, view: View, stroke: Stroke): void {
    this.use(this.ribbons.program, view);
    this.bindArray(this.nothing);
    this.ribbons.draw(
      set,
      view,
      this.viewport,
      { from: this.from, to: this.to, version: this.positionsVersion },
      stroke,
    );
  }
}
