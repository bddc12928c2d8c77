// What the two renderers share: the scene they draw, the view they draw it in, and the rules that make it one picture.

import { type Bounds, FADED, RAISED, SELECTED } from "../data/types.js";
import { type EdgeLooks, FINE_EDGES } from "./edges/edge-look.js";
import type { PositionTween } from "./motion.js";
import type { SceneColors } from "./types.js";

export type UnitRgba = readonly [number, number, number, number];

/** The scene on the CPU: it outlives a lost context. Arrays belong to the caller and are only read. */
export interface SceneState {
  readonly nodes: number;
  /** Whether the nodes are anywhere yet; until then nothing is drawn. */
  placed: boolean;
  readonly pairs: Uint32Array;
  looks: EdgeLooks;
  /** How many of the pairs the looks do not leave out. */
  shown: number;
  readonly tween: PositionTween;
  rgba: Uint8Array;
  radii: Float32Array;
  flags: Uint8Array;
  /** The nodes from the lowest to the topmost of a layer; null for their own order. */
  order: Uint32Array | null;
  /** Layers that have nodes, one bit each. */
  layers: number;
  edgesVisible: boolean;
  background: UnitRgba;
  edge: UnitRgba;
  selection: UnitRgba;
  /** The edges that stand out, and the node whose edges they are, beside which all others recede; -1 for none. */
  raised: number;
  raisedEdges: Uint32Array;
}

/** One draw. Sizes are device pixels. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** The middle of the view in the layout, and device pixels per unit of it. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  /** Device pixels per CSS pixel of radius, and the least radius. */
  readonly grow: number;
  readonly least: number;
  /** How opaque discs are that neither are selected nor stand out. */
  readonly opacity: number;
  /** How far the largest disc, its ring included, reaches from its centre. */
  readonly reach: number;
  readonly edges: EdgeStyle;
}

export interface EdgeStyle {
  /** How many of the pairs are drawn: fewer while the picture moves and the machine cannot keep up. */
  readonly count: number;
  readonly alpha: number;
  /** How far the colour of many edges on top of each other is from the background, 0 to 1. */
  readonly depth: number;
  /** Device pixels. */
  readonly width: number;
  /** Device pixels per unit of a width that an edge has of its own. */
  readonly pen: number;
}

export type Part = "colors" | "radii" | "flags" | "order" | "edges" | "raised";

export interface Renderer {
  /** The nodes are where the trail says, all of a sudden. */
  place(): void;
  /** Called before the trail is given a new goal: what is drawn now becomes the start of the next move. */
  retarget(positions: Float32Array): void;
  /** Some nodes stand elsewhere, at both ends of the move. */
  patch(nodes: Uint32Array): void;
  /** A part of the state was replaced. */
  changed(part: Part): void;
  draw(view: View): void;
  destroy(): void;
}

// ---- Rules of the picture, in CSS pixels where nothing else is said ----

/** What is not in the focus recedes so far. */
export const FADED_NODE = 0.2;
export const FADED_EDGE = 0.12;
/** The ring of a selected disc, as parts of the radius, and limits: around a dot it must not hide the dot. */
export const RING = { gap: 0.3, gapMost: 1.25, width: 0.5, widthLeast: 1, widthMost: 2 } as const;
/** The rim that sets a disc apart from the ones below it, as a part of the radius, and its limits. */
export const RIM = { part: 0.17, most: 1.1, from: 2 } as const;
/** Colours whose parts differ by no more than this have no hue to be told by. */
const GREY = 0.08;

/** Layers from below to above: faded, plain, selected, raised. */
export const LAYERS = 4;

export function layerOf(flags: number): number {
  if ((flags & RAISED) !== 0) return 3;
  if ((flags & SELECTED) !== 0) return 2;
  return (flags & FADED) !== 0 ? 0 : 1;
}

/** Radii of a ring's two borders, for a disc of a size in device pixels. */
export function ringOf(size: number, ratio: number): readonly [inner: number, outer: number] {
  const inner = size + Math.min(RING.gapMost * ratio, RING.gap * size);
  return [inner, inner + Math.min(RING.widthMost * ratio, Math.max(RING.widthLeast * ratio, RING.width * size))];
}

/** How much is left of an edge of which neither end is faded: beside those that stand out, all others recede. */
export function clearShare({ raised }: SceneState): number {
  return raised >= 0 ? FADED_EDGE : 1;
}

/** Edges that stand out have the colour of their node, unless that is a grey, which could be any edge's. */
export function raisedColor(state: SceneState): readonly [red: number, green: number, blue: number] {
  const { raised, rgba, edge, selection } = state;
  if (raised < 0) return [selection[0], selection[1], selection[2]];
  const [red, green, blue] = [rgba[4 * raised] / 255, rgba[4 * raised + 1] / 255, rgba[4 * raised + 2] / 255];
  return Math.max(red, green, blue) - Math.min(red, green, blue) > GREY
    ? [red, green, blue]
    : [edge[0], edge[1], edge[2]];
}

/** A few edges that stand out are bold; hundreds from one hub must leave its surroundings to be seen. */
export function raisedStyle(edges: number, ratio: number): { alpha: number; width: number } {
  const crowd = Math.min(1, (16 / Math.max(1, edges)) ** 0.25);
  return { alpha: Math.max(0.3, 0.9 * crowd), width: (1 + 0.6 * crowd) * ratio };
}

