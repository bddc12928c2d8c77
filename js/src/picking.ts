// What is under the pointer, and what is within a rectangle or a lasso. A linear scan of the typed arrays is exact,
// needs no index that every frame would outdate, and takes about a millisecond for half a million nodes.

import { HIDDEN, type Bounds } from "./types.js";

/** How world points become screen points, in CSS pixels: left + x * scale, top - y * scale. */
export interface Projection {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

export interface Discs {
  readonly positions: Float32Array;
  readonly flags: Uint8Array;
  readonly radii: Float32Array;
  /** Factor from radii to pixels on the screen, and the least of those. */
  readonly grow: number;
  readonly least: number;
}

/** The node whose centre is nearest to a point among the visible discs that hold it; of equally near ones the last drawn. */
export function pick(discs: Discs, at: Projection, left: number, top: number, tolerance: number): number {
  const { positions, flags, radii, grow, least } = discs;
  const { scale } = at;
  const nodes = flags.length;
  let nearest = Infinity;
  let found = -1;
  for (let i = 0; i < nodes; i++) {
    const dx = at.left + positions[2 * i] * scale - left;
    const dy = at.top - positions[2 * i + 1] * scale - top;
    const distance = dx * dx + dy * dy;
    if (distance > nearest) continue;
    const reach = Math.max(least, radii[i] * grow) + tolerance;
    if (distance > reach * reach || (flags[i] & HIDDEN) !== 0) continue;
    nearest = distance;
    found = i;
  }
  return found;
}

/** Visible nodes whose centres are within a closed polygon (even-odd rule), ascending. */
export function within(discs: Pick<Discs, "positions" | "flags">, at: Projection, polygon: Float64Array): Uint32Array {
  const corners = polygon.length >> 1;
  const { positions, flags } = discs;
  const found: number[] = [];
  if (corners < 2) return new Uint32Array(0);
  let west = Infinity;
  let east = -Infinity;
  let north = Infinity;
  let south = -Infinity;
  for (let k = 0; k < corners; k++) {
    west = Math.min(west, polygon[2 * k]);
    east = Math.max(east, polygon[2 * k]);
    north = Math.min(north, polygon[2 * k + 1]);
    south = Math.max(south, polygon[2 * k + 1]);
  }
  // The box in the layout's own units throws out most nodes with four comparisons.
  const l = (west - at.left) / at.scale;
  const r = (east - at.left) / at.scale;
  const b = (at.top - south) / at.scale;
  const t = (at.top - north) / at.scale;
  for (let i = 0; i < flags.length; i++) {
    const x = positions[2 * i];
    const y = positions[2 * i + 1];
    if (x < l || x > r || y < b || y > t || (flags[i] & HIDDEN) !== 0) continue;
    if (inside(polygon, corners, at.left + x * at.scale, at.top - y * at.scale)) found.push(i);
  }
  return Uint32Array.from(found);
}

/** Even-odd rule: a ray to the right crosses the border an odd number of times. */
function inside(polygon: Float64Array, corners: number, left: number, top: number): boolean {
  let odd = false;
  for (let k = 0, j = corners - 1; k < corners; j = k++) {
    const y = polygon[2 * k + 1];
    const z = polygon[2 * j + 1];
    if (y > top === z > top) continue;
    const x = polygon[2 * k];
    if (left < x + ((top - y) / (z - y)) * (polygon[2 * j] - x)) odd = !odd;
  }
  return odd;
}

/** Nodes that are gone through at a time. */
const PIECE = 2048;
/** Left, bottom, right and top so far; one for all, so that a frame leaves nothing behind. */
const box = new Float64Array(4);

/** Bounds of all positions; null without any. They are not finite where a position is not. */
export function boundsOf(positions: Float32Array): Bounds | null {
  const { length } = positions;
  if (length < 2) return null;
  box[0] = box[2] = positions[0];
  box[1] = box[3] = positions[1];
  // In pieces: of a function that is called once a frame and loops for long, browsers keep a compiled loop only, which
  // they enter anew and leave at its end every time; one that is called often is compiled as a whole.
  for (let at = 0; at < length; at += 2 * PIECE) widen(positions.subarray(at, at + 2 * PIECE));
  return { left: box[0], bottom: box[1], right: box[2], top: box[3] };
}

/** Widens the box by some nodes. */
function widen(positions: Float32Array): void {
  let left = box[0];
  let bottom = box[1];
  let right = box[2];
  let top = box[3];
  // Every frame passes here. A loop that ends with its array needs no further check of the index. Almost all nodes lie
  // within what is known; a NaN lies nowhere, and Math.min keeps it.
  for (let i = 1; i < positions.length; i += 2) {
    const x = positions[i - 1];
    const y = positions[i];
    if (x >= left && x <= right && y >= bottom && y <= top) continue;
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  box[0] = left;
  box[1] = bottom;
  box[2] = right;
  box[3] = top;
}

const known = new WeakMap<Float32Array, Bounds>();

/** Bounds of a frame just read, kept for the scene: half a million nodes are then gone through once, not twice. */
export function checkedBounds(frame: Float32Array): Bounds | null {
  const bounds = boundsOf(frame);
  if (bounds) known.set(frame, bounds);
  return bounds;
}

/** Bounds of positions, looked up where they were read from a frame. */
export function frameBounds(positions: Float32Array): Bounds | null {
  return known.get(positions) ?? boundsOf(positions);
}

export function isFiniteBox(bounds: Bounds | null): boolean {
  return bounds === null || Number.isFinite(bounds.right - bounds.left + bounds.top - bounds.bottom);
}

/** Bounds of some nodes; null without any. Nodes that do not exist are passed over. */
export function boundsOfSome(positions: Float32Array, nodes: Uint32Array): Bounds | null {
  let left = Infinity;
  let right = -Infinity;
  let bottom = Infinity;
  let top = -Infinity;
  for (const node of nodes) {
    if (2 * node + 1 >= positions.length) continue;
    left = Math.min(left, positions[2 * node]);
    right = Math.max(right, positions[2 * node]);
    bottom = Math.min(bottom, positions[2 * node + 1]);
    top = Math.max(top, positions[2 * node + 1]);
  }
  return left <= right ? { left, bottom, right, top } : null;
}
