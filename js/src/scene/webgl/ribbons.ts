// Edges that are drawn one by one, from rows in a texture and the nodes' own numbers in others. Between two frames nothing
// is done here for an edge: positions are copied from buffer to texture on the graphics card.

import { PIECES } from "../edges/edge-look.js";
import type { EdgeRows } from "../edges/edge-rows.js";
import type { SceneState, UnitRgba, View } from "../renderer.js";
import { compile, type Program } from "./gpu.js";
import { ACROSS, cornersOf, RIBBON_FRAGMENT, RIBBON_VERTEX, UNITS } from "./ribbon-shaders.js";

/** How many items of a texture's whole rows so many take. */
export const padded = (items: number): number => ACROSS * Math.ceil(Math.max(1, items) / ACROSS);

/** A texture of numbers, as many as needed. */
class Table {
  private texture: WebGLTexture | null = null;
  private height = 0;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly unit: number,
    private readonly format: readonly [internal: number, format: number, type: number],
  ) {}

  bind(): void {
    this.gl.activeTexture(this.gl.TEXTURE0 + this.unit);
    this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture);
  }

  /** Takes whole rows of values, or what is bound for unpacking. */
  fill(items: number, values: ArrayBufferView | 0): void {
    const { gl } = this;
    const height = padded(items) / ACROSS;
    const [internal, format, type] = this.format;
    if (height > this.height) {
      gl.deleteTexture(this.texture);
      this.texture = gl.createTexture();
      this.height = height;
      this.bind();
      // A texture of a fixed size is filled from a buffer on the card, any other on the way through memory.
      gl.texStorage2D(gl.TEXTURE_2D, 1, internal, ACROSS, height);
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    } else {
      this.bind();
    }
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ACROSS, height, format, type, values as ArrayBufferView);
  }

  destroy(): void {
    this.gl.deleteTexture(this.texture);
  }
}

/** A set of edges on the graphics card. */
export class RibbonSet {
  readonly table: Table;
  batches: EdgeRows["batches"] = [];

  constructor(gl: WebGL2RenderingContext) {
    this.table = new Table(gl, UNITS.rows, [gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT]);
  }

  load({ rows, batches }: EdgeRows): void {
    this.batches = batches;
    const whole = new Uint32Array(4 * padded(rows.length / 4));
    whole.set(rows);
    this.table.fill(rows.length / 4, whole);
  }
}

/** How a set is drawn. */
export interface Stroke {
  /** Device pixels per unit of an edge's width, and the least width. */
  readonly pen: number;
  readonly least: number;
  /** Of edges without a colour of their own, and its alpha, which is that of all. */
  readonly color: UnitRgba;
  /** How much of a colour is left beside the background's. */
  readonly depth: number;
  /** How much is left of edges that are not faded. */
  readonly clear: number;
  /** The part of the edges that is drawn. */
  readonly part: number;
}

/** Where the nodes are: buffers of positions, and a number that is another one when they are. */
export interface Places {
  readonly from: WebGLBuffer;
  readonly to: WebGLBuffer;
  readonly version: number;
}

/** Part of a canvas that is drawn on, in device pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

export class Ribbons {
  readonly program: Program;
  private readonly from: Table;
  private readonly to: Table;
  private readonly styles: Table;
  private readonly flags: Table;
  /** Of the positions in the textures; whether those of where the nodes were are among them. */
  private version = -1;
  private knowsFrom = false;
  private stale = { styles: true, flags: true };

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly state: SceneState,
  ) {
    this.program = compile(gl, RIBBON_VERTEX, RIBBON_FRAGMENT);
    this.program.use();
    for (const [name, unit] of Object.entries(UNITS)) this.program.setTexture(name, unit);
    const places = [gl.RG32F, gl.RG, gl.FLOAT] as const;
    this.from = new Table(gl, UNITS.from, places);
    this.to = new Table(gl, UNITS.to, places);
    this.styles = new Table(gl, UNITS.styles, [gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT]);
    this.flags = new Table(gl, UNITS.flags, [gl.R8UI, gl.RED_INTEGER, gl.UNSIGNED_BYTE]);
  }

  /** Colours, radii or flags of the nodes are other ones: they are looked at when edges are drawn. */
  changed(part: "styles" | "flags"): void {
    this.stale[part] = true;
  }

  /** Draws a set; the program is in use, and knows where the view is. */
  draw(set: RibbonSet, view: View, { width, height }: Size, places: Places, stroke: Stroke): void {
    const { gl, program, state } = this;
    if (set.batches.length === 0) return;
    this.fetch(places);
    set.table.bind();
    const { pen, least, color, depth, clear, part } = stroke;
    program.set("sizes", view.grow, view.least, view.ratio, least);
    program.set("color", color[0], color[1], color[2], color[3]);
    program.set("share", depth, clear);
    program.set("background", state.background[0], state.background[1], state.background[2]);
    // What is faded lies below the rest; mostly nothing is.
    for (const layer of state.layers & 1 ? [1, 2] : [0]) {
      for (const { first, count, bent, head } of set.batches) {
        program.set("pen", 2 / width, 2 / height, pen, first);
        program.set("pass", layer, bent ? PIECES : 1, head ? 1 : 0, state.looks.ends ? 1 : 0);
        gl.drawArrays(gl.TRIANGLES, 0, cornersOf(bent, head) * Math.ceil(part * count));
      }
    }
  }

  destroy(): void {
    this.gl.deleteProgram(this.program.program);
    for (const table of [this.from, this.to, this.styles, this.flags]) table.destroy();
  }

  /** Brings what has changed to the textures. */
  private fetch({ from, to, version }: Places): void {
    const { state, stale } = this;
    const { nodes, tween } = state;
    const moving = tween.t < 1;
    if (version !== this.version) {
      this.copy(this.to, to);
      this.knowsFrom = false;
    }
    if (moving && !this.knowsFrom) this.copy(this.from, from);
    this.knowsFrom ||= moving;
    this.version = version;
    if (stale.styles) {
      const styles = new Uint32Array(2 * padded(nodes));
      const [colors, radii] = [new Uint32Array(state.rgba.slice().buffer), new Uint32Array(state.radii.slice().buffer)];
      for (let i = 0; i < nodes; i++) {
        styles[2 * i] = colors[i];
        styles[2 * i + 1] = radii[i];
      }
      this.styles.fill(nodes, styles);
    }
    if (stale.flags) {
      const flags = new Uint8Array(padded(nodes));
      flags.set(state.flags);
      this.flags.fill(nodes, flags);
    }
    this.stale = { styles: false, flags: false };
  }

  private copy(table: Table, source: WebGLBuffer): void {
    const { gl } = this;
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, source);
    table.fill(this.state.nodes, 0);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  }
}
