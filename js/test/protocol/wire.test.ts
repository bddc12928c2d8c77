import { describe, expect, it } from "vitest";
import { decodeColumns, decodeFrame, decodeGraph } from "../../src/protocol/wire.js";

type Header = Record<string, unknown>;

/** A frame as Python writes it. */
function frame(positions: number[], change: (view: DataView) => void = () => {}): Uint8Array {
  const bytes = new Uint8Array(32 + 4 * positions.length);
  const view = new DataView(bytes.buffer);
  bytes.set([71, 78, 70, 49]);
  view.setUint32(4, positions.length / 2, true);
  view.setUint32(8, 7, true);
  view.setUint32(12, 250, true);
  view.setUint8(16, 2);
  view.setFloat32(20, NaN, true);
  view.setFloat32(24, 4, true);
  view.setUint32(28, 3, true);
  positions.forEach((value, i) => view.setFloat32(32 + 4 * i, value, true));
  change(view);
  return bytes;
}

/** A container whose arrays are given as bytes, each at a multiple of 8. */
class Container {
  private readonly parts: Uint8Array[] = [];
  private size = 0;

  put(array: Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array): Header {
    const kind = array instanceof Float32Array || array instanceof Float64Array ? "f" : "u";
    const ref = { at: this.size, dtype: kind + array.BYTES_PER_ELEMENT, length: array.length };
    const padded = new Uint8Array(Math.ceil(array.byteLength / 8) * 8);
    padded.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    this.parts.push(padded);
    this.size += padded.length;
    return ref;
  }

  text(texts: string[]): Header {
    const pieces = texts.map((text) => new TextEncoder().encode(text));
    let end = 0;
    const ends = Uint32Array.from(pieces, (piece) => (end += piece.length));
    const all = new Uint8Array(end);
    pieces.forEach((piece, i) => all.set(piece, ends[i] - piece.length));
    return { text: this.put(all), ends: this.put(ends) };
  }

