// The programs on the GPU. Positions come twice, where the nodes were and where they go; `t` is how far they are.
// World to clip space: (position - origin) * unit + shift. The origin is the middle of the view rounded to float32, so
// that the subtraction is exact for what is near it; what the rounding lost is in the shift. Numbers come in vectors of
// four, whatever they are: each is one call.

import { FADED_EDGE, FADED_NODE, RIM, RING } from "./renderer.js";
import { FADED, HIDDEN, RAISED, SELECTED } from "./types.js";

const HEAD = `#version 300 es
precision highp float;
precision highp int;
`;

/** Attribute locations, the same in all programs so that one vertex array serves them. */
export const FROM = 0;
export const TO = 1;
export const COLOR = 2;
export const RADIUS = 3;
export const FLAGS = 4;

/** `world`: origin and unit. `move`: shift and t. */
const PLACE = `
uniform vec4 world, move;
vec2 clip(vec2 position) { return (position - world.xy) * world.zw + move.xy; }
`;

const float = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value));

const DISC_UNIFORMS = `
// Factor from radii to pixels, least and most of those, and pixels per CSS pixel.
uniform vec4 sizes;
// The layer, negative for all, and whether it is the rings' turn.
uniform vec4 turn;
uniform vec4 background, selection;`;

/** Discs are point sprites: on a renderer in software an instanced quad costs as much as a whole draw. */
export const DISC_VERTEX = `${HEAD}${PLACE}
layout(location = ${FROM}) in vec2 from;
layout(location = ${TO}) in vec2 to;
layout(location = ${COLOR}) in vec4 color;
layout(location = ${RADIUS}) in float radius;
layout(location = ${FLAGS}) in uint flags;
${DISC_UNIFORMS}
flat out float reach;
flat out vec4 fill;
flat out float size;
flat out vec2 ring;
void main() {
  int own = (flags & ${RAISED}u) != 0u ? 3 : (flags & ${SELECTED}u) != 0u ? 2 : (flags & ${FADED}u) != 0u ? 0 : 1;
  bool rings = turn.y > 0.0;
  float ratio = sizes.w;
  bool out_of_turn = (turn.x >= 0.0 && own != int(turn.x)) || (rings && (flags & ${SELECTED}u) == 0u);
  if ((flags & ${HIDDEN}u) != 0u || out_of_turn) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  float fade = (flags & ${FADED}u) != 0u ? ${float(FADED_NODE)} : 1.0;
  size = clamp(radius * sizes.x, sizes.y, sizes.z);
  ring.x = size + min(${float(RING.gapMost)} * ratio, ${float(RING.gap)} * size);
  ring.y = ring.x + clamp(${float(RING.width)} * size, ${float(RING.widthLeast)} * ratio, ${float(RING.widthMost)} * ratio);
  fill = vec4(color.rgb, color.a * fade);
  reach = (rings ? ring.y : size) + 1.0;
  gl_PointSize = 2.0 * reach;
  gl_Position = vec4(clip(mix(from, to, move.z)), 0.0, 1.0);
}
`;

/** Rings are drawn before the discs of their layer: around a crowd they join to one outline and hide nobody. */
export const DISC_FRAGMENT = `${HEAD}
flat in float reach;
flat in vec4 fill;
flat in float size;
flat in vec2 ring;
${DISC_UNIFORMS}
out vec4 result;
// How much of a pixel lies within a circle.
float within(float radius, float distance) { return clamp(radius - distance + 0.5, 0.0, 1.0); }
void main() {
  float distance = length(gl_PointCoord * 2.0 - 1.0) * reach;
  float ratio = sizes.w;
  if (turn.y > 0.0) {
    result = vec4(mix(selection.rgb, background.rgb, within(ring.x, distance)), fill.a * within(ring.y, distance));
    return;
  }
  float rim = size > ${float(RIM.from)} * ratio ? min(${float(RIM.part)} * size, ${float(RIM.most)} * ratio) : 0.0;
  vec3 color = rim > 0.0 ? mix(background.rgb, fill.rgb, within(size - rim, distance)) : fill.rgb;
  result = vec4(color, fill.a * within(size, distance));
}
`;

/** Hairlines straight from the nodes' own buffers. Either end's flags reach every point in between as a weight. */
export const LINE_VERTEX = `${HEAD}${PLACE}
layout(location = ${FROM}) in vec2 from;
layout(location = ${TO}) in vec2 to;
layout(location = ${FLAGS}) in uint flags;
out vec2 weight;
void main() {
  weight = vec2((flags & ${HIDDEN}u) != 0u, (flags & ${FADED}u) != 0u);
  gl_Position = vec4(clip(mix(from, to, move.z)), 0.0, 1.0);
}
`;

export const LINE_FRAGMENT = `${HEAD}
in vec2 weight;
uniform vec4 color;
uniform vec4 share;
out vec4 result;
void main() {
  if (weight.x > 0.0) discard;
  result = vec4(color.rgb, color.a * (weight.y > 0.0 ? ${float(FADED_EDGE)} : share.x));
}
`;

/**
 * Lines with a width and smooth borders, for few edges and for those that stand out. Each is two triangles without
 * attributes; both ends of it are one texel, since every corner needs to know them both.
 */
export const SEGMENTS_ACROSS = 1024;

/** A pixel in clip space, the width in pixels, and the first segment. */
const PEN = "uniform vec4 pen;";

export const STROKE_VERTEX = `${HEAD}${PLACE}
uniform highp sampler2D segments;
${PEN}
out float across;
void main() {
  int k = int(pen.w) + gl_VertexID / 6;
  vec2 pixel = pen.xy;
  int corner = gl_VertexID % 6;
  vec4 ends = texelFetch(segments, ivec2(k % ${SEGMENTS_ACROSS}, k / ${SEGMENTS_ACROSS}), 0);
  vec2 a = clip(ends.xy) / pixel;
  vec2 b = clip(ends.zw) / pixel;
  float len = length(b - a);
  vec2 side = len > 0.0 ? vec2(a.y - b.y, b.x - a.x) / len : vec2(0.0);
  float reach = 0.5 * pen.z + 1.0;
  across = (corner & 1) == 0 ? -reach : reach;
  gl_Position = vec4(((corner < 2 || corner == 5 ? a : b) + side * across) * pixel, 0.0, 1.0);
}
`;

export const STROKE_FRAGMENT = `${HEAD}
in float across;
uniform vec4 color;
${PEN}
out vec4 result;
void main() {
  float cover = clamp(0.5 * pen.z - abs(across) + 0.5, 0.0, 1.0);
  result = vec4(color.rgb, color.a * cover);
}
`;

/** Writes what is drawn between two frames into a third buffer; the positions never come back to the CPU. */
export const BLEND_VERTEX = `${HEAD}
layout(location = ${FROM}) in vec2 from;
layout(location = ${TO}) in vec2 to;
uniform vec4 move;
out vec2 between;
void main() {
  between = mix(from, to, move.z);
}
`;

export const BLEND_FRAGMENT = `${HEAD}
void main() {}
`;
