import { afterEach, describe, expect, it, vi } from "vitest";
import { degreesOf } from "../../../src/data/adjacency.js";
import { FADED, SELECTED } from "../../../src/data/types.js";
import { PLAIN_EDGES } from "../../../src/picture/edge-appearance.js";
import { EdgeLabels } from "../../../src/picture/labels/edge-labels.js";
import { byImportance, type Candidate, Labels, placeLabels } from "../../../src/picture/labels/node-labels.js";
import { PLAIN } from "../../../src/scene/edges/edge-look.js";
import type { SceneApi } from "../../../src/scene/types.js";
import { graphOf, textsOf } from "../../fakes.js";

const candidate = (node: number, left: number, top: number, width = 40): Candidate => ({
  node,
  left,
  top,
  radius: 3,
  size: 11,
  width,
});

const boxes = (candidates: Candidate[], width = 400, height = 300) =>
  placeLabels(candidates, width, height).map(({ node, dx, dy }) => {
    const { left, top, width: text } = candidates.find((one) => one.node === node)!;
    return { node, left: left + dx - text / 2, right: left + dx + text / 2, top: top + dy - 7, bottom: top + dy + 7 };
  });

describe("placeLabels", () => {
  it("writes above where it can, and elsewhere where it cannot", () => {
    const placed = placeLabels([candidate(0, 100, 100), candidate(1, 100, 102), candidate(2, 100, 2)], 400, 300);
    expect(placed[0]).toEqual({ node: 0, place: 0, dx: 0, dy: -13, size: 11 });
    expect(placed[1].dy).toBeGreaterThan(0);
    expect(placed[2].dy).toBeGreaterThan(0); // no room above at the upper border
  });

  it("lets no two labels overlap and none hang over the border, in a crowd of 400", () => {
    const crowd = Array.from({ length: 400 }, (_, node) =>
      candidate(node, 5 + ((node * 37) % 390), 5 + ((node * 91) % 290), 20 + (node % 60)),
    );
    const placed = boxes(crowd);
    expect(placed.length).toBeGreaterThan(20);
    for (const [k, a] of placed.entries()) {
      expect(a.left >= 0 && a.right <= 400 && a.top >= 0 && a.bottom <= 300).toBe(true);
      for (const b of placed.slice(k + 1)) {
        expect(a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top).toBe(false);
      }
    }
  });

  it("keeps clear of other nodes, and stays where it was while that is as good", () => {
    const crowd = [candidate(0, 100, 100), candidate(1, 100, 85), candidate(2, 108, 87)];
    expect(placeLabels(crowd, 400, 300)[0].place).toBe(1);
    expect(placeLabels([{ ...candidate(0, 100, 100), before: 2 }], 400, 300)[0].place).toBe(2);
    expect(placeLabels([{ ...crowd[0], before: 0 }, crowd[1], crowd[2]], 400, 300)[0].place).toBe(1);
  });

  it("writes no name on a disc that could bear it, unless it is asked for", () => {
    const large = (node: number, left: number, top: number): Candidate => ({
      ...candidate(node, left, top),
      radius: 9,
    });
    const ring = [
      [0, -20],
      [0, 20],
      [35, 0],
      [-35, 0],
      [28, -12],
      [28, 12],
      [-28, -12],
      [-28, 12],
    ].map(([dx, dy], k) => large(k + 1, 100 + dx, 100 + dy));
    const named = (pinned: boolean): number[] =>
      placeLabels([{ ...large(0, 100, 100), pinned }, ...ring], 400, 300).map(({ node }) => node);
    expect(named(false)).not.toContain(0);
    expect(named(true)).toContain(0);
    const dots = ring.map((one) => ({ ...one, radius: 2 }));
    expect(placeLabels([large(0, 100, 100), ...dots], 400, 300)[0].node).toBe(0);
  });

  it("prefers whoever comes first", () => {
    const same = Array.from({ length: 10 }, (_, node) => candidate(node, 200, 150, 300));
    expect(placeLabels(same, 400, 300).map(({ node }) => node)).toEqual([0, 1]);
  });
});

it("orders by importance, ties as they come", () => {
  expect(Array.from(byImportance([1, 3, 2, 3]))).toEqual([1, 3, 2, 0]);
});

it("puts nodes without a value last", () => {
  expect(Array.from(byImportance([Number.NaN, 1, Number.NaN, 2]))).toEqual([3, 1, 0, 2]);
});

it("orders only the greatest of very many", () => {
  const values = Float32Array.from({ length: 10_000 }, (_, node) => (node * 7919) % 10_007);
  const all = byImportance(values, 10_000);
  expect(Array.from(byImportance(values, 100))).toEqual(Array.from(all.subarray(0, 100)));
  expect(byImportance(new Float32Array(1000), 10)).toHaveLength(20); // all alike
});

