// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { FADED, HIDDEN, RAISED, SELECTED } from "../../src/data/types.js";
import type { SceneApi } from "../../src/scene/types.js";
import { lastOf, onFakePage, PLACES, page, picture, scene } from "../staged.js";

onFakePage();

describe("the Canvas 2D picture", () => {
  function flat(pairs?: Uint32Array): SceneApi {
    const made = scene(["2d"], undefined, pairs);
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
    expect(lines.map((line) => line.split(" ")[0])).toEqual([
      "stroke",
      "stroke",
      "fill",
      "fill",
      "fill",
      "fill",
      "fill",
      "fill",
    ]);
    expect(lines[3]).toMatch(/^fill #ff0000 1 O.*,8.9$/);
    expect(lines[2]).toMatch(/^fill rgb\(255,255,255\) 1 O.*,10$/);
  });

  it("leaves out what is hidden, edges with either end", () => {
    flat().setFlags(Uint8Array.of(0, HIDDEN, 0));
    page.settle();
    expect(picture().filter((line) => line.startsWith("stroke"))).toEqual([]);
    expect(picture().join()).not.toContain("#00ff00");
  });

  it("draws edges as strongly as if those with a hidden end were not there", () => {
    const strength = (): string[] =>
      picture()
        .filter((line) => line.startsWith("stroke"))
        .map((line) => line.split(" ").slice(1, 3).join(" "));
    const made = flat();
    page.settle();
    const all = strength()[0];
    made.setFlags(Uint8Array.of(0, 0, HIDDEN));
    page.settle();
    const hidden = strength();
    made.destroy();
    for (const { drawn } of page.flats) drawn.length = 0; // what follows is on another canvas
    const alone = flat(Uint32Array.of(0, 1));
    alone.setFlags(Uint8Array.of(0, 0, HIDDEN));
    page.settle();
    expect(hidden).toEqual(strength());
    expect(hidden[0]).not.toBe(all);
  });

  it("draws in the order that is asked for", () => {
    const made = flat();
    const drawn = (): (string | undefined)[] => picture().flatMap((line) => /#[0-9a-f]{6}/.exec(line)?.[0] ?? []);
    made.setOrder(Uint32Array.of(2, 0, 1));
    page.settle();
    expect(drawn()).toEqual(["#0000ff", "#ff0000", "#00ff00"]);
    made.setOrder(null);
    page.settle();
    expect(drawn().slice(-3)).toEqual(["#ff0000", "#00ff00", "#0000ff"]);
  });

  it("fades nodes, and edges unless both ends are clear", () => {
    const made = flat();
    made.setFlags(Uint8Array.of(0, 0, FADED));
    page.settle();
    const alphas = picture()
      .filter((line) => line.startsWith("stroke"))
      .map((line) => Number(line.split(" ")[2]));
    expect(alphas[0]).toBeLessThan(0.2 * alphas[1]);
    expect(picture().find((line) => line.includes("#0000ff"))).toMatch(/ 0\.2 /);
    // What is faded is below the rest.
    expect(picture().findIndex((line) => line.includes("#0000ff"))).toBeLessThan(
      picture().findIndex((line) => line.includes("#ff0000")),
    );
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
    const order = ["#0000ff", "stroke rgb(255,0,0)", "fill #ff0000"].map((text) =>
      lastOf(picture(), (line) => line.includes(text)),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    made.raiseEdgesOf(-1);
    page.settle();
    expect(picture().join()).not.toContain("stroke rgb(255,0,0)");
  });

  it("lets all other edges recede while those of a node stand out, and draws them in ink where it is grey", () => {
    const made = flat();
    page.settle();
    const alphaOf = (): number[] =>
      picture()
        .filter((line) => line.startsWith("stroke"))
        .map((line) => Number(line.split(" ")[2]));
    const before = Math.max(...alphaOf());
    made.setColors(new Uint8Array(12).fill(184));
    made.raiseEdgesOf(0);
    page.settle();
    expect(picture().join()).not.toContain("stroke rgb(184,184,184)");
    expect(Math.min(...alphaOf())).toBeLessThan(0.2 * before);
  });

  it("can be without edges", () => {
    flat().setEdgesVisible(false);
    page.settle();
    expect(picture().join()).not.toContain("stroke");
  });
});
