import { describe, expect, it } from "vitest";
import { HIDDEN } from "../../src/data/types.js";
import { EdgeLength } from "../../src/scene/edge-lengths.js";
import { PositionTween } from "../../src/scene/motion.js";

const NEAR = Float32Array.of(0, 0, 3, 4);
const FAR = Float32Array.of(0, 0, 6, 8);

describe("the mean length of edges", () => {
  it("is that of a sample of them", () => {
    const pairs = Uint32Array.from({ length: 4000 }, (_, k) => k % 2);
    expect(new EdgeLength(pairs).along(new PositionTween(NEAR))).toBe(5);
    expect(new EdgeLength(new Uint32Array(0)).along(new PositionTween(NEAR))).toBe(0);
  });

  it("is spread over all of them", () => {
    // The first half of the edges has no length at all.
    const pairs = Uint32Array.from({ length: 4000 }, (_, k) => (k < 2000 ? 0 : k % 2));
    expect(new EdgeLength(pairs).along(new PositionTween(NEAR))).toBe(2.5);
  });

  it("is that of the edges that can be seen, as is their share", () => {
    const length = new EdgeLength(Uint32Array.of(0, 1, 0, 2));
    const tween = new PositionTween(Float32Array.of(0, 0, 3, 4, 30, 40));
    expect([length.share, length.along(tween)]).toEqual([1, 27.5]);
    length.see(Uint8Array.of(0, 0, HIDDEN));
    expect([length.share, length.along(tween)]).toEqual([0.5, 5]);
    length.see(Uint8Array.of(HIDDEN, 0, 0));
    expect([length.share, length.along(tween)]).toEqual([0, 0]);
    length.see(new Uint8Array(3));
    expect([length.share, length.along(tween)]).toEqual([1, 27.5]);
  });

  it("goes from frame to frame as the nodes do", () => {
    const length = new EdgeLength(Uint32Array.of(0, 1));
    const tween = new PositionTween(NEAR);
    expect(length.along(tween)).toBe(5);
    tween.retarget(FAR);
    expect(length.along(tween)).toBe(5);
    tween.t = 0.5;
    expect(length.along(tween)).toBe(7.5);
    tween.t = 1;
    expect(length.along(tween)).toBe(10);
    tween.place(NEAR);
    expect(length.along(tween)).toBe(5);
    // A frame that was looked at in advance, and then another one that came after all.
    length.expect(FAR);
    tween.place(FAR);
    expect(length.along(tween)).toBe(10);
    length.expect(FAR);
    tween.place(NEAR);
    expect(length.along(tween)).toBe(5);
  });
});
