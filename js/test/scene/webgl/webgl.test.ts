// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { onFakePage, PLACES, page, picture, scene, scenes } from "../../staged.js";

onFakePage();

describe("the WebGL renderer", () => {
  it("uploads a frame once, however many came before the draw", () => {
    const made = scene(["webgl2", "2d"]);
    expect(made.info).toEqual({
      backend: "webgl2",
      reason: "",
      software: false,
      mostEdges: Infinity,
      mostStyled: 100_000,
    });
    made.setPositions(PLACES);
    page.settle();
    const gl = page.gls[page.gls.length - 1];
    gl.calls.length = 0;
    for (let k = 0; k < 5; k++)
      made.setPositions(
        PLACES.map((value) => value + k),
        50,
      );
    expect(gl.calls).toEqual([]);
    page.frame();
    expect(gl.calls.filter((name) => name === "bufferSubData")).toHaveLength(1);
    expect(gl.calls).not.toContain("beginTransformFeedback");
    made.setPositions(PLACES, 50);
    page.frame();
    expect(gl.calls.filter((name) => name === "beginTransformFeedback")).toHaveLength(1);
  });

  it("tells the browser only what is new", () => {
    const made = scene(["webgl2", "2d"]);
    made.setEdgesVisible(false);
    made.setPositions(PLACES);
    page.settle();
    const gl = page.gls[page.gls.length - 1];
    gl.calls.length = 0;
    made.invalidate();
    page.frame();
    expect(gl.calls).toEqual(["clear", "useProgram", "drawArrays"]);
    gl.calls.length = 0;
    made.setSceneColors({ background: "#000000", edge: "#ffffff", selection: "#ffffff" });
    page.frame();
    expect(gl.calls).toEqual(["clearColor", "clear", "useProgram", "drawArrays"]);
    gl.calls.length = 0;
    made.setPositions(PLACES.slice(), 0);
    page.frame();
    expect(gl.calls).toEqual(["bufferSubData", "clear", "useProgram", "drawArrays"]);
    gl.calls.length = 0;
    made.setOrder(Uint32Array.of(2, 0, 1));
    page.frame();
    expect(gl.calls).toEqual(["bufferSubData", "clear", "useProgram", "drawElements"]);
    gl.calls.length = 0;
    made.setOrder(null);
    page.frame();
    expect(gl.calls).toEqual(["clear", "useProgram", "drawArrays"]);
  });

  it("leaves the cores to the layout where software draws, but not where the user moves the camera", () => {
    const made = scene(["webgl2", "2d"]);
    Object.defineProperty(made, "info", { value: { ...made.info, software: true } });
    made.setPositions(PLACES);
    page.settle();
    page.now += 100;
    made.setPositions(
      PLACES.map((value) => 2 * value),
      500,
    );
    expect(page.waiting).toBe(1); // nothing was drawn of late
    page.frame();
    expect(page.waiting).toBe(0);
    made.setPositions(
      PLACES.map((value) => 3 * value),
      500,
    );
    expect(page.waiting).toBe(0);
    made.camera.panBy(5, 0);
    expect(page.waiting).toBe(1);
    page.frame();
    expect(page.waiting).toBe(0);
    page.now += 59;
    vi.advanceTimersByTime(59);
    expect(page.waiting).toBe(0);
    page.now += 2;
    vi.advanceTimersByTime(2);
    expect(page.waiting).toBe(1);
    page.frame();
    // Frames that come as fast as they are drawn are not walked to.
    for (let k = 0; k < 4; k++) {
      page.now += 61;
      vi.advanceTimersByTime(61);
      made.setPositions(PLACES.map((value) => k * value));
      page.settle();
    }
    expect([...made.positions]).toEqual([...PLACES.map((value) => 3 * value)]);
    made.destroy();
  });

  it("draws no node before it is anywhere", () => {
    const made = scene(["webgl2", "2d"]);
    page.settle();
    const gl = page.gls[page.gls.length - 1];
    expect(gl.calls).toContain("clear");
    expect(gl.calls).not.toContain("drawArrays");
    made.setPositions(PLACES);
    page.settle();
    expect(gl.calls).toContain("drawArrays");
  });

  it("survives a lost context that comes back", () => {
    const made = scene(["webgl2", "2d"]);
    made.setPositions(PLACES);
    page.settle();
    const gl = page.gls[page.gls.length - 1];
    gl.lose();
    made.setPositions(PLACES.map((value) => 2 * value));
    page.settle();
    gl.calls.length = 0;
    gl.restore();
    page.settle();
    expect(gl.calls).toContain("linkProgram");
    expect(gl.calls).toContain("drawArrays");
    vi.advanceTimersByTime(5000);
    expect(document.querySelectorAll("canvas")).toHaveLength(1);
  });

  it("takes a new canvas when the context does not come back, under the one that the page knows", () => {
    const made = scene(["webgl2", "2d"]);
    made.setPositions(PLACES);
    page.settle();
    page.gls[page.gls.length - 1].lose();
    page.now += 2000;
    vi.advanceTimersByTime(2000);
    page.settle();
    const canvases = [...document.querySelectorAll("canvas")];
    expect(canvases).toHaveLength(2);
    expect(canvases[1]).toBe(made.canvas);
    expect(made.canvas.style.opacity).toBe("0");
    expect(page.gls[page.gls.length - 1].canvas).toBe(canvases[0]);
    expect(page.gls[page.gls.length - 1].calls).toContain("drawArrays");
  });

  it("waits for that until it is in sight", () => {
    const made = scene(["webgl2", "2d"]);
    made.setPositions(PLACES);
    page.see(false);
    page.gls[page.gls.length - 1].lose();
    page.now += 9000;
    vi.advanceTimersByTime(9000);
    expect(document.querySelectorAll("canvas")).toHaveLength(1);
    page.see(true);
    expect(document.querySelectorAll("canvas")).toHaveLength(2);
  });

  it("gives up when the context is lost again and again", () => {
    const made = scene(["webgl2", "2d"]);
    made.setPositions(PLACES);
    for (let k = 0; k < 4; k++) {
      page.gls[page.gls.length - 1].lose();
      page.now += 1500;
      vi.advanceTimersByTime(1500);
    }
    expect(made.info).toMatchObject({ backend: "canvas2d", reason: expect.stringMatching(/keeps taking WebGL away/) });
    page.settle();
    expect(picture().length).toBeGreaterThan(0);
  });

  it("lends its context to views in sight", () => {
    const first = scene(["webgl2", "2d"]);
    page.see(false);
    for (let k = 0; k < 12; k++) scene(["webgl2", "2d"]);
    expect(scenes.map(({ info }) => info.backend)).toEqual(Array(13).fill("webgl2"));
    expect(page.gls.filter((gl) => !gl.lost)).toHaveLength(12);
    // All twelve are in sight now, so the next one has to do without.
    expect(scene(["webgl2", "2d"]).info.backend).toBe("canvas2d");
    scenes[1].destroy();
    page.see(true);
    expect(page.gls.filter((gl) => !gl.lost)).toHaveLength(12);
    first.setPositions(PLACES);
    page.settle();
    expect(page.gls[page.gls.length - 1].calls).toContain("drawArrays");
  });
});
