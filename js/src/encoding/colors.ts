// From columns to one colour a node, by the same rules as the pictures Python draws.

import type { ClassColumn, Column, GraphData, Shade, ValueColumn } from "../data/types.js";

/** 0 to 255 each. */
export type ByteRgba = readonly [number, number, number, number];

const GREY: ByteRgba = [136, 136, 136, 255];

/** Reads "#rgb", "#rrggbb", "#rrggbbaa" and what `getComputedStyle` answers; null for anything else. */
export function parseColor(text: string): ByteRgba | null {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text.trim())?.[1];
  if (hex && hex.length !== 5 && hex.length !== 7) {
    const wide = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex;
    const number = (at: number): number => Number.parseInt(wide.slice(at, at + 2), 16);
    return [number(0), number(2), number(4), wide.length === 8 ? number(6) : 255];
  }
  const parts = /^rgba?\(([^)]*)\)$/i
    .exec(text.trim())?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  if (!parts || parts.length < 3 || parts.some(Number.isNaN)) return null;
  return [parts[0], parts[1], parts[2], Math.round(255 * (parts[3] ?? 1))];
}

export function toCss([red, green, blue, alpha]: ByteRgba): string {
  return alpha === 255 ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
}

const linear = (byte: number): number => {
  const share = byte / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const encoded = (light: number): number => {
  const share = Math.min(1, Math.max(0, light));
  return Math.round(255 * (share <= 0.0031308 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055));
};

/** Relative luminance of WCAG 2, 0 to 1. */
export function luminance([red, green, blue]: ByteRgba): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast of WCAG 2, 1 to 21. */
export function contrast(one: ByteRgba, other: ByteRgba): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Changes the lightness of a colour in OKLab (Ottosson 2020), which leaves its hue alone. */
function relight(color: ByteRgba, change: (lightness: number) => number): ByteRgba {
  const [r, g, b] = [linear(color[0]), linear(color[1]), linear(color[2])];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  // Adding the same amount to l, m and s changes the lightness only.
  const before = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const more = change(before) - before;
  const [l3, m3, s3] = [(l + more) ** 3, (m + more) ** 3, (s + more) ** 3];
  return [
    encoded(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
    encoded(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
    encoded(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3),
    color[3],
  ];
}

/**
 * A colour chosen for white paper, for the present background. On dark the range of lightness moves up as a whole:
 * the palette's darkest colours reach a contrast of 3, and no two of its colours come closer to each other than
 * they were. Lifting only the dark ones would push them onto the others.
 */
export function adapt(color: ByteRgba, shade: Shade): ByteRgba {
  return shade === "light" ? color : relight(color, (before) => Math.min(0.97, 0.5 + (0.45 * (before - 0.3)) / 0.62));
}

/** Greys that should stand back do so on dark only if they are dark themselves. */
export function adaptGrey(color: ByteRgba, shade: Shade): ByteRgba {
  return shade === "light" ? color : relight(color, (before) => Math.max(0.3, 1.25 - before));
}

/** Colours somebody chose node by node stay as they are unless they would vanish. */
function adaptOwn(color: ByteRgba, shade: Shade): ByteRgba {
  return shade === "light" ? color : relight(color, (before) => Math.max(before, 0.45));
}

/** A colour as text needs it to be read before the background. */
export function legible(color: ByteRgba, shade: Shade): ByteRgba {
  return relight(color, (before) => (shade === "light" ? Math.min(before, 0.5) : Math.max(before, 0.78)));
}

/** "#rrggbb". */
export const toHex = ([red, green, blue]: ByteRgba): string =>
  `#${[red, green, blue].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

const read = (text: string): ByteRgba => parseColor(text) ?? GREY;

export interface Scale {
  /** The colours a colour bar shows, low to high. */
  readonly colors: readonly ByteRgba[];
  readonly missing: ByteRgba;
}

export function valueScale(graph: GraphData, shade: Shade): Scale {
  const colors = graph.colormap.map((color) => adapt(read(color), shade));
  return { colors: colors.length ? colors : [GREY], missing: adaptGrey(read(graph.missing), shade) };
}

/** One colour a code; the last is that of nodes without a value. */
export function classColors(column: ClassColumn, graph: GraphData, shade: Shade): ByteRgba[] {
  const other = adaptGrey(read(graph.other), shade);
  const colors = column.categories.map(({ color, chosen }) => {
    if (color === null) return other;
    return chosen ? adaptOwn(read(color), shade) : adapt(read(color), shade);
  });
  return [...colors, adaptGrey(read(graph.missing), shade)];
}

/** One colour a node, 4 bytes each. */
export const nodeColors = (column: Column | null, graph: GraphData, shade: Shade): Uint8Array =>
  itemColors(column, graph.nodes, graph, shade);

/** One colour for each item of a column, nodes or edges, 4 bytes each. */
export function itemColors(column: Column | null, items: number, graph: GraphData, shade: Shade): Uint8Array {
  const bytes = new Uint8Array(4 * items);
  // Numbers in the machine's own order, so that a node is one store; the bytes in memory are r, g, b, a.
  const pixels = new Uint32Array(bytes.buffer);
  const pixel = (color: ByteRgba): number => new Uint32Array(new Uint8Array(color).buffer)[0];
  if (column?.kind === "classes") {
    const table = Uint32Array.from(classColors(column, graph, shade), pixel);
    const last = table.length - 1;
    for (let i = 0; i < items; i++) pixels[i] = table[Math.min(column.codes[i], last)];
  } else if (column?.kind === "values") {
    const scale = valueScale(graph, shade);
    const table = Uint32Array.from(scale.colors, pixel);
    const missing = pixel(scale.missing);
    for (let i = 0; i < items; i++) {
      const share = colorShare(column, column.values[i]);
      pixels[i] = Number.isNaN(share) ? missing : table[Math.min(table.length - 1, Math.floor(share * table.length))];
    }
  } else if (column?.kind === "colors") {
    bytes.set(column.rgba.subarray(0, 4 * items));
    if (shade === "dark") adaptEach(bytes);
  } else {
    pixels.fill(pixel(adapt(read(graph.plain), shade)));
  }
  return bytes;
}

/** Own colours are few in most graphs, and the arithmetic is not free: each is converted once. */
function adaptEach(bytes: Uint8Array): void {
  const known = new Map<number, ByteRgba>();
  for (let at = 0; at < bytes.length; at += 4) {
    const key = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
    let color = known.get(key);
    if (!color) {
      color = adaptOwn([bytes[at], bytes[at + 1], bytes[at + 2], 255], "dark");
      if (known.size < 65_536) known.set(key, color);
    }
    bytes[at] = color[0];
    bytes[at + 1] = color[1];
    bytes[at + 2] = color[2];
  }
}

/** Where a value is between low and high, 0 to 1; NaN for none. */
export function shareOf([low, high]: readonly [number, number], value: number): number {
  if (!(high > low)) return Number.isFinite(value) ? 0.5 : Number.NaN;
  return Number.isFinite(value) ? Math.min(1, Math.max(0, (value - low) / (high - low))) : Number.NaN;
}

/** Where the colour of a value is on the scale of its column, 0 to 1; NaN for none. */
export function colorShare({ scale, stops }: ValueColumn, value: number): number {
  if (!stops?.length || !Number.isFinite(value)) return shareOf(scale, value);
  let [low, high] = [0, stops.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stops[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return (low + 0.5) / (stops.length + 1);
}

const painted = new WeakMap<Column, { chosen: object; column: Column }>();

/** A column of classes in the colours that were chosen for them; the same one as long as these are the same. */
export function paintedColumn(column: Column, chosen: Readonly<Record<string, string>> | undefined): Column {
  if (column.kind !== "classes" || !chosen) return column;
  const known = painted.get(column);
  if (known?.chosen === chosen) return known.column;
  const categories = column.categories.map((category) => {
    const color = Object.hasOwn(chosen, category.label) ? chosen[category.label] : null;
    return color ? { ...category, color, chosen: true } : category;
  });
  const made: Column = { ...column, categories };
  painted.set(column, { chosen, column: made });
  return made;
}

/** All columns, those of `extra` instead of their namesakes in the graph. */
export function mergeColumns(graph: GraphData, extra: readonly Column[]): Column[] {
  const keys = new Set(extra.map(({ key }) => key));
  return [...graph.columns.filter(({ key }) => !keys.has(key)), ...extra];
}

export const suits = {
  color: (column: Column): boolean => column.kind !== "text",
  size: (column: Column): boolean => column.kind === "values",
  label: (column: Column): boolean => column.kind !== "colors",
} as const;
