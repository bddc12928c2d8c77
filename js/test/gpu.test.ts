import { describe, expect, it, vi } from "vitest";
import { Program } from "../src/gpu.js";

function made() {
  const gl = { useProgram: vi.fn(), uniform1f: vi.fn(), uniform2f: vi.fn(), uniform3f: vi.fn(), uniform4f: vi.fn(), uniform1i: vi.fn() };
  const at = { t: {}, unit: {}, color: {}, background: {}, layer: {}, gone: null };
  return { gl, at, program: new Program(gl as unknown as WebGL2RenderingContext, {}, at) };
}

describe("Program", () => {
  it("tells the browser what is new, once", () => {
    const { gl, at, program } = made();
    for (let k = 0; k < 2; k++) {
      program.set("t", 0.5);
      program.set("unit", 1, 2);
      program.set("background", 1, 2, 3);
      program.set("color", 1, 2, 3, 4);
      program.setInt("layer", -1);
    }
    expect(gl.uniform1f.mock.calls).toEqual([[at.t, 0.5]]);
    expect(gl.uniform2f.mock.calls).toEqual([[at.unit, 1, 2]]);
    expect(gl.uniform3f.mock.calls).toEqual([[at.background, 1, 2, 3]]);
    expect(gl.uniform4f.mock.calls).toEqual([[at.color, 1, 2, 3, 4]]);
    expect(gl.uniform1i.mock.calls).toEqual([[at.layer, -1]]);
  });

  it("notices a change of any component, and of one back again", () => {
    const { gl, program } = made();
    program.set("unit", 1, 2);
    program.set("unit", 1, 3);
    program.set("unit", 1, 2);
    program.setInt("layer", 0);
    program.setInt("layer", 1);
    expect(gl.uniform2f.mock.calls.map((call) => call.slice(1))).toEqual([[1, 2], [1, 3], [1, 2]]);
    expect(gl.uniform1i).toHaveBeenCalledTimes(2);
  });

  it("knows which uniforms there are", () => {
    const { program } = made();
    expect([program.has("t"), program.has("gone"), program.has("never")]).toEqual([true, false, false]);
  });
});
