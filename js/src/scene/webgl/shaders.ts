// The programs on the GPU. Positions come twice, where the nodes were and where they go; `t` is how far they are.
// World to clip space: (position - origin) * unit + shift. The origin is the middle of the view rounded to float32, so
// that the subtraction is exact for what is near it; what the rounding lost is in the shift. Numbers come in vectors of
// four, whatever they are: each is one call.

import { FADED, HIDDEN, RAISED, SELECTED } from "../../data/types.js";
import { FADED_EDGE, FADED_NODE, RIM, RING } from "../renderer.js";

export const HEADER = `#version 300 es
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
export const PLACE = `
uniform vec4 world, move;
vec2 clip(vec2 position) { return (position - world.xy) * world.zw + move.xy; }
`;

export const float = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value));

const DISC_UNIFORMS = `
// Factor from radii to pixels, least and most of those, and pixels per CSS pixel.
uniform vec4 sizes;
// The layer, negative for all; whether it is the rings that are drawn; how opaque discs are that do not stand out.
uniform vec4 pass;
uniform vec4 background, selection;`;

/** Discs are point sprites: on a renderer in software an instanced quad costs as much as a whole draw. */
export const DISC_VERTEX = `${HEADER}${PLACE}
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
  bool rings = pass.y > 0.0;
  float ratio = sizes.w;
  bool elsewhere = (pass.x >= 0.0 && own != int(pass.x)) || (rings && (flags & ${SELECTED}u) == 0u);
  if ((flags & ${HIDDEN}u) != 0u || elsewhere) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  float fade = (flags & ${FADED}u) != 0u ? ${float(FADED_NODE)} : 1.0;
  if ((flags & ${SELECTED | RAISED}u) == 0u) fade *= pass.z;
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
export const DISC_FRAGMENT = `${HEADER}
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
  if (pass.y > 0.0) {
    result = vec4(mix(selection.rgb, background.rgb, within(ring.x, distance)), fill.a * within(ring.y, distance));
    return;
  }
  float rim = size > ${float(RIM.from)} * ratio ? min(${float(RIM.part)} * size, ${float(RIM.most)} * ratio) : 0.0;
  vec3 color = rim > 0.0 ? mix(background.rgb, fill.rgb, within(size - rim, distance)) : fill.rgb;
  result = vec4(color, fill.a * within(size, distance));
}
`;

/**
 * Hairlines straight from the nodes' own buffers. Either end's flags reach every point in between as a weight, and so do
 * their colours where edges have those.
 */
export const LINE_VERTEX = `${HEADER}${PLACE}
layout(location = ${FROM}) in vec2 from;
layout(location = ${TO}) in vec2 to;
layout(location = ${COLOR}) in vec4 color;
layout(location = ${FLAGS}) in uint flags;
out vec2 weight;
out vec3 hue;
void main() {
  hue = color.rgb;
  weight = vec2((flags & ${HIDDEN}u) != 0u, (flags & ${FADED}u) != 0u);
  gl_Position = vec4(clip(mix(from, to, move.z)), 0.0, 1.0);
}
`;

export const LINE_FRAGMENT = `${HEADER}
in vec2 weight;
in vec3 hue;
uniform vec4 ink, background;
// What is left of an edge that is not faded; whether ends give the colour, and how much of it is left.
uniform vec4 share;
out vec4 result;
void main() {
  if (weight.x > 0.0) discard;
  vec3 color = share.y > 0.0 ? mix(background.rgb, hue, share.z) : ink.rgb;
  result = vec4(color, ink.a * (weight.y > 0.0 ? ${float(FADED_EDGE)} : share.x));
}
`;

/** Writes what is drawn between two frames into a third buffer; the positions never come back to the CPU. */
export const BLEND_VERTEX = `${HEADER}
layout(location = ${FROM}) in vec2 from;
layout(location = ${TO}) in vec2 to;
uniform vec4 move;
out vec2 between;
void main() {
  between = mix(from, to, move.z);
}
`;

export const BLEND_FRAGMENT = `${HEADER}
void main() {}
`;
