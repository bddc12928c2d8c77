import { describe, expect, it, vi } from "vitest";
import { Program } from "../../../src/scene/webgl/gpu.js";

function made() {
  const gl = { useProgram: vi.fn(), uniform4f: vi.fn() };
  const at = { world: {}, color: {}, gone: null };
  return { gl, at, program: new Program(gl as unknown as WebGL2RenderingContext, {}, at) };
}

describe("Program", () => {
  it("tells the browser what is new, once", () => {
    const { gl, at, program } = made();
    for (let k = 0; k < 2; k++) {
      program.set("world", 1, 2);
      program.set("color", 1, 2, 3, 4);
    }
    expect(gl.uniform4f.mock.calls).toEqual([
      [at.world, 1, 2, 0, 0],
      [at.color, 1, 2, 3, 4],
    ]);
  });

  it("notices a change of any component, and of one back again", () => {
    const { gl, program } = made();
    const vectors = [
      [1, 2, 3, 4],
      [9, 2, 3, 4],
      [9, 9, 3, 4],
      [9, 9, 9, 4],
      [9, 9, 9, 9],
      [1, 2, 3, 4],
    ] as const;
    for (const [a, b, c, d] of vectors) program.set("color", a, b, c, d);
    expect(gl.uniform4f.mock.calls.map((call) => call.slice(1))).toEqual(vectors);
  });

  it("passes over what a program has no use for", () => {
    const { gl, program } = made();
    program.set("gone", 1);
    program.set("never", 1);
    expect(gl.uniform4f).not.toHaveBeenCalled();
  });
});
