// Edges with looks of their own on a 2D canvas, one stroke each.

import { FADED, HIDDEN } from "../../data/types.js";
import { FADED_EDGE, type SceneState, type UnitRgba, type View } from "../renderer.js";
import { HEAD, headLength, PIECES, type Point, pathOf, pointAlong } from "./edge-look.js";

/** More edges than this are drawn alike: a canvas takes its time for each. */
export const MOST_STYLED_ON_CANVAS = 20_000;

/** How a set of edges is drawn; as on the graphics card. */
export interface CanvasStroke {
  readonly pen: number;
  readonly least: number;
  readonly color: UnitRgba;
  readonly depth: number;
  readonly clear: number;
}

/** Draws edges whose nodes are at these device pixels, x and y interleaved. */
export function strokeEdges(
  context: CanvasRenderingContext2D,
  state: SceneState,
  view: View,
  at: Float32Array,
  edges: Iterable<number>,
  stroke: CanvasStroke,
): void {
  const { pairs, flags, looks, background } = state;
  const mixed = (color: Point3): string => css(mix3(background, color, stroke.depth));
  const plain = mixed([stroke.color[0], stroke.color[1], stroke.color[2]]);
  const waiting: number[] = [];
  const draw = (k: number, faded: boolean): void => {
    context.globalAlpha = stroke.color[3] * (faded ? FADED_EDGE : stroke.clear);
    const [i, j] = [pairs[2 * k], pairs[2 * k + 1]];
    const a: Point = [at[2 * i], at[2 * i + 1]];
    const b: Point = [at[2 * j], at[2 * j + 1]];
    const width = Math.max(stroke.least, (looks.widths?.[k] ?? 1) * stroke.pen);
    const bend = looks.bends?.[k] ?? 0;
    const radius = Math.max(view.least, state.radii[j] * view.grow);
    const path = pathOf(a, b, i === j, bend, radius, view.ratio, -1);
    const head = looks.heads?.[k] ? headLength(path, width, view.ratio) : 0;
    const end = head > 0 ? 1 - path.under - head / path.length : 1;
    const ink = looks.ends
      ? endsInk(context, state, i, j, a, b, mixed)
      : looks.rgba
        ? mixed(rgb(looks.rgba, k))
        : plain;
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(...pointAlong(a, b, path, 0, -1));
    const pieces = bend === 0 ? 1 : PIECES;
    for (let piece = 1; piece <= pieces; piece++) context.lineTo(...pointAlong(a, b, path, (end * piece) / pieces, -1));
    context.stroke();
    if (head > 0) fillHead(context, pointAlong(a, b, path, end, -1), pointAlong(a, b, path, 1 - path.under, -1));
  };
  for (const k of edges) {
    const either = flags[pairs[2 * k]] | flags[pairs[2 * k + 1]];
    if ((either & HIDDEN) !== 0 || looks.hidden?.[k]) continue;
    // What is faded lies below the rest.
    if ((either & FADED) !== 0) draw(k, true);
    else waiting.push(k);
  }
  for (const k of waiting) draw(k, false);
}

type Point3 = readonly [number, number, number];

const rgb = (rgba: Uint8Array, k: number): Point3 => [rgba[4 * k] / 255, rgba[4 * k + 1] / 255, rgba[4 * k + 2] / 255];

const mix3 = (from: UnitRgba, to: Point3, share: number): Point3 => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

const css = ([red, green, blue]: Point3): string =>
  `rgb(${Math.round(255 * red)},${Math.round(255 * green)},${Math.round(255 * blue)})`;

/** The colour of both ends, or the way from one to the other. */
function endsInk(
  context: CanvasRenderingContext2D,
  { rgba }: SceneState,
  i: number,
  j: number,
  a: Point,
  b: Point,
  mixed: (color: Point3) => string,
): string | CanvasGradient {
  const [one, other] = [mixed(rgb(rgba, i)), mixed(rgb(rgba, j))];
  if (one === other) return one;
  const way = context.createLinearGradient(...a, ...b);
  way.addColorStop(0, one);
  way.addColorStop(1, other);
  return way;
}

function fillHead(context: CanvasRenderingContext2D, [x, y]: Point, [tipX, tipY]: Point): void {
  const [dx, dy] = [HEAD.breadth * (tipX - x), HEAD.breadth * (tipY - y)];
  context.beginPath();
  context.moveTo(tipX, tipY);
  context.lineTo(x - dy, y + dx);
  context.lineTo(x + dy, y - dx);
  context.fill();
}
