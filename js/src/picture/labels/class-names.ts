// Names of classes on a map, at the heart of each cluster; test/encoding/names.json holds examples. Python has the same
// algorithm (graphne_viz/encoding/labels/class_names.py): counts are whole numbers and sums of them, so that both find
// the same hearts; widths of text are measured by whoever draws it.

/** Bounds of the number of cells along the longer side of the layout, and how many there are for the root of nodes. */
const FEWEST_CELLS = 8;
const MOST_CELLS = 64;
const CELLS = 1.2;
/** Cells that are emptier than this part of the fullest one part the clusters of a class. */
const VALLEY = 8;
/** A cluster has at least this part of the nodes of its class, or it has no name of its own. */
const SHARE = 5;
const FEWEST_NODES = 3;
const SMALLEST_SHARE = 0.005;
const MOST_NAMES = 60;
/** Square pixels of the picture for each name. */
const ROOM = 6000;
/** Pixels of letters in a picture whose sides are like this. */
const SMALLEST_TEXT = 10;
const LARGEST_TEXT = 18;
const USUAL_SIDE = 600;
/** The height of a line, relative to the size of its letters, and pixels around a name. */
export const LINE = 1.15;
const MARGIN = 3;
/** Characters. */
const LONGEST_LINE = 16;
const LONGEST_NAME = 34;
/** Between two rings of places, relative to the size of the letters. */
const STEP = 0.75;
const ANGLES = 16;
/** From this ring on a line leads from the name to its place. */
const LED = 2;
/** So many rings are looked at for a place that covers fewer discs. */
const ASIDE = 4;
/** What a square pixel of the way there counts, where a disc counts by the square of its radius. */
const FAR = 0.02;
/** Of more nodes the discs are so small that names may lie on them. */
export const MOST_DISCS = 400;
/** Names fade between these zooms: nodes' own labels take over. */
const WHOLE_ZOOM = 1.5;
const GONE_ZOOM = 4;

/** Where a cluster of a class is, in the units of the layout, and how many nodes it has. */
export interface Heart {
  readonly code: number;
  readonly x: number;
  readonly y: number;
  readonly nodes: number;
}

export interface PlacedName {
  /** Which of the hearts it names. */
  readonly heart: number;
  readonly lines: readonly string[];
  /** The middle of the text in pixels; y points down. */
  readonly x: number;
  readonly y: number;
  /** Of its letters, in pixels. */
  readonly size: number;
  /** Whether a line should lead from it to its heart. */
  readonly led: boolean;
  readonly box: Box;
}

export type Box = readonly [left: number, top: number, right: number, bottom: number];

export const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

/** A node as it is drawn, in pixels. */
export type Disc = readonly [x: number, y: number, radius: number];

function touches([left, top, right, bottom]: Box, [x, y, radius]: Disc): boolean {
  const [dx, dy] = [Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)];
  return dx * dx + dy * dy < radius * radius;
}

/** The clusters of each class, where its nodes lie densely on a coarse grid: the largest first, then by class. */
export function findHearts(
  positions: ArrayLike<number>,
  codes: ArrayLike<number>,
  classes: number,
  hidden: ArrayLike<number> | null = null,
): Heart[] {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  let seen = 0;
  for (let node = 0; node < codes.length; node++) {
    if (hidden?.[node]) continue;
    seen++;
    left = Math.min(left, positions[2 * node]);
    right = Math.max(right, positions[2 * node]);
    bottom = Math.min(bottom, positions[2 * node + 1]);
    top = Math.max(top, positions[2 * node + 1]);
  }
  if (seen === 0) return [];
  const across = Math.min(MOST_CELLS, Math.max(FEWEST_CELLS, Math.floor(CELLS * Math.sqrt(seen) + 0.5)));
  const side = Math.max(right - left, top - bottom) / across || 1;
  const cell = (value: number): number => Math.min(Math.floor(value / side), across - 1);
  const least = Math.max(FEWEST_NODES, SMALLEST_SHARE * seen);
  const { nodes, starts } = byClass(codes, classes, hidden);
  const hearts: Heart[] = [];
  for (let code = 0; code < classes; code++) {
    const members = nodes.subarray(starts[code], starts[code + 1]);
    if (members.length < least) continue;
    const cells = Uint32Array.from(
      members,
      (node) => across * cell(positions[2 * node + 1] - bottom) + cell(positions[2 * node] - left),
    );
    hearts.push(...heartsOf(code, members, cells, positions, across));
  }
  return hearts.sort((a, b) => b.nodes - a.nodes || a.code - b.code);
}

