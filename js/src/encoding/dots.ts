// How large and how strong nodes are drawn, by their number; test/encoding/dots.json holds examples, which Python is held
// to, too (graphne_viz/encoding/dots.py). Lengths are CSS pixels, and areas their squares.

/** Few nodes are large discs on a plain ground; many together are an ink whose density is the picture. */
const FEW_NODES = 2000;
const LEAST_INK = 0.18;
const MOST_INK = 0.42;
const LARGEST_DISC = 250;
const LEAST_RADIUS = 0.8;
const LEAST_OPACITY = 0.1;
/** For each power of ten beyond FEW_NODES. */
const FADE = 0.2;
const FAINTEST_FADE = 0.55;
/** Bounds of the letters of labels, relative to those of a node of usual size. */
const SMALLEST_LETTERS = 0.85;
const LARGEST_LETTERS = 1.8;

export interface DotStyle {
  readonly radius: number;
  readonly opacity: number;
}

/** Radius and opacity of so many nodes on a picture: smaller and more translucent, the more of them there are. */
export function dotStyle(nodes: number, area: number): DotStyle {
  const each = Math.max(area, 1) / Math.max(nodes, 1);
  const crowd = Math.max(nodes, 1) / FEW_NODES;
  const ink = Math.min(MOST_INK, Math.max(LEAST_INK, LEAST_INK * crowd ** 0.2));
  const disc = Math.min(ink * each, 1.8 * Math.sqrt(each), LARGEST_DISC);
  const radius = Math.max(LEAST_RADIUS, Math.sqrt(disc / Math.PI));
  const fade = Math.min(1, Math.max(FAINTEST_FADE, 1 - FADE * Math.log10(Math.max(crowd, 1))));
  return { radius, opacity: Math.max(LEAST_OPACITY, fade * Math.min(1, disc / (Math.PI * radius ** 2))) };
}

/** The diameter of a node whose value lies at a share, from 0 to 1, of the range: areas grow evenly. */
export function diameterIn([smallest, largest]: readonly [number, number], share: number): number {
  return Math.sqrt(smallest ** 2 + (largest ** 2 - smallest ** 2) * share);
}

/** How large the label of a node is written, relative to that of a node of usual size: less steeply than nodes grow. */
export function letterScale(diameter: number, usual: number): number {
  return Math.min(LARGEST_LETTERS, Math.max(SMALLEST_LETTERS, Math.sqrt(diameter / usual)));
}

/** Square pixels that a layout has on a picture: it is about as wide as it is high, whatever the picture is. */
export function layoutArea(width: number, height: number): number {
  const side = Math.min(width, height);
  return side * Math.min(Math.max(width, side), 1.4 * side);
}
