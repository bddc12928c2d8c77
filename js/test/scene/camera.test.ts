import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Bounds } from "../../src/data/types.js";
import { Camera } from "../../src/scene/camera.js";

const box = (left: number, bottom: number, right: number, top: number): Bounds => ({ left, bottom, right, top });

let reduce = false;
beforeEach(() => {
  reduce = false;
  vi.stubGlobal("matchMedia", () => ({ matches: reduce }));
});
afterEach(() => vi.unstubAllGlobals());

function camera(bounds: Bounds | null = box(-1, -1, 1, 1), nodes = 100): Camera {
  const made = new Camera(nodes, () => {});
  made.resize(800, 600);
  if (bounds) made.watch(bounds, 10);
  return made;
}

/** The corners of the layout on the screen. */
function corners(looking: Camera, bounds: Bounds): number[] {
  return [...looking.toScreen(bounds.left, bounds.top), ...looking.toScreen(bounds.right, bounds.bottom)];
}

function expectAllInSight(looking: Camera, bounds: Bounds): void {
  const [left, top, right, bottom] = corners(looking, bounds);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(800);
  expect(bottom).toBeLessThanOrEqual(600);
}

describe("the view", () => {
  it("has y upwards and goes there and back", () => {
    const looking = camera(box(-3, 2, 5, 4));
    const [left, top] = looking.toScreen(1, 4);
    expect(looking.toScreen(1, 3)[1]).toBeGreaterThan(top);
    expect(looking.toScreen(2, 4)[0]).toBeGreaterThan(left);
    const [x, y] = looking.toWorld(left, top);
    expect(x).toBeCloseTo(1, 10);
    expect(y).toBeCloseTo(4, 10);
  });

  it.each([
    ["an ordinary layout", box(-30, -20, 40, 50)],
    ["a tiny one", box(1e-6, 1e-6, 3e-6, 2e-6)],
    ["a huge one", box(-1e6, -1e6, 1e6, 1e6)],
    ["a wide line", box(-5, 2, 5, 2)],
    ["a tall line", box(3, -7, 3, 9)],
    ["a small one far away", box(1e6, 1e6, 1e6 + 4, 1e6 + 2)],
    ["a single point", box(7, 7, 7, 7)],
    ["a point in the middle", box(0, 0, 0, 0)],
    ["a point far away", box(-1e6, 1e6, -1e6, 1e6)],
  ])("fits %s at once", (_, bounds) => {
    const looking = camera(bounds);
    expectAllInSight(looking, bounds);
    const [left, top, right, bottom] = corners(looking, bounds);
    expect((left + right) / 2).toBeCloseTo(400, 3);
    expect((top + bottom) / 2).toBeCloseTo(300, 3);
    if (bounds.right > bounds.left) expect(Math.max((right - left) / 800, (bottom - top) / 600)).toBeGreaterThan(0.75);
    expect(looking.scale).toBeGreaterThan(0);
    expect(Number.isFinite(looking.scale)).toBe(true);
    expect(looking.step(0)).toBe(false);
  });

  it("works before there is a layout or a size", () => {
    const looking = new Camera(0, () => {});
    looking.fit();
    looking.panBy(3, 4);
    looking.zoomBy(2);
    expect(looking.step(5)).toBe(false);
    expect(looking.toScreen(0, 0).every(Number.isFinite)).toBe(true);
  });

  it("keeps a margin for the discs, but not all of a small view", () => {
    const looking = camera();
    expect(corners(looking, box(-1, -1, 1, 1))[1]).toBeGreaterThanOrEqual(10);
    looking.resize(30, 30);
    expect(looking.scale).toBeGreaterThan(5);
  });
});

describe("following", () => {
  it("never loses a node of a layout that grows a millionfold", () => {
    let bounds = box(-1e-4, -1e-4, 1e-4, 1e-4);
    const looking = camera(bounds);
    for (let k = 1; k <= 60; k++) {
      const size = 1e-4 * 10 ** (k / 10);
      bounds = box(-size, -size * 0.7, size * 1.2, size);
      looking.watch(bounds, 10);
      looking.step(16 * k);
      expectAllInSight(looking, bounds);
    }
    expect(looking.following).toBe(true);
  });

  it("comes closer smoothly and arrives", () => {
    const looking = camera(box(-100, -100, 100, 100));
    looking.step(0);
    const goal = box(9, 9, 11, 11);
    looking.watch(goal, 10);
    let last = looking.scale;
    let steps = 0;
    let now = 0;
    while (looking.step((now += 16))) {
      expect(looking.scale / last).toBeGreaterThanOrEqual(1);
      expect(looking.scale / last).toBeLessThan(1.6);
      last = looking.scale;
      expectAllInSight(looking, goal);
      expect(++steps).toBeLessThan(300);
    }
    expect(steps).toBeGreaterThan(10);
    expect(looking.scale).toBeCloseTo(looking.fitScale, 9);
  });

  it("ends with a move of the user and begins anew with fit", () => {
    for (const move of [
      (c: Camera) => c.panBy(5, 0),
      (c: Camera) => c.zoomBy(2),
      (c: Camera) => c.flyTo(box(0, 0, 0.1, 0.1)),
    ]) {
      const looking = camera();
      move(looking);
      expect(looking.following).toBe(false);
      for (let now = 0; looking.step(now); now += 16);
      const { x, scale } = looking;
      looking.watch(box(-50, -50, 50, 50), 10);
      expect(looking.step(5000)).toBe(false);
      expect([looking.x, looking.scale]).toEqual([x, scale]);
      looking.fit();
      expect(looking.following).toBe(true);
      for (let now = 6000; looking.step(now); now += 16);
      expectAllInSight(looking, box(-50, -50, 50, 50));
    }
  });

  it("fits a new size without a move", () => {
    const looking = camera();
    looking.resize(400, 900);
    expect(looking.step(0)).toBe(false);
    const [left, , right] = corners(looking, box(-1, -1, 1, 1));
    expect(right - left).toBeGreaterThan(300);
  });
});

