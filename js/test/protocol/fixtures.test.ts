// The frame and the graph that tests/viewer/wire_examples.py wrote, read value by value.
// @ts-expect-error -- the types of Node are not installed for the sake of one call
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { ClassColumn, ColorColumn, Column, TextColumn, Texts, ValueColumn } from "../../src/data/types.js";
import { decodeFrame, decodeGraph } from "../../src/protocol/wire.js";

const NODES = 14;
const OKABE_ITO = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"];
const COLORS = [...OKABE_ITO, "#7A3B00", "#4B0082", "#AFE1AF", "#B40AFC", "#003C57"];

function bytes(file: string): Uint8Array {
  return readFileSync(new URL(`./data/${file}`, import.meta.url)) as Uint8Array;
}

const nodes = Array.from({ length: NODES }, (_, node) => node);
const all = (texts: Texts | null) => nodes.map((node) => texts?.at(node));
const graph = decodeGraph(bytes("graph.bin"));

function column(key: string): Column {
  return graph.columns.find((found) => found.key === key)!;
}

it("reads the frame", () => {
  const frame = decodeFrame(bytes("frame.bin"), NODES);
  expect(frame).toMatchObject({ nodes: NODES, seq: 7, iteration: 120, phase: 2, kl: 1.25, exaggeration: 4.5, run: 3 });
  const expected = nodes.flatMap((k) => (k < 13 ? [k - 6.5, (-1) ** k * 2 ** -k] : [1e30, -1e-30]));
  expect(Array.from(frame.positions)).toEqual(expected.map(Math.fround));
});

it("reads a frame that is a part of a larger buffer, at any place", () => {
  const data = bytes("frame.bin");
  const frame = decodeFrame(data, NODES);
  for (const shift of [1, 4, 8]) {
    const larger = new Uint8Array(data.length + 16);
    larger.set(data, shift);
    const part = new DataView(larger.buffer, shift, data.length);
    expect(Array.from(decodeFrame(part, NODES).positions)).toEqual(Array.from(frame.positions));
  }
});

it("reads the graph", () => {
  expect(graph.nodes).toBe(NODES);
  expect(graph.edges).toBe(15);
  expect(graph.pairs).toBeInstanceOf(Uint32Array);
  const edges = new Set([...nodes.slice(1).map((node) => `${node - 1} ${node}`), "0 13", "0 7"]);
  const drawn = Array.from(
    { length: graph.pairs.length / 2 },
    (_, k) => `${graph.pairs[2 * k]} ${graph.pairs[2 * k + 1]}`,
  );
  expect(new Set(drawn).size).toBe(12);
  expect(drawn.filter((pair) => !edges.has(pair))).toEqual([]);
  expect(graph.notes).toEqual([]);
  expect(all(graph.names)).toEqual(["<b>zero</b>", "eins & zwei", ...nodes.slice(2).map(String)]);
  expect([graph.other, graph.missing, graph.plain]).toEqual(["#B8B8B8", "#DADADA", "#0072B2"]);
  expect(graph.colormap).toHaveLength(256);
  expect([graph.colormap[0], graph.colormap[255]]).toEqual(["#440154", "#fde725"]);
  expect(graph.columns.map(({ key, name, kind }) => `${key} ${name} ${kind}`)).toEqual([
    "degree degree values",
    "a:title title text",
    "a:year year values",
    "a:time time values",
    "a:share share values",
    "a:paint paint colors",
    "a:class class classes",
    "a:group group classes",
  ]);
});

it("reads numbers", () => {
  const [degree, year, time, share] = ["degree", "a:year", "a:time", "a:share"].map(
    (key) => column(key) as ValueColumn,
  );
  expect(Array.from(degree.values)).toEqual(nodes.map((node) => (node === 0 || node === 7 ? 3 : 2)));
  expect(year).toMatchObject({ low: 1990, high: 2016, whole: true });
  expect(year.values).toEqual(Float32Array.from(nodes, (node) => 1990 + 2 * node));
  expect(time).toMatchObject({ low: 1_700_000_000.25, high: 1_700_000_013.25, whole: false });
  expect(time.values).toEqual(Float64Array.from(nodes, (node) => 1_700_000_000.25 + node));
  expect(share).toMatchObject({ low: 0, high: 3.25, whole: false });
  expect(Array.from(share.values)).toEqual(nodes.map((node) => (node === 3 ? NaN : node / 4)));
});

it("reads classes", () => {
  const classes = column("a:class") as ClassColumn;
  const labels = [0, 1, 2, 3, 4, 6, 7, 8, 9, 10].map((k) => `class ${k}`);
  const expected = labels.map((label, k) => ({ label, color: COLORS[k], count: k < 3 ? 2 : 1 }));
  expect(classes.categories).toEqual(expected);
  expect(classes.codes).toBeInstanceOf(Uint8Array);
  const spoken = Array.from(classes.codes, (code) => classes.categories[code]?.label);
  expect(spoken).toEqual(nodes.map((node) => (node === 5 ? undefined : `class ${node % 11}`)));
  expect(classes.codes[5]).toBe(classes.categories.length);

  const groups = column("a:group") as ClassColumn;
  expect(groups.categories.map(({ color }) => color)).toEqual([...COLORS, "#3C0FC3"]);
  expect(Array.from(groups.codes, (code) => groups.categories[code].label)).toEqual(
    nodes.map((node) => String(node % 13)),
  );
});

it("reads colours and text", () => {
  const paint = column("a:paint") as ColorColumn;
  expect(Array.from(paint.rgba)).toEqual(nodes.flatMap((node) => [16 * node, 128, 255, 255]));
  expect(all((column("a:title") as TextColumn).texts)).toEqual([
    "plain",
    "<img src=x onerror=alert(1)>",
    "two lines",
    "nul byte",
    "lone   surrogate",
    "عنوان من اليمين",
    "می\u200cشود",
    "👩\u200d👩\u200d👧",
    "overridden   text",
    "'quotes\" & <b>",
    "",
    "日本語",
    `${"x".repeat(499)}…`,
    "last",
  ]);
});
