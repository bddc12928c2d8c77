// @vitest-environment jsdom
// One graph in many colours and sizes: the browser has to draw every node as Python does. tests/helpers/
// appearance_examples.py wrote what is sent and what is expected; Python's own roads are held to the same.
// @ts-expect-error -- the types of Node are not installed for the sake of one call
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { valueText } from "../../src/data/format.js";
import type { Column } from "../../src/data/types.js";
import { mergeColumns, nodeColors } from "../../src/encoding/colors.js";
import { drawOrder, greyNodes } from "../../src/encoding/draw-order.js";
import { nodeRadii } from "../../src/encoding/sizes.js";
import { decodeColumns, decodeGraph } from "../../src/protocol/wire.js";
import { INITIAL } from "../../src/store/state.js";
import { Store } from "../../src/store/store.js";
import { Legend } from "../../src/ui/legend/legend.js";

interface Case {
  readonly name: string;
  readonly extra: string;
  readonly color: string;
  readonly size: string;
  readonly colors: readonly string[];
  readonly areas: readonly number[];
  readonly absolute: boolean;
  readonly order: readonly number[];
  readonly title: string;
  readonly entries: readonly (readonly [label: string, color: string, count: number])[];
  readonly scale: readonly [low: number, high: number, below: boolean, above: boolean] | null;
}

const bytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const file = readFileSync("test/encoding/appearance.json", "utf8") as string;
const examples = JSON.parse(file) as { graph: string; cases: readonly Case[] };
const graph = decodeGraph(bytes(examples.graph));

function hex(rgba: Uint8Array): string[] {
  const pair = (byte: number): string => byte.toString(16).padStart(2, "0");
  return Array.from(
    { length: rgba.length / 4 },
    (_, k) => `#${Array.from(rgba.subarray(4 * k, 4 * k + 4), pair).join("")}`,
  );
}

function texts(legend: Legend, selector: string): string[] {
  return Array.from(legend.element.querySelectorAll(selector), ({ textContent }) => textContent ?? "");
}

describe.each(examples.cases.map((each) => [each.name, each] as const))("%s", (_, expected) => {
  const columns = mergeColumns(graph, decodeColumns(bytes(expected.extra), graph.nodes));
  const find = (key: string): Column | null => columns.find((column) => column.key === key) ?? null;
  const [color, size] = [find(expected.color), find(expected.size)];

  it("has the colours of Python", () => {
    expect(hex(nodeColors(color, graph, "light"))).toEqual(expected.colors);
  });

  it("has the sizes of Python", () => {
    const radii = nodeRadii(size, graph.nodes, 1);
    // Without a base of its own, a size is the area of the square around the disc, in points.
    const areas = Array.from(radii, (radius) => (expected.absolute ? (radius * 2 * 72) / 96 : radius) ** 2);
    areas.forEach((area, node) => void expect(area / expected.areas[node]).toBeCloseTo(1, 4));
  });

  it("draws in the order of Python", () => {
    const order = drawOrder(greyNodes(color, graph), nodeRadii(size, graph.nodes, 1));
    expect(Array.from(order ?? expected.order.keys())).toEqual(expected.order);
  });

  it("has the legend of Python", () => {
    const legend = new Legend(new Store(INITIAL));
    legend.show(color, graph, "light");
    const counted = expected.entries.map(([label, , count]) => `${label}${count}`);
    if (expected.title) expect(texts(legend, ".graphne-legend-name")).toEqual([expected.title]);
    expect(texts(legend, ".graphne-line")).toEqual(counted);
    const swatches = Array.from(legend.element.querySelectorAll<HTMLElement>(".graphne-swatch"));
    const rgb = (text: string): string =>
      `rgb(${[1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)).join(", ")})`;
    expect(swatches.map(({ style }) => style.background)).toEqual(expected.entries.map(([, swatch]) => rgb(swatch)));
    expect(legend.element.hidden).toBe(!expected.entries.length && !expected.scale);
    const ticks = texts(legend, ".graphne-tick");
    if (!expected.scale || color?.kind !== "values") {
      expect(ticks).toEqual([]);
      return;
    }
    const [low, high, below, above] = expected.scale;
    expect(ticks[0]).toBe((below ? "≤ " : "") + valueText(color, low, true));
    expect(ticks.at(-1)).toBe((above ? "≥ " : "") + valueText(color, high, true));
  });
});

describe("drawOrder", () => {
  it("is null where the nodes are in order already", () => {
    expect(drawOrder(null, Float32Array.of(2, 2, 1))).toBeNull();
    expect(drawOrder(Uint8Array.of(1, 0, 0), Float32Array.of(1, 2, 2))).toBeNull();
  });

  it("orders more nodes than a number has bits for, each once", () => {
    const nodes = 2 ** 21 + 5;
    const radii = new Float32Array(nodes);
    for (let node = 0; node < nodes; node++) radii[node] = 1 + (node % 7);
    const order = drawOrder(null, radii)!;
    expect(radii[order[0]]).toBe(7);
    expect(radii[order[nodes - 1]]).toBe(1);
    let sum = 0;
    for (let k = 0; k < nodes; k++) sum += order[k];
    expect(sum).toBe((nodes * (nodes - 1)) / 2);
  });
});
