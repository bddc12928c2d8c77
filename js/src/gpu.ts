// Small helpers for WebGL2: programs with their uniforms, buffers, and a list of line segments in a texture.

import { SEGMENTS_ACROSS } from "./shaders.js";

/** A vector of a program's uniforms, and what it is: a call to the browser costs far more than a look at that. */
class Uniform {
  private a = NaN;
  private b = NaN;
  private c = NaN;
  private d = NaN;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly at: WebGLUniformLocation,
  ) {}

  set(a: number, b: number, c: number, d: number): void {
    if (a === this.a && b === this.b && c === this.c && d === this.d) return;
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
    this.gl.uniform4f(this.at, a, b, c, d);
  }
}

/** A program. All numbers that it is given come in vectors of four, so that they are few calls. */
export class Program {
  private readonly uniforms = new Map<string, Uniform>();

  constructor(
    private readonly gl: WebGL2RenderingContext,
    readonly program: WebGLProgram,
    at: Readonly<Record<string, WebGLUniformLocation | null>>,
  ) {
    for (const [name, place] of Object.entries(at)) if (place) this.uniforms.set(name, new Uniform(gl, place));
  }

  use(): void {
    this.gl.useProgram(this.program);
  }

  /** Sets a vector; the program is in use. One that the program has no use for is passed over. */
  set(name: string, a: number, b = 0, c = 0, d = 0): void {
    this.uniforms.get(name)?.set(a, b, c, d);
  }
}

export function compile(gl: WebGL2RenderingContext, vertex: string, fragment: string, captured?: string[]): Program {
  const program = gl.createProgram();
  const shaders = ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const).map(([type, source]) => {
    const made = gl.createShader(type) as WebGLShader;
    gl.shaderSource(made, source);
    gl.compileShader(made);
    gl.attachShader(program, made);
    return made;
  });
  if (captured) gl.transformFeedbackVaryings(program, captured, gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  // A context can be lost while it is set up; then nothing links, and it will be set up again.
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const log = [...shaders.map((made) => gl.getShaderInfoLog(made)), gl.getProgramInfoLog(program)].filter(Boolean).join(" ");
    throw new Error(`The graphics driver refused a program: ${log}`);
  }
  for (const made of shaders) gl.deleteShader(made);
  const at: Record<string, WebGLUniformLocation | null> = {};
  const uniforms = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0;
  for (let i = 0; i < uniforms; i++) {
    const name = gl.getActiveUniform(program, i)?.name ?? "";
    at[name] = gl.getUniformLocation(program, name);
  }
  return new Program(gl, program, at);
}

export function buffer(gl: WebGL2RenderingContext, bytes: number, usage: number): WebGLBuffer {
  const made = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, made);
  gl.bufferData(gl.ARRAY_BUFFER, bytes, usage);
  return made;
}

/** Line segments as texels: x and y of one end, x and y of the other. */
export class Segments {
  /** Where segments are collected; `send` brings them to the GPU. */
  values = new Float32Array(0);
  private readonly texture: WebGLTexture;
  private rows = 0;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  }

  /** Makes room for so many segments; what was there is lost. */
  reserve(count: number): void {
    const rows = Math.ceil(count / SEGMENTS_ACROSS);
    if (this.values.length < 4 * SEGMENTS_ACROSS * rows) this.values = new Float32Array(4 * SEGMENTS_ACROSS * rows);
  }

  send(count: number): void {
    const { gl } = this;
    const rows = Math.ceil(count / SEGMENTS_ACROSS);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (rows > this.rows) {
      this.rows = rows;
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, SEGMENTS_ACROSS, rows, 0, gl.RGBA, gl.FLOAT, this.values);
    } else if (rows > 0) {
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, SEGMENTS_ACROSS, rows, gl.RGBA, gl.FLOAT, this.values);
    }
  }

  bind(): void {
    this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture);
  }

  destroy(): void {
    this.gl.deleteTexture(this.texture);
  }
}
