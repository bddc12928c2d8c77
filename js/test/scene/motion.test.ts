import { afterEach, describe, expect, it, vi } from "vitest";
import { decay, easeInOut, FrameInterval, PositionTween, reducedMotion } from "../../src/scene/motion.js";

afterEach(() => vi.unstubAllGlobals());

const at = (tween: PositionTween): number[] => [...tween.now()];

describe("PositionTween", () => {
  const a = Float32Array.of(0, 0, 10, 10);
  const b = Float32Array.of(8, 4, 10, 20);
  const c = Float32Array.of(0, 0, 0, 0);

  it("goes straight from one frame to the next", () => {
    const tween = new PositionTween(a);
    tween.retarget(b);
    expect(at(tween)).toEqual([...a]);
    tween.t = 0.25;
    expect(at(tween)).toEqual([2, 1, 10, 12.5]);
    tween.t = 1;
    expect(tween.now()).toBe(b);
  });

  it("starts from what is drawn when a frame comes in the middle of a move", () => {
    const tween = new PositionTween(a);
    tween.retarget(b);
    tween.t = 0.5;
    const before = at(tween);
    tween.retarget(c);
    expect(at(tween)).toEqual(before);
    tween.t = 0.5;
    expect(at(tween)).toEqual(before.map((value) => value / 2));
  });

  it("never jumps, however often it is interrupted, and holds few frames", () => {
    const random = generator(5);
    const frame = (): Float32Array => Float32Array.from({ length: 6 }, () => 100 * random());
    const tween = new PositionTween(frame());
    for (let k = 0; k < 200; k++) {
      const before = at(tween);
      tween.retarget(frame());
      at(tween).forEach((value, i) => expect(Math.abs(value - before[i])).toBeLessThan(0.2));
      tween.t = random() ** 2;
    }
    expect((tween as unknown as { frames: unknown[] }).frames.length).toBeLessThanOrEqual(6);
  });

  it("agrees with itself about single coordinates", () => {
    const tween = new PositionTween(a);
    tween.retarget(b);
    tween.t = 0.3;
    tween.retarget(c);
    tween.t = 0.6;
    at(tween).forEach((value, i) => expect(tween.coordinate(i)).toBeCloseTo(value, 5));
  });

  it("lets old frames go when it has arrived, and never writes to any", () => {
    const tween = new PositionTween(a);
    tween.retarget(b);
    tween.t = 0.4;
    tween.now();
    tween.t = 1;
    expect((tween as unknown as { frames: unknown[] }).frames).toHaveLength(0);
    expect([...a, ...b]).toEqual([0, 0, 10, 10, 8, 4, 10, 20]);
  });
});

describe("FrameInterval", () => {
  it("takes a little longer than the frames are apart", () => {
    const pace = new FrameInterval();
    let duration = 0;
    for (let now = 0; now <= 2000; now += 50) duration = pace.next(now);
    expect(duration).toBeGreaterThan(50);
    expect(duration).toBeLessThan(70);
  });

  it("is neither thrown off by a pause nor slow without end", () => {
    const pace = new FrameInterval();
    for (let now = 0; now <= 1000; now += 100) pace.next(now);
    expect(pace.next(60_000)).toBeLessThan(150);
    const slow = new FrameInterval();
    for (let now = 0; now <= 50_000; now += 2500) expect(slow.next(now)).toBeLessThanOrEqual(1000);
  });
});

describe("easing", () => {
  it("begins and ends at rest", () => {
    expect([0, 0.5, 1].map(easeInOut)).toEqual([0, 0.5, 1]);
    expect(easeInOut(0.01)).toBeLessThan(1e-4);
    expect(1 - easeInOut(0.99)).toBeLessThan(1e-4);
  });

  it("decays to a part that depends on time alone, not on the number of steps", () => {
    expect(decay(30, 100) * decay(70, 100)).toBeCloseTo(decay(100, 100), 12);
    expect(decay(-5, 100)).toBe(1);
  });
});

describe("reducedMotion", () => {
  it("asks the browser, where there is one", () => {
    vi.stubGlobal("matchMedia", undefined);
    expect(reducedMotion()).toBe(false);
    vi.stubGlobal("matchMedia", (query: string) => ({ matches: query.includes("reduce") }));
    expect(reducedMotion()).toBe(true);
  });

  it("hears of a change", () => {
    const wish = Object.assign(new EventTarget(), { matches: false });
    vi.stubGlobal("matchMedia", () => wish);
    expect(reducedMotion()).toBe(false);
    wish.dispatchEvent(Object.assign(new Event("change"), { matches: true }));
    expect(reducedMotion()).toBe(true);
  });
});

function generator(seed: number): () => number {
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}
