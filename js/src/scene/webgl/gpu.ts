// Small helpers for WebGL2: programs with their uniforms, and buffers.

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
    private readonly at: Readonly<Record<string, WebGLUniformLocation | null>>,
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

  /** Tells which texture a sampler reads; the program is in use. */
  setTexture(name: string, unit: number): void {
    if (this.at[name]) this.gl.uniform1i(this.at[name], unit);
  }
}

export function compile(gl: WebGL2RenderingContext, vertex: string, fragment: string, captured?: string[]): Program {
  const program = gl.createProgram();
  const shaders = (
    [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const
  ).map(([type, source]) => {
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
    const log = [...shaders.map((made) => gl.getShaderInfoLog(made)), gl.getProgramInfoLog(program)]
      .filter(Boolean)
      .join(" ");
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
