// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { HIDDEN, SELECTED } from "../../src/data/types.js";
import { createScene } from "../../src/scene/scene.js";
import { onFakePage, PLACES, page, pageWith, scene } from "../staged.js";

onFakePage();

describe("without any context", () => {
  it("draws nothing, says so, and everything else works", () => {
    const empty = scene([]);
    expect(empty.info).toMatchObject({ backend: "canvas2d", reason: expect.stringMatching(/nothing can be drawn/) });
    const drawn = vi.fn();
    empty.onDraw(drawn);
    empty.setSceneColors({ background: "white", edge: "rgb(1,2,3)", selection: "#123456" });
    empty.setColors(new Uint8Array(12));
    empty.setRadii(Float32Array.of(5, 5, 5));
    empty.setFlags(Uint8Array.of(0, SELECTED, HIDDEN));
    empty.raiseEdgesOf(0);
    empty.setEdgesVisible(false);
    expect(empty.pick(200, 150)).toBe(-1);
    expect(empty.within(Float64Array.of(0, 0, 400, 0, 400, 300, 0, 300))).toHaveLength(0);
    empty.setPositions(PLACES);
    page.frame();
    expect(drawn).toHaveBeenCalled();
    const [left, top] = empty.camera.toScreen(0, 0);
    expect(empty.pick(left, top)).toBe(1);
    expect([...empty.within(Float64Array.of(0, 0, 400, 0, 400, 300, 0, 300))]).toEqual([0, 1]);
    expect([...empty.neighborsOf(1)]).toEqual([0, 2]);
    expect(empty.radiusOf(0)).toBe(5);
    expect(empty.boundsOf(Uint32Array.of(0, 2))).toEqual({ left: -10, bottom: 0, right: 10, top: 5 });
  });

  it("works for a graph without nodes", () => {
    pageWith([]);
    const empty = createScene(page.element(), 0, new Uint32Array(0));
    empty.setPositions(new Float32Array(0));
    empty.setPositions(new Float32Array(0));
    page.settle();
    expect(empty.pick(1, 1, 99)).toBe(-1);
    empty.camera.fit();
    page.settle();
    empty.destroy();
  });
});

describe("positions", () => {
  it("are there at once the first time, then on their way", () => {
    const moving = scene(["2d"]);
    moving.setPositions(PLACES);
    expect(moving.positions).toBe(PLACES);
    page.settle();
    const next = PLACES.map((value) => 2 * value);
    const around = moving.canvas.parentElement;
    expect(around?.hasAttribute("data-moving")).toBe(false);
    moving.setPositions(next, 200);
    expect([...moving.positions]).toEqual([...PLACES]);
    page.frame();
    page.frame(100);
    expect(around?.hasAttribute("data-moving")).toBe(true);
    const [x] = moving.positions;
    expect(x).toBeLessThan(-10);
    expect(x).toBeGreaterThan(-20);
    expect(page.settle()).toBeGreaterThan(2);
    expect(moving.positions).toBe(next);
    expect(around?.hasAttribute("data-moving")).toBe(false);
  });

  it("do not jump when frames overtake each other, and only the newest is taken", () => {
    const moving = scene(["2d"]);
    moving.setPositions(PLACES);
    page.settle();
    for (let k = 0; k < 20; k++) {
      const before = [...moving.positions];
      moving.setPositions(
        PLACES.map(() => 1e6),
        50,
      );
      moving.setPositions(
        PLACES.map((value, i) => value + ((7 * k + i) % 5)),
        50,
      );
      expect([...moving.positions]).toEqual(before);
      page.frame(5);
      moving.positions.forEach((value, i) => expect(Math.abs(value - before[i])).toBeLessThan(2));
    }
  });

  it("jump with a duration of 0 and with reduced motion", () => {
    const moving = scene(["2d"]);
    moving.setPositions(PLACES);
    const next = PLACES.map((value) => 3 * value);
    moving.setPositions(next, 0);
    expect(moving.positions).toBe(next);
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    moving.setPositions(PLACES);
    expect(moving.positions).toBe(PLACES);
    page.frame();
    page.frame();
    expect(page.waiting).toBe(0);
  });

  it("are refused when they do not fit, and the last ones stay", () => {
    const moving = scene(["2d"]);
    moving.setPositions(PLACES);
    expect(() => moving.setPositions(new Float32Array(4))).toThrow(
      "A scene of 3 nodes takes 6 numbers as positions, not 4.",
    );
    expect(() => moving.setPositions(Float32Array.of(0, 0, NaN, 0, 0, 0))).toThrow(/not finite/);
    expect(() => moving.setPositions(Float32Array.of(0, 0, Infinity, 0, 0, 0))).toThrow(/not finite/);
    expect(() => moving.setColors(new Uint8Array(3))).toThrow(/12 numbers as colours/);
    expect(() => moving.setRadii(new Float32Array(4))).toThrow(/radii/);
    expect(() => moving.setFlags(new Uint8Array(0))).toThrow(/flags/);
    expect(moving.positions).toBe(PLACES);
  });
});

