// The program for edges that are drawn one by one: ribbons with a width and smooth borders, straight, bent or around to
// their own node, with a head or without. Nothing is an attribute, because every corner needs to know both ends: it reads
// the row of its edge and what is known of the two nodes from textures.

import { FADED, HIDDEN } from "../../data/types.js";
import { HEAD, LOOP, PIECES } from "../edges/edge-look.js";
import { BEND_STEPS, WIDTH_STEPS } from "../edges/edge-rows.js";
import { FADED_EDGE } from "../renderer.js";
import { float, HEADER, PLACE } from "./shaders.js";

/** Texels in a row of a texture. */
export const ACROSS = 2048;

/** Which texture is where. */
export const UNITS = { rows: 0, from: 1, to: 2, styles: 3, flags: 4 } as const;

/** Corners of a piece: two triangles. */
const CORNERS = 6;

/** Corners of an edge that is drawn in so many pieces, one more for a head. */
export const cornersOf = (bent: boolean, head: boolean): number => CORNERS * ((bent ? PIECES : 1) + (head ? 1 : 0));

export const RIBBON_VERTEX = `${HEADER}${PLACE}
uniform highp usampler2D rows;
uniform highp sampler2D from;
uniform highp sampler2D to;
uniform highp usampler2D styles;
uniform highp usampler2D flags;
// A pixel in clip space, pixels per unit of a width, and the first row.
uniform vec4 pen;
// Factor from radii to pixels, the least of those, pixels per CSS pixel, and the least width.
uniform vec4 sizes;
// Which edges: 0 all, 1 the faded, 2 the others. Pieces of a line, whether there is a head, and whether ends give colours.
uniform vec4 pass;
// The colour of edges without one of their own, and the alpha of all; how much of a colour is left, and of a faded edge.
uniform vec4 color, share;
uniform vec4 background;
out vec2 across;
out vec4 ink;

const float TURN = 6.283185307;
ivec2 texel(uint k) { return ivec2(k % ${ACROSS}u, k / ${ACROSS}u); }
vec2 placeOf(ivec2 at) { return clip(mix(texelFetch(from, at, 0).xy, texelFetch(to, at, 0).xy, move.z)) / pen.xy; }
vec4 bytes(uint word) { return vec4((uvec4(word) >> uvec4(0u, 8u, 16u, 24u)) & 255u) / 255.0; }

vec2 a, b, middle;
float circle;
bool loops;

// The place of a part of the way, and the way's direction there.
vec2 along(float t) {
  if (loops) {
    float angle = TURN * (0.625 - t);
    return middle + circle * vec2(cos(angle), sin(angle));
  }
  return mix(mix(a, middle, t), mix(middle, b, t), t);
}
vec2 direction(float t) {
  if (loops) {
    float angle = TURN * (0.625 - t);
    return vec2(sin(angle), -cos(angle));
  }
  vec2 way = mix(middle - a, b - middle, t);
  float len = length(way);
  return len > 0.0 ? way / len : vec2(1.0, 0.0);
}

void main() {
  int pieces = int(pass.y);
  int corners = ${CORNERS} * (pieces + int(pass.z));
  uvec4 row = texelFetch(rows, texel(uint(int(pen.w) + gl_VertexID / corners)), 0);
  ivec2 source = texel(row.x), target = texel(row.y);
  uint either = texelFetch(flags, source, 0).x | texelFetch(flags, target, 0).x;
  bool faded = (either & ${FADED}u) != 0u;
  if ((either & ${HIDDEN}u) != 0u || (pass.x == 1.0 && !faded) || (pass.x == 2.0 && faded)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  uvec2 one = texelFetch(styles, source, 0).xy, other = texelFetch(styles, target, 0).xy;
  float radius = max(uintBitsToFloat(other.y) * sizes.x, sizes.y);
  float wide = 0.5 * max(float(row.w & 0xffffu) / ${float(WIDTH_STEPS)} * pen.z, sizes.w);
  float bend = float(int(row.w) >> 16) / ${float(BEND_STEPS)};
  a = placeOf(source);
  b = placeOf(target);
  loops = row.x == row.y;
  float len;
  // Parts of the way within the target's disc, and within the head.
  float under, headed;
  if (loops) {
    circle = max(${float(LOOP.part)} * radius, ${float(LOOP.least)} * sizes.z) * (1.0 + ${float(LOOP.more)} * (bend - 1.0));
    float apart = radius + ${float(LOOP.apart)} * circle;
    middle = a + apart * vec2(0.70710678);
    len = TURN * circle;
    float inner = (apart * apart + circle * circle - radius * radius) / (2.0 * apart * circle);
    under = acos(clamp(inner, -1.0, 1.0)) / TURN;
  } else {
    vec2 way = b - a;
    middle = 0.5 * (a + b) + bend * vec2(-way.y, way.x);
    // How fast a curve comes in, which tells how much of it is near its end.
    len = length(way) * sqrt(1.0 + 4.0 * bend * bend);
    under = len > 0.0 ? min(1.0, radius / len) : 1.0;
  }
  float headLength = ${float(HEAD.least)} * sizes.z + ${float(HEAD.widths)} * wide * 2.0;
  headLength = min(headLength, ${float(HEAD.share)} * len * (1.0 - min(1.0, 2.0 * under)));
  headed = len > 0.0 ? headLength / len : 0.0;

  int corner = gl_VertexID % ${CORNERS};
  int piece = gl_VertexID % corners / ${CORNERS};
  float step = corner < 2 || corner == 5 ? 0.0 : 1.0;
  bool head = piece == pieces;
  float ends = pass.z > 0.0 ? 1.0 - under - headed : 1.0;
  float t = head ? ends + step * headed : ends * (float(piece) + step) / float(pieces);
  float thick = head ? ${float(HEAD.breadth)} * headLength * (1.0 - step) : wide;
  float reach = (head ? ${float(HEAD.breadth)} * headLength : wide) + 1.0;
  float side = (corner & 1) == 0 ? -reach : reach;
  vec2 way = head ? direction(ends + 0.5 * headed) : direction(t);
  vec2 at = along(t) + vec2(-way.y, way.x) * side;
  across = vec2(side, thick);
  vec4 own = bytes(row.z);
  vec3 hue = pass.w > 0.0 ? mix(bytes(one.x).rgb, bytes(other.x).rgb, t) : own.a > 0.0 ? own.rgb : color.rgb;
  ink = vec4(mix(background.rgb, hue, share.x), color.a * (faded ? ${float(FADED_EDGE)} : share.y));
  gl_Position = vec4(at * pen.xy, 0.0, 1.0);
}
`;

export const RIBBON_FRAGMENT = `${HEADER}
in vec2 across;
in vec4 ink;
out vec4 result;
void main() {
  result = vec4(ink.rgb, ink.a * clamp(across.y - abs(across.x) + 0.5, 0.0, 1.0));
}
`;
