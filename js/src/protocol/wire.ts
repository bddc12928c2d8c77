// The binary formats between Python and the browser: what comes in is checked here, once, and trusted afterwards.
//
// Typed arrays are views into the message where its alignment allows, copies otherwise; nobody may write to them.
// They read in the machine's byte order, which is little endian wherever a browser runs.

import { checkedBounds, isFiniteBox } from "../data/bounds.js";
import { classLabel } from "../data/format.js";
import type { Category, Column, Frame, GraphData, Texts } from "../data/types.js";

export type Bytes = DataView | ArrayBuffer | Uint8Array;

const FRAME_HEADER = 32;
/** Texts that are decoded one by one. */
const MANY = 2_000;
/** Nodes that a graph may have however few bytes it has, and more for each byte: most have their names there. */
const FEW = 1_000_000;
const PER_BYTE = 10;
const DTYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array } as const;
type Dtype = keyof typeof DTYPES;
type ArrayOf<D extends Dtype> = InstanceType<(typeof DTYPES)[D]>;
export type Json = Record<string, unknown>;

/** A frame of the run of a graph with so many nodes; throws an Error with one sentence that can be shown. */
export function decodeFrame(buffer: Bytes, nodes: number): Frame {
  const bytes = bytesOf(buffer);
  if (bytes.length < FRAME_HEADER) {
    throw new Error(`A frame has at least ${FRAME_HEADER} bytes; this one has ${bytes.length}.`);
  }
  expectMagic(bytes, "GNF1", "a frame");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(4, true);
  if (count !== nodes) throw new Error(`The frame holds ${count} nodes; the graph has ${nodes}.`);
  const size = FRAME_HEADER + 8 * count;
  if (bytes.length !== size)
    throw new Error(`A frame of ${count} nodes has ${size} bytes; this one has ${bytes.length}.`);
  const positions = typed(bytes, FRAME_HEADER, "f4", 2 * count);
  if (!isFiniteBox(checkedBounds(positions))) {
    const bad = positions.findIndex((value) => !Number.isFinite(value)) >> 1;
    throw new Error(`The frame puts node ${bad} at a place that is not a finite number.`);
  }
  return {
    nodes: count,
    seq: view.getUint32(8, true),
    iteration: view.getUint32(12, true),
    phase: view.getUint8(16),
    kl: view.getFloat32(20, true),
    exaggeration: view.getFloat32(24, true),
    run: view.getUint32(28, true),
    positions,
  };
}

/** The graph, its drawn edges, names and columns. */
export function decodeGraph(buffer: Bytes): GraphData {
  const box = open(buffer);
  const { header, nodes } = box;
  // A view takes memory by its nodes: a few bytes shall not fill it.
  const most = FEW + PER_BYTE * bytesOf(buffer).length;
  if (nodes > most) throw new Error(`The graph data claims ${nodes} nodes, which is more than it can be about.`);
  const pairs = box.array(header.pairs, ["u4"], "pairs");
  if (pairs.length % 2 !== 0) throw new Error("The pairs of the graph have an odd length.");
  expectBelow(pairs, nodes, "The pairs of the graph");
  const edges = count(header.edges, "edges");
  if (edges < pairs.length / 2) throw new Error(`The graph has ${edges} edges, but ${pairs.length / 2} are drawn.`);
  return {
    nodes,
    edges,
    pairs,
    directed: directedOf(box, pairs.length / 2),
    edgeColumns: columnsOf(box, "edge_columns", pairs.length / 2),
    names: header.names == null ? null : box.texts(header.names, "names", nodes),
    columns: columnsOf(box, "columns", nodes),
    colormap: list(header.colormap, "colormap").map((color) => colour(color, "colormap")),
    other: colour(header.other, "other"),
    missing: colour(header.missing, "missing"),
    plain: colour(header.plain, "plain"),
    notes: list(header.notes ?? [], "notes").map((note) => text(note, "notes")),
  };
}

/** Columns alone, for the same nodes. */
export function decodeColumns(buffer: Bytes, nodes: number): Column[] {
  // An unset Bytes trait is empty: no columns.
  if (bytesOf(buffer).length === 0) return [];
  const box = open(buffer);
  if (box.nodes !== nodes) throw new Error(`The columns are for ${box.nodes} nodes; the graph has ${nodes}.`);
  return columnsOf(box, "columns", nodes);
}

