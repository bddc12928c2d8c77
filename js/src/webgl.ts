// The scene drawn with WebGL2: one buffer of positions for discs and lines, two frames of it, and what lies between
// them is worked out on the GPU.

import { FADED, HIDDEN } from "./types.js";
import { clearShare, edgeColor, FADED_EDGE, FINE_EDGES, LAYERS, raisedColor, raisedStyle, RING, spread, type Model, type Part, type Renderer, type Rgba, type View } from "./renderer.js";
import { buffer, compile, Segments, type Program } from "./gpu.js";
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
export function createWebGL(canvas: HTMLCanvasElement, model: Model): Renderer {
  const { reason, software } = capability();
  if (reason) throw new Error(reason);
  const gl = canvas.getContext("webgl2", {
    // Blended lines would make an alpha channel translucent, and the page would shine through.
    alpha: false,
    antialias: !software,
    depth: false,
    stencil: false,
    preserveDrawingBuffer: false,
    powerPreference: model.nodes + model.pairs.length > 100_000 ? "high-performance" : "default",
  });
  if (!gl) throw new Error("The browser gave no WebGL2 context");
  try {
    return new WebGL(gl, model);
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
  private readonly strokes: Program;
  private readonly blend: Program;
  private from: WebGLBuffer;
  private to: WebGLBuffer;
  private spare: WebGLBuffer;
  private readonly colors: WebGLBuffer;
  private readonly radii: WebGLBuffer;
  private readonly flags: WebGLBuffer;
  private readonly pairs: WebGLBuffer;
  private readonly fine: Segments;
  private readonly raised: Segments;
  /** The state that the fine edges were collected for, and how many of them are clear and faded. */
  private fineFor = "";
  private fineCount: readonly [number, number] = [0, 0];
  private flagsVersion = 0;
  private positionsVersion = 0;
  private readonly largestPoint: number;
  /** Discs and lines read the same buffers; strokes read none. */
  private readonly array: WebGLVertexArrayObject;
  private readonly nothing: WebGLVertexArrayObject;
  private readonly feedback: WebGLTransformFeedback;
  /** What the browser was told last. */
  private boundBuffer: WebGLBuffer | null = null;
  private boundArray: WebGLVertexArrayObject | null = null;
  private viewport = { border: -1, width: 0, height: 0 };
  private cleared: Rgba | null = null;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly model: Model,
  ) {
    this.discs = compile(gl, shader.DISC_VERTEX, shader.DISC_FRAGMENT);
    this.lines = compile(gl, shader.LINE_VERTEX, shader.LINE_FRAGMENT);
    this.strokes = compile(gl, shader.STROKE_VERTEX, shader.STROKE_FRAGMENT);
    this.blend = compile(gl, shader.BLEND_VERTEX, shader.BLEND_FRAGMENT, ["between"]);
    const bytes = 8 * model.nodes;
    this.from = buffer(gl, bytes, gl.DYNAMIC_DRAW);
    this.to = buffer(gl, bytes, gl.DYNAMIC_DRAW);
    this.spare = buffer(gl, bytes, gl.DYNAMIC_COPY);
    this.colors = buffer(gl, 4 * model.nodes, gl.STATIC_DRAW);
    this.radii = buffer(gl, 4 * model.nodes, gl.STATIC_DRAW);
    this.flags = buffer(gl, model.nodes, gl.DYNAMIC_DRAW);
    this.fine = new Segments(gl);
    this.raised = new Segments(gl);
    this.largestPoint = (gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE) as Float32Array | null)?.[1] ?? 64;
    this.pairs = gl.createBuffer();
    this.array = gl.createVertexArray();
    this.nothing = gl.createVertexArray();
    this.feedback = gl.createTransformFeedback();
    this.describe();
    for (const part of ["colors", "radii", "flags"] as const) this.changed(part);
    this.place();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  place(): void {
    this.fill(this.to, this.model.trail.to);
    this.positionsVersion++;
  }

  retarget(positions: Float32Array): void {
    const { t } = this.model.trail;
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

  changed(part: Part): void {
    const { model } = this;
    this.fill(this[part], part === "colors" ? model.rgba : model[part]);
    if (part === "flags") this.flagsVersion++;
  }

  draw(view: View): void {
    const { gl, model } = this;
    this.prepare(view);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (model.nodes === 0 || !model.placed) return;
    if (model.edgesVisible && view.edges.count > 0) {
      if (model.pairs.length / 2 <= FINE_EDGES) this.drawFine(view);
      else this.drawLines(view);
    }
    const raised = model.raised >= 0 && model.raisedEnds.length > 0;
    // One layer holds every node unless something stands out.
    if (model.layers & (model.layers - 1)) {
      for (let layer = 0; layer < LAYERS - 1; layer++) if (model.layers & (1 << layer)) this.drawDiscs(view, layer);
      if (raised) this.drawRaised(view);
      if (model.layers & (1 << (LAYERS - 1))) this.drawDiscs(view, LAYERS - 1);
    } else {
      if (raised) this.drawRaised(view);
      this.drawDiscs(view, -1);
    }
  }

  destroy(): void {
    const { gl } = this;
    for (const { program } of [this.discs, this.lines, this.strokes, this.blend]) gl.deleteProgram(program);
    for (const held of [this.from, this.to, this.spare, this.colors, this.radii, this.flags, this.pairs]) gl.deleteBuffer(held);
    for (const held of [this.fine, this.raised]) held.destroy();
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
    gl.drawArrays(gl.POINTS, 0, this.model.nodes);
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
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.pairs);
    if (this.model.pairs.length / 2 > FINE_EDGES) gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, spread(this.model.pairs), gl.STATIC_DRAW);
    this.point();
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
    const { background } = this.model;
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
    program.set("move", (x - view.x) * unitX, (y - view.y) * unitY, this.model.trail.t);
  }

  private drawDiscs(view: View, layer: number): void {
    const { gl, model, discs } = this;
    const most = Math.max(view.least, this.largestPoint / 2 - 1 - (RING.gapMost + RING.widthMost) * view.ratio);
    this.use(discs, view);
    discs.set("sizes", view.grow, view.least, most, view.ratio);
    discs.set("background", model.background[0], model.background[1], model.background[2]);
    discs.set("selection", model.selection[0], model.selection[1], model.selection[2]);
    this.bindArray(this.array);
    if (model.layers & SELECTED_LAYERS && (layer < 0 || (1 << layer) & SELECTED_LAYERS)) {
      discs.set("turn", layer, 1);
      gl.drawArrays(gl.POINTS, 0, model.nodes);
    }
    discs.set("turn", layer, 0);
    gl.drawArrays(gl.POINTS, 0, model.nodes);
  }

  private drawLines(view: View): void {
    const { gl, lines, model } = this;
    this.use(lines, view);
    const [r, g, b, a] = edgeColor(model, view.edges);
    lines.set("color", r, g, b, a * view.edges.alpha);
    lines.set("share", clearShare(model));
    this.bindArray(this.array);
    gl.drawElements(gl.LINES, 2 * view.edges.count, gl.UNSIGNED_INT, 0);
  }

  private drawFine(view: View): void {
    const { pairs, flags, trail } = this.model;
    const state = `${this.positionsVersion} ${trail.t} ${this.flagsVersion}`;
    if (state !== this.fineFor) {
      this.fineFor = state;
      const edges = pairs.length >> 1;
      this.fine.reserve(edges);
      let kept = 0;
      // Faded edges come first, so that the others are above them.
      const counts = [FADED, 0].map((wanted) => {
        const before = kept;
        for (let k = 0; k < edges; k++) {
          const either = flags[pairs[2 * k]] | flags[pairs[2 * k + 1]];
          if ((either & HIDDEN) === 0 && (either & FADED) === wanted) this.collect(this.fine, kept++, pairs[2 * k], pairs[2 * k + 1]);
        }
        return kept - before;
      });
      this.fineCount = [counts[0], counts[1]];
      this.fine.send(kept);
    }
    const [faded, clear] = this.fineCount;
    const [r, g, b, a] = edgeColor(this.model, view.edges);
    const alpha = a * view.edges.alpha;
    this.stroke(view, this.fine, 0, faded, [r, g, b, alpha * FADED_EDGE], view.edges.width);
    this.stroke(view, this.fine, faded, clear, [r, g, b, alpha * clearShare(this.model)], view.edges.width);
  }

  private drawRaised(view: View): void {
    const { raised, raisedEnds, flags } = this.model;
    if ((flags[raised] & HIDDEN) !== 0) return;
    this.raised.reserve(raisedEnds.length);
    let kept = 0;
    for (const end of raisedEnds) if ((flags[end] & HIDDEN) === 0) this.collect(this.raised, kept++, raised, end);
    this.raised.send(kept);
    const { alpha, width } = raisedStyle(kept, view.ratio);
    this.stroke(view, this.raised, 0, kept, [...raisedColor(this.model), alpha], width);
  }

  private collect({ values }: Segments, k: number, i: number, j: number): void {
    const { trail } = this.model;
    values[4 * k] = trail.coordinate(2 * i);
    values[4 * k + 1] = trail.coordinate(2 * i + 1);
    values[4 * k + 2] = trail.coordinate(2 * j);
    values[4 * k + 3] = trail.coordinate(2 * j + 1);
  }

  private stroke(view: View, segments: Segments, first: number, count: number, color: Rgba, width: number): void {
    const { gl, strokes } = this;
    if (count === 0) return;
    segments.bind();
    this.use(strokes, view);
    strokes.set("color", color[0], color[1], color[2], color[3]);
    strokes.set("pen", 2 / this.viewport.width, 2 / this.viewport.height, width, first);
    this.bindArray(this.nothing);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * count);
  }
}