/** The nodes that can be seen class by class, in their own order. */
function byClass(
  codes: ArrayLike<number>,
  classes: number,
  hidden: ArrayLike<number> | null,
): { nodes: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(classes + 1);
  const counts = (node: number): boolean => codes[node] < classes && !hidden?.[node];
  for (let node = 0; node < codes.length; node++) if (counts(node)) starts[codes[node] + 1]++;
  for (let code = 0; code < classes; code++) starts[code + 1] += starts[code];
  const next = starts.slice(0, classes);
  const nodes = new Uint32Array(starts[classes]);
  for (let node = 0; node < codes.length; node++) if (counts(node)) nodes[next[codes[node]]++] = node;
  return { nodes, starts };
}

/** The clusters of one class: fields of cells that are full, each with its fullest one. */
function heartsOf(
  code: number,
  members: Uint32Array,
  cells: Uint32Array,
  positions: ArrayLike<number>,
  across: number,
): Heart[] {
  const counts = new Float64Array(across * across);
  for (const cell of cells) counts[cell]++;
  const dense = smoothed(smoothed(counts, across), across);
  const most = dense.reduce((a, b) => Math.max(a, b), 0);
  const field = new Uint32Array(dense.length);
  const found: Heart[] = [];
  let fields = 0;
  for (let first = 0; first < dense.length; first++) {
    if (field[first] !== 0 || VALLEY * dense[first] < most) continue;
    fields++;
    const fullest = fill(field, fields, first, dense, most, across);
    const [row, column] = [Math.floor(fullest / across), fullest % across];
    // Not the middle of the fullest cell, which would jump by whole cells, but of the nodes around it.
    const isNear = (cell: number): boolean =>
      Math.abs(Math.floor(cell / across) - row) <= 1 && Math.abs((cell % across) - column) <= 1;
    const [inside, near] = [
      { count: 0, x: 0, y: 0 },
      { count: 0, x: 0, y: 0 },
    ];
    for (let k = 0; k < members.length; k++) {
      if (field[cells[k]] !== fields) continue;
      for (const sum of isNear(cells[k]) ? [inside, near] : [inside]) {
        sum.count++;
        sum.x += positions[2 * members[k]];
        sum.y += positions[2 * members[k] + 1];
      }
    }
    if (inside.count < FEWEST_NODES || SHARE * inside.count < members.length) continue;
    const { x, y, count } = near.count > 0 ? near : inside;
    found.push({ code, x: x / count, y: y / count, nodes: inside.count });
  }
  return found;
}

/** Marks the full cells that are connected with one, corners included; returns the fullest, the first of several. */
function fill(
  field: Uint32Array,
  mark: number,
  first: number,
  dense: Float64Array,
  most: number,
  across: number,
): number {
  let fullest = first;
  const waiting = [first];
  field[first] = mark;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (dense[at] > dense[fullest] || (dense[at] === dense[fullest] && at < fullest)) fullest = at;
    const [row, column] = [Math.floor(at / across), at % across];
    for (let y = Math.max(0, row - 1); y <= Math.min(across - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(across - 1, column + 1); x++) {
        const next = across * y + x;
        if (field[next] !== 0 || VALLEY * dense[next] < most) continue;
        field[next] = mark;
        waiting.push(next);
      }
    }
  }
  return fullest;
}

/** Counts spread to their neighbours by the weights 1, 2, 1 in each direction; the sums stay whole numbers. */
function smoothed(counts: Float64Array, across: number): Float64Array {
  const rows = counts.map(
    (own, at) =>
      (at >= across ? counts[at - across] : 0) + 2 * own + (at + across < counts.length ? counts[at + across] : 0),
  );
  return rows.map(
    (own, at) => (at % across > 0 ? rows[at - 1] : 0) + 2 * own + (at % across < across - 1 ? rows[at + 1] : 0),
  );
}

/**
 * Writes the names of the largest clusters where they do not overlap each other and cover few nodes, in the order of the
 * hearts.
 *
 * `centers` is where each heart is on the picture in pixels, null for out of sight; `texts` are the names of the classes;
 * `measure` tells the width of a text of a size; `rings` is how far a name may be moved to find room. To cover
 * few of the `discs` a name moves up to `ASIDE` rings.
 */