/** The layers that a set of flags asks for. */
export function layersOf(flags: Uint8Array): number {
  // There are sixteen kinds of flags at most; which of them occur is all that is needed.
  const seen = new Uint8Array(256);
  for (let i = 0; i < flags.length; i++) seen[flags[i]] = 1;
  let layers = 0;
  for (let f = 0; f < 256; f++) if (seen[f] && (f & 1) === 0) layers |= 1 << layerOf(f);
  return layers;
}

/** Discs grow more slowly than the picture: close up they leave room for each other, from afar they stay visible. */
export function growth(scale: number, fit: number): number {
  const zoom = fit > 0 && Number.isFinite(scale / fit) ? scale / fit : 1;
  return Math.min(8, Math.max(0.6, zoom ** 0.45));
}

/** The least radius of a disc, in device pixels. */
export const LEAST_RADIUS = 0.7;

/**
 * How strongly edges are drawn. What makes a blot is ink: the length of all edges on the screen over the area that
 * they share. With little of it edges are clear. With much of it each is weaker, and all together approach a colour
 * that is nearer to the background, so that however many cross in a place it stays a tint behind the nodes. `own` is the
 * mean of the widths that edges have of their own, in CSS pixels, and how much discs have grown by the zoom.
 */
export function edgeStyle(
  edges: number,
  meanLength: number,
  area: Bounds,
  scale: number,
  ratio: number,
  own: { readonly mean: number; readonly zoom: number } | null = null,
): Omit<EdgeStyle, "count"> {
  // The few edges of a small graph are as much of the picture as its nodes.
  const width = edges <= FINE_EDGES ? Math.max(1, ratio * (1 + 0.4 * Math.max(0, 1 - edges / 1000))) : 1;
  const across = Math.max(area.right - area.left, 1e-30) * scale;
  const along = Math.max(area.top - area.bottom, 1e-30) * scale;
  // A layout fills about two thirds of its box; a line of nodes still has the breadth of its discs.
  const room = 0.65 * Math.max(across, 12 * ratio) * Math.max(along, 12 * ratio);
  // Widths that edges have of their own grow more slowly than the discs.
  const pen = ratio * Math.sqrt(own?.zoom ?? 1);
  const ink = (edges * meanLength * scale * (own ? own.mean * pen : width)) / room;
  const clear = 0.58 / (1 + 1.6 * ink) ** 0.85;
  const depth = DEEPEST + (1 - DEEPEST) / (1 + 0.12 * ink);
  // Less than this is lost in the rounding of eight bits a channel.
  return { alpha: Math.min(1, Math.max(0.012, clear / depth)), depth, width, pen };
}

/** The least part of the way from the background to the edge colour that many edges together go. */
const DEEPEST = 0.4;

/** The alpha of edges, and how far from the background their colours are: those that tell something need more of both. */
export function edgeInk({ rgba, ends }: EdgeLooks, { alpha, depth }: EdgeStyle): { alpha: number; depth: number } {
  return rgba || ends ? { alpha: Math.min(1, 1.3 * alpha), depth: 0.5 + 0.5 * depth } : { alpha, depth };
}

/** So many edges in an order of which every beginning is spread over all, so that a part of them can stand for all. */
export function spread(edges: number): Uint32Array {
  const step = coprime(edges, Math.max(1, Math.round(edges * 0.6180339887)));
  const order = new Uint32Array(edges);
  for (let k = 0, from = 0; k < edges; k++) {
    order[k] = from;
    from += step;
    if (from >= edges) from -= edges;
  }
  return order;
}

/** The pairs that are shown, in that order. */
export function spreadPairs(pairs: Uint32Array, hidden: Uint8Array | null = null): Uint32Array {
  const order = spread(pairs.length >> 1);
  const spreadOut = new Uint32Array(2 * order.length);
  let at = 0;
  for (let k = 0; k < order.length; k++) {
    const edge = order[k];
    if (hidden?.[edge]) continue;
    spreadOut[at++] = pairs[2 * edge];
    spreadOut[at++] = pairs[2 * edge + 1];
  }
  return spreadOut.subarray(0, at);
}

function coprime(edges: number, step: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  while (divisor(edges, step) !== 1) step++;
  return step;
}

let pixel: CanvasRenderingContext2D | null | undefined;

/** Any CSS colour as numbers from 0 to 1: a browser knows best how to read it, so it paints one pixel. */
export function parseColor(css: string): UnitRgba {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(css.trim());
  if (hex) return [parseInt(hex[1], 16) / 255, parseInt(hex[2], 16) / 255, parseInt(hex[3], 16) / 255, 1];
  if (pixel === undefined) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    pixel = context2d(canvas, { willReadFrequently: true });
  }
  if (!pixel) return [0.5, 0.5, 0.5, 1];
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = "#808080";
  pixel.fillStyle = css;
  pixel.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
  return [r / 255, g / 255, b / 255, a / 255];
}

/** A 2D context, or null where there is none; jsdom without a canvas complains instead of answering. */
export function context2d(
  canvas: HTMLCanvasElement,
  settings?: CanvasRenderingContext2DSettings,
): CanvasRenderingContext2D | null {
  try {
    return canvas.getContext("2d", settings) ?? null;
  } catch {
    return null;
  }
}

export const DEFAULT_COLORS: SceneColors = { background: "#ffffff", edge: "#5b6470", selection: "#111111" };
