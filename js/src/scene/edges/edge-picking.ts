// Which edge is under the pointer. As with nodes, all are gone through: nothing has to be kept up to date while they move.

import { HIDDEN } from "../../data/types.js";
import type { Discs, Projection } from "../picking.js";
import { type EdgeLooks, PIECES, type Point, pathOf, pointAlong } from "./edge-look.js";

/** Of more edges none is looked for: it would take longer than a frame. */
const MOST_PICKED = 300_000;
/** So many edges at one place are a tangle, of which none is meant. */
const TANGLE = 6;

/** The edge that passes a point of the screen within some pixels, the nearest; -1 for none, or for a tangle. */
export function pickEdge(
  pairs: Uint32Array,
  looks: EdgeLooks,
  discs: Discs,
  at: Projection,
  left: number,
  top: number,
  tolerance: number,
): number {
  const { positions, flags, radii, grow, least } = discs;
  const edges = pairs.length >> 1;
  if (edges > MOST_PICKED) return -1;
  // The pointer in the layout's own units, so that most edges cost four comparisons.
  const x = (left - at.left) / at.scale;
  const y = (at.top - top) / at.scale;
  const near = tolerance / at.scale;
  let found = -1;
  let nearest = tolerance;
  let passing = 0;
  for (let k = 0; k < edges; k++) {
    const i = pairs[2 * k];
    const j = pairs[2 * k + 1];
    const bend = looks.bends ? looks.bends[k] : 0;
    let far: number;
    if (bend === 0) {
      if (i === j) continue;
      const ax = positions[2 * i] - x;
      const bx = positions[2 * j] - x;
      if ((ax > near && bx > near) || (ax < -near && bx < -near)) continue;
      const ay = positions[2 * i + 1] - y;
      const by = positions[2 * j + 1] - y;
      if ((ay > near && by > near) || (ay < -near && by < -near)) continue;
      far = at.scale * distance(ax, ay, bx, by);
    } else {
      const a: Point = [positions[2 * i] * at.scale, positions[2 * i + 1] * at.scale];
      const b: Point = [positions[2 * j] * at.scale, positions[2 * j + 1] * at.scale];
      far = bentDistance(a, b, i === j, bend, Math.max(least, radii[j] * grow), x * at.scale, y * at.scale, tolerance);
    }
    // A wide edge is met anywhere on it.
    far -= looks.widths ? Math.max(0, looks.widths[k] / 2 - 1) : 0;
    if (far > tolerance || ((flags[i] | flags[j]) & HIDDEN) !== 0 || looks.hidden?.[k]) continue;
    passing++;
    if (far > nearest) continue;
    nearest = far;
    found = k;
  }
  return passing > TANGLE ? -1 : found;
}

/** How far the origin is from a segment. */
function distance(ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const square = dx * dx + dy * dy;
  const t = square > 0 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square)) : 0;
  return Math.hypot(ax + t * dx, ay + t * dy);
}

function bentDistance(
  a: Point,
  b: Point,
  loops: boolean,
  bend: number,
  radius: number,
  x: number,
  y: number,
  tolerance: number,
): number {
  const path = pathOf(a, b, loops, bend, radius, 1, 1);
  const reach = tolerance + (loops ? 3 * path.circle + radius : Math.abs(bend) * path.length);
  const outside = (one: number, other: number, at: number): boolean =>
    Math.min(one, other) > at + reach || Math.max(one, other) < at - reach;
  if (outside(a[0], b[0], x) || outside(a[1], b[1], y)) return Number.POSITIVE_INFINITY;
  let nearest = Number.POSITIVE_INFINITY;
  let [px, py] = pointAlong(a, b, path, 0, 1);
  for (let piece = 1; piece <= PIECES; piece++) {
    const [qx, qy] = pointAlong(a, b, path, piece / PIECES, 1);
    nearest = Math.min(nearest, distance(px - x, py - y, qx - x, qy - y));
    [px, py] = [qx, qy];
  }
  return nearest;
}
