// @vitest-environment jsdom
// What somebody else's notebook may hold: the state of a view, damaged or made up. It is shown as text, refused in a
// sentence, or ignored; nothing is thrown at the page, and nothing becomes markup.
// @ts-expect-error -- the types of Node are not installed for the sake of two calls
import { readFileSync } from "node:fs";
// @ts-expect-error
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import widget from "../../src/hosts/widget.js";
import type { WidgetModel } from "../../src/hosts/widget-session.js";
import { decodeColumns, decodeFrame, decodeGraph } from "../../src/protocol/wire.js";
import { EVIL, nextFrame, scenes } from "../fakes.js";

vi.mock("../../src/scene/scene.js", () => import("../fakes.js"));

const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(`test/protocol/data/${name}.bin`));
const GRAPH = read("graph");
const FRAME = read("frame");
const NODES = decodeGraph(GRAPH).nodes;

/** Milliseconds for many views on a busy machine. */
const PATIENCE = 120_000;

type Json = Record<string, unknown>;

/** The graph with another header before the same arrays. */
function withHeader(change: (header: Json) => void): Uint8Array<ArrayBuffer> {
  const size = new DataView(GRAPH.buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(GRAPH.subarray(8, 8 + size))) as Json;
  change(header);
  let head = new TextEncoder().encode(JSON.stringify(header));
  head = new TextEncoder().encode(JSON.stringify(header) + " ".repeat(-head.length & 7));
  const bytes = new Uint8Array(8 + head.length + GRAPH.length - 8 - size);
  bytes.set(GRAPH.subarray(0, 4));
  new DataView(bytes.buffer).setUint32(4, head.length, true);
  bytes.set(head, 8);
  bytes.set(GRAPH.subarray(8 + size), 8 + head.length);
  return bytes;
}

/** Numbers that look random and are the same each time. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function damaged(bytes: Uint8Array, roll: (below: number) => number): Uint8Array<ArrayBuffer> {
  const found = bytes.slice();
  for (let k = roll(4); k >= 0; k--) found[roll(4) ? roll(found.length) : roll(64)] = roll(256);
  return roll(3) ? found : found.slice(roll(8), roll(found.length));
}

/** Another value of any kind, by what is there. */
function spoiled(value: unknown, roll: (below: number) => number): unknown {
  const others = [
    null,
    -1,
    0.5,
    2 ** 31,
    2 ** 53 - 1,
    1e308,
    "NaN",
    "",
    EVIL,
    true,
    [],
    {},
    [[[]]],
    { at: 0, length: 4 },
  ];
  if (typeof value === "object" && value !== null && roll(4)) {
    const keys = Object.keys(value);
    const key = keys[roll(keys.length)];
    if (Array.isArray(value)) return value.map((item, k) => (String(k) === key ? spoiled(item, roll) : item));
    return { ...value, [key]: spoiled((value as Json)[key], roll) };
  }
  return others[roll(others.length)];
}

const viewOf = (bytes: Uint8Array<ArrayBuffer>): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const words = (...values: number[]): DataView => new DataView(Uint32Array.from(values).buffer);

const SOUND: Json = {
  _graph: viewOf(GRAPH),
  _frame: viewOf(FRAME),
  _extra: new DataView(new ArrayBuffer(0)),
  _selected: words(0),
  _status: { state: "finished", run: 1, iteration: 10, total: 10, steerable: true },
  height: 400,
  theme: "light",
};

/** Values that no trait should have, or hardly one. */
const WRONG: readonly unknown[] = [
  ...[undefined, null, true, -1, 0, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 2 ** 53, "", "x", EVIL],
  ...[[], [Number.NaN, 1], [1e308, -1e308, 1, 1], [null, {}], [[[EVIL]]], {}, { [EVIL]: EVIL }, { version: 1 }],
  { version: 1, camera: { center: [Number.NaN, "0"], span: -1 }, tool: EVIL, filters: { [EVIL]: { low: EVIL } } },
  { version: 1, camera: { center: [1e308, 1e308], span: 1e-320 }, legend: { hidden: [EVIL, 3], column: EVIL } },
  { version: 1, table: EVIL, timeline: { column: EVIL, window: 5, speed: Number.NaN }, legend: 7, filters: [1] },
  { version: 1, filters: { "a:club": { without: [EVIL, 7, null] }, __proto__: { low: 1 } } },
  { state: EVIL, message: EVIL, history: [[1, Number.NaN], EVIL], total: -1, iteration: 1e308, kl: EVIL },
  { state: "failed", message: EVIL, phase: EVIL, status_text: EVIL, update: EVIL, dimension: -1, shots: 1e9 },
  { "a:club": { [EVIL]: "red;}</style>", Officer: "url(x)" } },
  ...[new ArrayBuffer(3), new DataView(new ArrayBuffer(5)), words(0, 2 ** 31), words(7, 0xffffffff, 0, 1)],
  new DataView(Float32Array.of(0, 1, Number.NaN, Number.POSITIVE_INFINITY, 1, 2).buffer),
  new Uint8Array(1_000).fill(255),
];

const TRAITS = [
  ...["_graph", "_extra", "_frame", "_status", "_selected", "_hidden", "_pinned", "_events", "_view", "_rotation"],
  ...["_group", "color", "size", "label", "edges", "edge_width", "edge_color", "edge_label", "arrows", "curved"],
  ...["class_names", "colors", "size_range", "exaggeration", "theme", "height"],
];

type Listener = (...args: unknown[]) => void;

