// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createScene } from "../src/scene.js";
import { FADED, HIDDEN, RAISED, SELECTED, type SceneApi } from "../src/types.js";
import { type Fake2d, FakePage, type Kind } from "./page.js";

const PAIRS = Uint32Array.of(0, 1, 1, 2);
const PLACES = Float32Array.of(-10, 0, 0, 0, 10, 5);
const scenes: SceneApi[] = [];
let page: FakePage;

function scene(kinds: readonly Kind[], el?: HTMLElement): SceneApi {
  page ??= new FakePage(kinds);
  const made = createScene(el ?? page.element(), 3, PAIRS);
  scenes.push(made);
  return made;
}

beforeEach(() => {
  page = undefined as unknown as FakePage;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  for (const made of scenes.splice(0)) made.destroy();
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What the last draw put on the canvas. */
function picture(): string[] {
  const { drawn } = page.flats.find((flat) => flat.drawn.length > 0) as Fake2d;
  return drawn.slice(lastOf(drawn, (line) => line.startsWith("rect") && line.endsWith("400x300")) + 1);
}

function lastOf(lines: string[], test: (line: string) => boolean): number {
  return lines.reduce((last, line, k) => (test(line) ? k : last), -1);
}

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
    page = new FakePage([]);
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
    moving.setPositions(next, 200);
    expect([...moving.positions]).toEqual([...PLACES]);
    page.frame();
    page.frame(100);
    const [x] = moving.positions;
    expect(x).toBeLessThan(-10);
    expect(x).toBeGreaterThan(-20);
    expect(page.settle()).toBeGreaterThan(2);
    expect(moving.positions).toBe(next);
  });

  it("do not jump when frames overtake each other, and only the newest is taken", () => {
    const moving = scene(["2d"]);
    moving.setPositions(PLACES);
    page.settle();
    for (let k = 0; k < 20; k++) {
      const before = [...moving.positions];
      moving.setPositions(PLACES.map(() => 1e6), 50);
      moving.setPositions(PLACES.map((value, i) => value + ((7 * k + i) % 5)), 50);
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
    expect(() => moving.setPositions(new Float32Array(4))).toThrow("A scene of 3 nodes takes 6 numbers as positions, not 4.");
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
    for (const change of [() => still.setFlags(new Uint8Array(3)), () => still.camera.panBy(1, 1), () => still.setEdgesVisible(false), () => still.invalidate()]) {
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

describe("the Canvas 2D picture", () => {
  function flat(): SceneApi {
    const made = scene(["2d"]);
    made.setColors(Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255));
    made.setRadii(Float32Array.of(10, 10, 10));
    made.setPositions(PLACES);
    return made;
  }

  it("says why it is not WebGL", () => {
    expect(flat().info.reason).toBe("WebGL2 is not available in this browser; drawing with Canvas 2D, which is slower");
  });

  it("has edges below discs with a rim", () => {
    flat();
    page.settle();
    const lines = picture();
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["stroke", "stroke", "fill", "fill", "fill", "fill", "fill", "fill"]);
    expect(lines[3]).toMatch(/^fill #ff0000 1 O.*,8.9$/);
    expect(lines[2]).toMatch(/^fill rgb\(255,255,255\) 1 O.*,10$/);
  });

  it("leaves out what is hidden, edges with either end", () => {
    flat().setFlags(Uint8Array.of(0, HIDDEN, 0));
    page.settle();
    expect(picture().filter((line) => line.startsWith("stroke"))).toEqual([]);
    expect(picture().join()).not.toContain("#00ff00");
  });

  it("fades nodes, and edges unless both ends are clear", () => {
    const made = flat();
    made.setFlags(Uint8Array.of(0, 0, FADED));
    page.settle();
    const alphas = picture().filter((line) => line.startsWith("stroke")).map((line) => Number(line.split(" ")[2]));
    expect(alphas[0]).toBeLessThan(0.2 * alphas[1]);
    expect(picture().find((line) => line.includes("#0000ff"))).toMatch(/ 0\.2 /);
    // What is faded is below the rest.
    expect(picture().findIndex((line) => line.includes("#0000ff"))).toBeLessThan(picture().findIndex((line) => line.includes("#ff0000")));
  });

  it("puts rings around the selected, below their discs", () => {
    const made = flat();
    made.setSceneColors({ background: "#ffffff", edge: "#808080", selection: "#010203" });
    made.setFlags(Uint8Array.of(0, SELECTED, 0));
    page.settle();
    const ring = picture().findIndex((line) => line.includes("rgb(1,2,3)"));
    expect(picture()[ring]).toMatch(/O200,.*,13.25$/);
    expect(picture().findIndex((line) => line.includes("#00ff00"))).toBeGreaterThan(ring);
  });

  it("raises a node's edges above the others' discs, and raised discs above them", () => {
    const made = flat();
    made.setFlags(Uint8Array.of(RAISED, RAISED, 0));
    made.raiseEdgesOf(0);
    page.settle();
    const order = ["#0000ff", "stroke #ff0000", "fill #ff0000"].map((text) => lastOf(picture(), (line) => line.includes(text)));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    made.raiseEdgesOf(-1);
    page.settle();
    expect(picture().join()).not.toContain("stroke #ff0000");
  });

  it("can be without edges", () => {
    flat().setEdgesVisible(false);
    page.settle();
    expect(picture().join()).not.toContain("stroke");
  });
});

describe("the WebGL renderer", () => {
  it("uploads a frame once, however many came before the draw", () => {
    const made = scene(["webgl2", "2d"]);
    expect(made.info).toEqual({ backend: "webgl2", reason: "", software: false, mostEdges: Infinity });
    made.setPositions(PLACES);
    page.settle();
    const gl = page.gls[page.gls.length - 1];
    gl.calls.length = 0;
    for (let k = 0; k < 5; k++) made.setPositions(PLACES.map((value) => value + k), 50);
    expect(gl.calls).toEqual([]);
    page.frame();
    expect(gl.calls.filter((name) => name === "bufferSubData")).toHaveLength(1);
    expect(gl.calls).not.toContain("beginTransformFeedback");
    made.setPositions(PLACES, 50);
    page.frame();
    expect(gl.calls.filter((name) => name === "beginTransformFeedback")).toHaveLength(1);
  });

  it("leaves the cores to the layout where software draws, but not where the user moves the camera", () => {
    const made = scene(["webgl2", "2d"]);
    Object.defineProperty(made, "info", { value: { ...made.info, software: true } });
    made.setPositions(PLACES);
    page.settle();
    page.now += 100;
    made.setPositions(PLACES.map((value) => 2 * value), 500);
    expect(page.waiting).toBe(1); // nothing was drawn of late
    page.frame();
    expect(page.waiting).toBe(0);
    made.setPositions(PLACES.map((value) => 3 * value), 500);
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
    expect(made.info).toMatchObject({ backend: "canvas2d", reason: expect.stringMatching(/more WebGL views than the browser allows/) });
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

describe("destroy", () => {
  it("leaves nothing behind, twice is fine, and later calls do nothing", async () => {
    const el = (page = new FakePage(["webgl2", "2d"])).element();
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
    expect(listeners.mock.calls.map(([name]) => name)).toEqual(expect.arrayContaining(["webglcontextlost", "webglcontextrestored"]));
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
