// The box around positions.

import type { Bounds } from "./types.js";

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
  // within what is known; a NaN lies nowhere, and Math.min keeps it. Two at a time take a fifth less than one by one.
  let i = 3;
  for (; i < positions.length; i += 4) {
    const x = positions[i - 3];
    const y = positions[i - 2];
    const u = positions[i - 1];
    const v = positions[i];
    const isFirstInside = x >= left && x <= right && y >= bottom && y <= top;
    if (isFirstInside && u >= left && u <= right && v >= bottom && v <= top) continue;
    left = Math.min(left, x, u);
    right = Math.max(right, x, u);
    bottom = Math.min(bottom, y, v);
    top = Math.max(top, y, v);
  }
  // The last of an odd number.
  if (i === positions.length + 1) {
    left = Math.min(left, positions[i - 3]);
    right = Math.max(right, positions[i - 3]);
    bottom = Math.min(bottom, positions[i - 2]);
    top = Math.max(top, positions[i - 2]);
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