/** A container whose header was read; arrays are checked when they are taken out. */
export interface Box {
  readonly header: Json;
  readonly nodes: number;
  array<D extends Dtype>(ref: unknown, dtypes: readonly D[], what: string, length?: number): ArrayOf<D>;
  texts(value: unknown, what: string, length: number): Texts;
}

export function open(buffer: Bytes): Box {
  const bytes = bytesOf(buffer);
  if (bytes.length < 8) throw new Error(`Graph data has at least 8 bytes; this has ${bytes.length}.`);
  expectMagic(bytes, "GNG1", "graph data");
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(4, true);
  const start = 8 + length;
  if (start > bytes.length) throw new Error("The header of the graph data is longer than the data.");
  let header: Json;
  try {
    header = object(JSON.parse(decode(bytes.subarray(8, start))), "header");
  } catch (error) {
    throw new Error(`The header of the graph data cannot be read: ${(error as Error).message}`);
  }
  const nodes = count(header.nodes, "nodes");

  const array = <D extends Dtype>(value: unknown, dtypes: readonly D[], what: string, length?: number): ArrayOf<D> => {
    const ref = object(value, what);
    const dtype = ref.dtype as D;
    if (!dtypes.includes(dtype))
      throw new Error(`The array ${what} has the type ${String(dtype)}, not ${dtypes.join(" or ")}.`);
    const at = count(ref.at, `${what}.at`);
    const items = count(ref.length, `${what}.length`);
    if (at % 8 !== 0) throw new Error(`The array ${what} begins at byte ${at}, not at a multiple of 8.`);
    if (start + at + items * DTYPES[dtype].BYTES_PER_ELEMENT > bytes.length) {
      throw new Error(`The array ${what} reaches beyond the end of the data.`);
    }
    if (length !== undefined && items !== length)
      throw new Error(`The array ${what} has ${items} items, not ${length}.`);
    return typed(bytes, start + at, dtype, items);
  };

  const texts = (value: unknown, what: string, length: number): Texts => {
    const field = object(value, what);
    const utf8 = array(field.text, ["u1"], `${what}.text`);
    const ends = array(field.ends, ["u4"], `${what}.ends`, length);
    let last = 0;
    for (let i = 0; i < ends.length; i++) {
      if (ends[i] < last) throw new Error(`The texts of ${what} do not follow one another.`);
      last = ends[i];
    }
    if (last > utf8.length) throw new Error(`The texts of ${what} reach beyond their bytes.`);
    // Who reads many of them, as to sort or search them all, has them all decoded at once, if a byte is a character.
    let read = 0;
    let all: string | null = null;
    return {
      length,
      at: (item) => {
        if (!(item >= 0 && item < length)) return "";
        const start = item === 0 ? 0 : ends[item - 1];
        if (++read === MANY && utf8.every((byte) => byte < 128)) all = decode(utf8);
        return all === null ? decode(utf8.subarray(start, ends[item])) : all.slice(start, ends[item]);
      },
    };
  };

  return { header, nodes, array, texts };
}

/** Whether edges have a direction: all, none, or by a byte each. */
function directedOf(box: Box, edges: number): boolean | Uint8Array {
  const { directed } = box.header;
  return typeof directed === "object" && directed !== null
    ? box.array(directed, ["u1"], "directed", edges)
    : directed === true;
}

/** The columns of a field of the header, each with so many items. */
function columnsOf(box: Box, name: string, length: number): Column[] {
  return list(box.header[name] ?? [], name).map((value) => columnOf(box, object(value, name), length));
}

