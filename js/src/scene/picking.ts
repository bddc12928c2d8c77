// What is under the pointer, and what is within a rectangle or a lasso. A linear scan of the typed arrays is exact,
// needs no index that every frame would outdate, and takes about a millisecond for half a million nodes.

import { FADED, HIDDEN, RAISED } from "../data/types.js";

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
  /** The largest disc's radius on the screen. */
  readonly most: number;
  /** The nodes from the lowest to the topmost; null for their own order. */
  readonly order: Uint32Array | null;
}

/** How far up a node is drawn: what steps back lies under what does not, and what is raised above both. */
const height = (flags: number): number => (flags & RAISED ? 2 : flags & FADED ? 0 : 1);

/** The node that is seen at a point: of the discs that hold it the topmost; where none does, the nearest within a tolerance. */
export function pick(discs: Discs, at: Projection, left: number, top: number, tolerance: number): number {
  const { positions, flags, radii, grow, least, most, order } = discs;
  const { scale } = at;
  const far = most + tolerance;
  let found = -1;
  let highest = -1;
  let nearest = tolerance;
  for (let k = 0; k < flags.length; k++) {
    const i = order ? order[k] : k;
    const dx = at.left + positions[2 * i] * scale - left;
    if (dx > far || dx < -far) continue;
    const dy = at.top - positions[2 * i + 1] * scale - top;
    if (dy > far || dy < -far || (flags[i] & HIDDEN) !== 0) continue;
    const gap = Math.sqrt(dx * dx + dy * dy) - Math.max(least, radii[i] * grow);
    if (gap <= 0) {
      // Of two on the same level, the later one is drawn over the other.
      if (height(flags[i]) < highest) continue;
      highest = height(flags[i]);
      found = i;
    } else if (highest < 0 && gap <= nearest) {
      nearest = gap;
      found = i;
    }
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