describe("drawing", () => {
  it("happens only when something has changed", () => {
    const still = scene(["2d"]);
    still.setPositions(PLACES);
    page.settle();
    const drawn = vi.fn();
    const end = still.onDraw(drawn);
    expect(page.waiting).toBe(0);
    for (const change of [
      () => still.setFlags(new Uint8Array(3)),
      () => still.camera.panBy(1, 1),
      () => still.setEdgesVisible(false),
      () => still.invalidate(),
    ]) {
      change();
      change();
      expect(page.waiting).toBe(1);
      page.settle();
    }
    expect(drawn).toHaveBeenCalledTimes(4);
    end();
    still.invalidate();
    page.settle();
    expect(drawn).toHaveBeenCalledTimes(4);
  });

  it("waits until the scene is in sight, and keeps only the newest frame meanwhile", () => {
    const hidden = scene(["2d"]);
    hidden.setPositions(PLACES);
    page.settle();
    page.see(false);
    for (let k = 0; k < 50; k++) hidden.setPositions(PLACES.map((value) => value + k));
    expect(page.waiting).toBe(0);
    page.see(true);
    expect(page.waiting).toBe(1);
    page.settle();
    expect(hidden.positions[0]).toBe(39);
  });
});

describe("destroy", () => {
  it("leaves nothing behind, twice is fine, and later calls do nothing", async () => {
    const el = pageWith(["webgl2", "2d"]).element();
    const listeners = vi.spyOn(HTMLCanvasElement.prototype, "removeEventListener");
    const made = scene(["webgl2", "2d"], el);
    made.setPositions(PLACES);
    page.settle();
    made.setPositions(PLACES, 500);
    const drawn = vi.fn();
    made.onDraw(drawn);
    made.destroy();
    made.destroy();
    expect(el.childElementCount).toBe(0);
    expect(page.observers.size).toBe(0);
    expect(page.waiting).toBe(0);
    expect(page.gls.every((gl) => gl.lost)).toBe(true);
    expect(listeners.mock.calls.map(([name]) => name)).toEqual(
      expect.arrayContaining(["webglcontextlost", "webglcontextrestored"]),
    );
    made.setPositions(PLACES);
    made.setColors(new Uint8Array(12));
    made.camera.fit();
    made.invalidate();
    expect(page.waiting).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(drawn).not.toHaveBeenCalled();
    await expect(made.toBlob()).rejects.toThrow(/closed/);
  });

  it("is fine before the first draw and while a context is lost", () => {
    scene(["webgl2", "2d"]).destroy();
    const lost = scene(["webgl2", "2d"]);
    page.gls[page.gls.length - 1].lose();
    lost.destroy();
    vi.advanceTimersByTime(10_000);
    expect(page.waiting).toBe(0);
    expect(document.querySelectorAll("canvas")).toHaveLength(0);
  });
});