it("counts edges", () => {
  expect(Array.from(degreesOf(4, Uint32Array.of(0, 1, 1, 2)))).toEqual([1, 2, 1, 0]);
});

describe("labels on the picture", () => {
  /** A canvas that takes everything. */
  const context = new Proxy({}, { get: () => () => ({ width: 20 }), set: () => true });
  const canvas = { getContext: () => context } as unknown as HTMLCanvasElement;
  const sceneOf = (placed: boolean): SceneApi =>
    ({
      placed,
      positions: Float32Array.of(100, -100, 112, -100),
      camera: { toScreen: () => [0, 0], scale: 1 },
      radiusOf: () => 3,
    }) as unknown as SceneApi;
  const labelsOf = (scene: SceneApi): Labels => {
    vi.stubGlobal("window", { devicePixelRatio: 1 });
    const labels = new Labels(canvas, scene, (node) => `selected ${node}`);
    labels.resize(400, 300);
    labels.setTexts(
      (node) => `a rather long name of node ${node}`,
      () => [2, 1],
    );
    return labels;
  };
  afterEach(() => vi.unstubAllGlobals());

  it("are not there before the nodes are anywhere", () => {
    const labels = labelsOf(sceneOf(false));
    labels.draw();
    expect(labels.shown).toEqual([]);
  });

  it.each([
    [false, []],
    [true, ["knows"]],
  ])("of edges are there as soon as the nodes are somewhere: %s", (placed, expected) => {
    vi.stubGlobal("window", { devicePixelRatio: 1 });
    const written: string[] = [];
    const fillText = (text: string): number => written.push(text);
    const pen = new Proxy(
      {},
      { get: (_, name) => (name === "fillText" ? fillText : () => ({ width: 20 })), set: () => true },
    );
    const scene = {
      ...sceneOf(placed),
      flags: new Uint8Array(2),
      positions: Float32Array.of(100, -100, 300, -100),
      camera: { toScreen: (x: number, y: number) => [x, -y], scale: 1 },
    } as unknown as SceneApi;
    const edges = new EdgeLabels({ getContext: () => pen } as never, scene, graphOf(["a", "b"], [], [0, 1]));
    edges.resize(400, 300);
    const label = { key: "e:kind", name: "kind", kind: "text", texts: textsOf(["knows"]) } as const;
    edges.show({ ...PLAIN_EDGES, label }, PLAIN);
    edges.draw([]);
    edges.destroy();
    expect(written).toEqual(expected);
  });

  it("have letters that grow with their nodes, and as much room as those take", () => {
    const fonts: string[] = [];
    const pen = new Proxy(
      {},
      {
        get: () => () => ({ width: 20 }),
        set: (_, name, value) => {
          if (name === "font") fonts.push(value);
          return true;
        },
      },
    );
    vi.stubGlobal("window", { devicePixelRatio: 1 });
    const scene = { ...sceneOf(true), positions: Float32Array.of(100, -100, 300, -100) } as unknown as SceneApi;
    const labels = new Labels({ getContext: () => pen } as never, scene, String);
    labels.resize(400, 300);
    labels.setTexts(String, () => [1, 2]);
    labels.setScale((node) => [0.85, 1.6][node]);
    labels.draw();
    expect(labels.shown.map(({ node, size }) => [node, size])).toEqual([
      [1, 18],
      [0, 9],
    ]);
    expect(fonts).toEqual(["500 11px sans-serif", "500 18px sans-serif", "500 9px sans-serif"]);
    expect(labels.shown[0].dy).toBeLessThan(labels.shown[1].dy); // further above its node
    labels.destroy();
  });

  it("are after a selection what they were before it", () => {
    // A crowd on one point, which has room for the most important only; those who are always named are out of sight.
    const [away, crowd] = [100, 12];
    const nodes = away + crowd;
    const positions = Float32Array.from({ length: 2 * nodes }, (_, k) => (k < 2 * away ? -1000 : k % 2 ? -150 : 200));
    const labels = labelsOf({ ...sceneOf(true), positions });
    labels.setTexts(String, () => Array.from({ length: nodes }, (_, node) => nodes - node));
    labels.draw();
    const shown = (): number[][] => labels.shown.map(({ node, place }) => [node, place]);
    const before = shown();
    expect(before.length).toBeLessThan(crowd);
    const last = nodes - 1;
    const flags = new Uint8Array(nodes).fill(FADED);
    flags[last] = SELECTED;
    labels.setFlags(flags, [last], true);
    labels.draw();
    expect(shown().map(([node]) => node)).toEqual([last]);
    labels.setFlags(new Uint8Array(nodes), [], false);
    labels.draw();
    expect(shown()).toEqual(before);
    labels.destroy();
  });
});
