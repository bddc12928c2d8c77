import { describe, expect, it } from "vitest";
import { EdgeLength } from "../src/lengths.js";
import { Trail } from "../src/motion.js";

const NEAR = Float32Array.of(0, 0, 3, 4);
const FAR = Float32Array.of(0, 0, 6, 8);

describe("the mean length of edges", () => {
  it("is that of a sample of them", () => {
    const pairs = Uint32Array.from({ length: 4000 }, (_, k) => k % 2);
    expect(new EdgeLength(pairs).along(new Trail(NEAR))).toBe(5);
    expect(new EdgeLength(new Uint32Array(0)).along(new Trail(NEAR))).toBe(0);
  });

  it("is spread over all of them", () => {
    // The first half of the edges has no length at all.
    const pairs = Uint32Array.from({ length: 4000 }, (_, k) => (k < 2000 ? 0 : k % 2));
    expect(new EdgeLength(pairs).along(new Trail(NEAR))).toBe(2.5);
  });

  it("goes from frame to frame as the nodes do", () => {
    const length = new EdgeLength(Uint32Array.of(0, 1));
    const trail = new Trail(NEAR);
    expect(length.along(trail)).toBe(5);
    trail.retarget(FAR);
    expect(length.along(trail)).toBe(5);
    trail.t = 0.5;
    expect(length.along(trail)).toBe(7.5);
    trail.t = 1;
    expect(length.along(trail)).toBe(10);
    trail.place(NEAR);
    expect(length.along(trail)).toBe(5);
    // A frame that was looked at in advance, and then another one that came after all.
    length.expect(FAR);
    trail.place(FAR);
    expect(length.along(trail)).toBe(10);
    length.expect(FAR);
    trail.place(NEAR);
    expect(length.along(trail)).toBe(5);
  });
});
