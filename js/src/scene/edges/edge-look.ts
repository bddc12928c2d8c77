// How single edges look, and where each of them runs.

/** The looks of the pairs, one item each; null where all are alike. Arrays belong to the caller and are only read. */
export interface EdgeLooks {
  /** CSS pixels; null for the width that suits so many edges. */
  readonly widths: Float32Array | null;
  /** r, g, b and a, bytes; null for the colour of edges. */
  readonly rgba: Uint8Array | null;
  /** Whether edges have the colours of their ends. */
  readonly ends: boolean;
  /** How far the middle is pulled aside, as a part of the length; of loops their rank, from 1. null: all are straight. */
  readonly bends: Float32Array | null;
  /** 1 for an edge with a head; null for none. */
  readonly heads: Uint8Array | null;
  /** 1 for an edge that is left out; null for none. */
  readonly hidden: Uint8Array | null;
}

export const PLAIN: EdgeLooks = { widths: null, rgba: null, ends: false, bends: null, heads: null, hidden: null };

/** Up to so many edges are drawn with smooth borders and a width in CSS pixels, looks or not; more are hairlines. */
export const FINE_EDGES = 16_384;
/** More edges than this are all drawn alike, as lines without a width: drawing them one by one takes too long. */
export const MOST_STYLED = 100_000;

/** Whether some edges look other than the rest. */
export function isStyled({ widths, rgba, ends, bends, heads }: EdgeLooks): boolean {
  return widths !== null || rgba !== null || ends || bends !== null || heads !== null;
}

/** Whether so many edges are drawn one by one, each with its own look. */
export function drawnOneByOne(edges: number, looks: EdgeLooks): boolean {
  return edges <= FINE_EDGES || (edges <= MOST_STYLED && isStyled(looks));
}

// ---- Shapes, in device pixels where nothing else is said ----

/** The head of an arrow: its length is so many CSS pixels and widths of its line, its half breadth a part of that. */
export const HEAD = { least: 5.5, widths: 2.2, breadth: 0.42, share: 0.4 } as const;
/** A loop's radius: a part of its node's, at least so many CSS pixels; more by a part for each further one. */
export const LOOP = { part: 0.9, least: 6, more: 0.5, apart: 0.55 } as const;
/** Straight pieces that a curve is made of. */
export const PIECES = 16;

/** How much edges are bent that are the only ones between their nodes, where all shall be curves. */
const LONE_BEND = 0.2;
/** Parallel edges lie so far apart, as a part of their length, and all of them together at most. */
const STEP = 0.22;
const MOST_BEND = 0.9;
/** Further loops of a node lie on the last of these. */
const MOST_LOOPS = 12;

export type Point = readonly [x: number, y: number];

/** Where an edge runs: x to the right and y up, or down where `up` is -1. */
export interface EdgePath {
  /** The middle control point of a curve; of a loop the middle of its circle. */
  readonly middle: Point;
  /** The radius of a loop's circle; 0 for an edge that is none. */
  readonly circle: number;
  /** How long it is; of a curve as if it were all as near its ends. */
  readonly length: number;
  /** The part of it that is within the target's disc. */
  readonly under: number;
}

/** Works out where an edge runs between two discs, as the graphics card does. */
export function pathOf(
  a: Point,
  b: Point,
  loops: boolean,
  bend: number,
  radius: number,
  ratio: number,
  up: 1 | -1,
): EdgePath {
  if (loops) {
    const circle = Math.max(LOOP.part * radius, LOOP.least * ratio) * (1 + LOOP.more * (bend - 1));
    const apart = radius + LOOP.apart * circle;
    const inner = (apart * apart + circle * circle - radius * radius) / (2 * apart * circle);
    const under = Math.acos(Math.min(1, Math.max(-1, inner))) / (2 * Math.PI);
    const away = apart * Math.SQRT1_2;
    return { middle: [a[0] + away, a[1] + up * away], circle, length: 2 * Math.PI * circle, under };
  }
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const middle: Point = [(a[0] + b[0]) / 2 - up * bend * dy, (a[1] + b[1]) / 2 + up * bend * dx];
  const length = Math.hypot(dx, dy) * Math.sqrt(1 + 4 * bend * bend);
  return { middle, circle: 0, length, under: length > 0 ? Math.min(1, radius / length) : 1 };
}

/** The point of an edge at a part of the way from source to target. */
export function pointAlong(a: Point, b: Point, { middle, circle }: EdgePath, t: number, up: 1 | -1): Point {
  if (circle > 0) {
    const angle = 2 * Math.PI * (0.625 - t);
    return [middle[0] + circle * Math.cos(angle), middle[1] + up * circle * Math.sin(angle)];
  }
  const [u, v, w] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
  return [u * a[0] + v * middle[0] + w * b[0], u * a[1] + v * middle[1] + w * b[1]];
}

/** How long the head of an edge of a width is; there is less of it where there is little room. */
export function headLength({ length, under }: EdgePath, width: number, ratio: number): number {
  const room = HEAD.share * length * (1 - Math.min(1, 2 * under));
  return Math.min(HEAD.least * ratio + HEAD.widths * width, room);
}

/**
 * How the pairs bend so that edges between the same nodes lie beside each other, and each loop of a node around the last
 * one. null where there are neither. Without `curved` only loops are no straight lines. With it edges of a graph
 * without several between the same nodes are curves, too, up to so many that this can be seen: it was asked for.
 */
export function bendsOf(nodes: number, pairs: Uint32Array, curved: boolean): Float32Array | null {
  const edges = pairs.length >> 1;
  const keyOf = (k: number): number =>
    Math.min(pairs[2 * k], pairs[2 * k + 1]) * nodes + Math.max(pairs[2 * k], pairs[2 * k + 1]);
  const counts = new Map<number, number>();
  let several = false;
  for (let k = 0; k < edges; k++) {
    const isLoop = pairs[2 * k] === pairs[2 * k + 1];
    if (!curved && !isLoop) continue;
    const key = keyOf(k);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    several ||= isLoop || count > 1;
  }
  if (!several) return curved && edges > 0 && edges <= FINE_EDGES ? new Float32Array(edges).fill(LONE_BEND) : null;
  const bends = new Float32Array(edges);
  const seen = new Map<number, number>();
  for (let k = 0; k < edges; k++) {
    const key = keyOf(k);
    const count = counts.get(key) ?? 0;
    const isLoop = pairs[2 * k] === pairs[2 * k + 1];
    if (count < 2 && !isLoop) continue;
    const rank = seen.get(key) ?? 0;
    seen.set(key, rank + 1);
    if (isLoop) {
      bends[k] = Math.min(MOST_LOOPS, rank + 1);
      continue;
    }
    const step = Math.min(STEP, MOST_BEND / (count - 1));
    // The same side for both directions: one that is turned around would lie on top of its counterpart.
    bends[k] = (rank - (count - 1) / 2) * step * (pairs[2 * k] < pairs[2 * k + 1] ? 1 : -1);
  }
  return bends;
}