describe("moves of the user", () => {
  it("pan by pixels", () => {
    const looking = camera();
    const [left, top] = looking.toScreen(0.3, 0.2);
    looking.panBy(17, -9);
    const moved = looking.toScreen(0.3, 0.2);
    expect(moved[0] - left).toBeCloseTo(17, 9);
    expect(moved[1] - top).toBeCloseTo(-9, 9);
  });

  it("zoom around the pointer", () => {
    const looking = camera();
    const before = looking.toWorld(500, 200);
    const { scale } = looking;
    looking.zoomBy(3, 500, 200);
    const after = looking.toWorld(500, 200);
    expect(looking.scale).toBeCloseTo(3 * scale, 9);
    expect(after[0]).toBeCloseTo(before[0], 12);
    expect(after[1]).toBeCloseTo(before[1], 12);
  });

  it("stay within limits that go with the layout", () => {
    for (const size of [1e-6, 1, 1e6]) {
      const looking = camera(box(-size, -size, size, size), 10_000);
      const fit = looking.fitScale;
      for (let k = 0; k < 100; k++) looking.zoomBy(2);
      expect(looking.scale / fit).toBeCloseTo(1000, 6);
      for (let k = 0; k < 100; k++) looking.zoomBy(0.5);
      expect(looking.scale / fit).toBeCloseTo(0.2, 6);
      for (const factor of [0, -1, NaN, Infinity]) looking.zoomBy(factor);
      expect(looking.scale / fit).toBeCloseTo(0.2, 6);
      for (let k = 0; k < 100; k++) looking.panBy(500, -500);
      const [left, top, right, bottom] = corners(looking, box(-size, -size, size, size));
      expect(left < 800 && right > 0 && top < 600 && bottom > 0).toBe(true);
    }
  });
});

describe("flights", () => {
  it("go to a part and stay there", () => {
    const looking = camera(box(-10, -10, 10, 10), 10_000);
    looking.flyTo(box(4, 4, 6, 5));
    let now = 100;
    while (looking.step(now)) now += 16;
    expect(now).toBeGreaterThan(400);
    expect(looking.toScreen(5, 4.5)[0]).toBeCloseTo(400, 6);
    expectAllInSight(looking, box(4, 4, 6, 5));
    expect(looking.following).toBe(false);
  });

  it("come near to a single node, but not too near", () => {
    const looking = camera(box(-10, -10, 10, 10));
    looking.flyTo(box(3, 3, 3, 3));
    for (let now = 0; looking.step(now); now += 16);
    expect(looking.scale / looking.fitScale).toBeCloseTo(3, 6);
    expect(looking.toScreen(3, 3)[0]).toBeCloseTo(400, 6);
  });

  it("move without a jump, end with a touch of the user, and refuse nonsense", () => {
    const looking = camera(box(-10, -10, 10, 10));
    const { scale } = looking;
    looking.flyTo(box(0, 0, NaN, 1));
    expect(looking.following).toBe(true);
    looking.flyTo(box(8, 8, 9, 9));
    looking.step(0);
    expect(looking.scale).toBeCloseTo(scale, 9);
    looking.step(16);
    expect(looking.scale / scale).toBeLessThan(1.1);
    looking.panBy(1, 1);
    expect(looking.step(32)).toBe(false);
  });

  it("are jumps for those who want no motion", () => {
    reduce = true;
    const looking = camera(box(-10, -10, 10, 10), 10_000);
    looking.flyTo(box(4, 4, 6, 5));
    expect(looking.toScreen(5, 4.5)[0]).toBeCloseTo(400, 6);
    looking.fit(true);
    expectAllInSight(looking, box(-10, -10, 10, 10));
    looking.watch(box(-1, -1, 1, 1), 10);
    looking.step(0);
    expect(looking.scale).toBeCloseTo(looking.fitScale, 9);
    expect(looking.step(16)).toBe(false);
  });

  it("call for a draw", () => {
    const changed = vi.fn();
    const looking = new Camera(3, changed);
    looking.watch(box(0, 0, 1, 1), 1);
    looking.panBy(1, 1);
    looking.zoomBy(1.1);
    looking.fit();
    looking.flyTo(box(0, 0, 1, 1));
    expect(changed).toHaveBeenCalledTimes(4);
  });
});