export function placeNames(
  hearts: readonly Heart[],
  centers: readonly (readonly [x: number, y: number] | null)[],
  texts: readonly string[],
  [width, height]: readonly [number, number],
  measure: (text: string, size: number) => number,
  rings = LED - 1,
  discs: readonly Disc[] = [],
): PlacedName[] {
  const most = Math.min(MOST_NAMES, Math.max(1, Math.floor((width * height) / ROOM)));
  const scale = Math.min(1.6, Math.max(0.7, Math.sqrt(width * height) / USUAL_SIDE));
  const largest = Math.max(1, ...hearts.map(({ nodes }) => nodes));
  const placed: PlacedName[] = [];
  for (let k = 0; k < hearts.length && placed.length < most; k++) {
    const { code, nodes } = hearts[k];
    const center = centers[k];
    const lines = nameLines(texts[code]);
    if (lines.length === 0 || !center) continue;
    const size = textSize(nodes, largest) * scale;
    const wide = Math.max(...lines.map((line) => measure(line, size))) / 2 + MARGIN;
    const high = (lines.length * LINE * size) / 2 + MARGIN;
    if (2 * wide > width) continue;
    const aside = discs.length > 0 ? ASIDE : 0;
    let least = Infinity;
    let best: PlacedName | null = null;
    for (const [ring, dx, dy] of offsets(Math.max(rings, aside), STEP * size)) {
      if (best && ring > aside) break;
      // A name that would hang over the edge is moved inside.
      const x = Math.min(Math.max(center[0] + dx, wide), width - wide);
      const y = Math.min(Math.max(center[1] + dy, high), height - high);
      const box: Box = [x - wide, y - high, x + wide, y + high];
      if (placed.some((other) => overlap(box, other.box))) continue;
      const cost = discs.reduce(
        (sum, disc) => sum + (touches(box, disc) ? disc[2] ** 2 : 0),
        FAR * (dx ** 2 + dy ** 2),
      );
      if (cost >= least) continue;
      least = cost;
      best = { heart: k, lines, x, y, size, led: ring >= Math.max(LED, aside + 1), box };
    }
    if (best) placed.push(best);
  }
  return placed;
}

/** The size of a name's letters in pixels, in a picture of the usual size. */
function textSize(nodes: number, largest: number): number {
  const size = SMALLEST_TEXT + (LARGEST_TEXT - SMALLEST_TEXT) * Math.sqrt(nodes / largest);
  return Math.floor(2 * size + 0.5) / 2;
}

/** Breaks a name into at most two lines, at the space nearest to its middle; a long one is cut. */
export function nameLines(name: string): string[] {
  let letters = Array.from(name.trim().replace(/\s+/g, " "));
  if (letters.length > LONGEST_NAME)
    letters = [
      ...Array.from(
        letters
          .slice(0, LONGEST_NAME - 1)
          .join("")
          .trimEnd(),
      ),
      "…",
    ];
  const text = letters.join("");
  if (letters.length <= LONGEST_LINE) return text ? [text] : [];
  const far = (k: number): number => Math.abs(2 * k + 1 - letters.length);
  const spaces = letters.flatMap((letter, k) => (letter === " " ? [k] : []));
  if (spaces.length === 0) return [text];
  const at = spaces.reduce((best, k) => (far(k) < far(best) ? k : best));
  return [letters.slice(0, at).join(""), letters.slice(at + 1).join("")];
}

/** How clearly names are seen where the picture is zoomed in so many times. */
export function nameOpacity(zoom: number): number {
  return Math.min(1, Math.max(0, (GONE_ZOOM - zoom) / (GONE_ZOOM - WHOLE_ZOOM)));
}

/** The places of a name around its heart, nearest first; above and below before the sides. */
function offsets(rings: number, step: number): [ring: number, dx: number, dy: number][] {
  const found: [number, number, number][] = [[0, 0, 0]];
  for (let ring = 1; ring <= rings; ring++) {
    for (let k = 0; k < ANGLES; k++) {
      const turn = Math.floor((k + 1) / 2) * (k % 2 === 0 ? 1 : -1);
      const angle = (2 * Math.PI * turn) / ANGLES;
      found.push([ring, step * ring * Math.sin(angle), -step * ring * Math.cos(angle)]);
    }
  }
  return found;
}