/** A notebook's model without a kernel. */
class Model implements WidgetModel {
  readonly listeners = new Map<string, Set<Listener>>();
  constructor(readonly state: Json) {}
  get = (name: string): unknown => this.state[name];
  set = (name: string, value: unknown): void => void (this.state[name] = value);
  save_changes = (): void => {};
  send = (): void => {};
  on = (name: string, callback: Listener): void => {
    this.listeners.set(name, (this.listeners.get(name) ?? new Set()).add(callback));
  };
  off = (name: string, callback: Listener): void => void this.listeners.get(name)?.delete(callback);

  change(part: Json): void {
    Object.assign(this.state, part);
    for (const name of Object.keys(part)) for (const call of this.listeners.get(`change:${name}`) ?? []) call();
  }
}

const escaped: unknown[] = [];
const note = (event: ErrorEvent | { reason?: unknown }): void => void escaped.push(event);
const caught = (error: unknown): void => void escaped.push(error);

beforeEach(() => {
  escaped.length = 0;
  window.addEventListener("error", note);
  // Errors of microtasks are the process's own.
  process.on("uncaughtException", caught);
  process.on("unhandledRejection", caught);
});

afterEach(() => {
  window.removeEventListener("error", note);
  process.off("uncaughtException", caught);
  process.off("unhandledRejection", caught);
  document.body.replaceChildren();
  scenes.length = 0;
});

/** Opens a view of a state, changes it, looks at what is on the page, and closes it. */
async function look(state: Json, ...changes: readonly Json[]): Promise<string> {
  const model = new Model({ ...SOUND, ...state });
  const el = document.body.appendChild(document.createElement("div"));
  const leave = widget.initialize({ model });
  const close = widget.render({ model, el });
  for (const change of changes) {
    model.change(change);
    await Promise.resolve();
  }
  await nextFrame();
  expect(el.childElementCount).toBeGreaterThan(0);
  expect(el.querySelector("img, script, iframe, object, embed, link, style, a[href^='javascript']")).toBeNull();
  const said = el.textContent ?? "";
  const attributes = [...el.querySelectorAll("*")].flatMap((one) => one.getAttributeNames());
  expect(attributes.filter((name) => name.startsWith("on"))).toEqual([]);
  close();
  leave?.();
  expect(el.childElementCount).toBe(0);
  return said;
}

describe("a notebook that somebody else sends", () => {
  it.each(TRAITS)("may come to hold anything as %s", async (trait) => {
    await look({}, ...WRONG.map((value) => ({ [trait]: value })));
    expect(escaped).toEqual([]);
  });

  it("may hold anything at first", { timeout: PATIENCE }, async () => {
    const [, ...others] = TRAITS;
    for (const value of WRONG) {
      expect(await look({ _graph: value })).toMatch(/^The graph cannot be shown: [^\n]+$/);
      await look(Object.fromEntries(others.map((trait) => [trait, value])));
    }
    expect(escaped).toEqual([]);
  });

  it("may claim any number of nodes and edges", async () => {
    const bare = {
      names: null,
      columns: [],
      pairs: { at: 0, dtype: "u4", length: 0 },
      edge_columns: [],
      directed: false,
    };
    for (const nodes of [2 ** 53 - 1, 2 ** 32, 2 ** 31, 3e8]) {
      const graph = withHeader((header) => Object.assign(header, bare, { nodes }));
      expect(() => decodeGraph(graph)).toThrow(`The graph data claims ${nodes} nodes, which is more than`);
      expect(await look({ _graph: viewOf(graph) })).toMatch(/^The graph cannot be shown: The graph data claims/);
      expect(await look({}, { _graph: viewOf(graph) })).toContain("The graph data claims");
    }
    const many = withHeader((header) => Object.assign(header, { edges: 2 ** 53 - 1 }));
    expect(await look({ _graph: viewOf(many) })).toContain("edges");
    expect(escaped).toEqual([]);
  });

  it("may name things with markup", async () => {
    const graph = withHeader((header) => {
      header.notes = [EVIL];
      for (const column of header.columns as Json[]) {
        Object.assign(column, { name: EVIL, note: EVIL });
        for (const category of (column.categories ?? []) as Json[]) category.label = EVIL;
      }
    });
    const [column] = decodeGraph(graph).columns;
    for (const trait of ["color", "size", "label"]) {
      expect(await look({ _graph: viewOf(graph), [trait]: column.key })).toContain(EVIL);
    }
    expect(escaped).toEqual([]);
  });

  it("may have any bytes changed, and any field of what it says of itself", { timeout: PATIENCE }, async () => {
    const sentences = new Set<string>();
    const tried = (bytes: Uint8Array, decode: (bytes: Uint8Array) => unknown): void => {
      try {
        decode(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect((error as Error).name).toBe("Error"); // not a RangeError or TypeError of the language
        sentences.add((error as Error).message.replace(/\d+|"[^"]*"/g, "…"));
      }
    };
    for (let seed = 0; seed < 1_000; seed++) {
      const roll = dice(seed);
      const graph =
        seed % 2 ? damaged(GRAPH, roll) : withHeader((header) => Object.assign(header, spoiled(header, roll)));
      tried(graph, decodeGraph);
      tried(graph, (bytes) => decodeColumns(bytes, NODES));
      const frame = damaged(FRAME, roll);
      tried(frame, (bytes) => decodeFrame(bytes, NODES));
      if (seed % 50 < 2) await look({ _graph: viewOf(graph), _frame: viewOf(frame) }, { _extra: viewOf(graph) });
    }
    expect(sentences.size).toBeGreaterThan(20);
    expect(escaped).toEqual([]);
  });
});