  bytes(header: Header): Uint8Array {
    let json = JSON.stringify(header);
    while ((8 + new TextEncoder().encode(json).length) % 8 !== 0) json += " ";
    const head = new TextEncoder().encode(json);
    const bytes = new Uint8Array(8 + head.length + this.size);
    bytes.set([71, 78, 71, 49]);
    new DataView(bytes.buffer).setUint32(4, head.length, true);
    bytes.set(head, 8);
    let at = 8 + head.length;
    for (const part of this.parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

const NAMES = ["<img src=x onerror=alert(1)>", "", "Zoë 🦊"];

function graph(change: (header: Header, box: Container) => void = () => {}): Uint8Array {
  const box = new Container();
  const header: Header = {
    nodes: 3,
    edges: 9,
    pairs: box.put(Uint32Array.of(0, 1, 1, 2)),
    names: box.text(NAMES),
    columns: [
      {
        key: "a",
        name: "class",
        kind: "classes",
        codes: box.put(Uint8Array.of(0, 2, 1)),
        categories: [
          { label: "x", color: "#0072b2", count: 1 },
          { label: "y", color: null, count: 1 },
        ],
      },
      {
        key: "b",
        name: "size",
        kind: "values",
        values: box.put(Float64Array.of(1, NaN, 3)),
        low: 1,
        high: 3,
        scale: [1, 2],
        whole: true,
      },
      { key: "c", name: "paint", kind: "colors", rgba: box.put(new Uint8Array(12).fill(9)) },
      { key: "d", name: "title", kind: "text", ...box.text(["p", "q", "r"]) },
    ],
    colormap: ["#000000", "#FFFFFF"],
    other: "#b8b8b8",
    missing: "#dadada",
    plain: "#0072b2",
    notes: ["2 of 9 edges are drawn"],
  };
  change(header, box);
  return box.bytes(header);
}

describe("decodeFrame", () => {
  it("reads every field", () => {
    const read = decodeFrame(frame([1, 2, -3, 4.5]), 2);
    expect(read).toMatchObject({ nodes: 2, seq: 7, iteration: 250, phase: 2, kl: NaN, exaggeration: 4, run: 3 });
    expect([...read.positions]).toEqual([1, 2, -3, 4.5]);
  });

  it("reads views into larger buffers, without a copy where they are aligned", () => {
    const bytes = frame([1, 2, 3, 4]);
    for (const shift of [0, 1, 2, 4, 7, 8]) {
      const larger = new Uint8Array(bytes.length + 20).fill(255);
      larger.set(bytes, shift);
      for (const part of [
        larger.subarray(shift, shift + bytes.length),
        new DataView(larger.buffer, shift, bytes.length),
      ]) {
        const { positions } = decodeFrame(part, 2);
        expect([...positions]).toEqual([1, 2, 3, 4]);
        expect(positions.buffer === larger.buffer).toBe(shift % 4 === 0);
      }
    }
    expect([...decodeFrame(bytes.buffer as ArrayBuffer, 2).positions]).toEqual([1, 2, 3, 4]);
  });

  it("reads a frame of no nodes", () => {
    expect(decodeFrame(frame([]), 0).positions).toHaveLength(0);
  });

  it.each([
    ["too short for a header", new Uint8Array(31), /at least 32 bytes; this one has 31/],
    ["no frame", frame([1, 2, 3, 4], (view) => view.setUint8(3, 50)), /does not begin with GNF1/],
    ["of other nodes", frame([1, 2]), /holds 1 nodes; the graph has 2/],
    ["cut short", frame([1, 2, 3, 4]).subarray(0, 47), /of 2 nodes has 48 bytes; this one has 47/],
    ["too long", new Uint8Array([...frame([1, 2, 3, 4]), 0]), /has 48 bytes; this one has 49/],
    ["with a NaN", frame([1, 2, 3, NaN]), /node 1 at a place that is not a finite number/],
    ["with an infinity", frame([-Infinity, 2, 3, 4]), /node 0 at a place/],
    ["that is text", "GNF1" as unknown as Uint8Array, /Binary data was expected/],
    ["that is nothing", null as unknown as Uint8Array, /Binary data was expected/],
  ])("refuses a frame %s", (_, bytes, message) => {
    expect(() => decodeFrame(bytes, 2)).toThrow(message);
  });

  it.each([0, 1, 2, 5, 8])("finds the one bad number at %i", (at) => {
    const numbers = new Array<number>(10).fill(3e38);
    expect(decodeFrame(frame(numbers), 5).positions).toHaveLength(10);
    for (const bad of [NaN, Infinity, -Infinity]) {
      expect(() => decodeFrame(frame(numbers.map((value, i) => (i === at ? bad : value))), 5)).toThrow(
        `puts node ${at >> 1} at a place`,
      );
    }
  });

  it("refuses a count whose size would overflow", () => {
    expect(() =>
      decodeFrame(
        frame([1, 2], (view) => view.setUint32(4, 0xffffffff, true)),
        0xffffffff,
      ),
    ).toThrow(/bytes/);
  });
});

describe("decodeGraph", () => {
  it("reads pairs, names and columns", () => {
    const read = decodeGraph(graph());
    expect(read).toMatchObject({ nodes: 3, edges: 9, other: "#b8b8b8", notes: ["2 of 9 edges are drawn"] });
    expect([...read.pairs]).toEqual([0, 1, 1, 2]);
    expect([0, 1, 2].map((node) => read.names?.at(node))).toEqual(NAMES);
    expect([-1, 3, 1e9].map((node) => read.names?.at(node))).toEqual(["", "", ""]);
    const [classes, values, colors, texts] = read.columns;
    expect(classes).toMatchObject({ key: "a", kind: "classes", codes: Uint8Array.of(0, 2, 1) });
    expect(values).toMatchObject({
      key: "b",
      values: Float64Array.of(1, NaN, 3),
      low: 1,
      high: 3,
      scale: [1, 2],
      whole: true,
    });
    expect(colors).toMatchObject({ key: "c", rgba: new Uint8Array(12).fill(9) });
    expect(texts.kind === "text" && texts.texts.at(2)).toBe("r");
  });

  it("reads it from any place in a larger buffer", () => {
    const bytes = graph();
    for (const shift of [0, 1, 3, 4, 8]) {
      const larger = new Uint8Array(bytes.length + 16);
      larger.set(bytes, shift);
      const read = decodeGraph(new DataView(larger.buffer, shift, bytes.length));
      expect([...read.pairs]).toEqual([0, 1, 1, 2]);
      expect(read.names?.at(2)).toBe(NAMES[2]);
    }
  });

  it("reads direction and columns of the edges, loops and parallel edges included", () => {
    const read = decodeGraph(
      graph((header, box) => {
        header.pairs = box.put(Uint32Array.of(0, 1, 1, 0, 2, 2, 0, 1));
        header.directed = box.put(Uint8Array.of(1, 1, 0, 0));
        const weight = { values: box.put(Float32Array.of(1, 2, 3, 4)), low: 1, high: 4, scale: [1, 4], whole: true };
        header.edge_columns = [
          { key: "e:weight", name: "weight", kind: "values", ...weight },
          { key: "e:note", name: "note", kind: "text", ...box.text(["a", "b", "c", "d"]) },
        ];
      }),
    );
    expect(read.pairs).toEqual(Uint32Array.of(0, 1, 1, 0, 2, 2, 0, 1));
    expect(read.directed).toEqual(Uint8Array.of(1, 1, 0, 0));
    expect(read.edgeColumns[0]).toMatchObject({ key: "e:weight", values: Float32Array.of(1, 2, 3, 4) });
    const [, note] = read.edgeColumns;
    expect(note.kind === "text" && [note.texts.length, note.texts.at(3), note.texts.at(4)]).toEqual([4, "d", ""]);
    expect(decodeGraph(graph((header) => (header.directed = true))).directed).toBe(true);
    expect(decodeGraph(graph())).toMatchObject({ directed: false, edgeColumns: [] });
  });

  it("can do without names", () => {
    expect(decodeGraph(graph((header) => (header.names = null))).names).toBeNull();
  });

  const column = (header: Header, k: number): Header => (header.columns as Header[])[k];
  it.each<[string, (header: Header, box: Container) => void, RegExp]>([
    ["no count of nodes", (h) => (h.nodes = -1), /field nodes is missing or not a count/],
    [
      "pairs that point beyond the nodes",
      (h, b) => (h.pairs = b.put(Uint32Array.of(0, 3))),
      /pairs of the graph hold 3; the largest there can be is 2/,
    ],
    ["more pairs than edges", (h) => (h.edges = 1), /has 1 edges, but 2 are drawn/],
    ["directions of other edges", (h, b) => (h.directed = b.put(Uint8Array.of(1))), /directed has 1 items, not 2/],
    [
      "a column of other edges",
      (h, b) => (h.edge_columns = [{ key: "e:x", name: "x", kind: "text", ...b.text(["p", "q", "r"]) }]),
      /has 3 items, not 2/,
    ],
    ["half a pair", (h, b) => (h.pairs = b.put(Uint32Array.of(0, 1, 2))), /odd length/],
    [
      "pairs of another type",
      (h, b) => (h.pairs = b.put(Float32Array.of(0, 1))),
      /array pairs has the type f4, not u4/,
    ],
    ["pairs beyond the end", (h) => ((h.pairs as Header).length = 1e6), /pairs reaches beyond the end/],
    ["pairs before the beginning", (h) => ((h.pairs as Header).at = -8), /pairs.at is missing or not a count/],
    ["pairs at an odd place", (h) => ((h.pairs as Header).at = 4), /not at a multiple of 8/],
    ["a length that is no number", (h) => ((h.pairs as Header).length = "4"), /pairs.length is missing or not a count/],
    ["an offset that overflows", (h) => ((h.pairs as Header).at = 2 ** 60), /missing or not a count/],
    [
      "texts out of order",
      (h, b) => ((h.names as Header).ends = b.put(Uint32Array.of(5, 2, 6))),
      /do not follow one another/,
    ],
    [
      "texts beyond their bytes",
      (h, b) => ((h.names as Header).ends = b.put(Uint32Array.of(0, 2, 6000))),
      /reach beyond their bytes/,
    ],
    ["too few texts", (h, b) => ((h.names as Header).ends = b.put(Uint32Array.of(0, 2))), /has 2 items, not 3/],
    [
      "codes without a category",
      (h, b) => (column(h, 0).codes = b.put(Uint8Array.of(0, 1, 3))),
      /codes of column "class" hold 3/,
    ],
    ["too few codes", (h, b) => (column(h, 0).codes = b.put(Uint8Array.of(0, 1))), /has 2 items, not 3/],
    [
      "a colour that is more than a colour",
      (h) => (((column(h, 0).categories as Header[])[0] as Header).color = "red;}</style>"),
      /not a colour such as/,
    ],
    ["values without a scale", (h) => (column(h, 1).scale = [1]), /scale of column "size" is missing or not a number/],
    ["values without a range", (h) => (column(h, 1).low = null), /low of column "size" is missing or not a number/],
    ["too few colours", (h, b) => (column(h, 2).rgba = b.put(new Uint8Array(4))), /has 4 items, not 12/],
    ["an unknown kind", (h) => (column(h, 3).kind = "image"), /column "title" is of the unknown kind "image"/],
    ["a key that is no text", (h) => (column(h, 0).key = 5), /key of a column is missing or not a text/],
    ["columns that are no list", (h) => (h.columns = {}), /columns is missing or not a list/],
    ["a colour map with something else in it", (h) => (h.colormap = ["#000000", "url(x)"]), /colormap is not a colour/],
    ["notes that are no text", (h) => (h.notes = [1]), /notes is missing or not a text/],
  ])("refuses %s", (_, change, message) => {
    expect(() => decodeGraph(graph(change))).toThrow(message);
  });

  it("refuses what is no container", () => {
    expect(() => decodeGraph(new Uint8Array(3))).toThrow(/at least 8 bytes/);
    expect(() => decodeGraph(frame([1, 2]))).toThrow(/does not begin with GNG1/);
    expect(() => decodeGraph(graph().subarray(0, 100))).toThrow(/header of the graph data is longer/);
    const bytes = graph();
    bytes[8] = 91;
    expect(() => decodeGraph(bytes)).toThrow(/header of the graph data cannot be read/);
  });

  it("never reads beyond what it was given, wherever the data is cut", () => {
    const bytes = graph();
    // The last four bytes only fill up to a multiple of eight.
    for (let length = 0; length < bytes.length - 4; length += 5)
      expect(() => decodeGraph(bytes.subarray(0, length))).toThrow(Error);
  });
});

describe("decodeColumns", () => {
  const extra = (nodes: number): Uint8Array => {
    const box = new Container();
    return box.bytes({
      nodes,
      columns: [
        {
          key: "u:color",
          name: "color",
          kind: "values",
          values: box.put(new Float32Array(nodes)),
          low: 0,
          high: 0,
          scale: [0, 0],
          whole: false,
        },
      ],
    });
  };

  it("reads columns alone", () => {
    expect(decodeColumns(extra(3), 3)).toMatchObject([{ key: "u:color", kind: "values", whole: false }]);
  });

  it("takes nothing for no columns, and refuses those of another graph", () => {
    expect(decodeColumns(new Uint8Array(0), 3)).toEqual([]);
    expect(() => decodeColumns(extra(4), 3)).toThrow(/for 4 nodes; the graph has 3/);
  });
});