function columnOf(box: Box, field: Json, length: number): Column {
  const key = text(field.key, "key of a column");
  const name = classLabel(text(field.name, "name of a column"));
  const what = `column ${JSON.stringify(name)}`;
  const note = field.note === undefined ? {} : { note: text(field.note, `note of ${what}`) };
  switch (field.kind) {
    case "classes": {
      const categories = list(field.categories, `categories of ${what}`).map((value) => category(value, what));
      const codes = box.array(field.codes, ["u1", "u2", "u4"], `codes of ${what}`, length);
      expectBelow(codes, categories.length + 1, `The codes of ${what}`);
      return {
        key,
        name,
        ...note,
        kind: "classes",
        codes,
        categories,
        ...(field.numbers === true && { numbers: true }),
      };
    }
    case "values": {
      const values = box.array(field.values, ["f4", "f8"], `values of ${what}`, length);
      const low = number(field.low, `low of ${what}`);
      const high = number(field.high, `high of ${what}`);
      const [from, to] = list(field.scale, `scale of ${what}`);
      const scale = [number(from, `scale of ${what}`), number(to, `scale of ${what}`)] as const;
      return {
        key,
        name,
        ...note,
        kind: "values",
        values,
        low,
        high,
        scale,
        whole: field.whole === true,
        ...(field.date === true && { date: true }),
        ...(field.stops !== undefined && { stops: box.array(field.stops, ["f8"], `stops of ${what}`) }),
      };
    }
    case "colors":
      return { key, name, kind: "colors", rgba: box.array(field.rgba, ["u1"], `rgba of ${what}`, 4 * length) };
    case "text":
      return { key, name, kind: "text", texts: box.texts(field, what, length) };
    default:
      throw new Error(`The ${what} is of the unknown kind ${JSON.stringify(field.kind)}.`);
  }
}

function category(value: unknown, what: string): Category {
  const field = object(value, `categories of ${what}`);
  return {
    label: text(field.label, `label in ${what}`),
    color: field.color == null ? null : colour(field.color, `color in ${what}`),
    count: count(field.count, `count in ${what}`),
  };
}

/** The bytes of a message: a view may be a part of a larger buffer. */
function bytesOf(buffer: Bytes): Uint8Array {
  if (ArrayBuffer.isView(buffer)) return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  // Another page's ArrayBuffer is no instance of this one's.
  if (Object.prototype.toString.call(buffer) === "[object ArrayBuffer]") return new Uint8Array(buffer);
  throw new Error("Binary data was expected.");
}

function typed<D extends Dtype>(bytes: Uint8Array, at: number, dtype: D, length: number): ArrayOf<D> {
  const Type = DTYPES[dtype];
  const begin = bytes.byteOffset + at;
  if (begin % Type.BYTES_PER_ELEMENT === 0) return new Type(bytes.buffer as ArrayBuffer, begin, length) as ArrayOf<D>;
  const copy = bytes.slice(at, at + length * Type.BYTES_PER_ELEMENT);
  return new Type(copy.buffer as ArrayBuffer, 0, length) as ArrayOf<D>;
}

function expectBelow(codes: Uint8Array | Uint16Array | Uint32Array, limit: number, what: string): void {
  let most = -1;
  for (let i = 0; i < codes.length; i++) if (codes[i] > most) most = codes[i];
  if (most >= limit) throw new Error(`${what} hold ${most}; the largest there can be is ${limit - 1}.`);
}

function expectMagic(bytes: Uint8Array, magic: string, what: string): void {
  for (let i = 0; i < 4; i++) {
    if (bytes[i] !== magic.charCodeAt(i)) throw new Error(`This is not ${what}: it does not begin with ${magic}.`);
  }
}

let decoder: TextDecoder | null = null;
function decode(bytes: Uint8Array): string {
  decoder ??= new TextDecoder();
  return decoder.decode(bytes);
}

export function object(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`The field ${what} is missing or not an object.`);
  return value as Json;
}

export function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`The field ${what} is missing or not a list.`);
  return value;
}

function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw new Error(`The field ${what} is missing or not a text.`);
  return value;
}

export function number(value: unknown, what: string): number {
  if (typeof value !== "number" || !Number.isFinite(value))
    throw new Error(`The field ${what} is missing or not a number.`);
  return value;
}

export function count(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new Error(`The field ${what} is missing or not a count.`);
  return value as number;
}

/** Colours reach CSS, so nothing but a plain hexadecimal one may pass. */
function colour(value: unknown, what: string): string {
  if (typeof value !== "string" || !/^#[0-9a-f]{6}$/i.test(value))
    throw new Error(`The field ${what} is not a colour such as #0072b2.`);
  return value;
}
