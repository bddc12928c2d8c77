// Names beside the most important nodes in sight, without overlap. Choosing places is done a few times a second;
// in between the chosen labels follow their nodes, so that nothing jumps while the picture moves.

import { oneLine } from "../../data/format.js";
import { FADED, HIDDEN, RAISED } from "../../data/types.js";
import { prepare } from "../../dom/elements.js";
import type { SceneApi } from "../../scene/types.js";
import { type Box, overlap } from "./class-names.js";

/** Pixels of the letters beside a node of usual size, and the height of a line relative to them. */
const FONT_SIZE = 11;
const LINE = 14 / 11;
const GAP = 3;
/** So many of the most important nodes are named even where that covers others. */
const FOREMOST = 5;
/** A disc of this radius could carry a name: one that is written on it would be taken for its own. */
const BEARER = 6;
const MOST_LABELS = 60;
/** Nodes in sight that are tried, most important first. */
const MOST_TRIED = 400;
/** Of a large graph only so many nodes are put in order; see `#choose` for views that hold none of them. */
const MOST_ORDERED = 30_000;
/** Where none of those is in sight, so many others are looked at. */
const MOST_OTHERS = 3000;
/** Milliseconds between two choices while the picture moves. */
const PATIENCE = 180;
const LONGEST_PAUSE = 250;
const LONGEST = 26;
/** Square pixels of the picture for each label: more of them would hide what they name. */
const ROOM = 10_000;

export interface Candidate {
  readonly node: number;
  readonly left: number;
  readonly top: number;
  readonly radius: number;
  /** Of the text. */
  readonly width: number;
  /** Of its letters. */
  readonly size: number;
  /** Where its label was, to leave it there: an index into the places. */
  readonly before?: number | undefined;
  /** Whether it is written even where others would be covered. */
  readonly pinned?: boolean;
}

export interface Placed {
  readonly node: number;
  /** Which of the places it is: above, below, right, left, then the corners. */
  readonly place: number;
  /** Where the middle of the text is, relative to the node's centre; y points down. */
  readonly dx: number;
  readonly dy: number;
  /** Of its letters, in pixels. */
  readonly size: number;
}

/**
 * Places labels in the order given, beside as few other nodes as possible. Those without a free place are left out, and
 * those that only have one on a disc that is large enough to be thought theirs. What is `blocked` stays free.
 */
export function placeLabels(
  candidates: readonly Candidate[],
  width: number,
  height: number,
  most = MOST_LABELS,
  blocked: readonly Box[] = [],
): Placed[] {
  const discs = candidates.map(
    ({ left, top, radius }): Box => [left - radius, top - radius, left + radius, top + radius],
  );
  const taken: Box[] = [...blocked];
  const placed: Placed[] = [];
  for (const [own, { node, left, top, radius, width: text, size, before, pinned }] of candidates.entries()) {
    if (placed.length >= most) break;
    const [half, high] = [text / 2, (LINE * size) / 2];
    const [away, beside] = [radius + GAP + high, radius + GAP + half];
    const [near, level] = [beside - 0.3 * radius - GAP, away - 0.3 * radius - GAP];
    const corners = [
      [near, -level],
      [near, level],
      [-near, -level],
      [-near, level],
    ] as const;
    let best: { placed: Placed; box: Box; score: number } | null = null;
    for (const [place, [dx, dy]] of (
      [[0, -away], [0, away], [beside, 0], [-beside, 0], ...corners] as const
    ).entries()) {
      const box: Box = [left + dx - half - 3, top + dy - high, left + dx + half + 3, top + dy + high];
      if (box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height) continue;
      if (taken.some((other) => overlap(box, other))) continue;
      let covered = 0;
      let borne = false;
      discs.forEach((disc, other) => {
        if (!overlap(box, disc)) return;
        covered++;
        borne ||= other !== own && candidates[other].radius >= BEARER;
      });
      if (borne && !pinned) continue;
      // One node more or less is no reason to jump.
      const score = covered - (place === before ? 1.5 : 0);
      if (!best || score < best.score) best = { placed: { node, place, dx, dy, size }, box, score };
    }
    if (!best) continue;
    taken.push(best.box);
    placed.push(best.placed);
  }
  return placed;
}

/** Nodes by importance, the greatest first; ties in the graph's order. Of very many only the greatest. */
export function byImportance(importance: ArrayLike<number>, most = MOST_ORDERED): Uint32Array {
  // NaN, for no value, compares with nothing: it goes to the end.
  const ranks = Float64Array.from(importance, (value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value));
  const compare = (a: number, b: number): number => (ranks[a] === ranks[b] ? a - b : ranks[b] - ranks[a]);
  const all = Uint32Array.from(ranks, (_, node) => node);
  if (ranks.length <= most) return all.sort(compare);
  // Sorting bare numbers is many times faster than sorting nodes by comparing them.
  const least = ranks.slice().sort()[ranks.length - most];
  return all
    .filter((node) => ranks[node] >= least)
    .subarray(0, 2 * most)
    .sort(compare);
}

/** Some of the nodes within the view, in the graph's order. */
function inSight(
  positions: Float32Array,
  left0: number,
  top0: number,
  scale: number,
  width: number,
  height: number,
): number[] {
  const found: number[] = [];
  for (let node = 0; node < positions.length / 2 && found.length < MOST_OTHERS; node++) {
    const left = left0 + scale * positions[2 * node];
    const top = top0 - scale * positions[2 * node + 1];
    if (left >= 0 && top >= 0 && left <= width && top <= height) found.push(node);
  }
  return found;
}

export interface LabelStyle {
  readonly color: string;
  readonly halo: string;
  readonly family: string;
}

export class Labels {
  readonly canvas: HTMLCanvasElement;
  /** Whether there is anything to draw, or to wipe off. */
  shows = false;
  #scene: SceneApi;
  #text: ((node: number) => string) | null = null;
  /** Texts of nodes that are shown whatever the label is: under the pointer, or selected. */
  #pinned: readonly number[] = [];
  #pinnedText: (node: number) => string;
  #importance: () => ArrayLike<number>;
  #order: Uint32Array | null = null;
  #scaleOf: (node: number) => number = () => 1;
  #flags: Uint8Array | null = null;
  #style: LabelStyle = { color: "#000", halo: "#fff", family: "sans-serif" };
  #placed: Placed[] = [];
  #emphasis = false;
  /** The next choice does not hold on to what is labelled now. */
  #forget = false;
  #widths = new Map<string, number>();
  #chosenAt = Number.NEGATIVE_INFINITY;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #cost = 0;
  #late: ReturnType<typeof setTimeout> | undefined;
  #blocked: readonly Box[] = [];
  #size: readonly [number, number] = [0, 0];

  constructor(canvas: HTMLCanvasElement, scene: SceneApi, pinnedText: (node: number) => string) {
    this.canvas = canvas;
    this.#scene = scene;
    this.#pinnedText = pinnedText;
    this.#importance = () => new Uint8Array(0);
  }

  /** What to write beside nodes (null: nothing) and which of them matter most. */
  setTexts(text: ((node: number) => string) | null, importance: () => ArrayLike<number>): void {
    this.#text = text;
    this.shows ||= text !== null;
    this.#importance = importance;
    this.#order = null;
    this.#stale();
  }

  /** How large labels are written, relative to the usual size. */
  setScale(scaleOf: (node: number) => number): void {
    this.#scaleOf = scaleOf;
    this.#stale();
  }

  setStyle(style: LabelStyle): void {
    if (style.family !== this.#style.family) this.#widths.clear();
    this.#style = style;
  }

  /** `emphasis`: some nodes stand out now, and the others step back. */
  setFlags(flags: Uint8Array, pinned: readonly number[], emphasis = false): void {
    // What was labelled because it stood out has no claim to its place afterwards.
    if (this.#emphasis && !emphasis) this.#forget = true;
    this.#emphasis = emphasis;
    this.#flags = flags;
    this.#pinned = pinned;
    this.shows ||= pinned.length > 0;
    this.#stale();
  }

  resize(width: number, height: number): void {
    this.#size = [width, height];
    this.#stale();
  }

  /** Labels that are drawn now, for tests and the saved picture. */
  get shown(): readonly Placed[] {
    return this.#placed;
  }

  /** Draws around the names that are written on the map. */
  draw(names: readonly Box[] = []): void {
    this.#blocked = names;
    this.#draw();
  }

  #draw(): void {
    const [width, height] = this.#size;
    this.shows = this.#text !== null || this.#pinned.length > 0 || this.#placed.length > 0;
    if (!this.#scene.placed || !this.shows) return;
    const now = performance.now();
    clearTimeout(this.#late);
    this.#late = undefined;
    // On a graph so large that this takes long, labels follow with a delay rather than hold up the picture.
    const pause = Math.min(10 * this.#cost, LONGEST_PAUSE);
    if (this.#cost > 2 && now - this.#drawnAt < pause) {
      this.#late = setTimeout(() => this.#draw(), pause);
      return;
    }
    const context = prepare(this.canvas, width, height);
    if (!context) return;
    const setFont = (size: number): void => void (context.font = `500 ${size}px ${this.#style.family}`);
    setFont(FONT_SIZE); // in which texts are measured
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (now - this.#chosenAt >= PATIENCE) {
      this.#placed = this.#choose(context, width, height);
      this.#chosenAt = performance.now();
    } else {
      // The picture may come to rest before the next choice is due.
      this.#late = setTimeout(() => this.#draw(), PATIENCE);
    }
    const { positions, camera } = this.#scene;
    const [left0, top0] = camera.toScreen(0, 0);
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = this.#style.halo;
    context.fillStyle = this.#style.color;
    for (const { node, dx, dy, size } of this.#placed) {
      setFont(size);
      const left = left0 + camera.scale * positions[2 * node] + dx;
      const top = top0 - camera.scale * positions[2 * node + 1] + dy;
      const text = this.#textOf(node);
      context.strokeText(text, left, top);
      context.fillText(text, left, top);
    }
    this.#drawnAt = performance.now();
    this.#cost = this.#drawnAt - now;
  }

  destroy(): void {
    clearTimeout(this.#late);
    this.#placed = [];
  }

  #stale(): void {
    this.#chosenAt = this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  #textOf(node: number): string {
    return oneLine(this.#text && !this.#pinned.includes(node) ? this.#text(node) : this.#pinnedText(node), LONGEST);
  }

  #choose(context: CanvasRenderingContext2D, width: number, height: number): Placed[] {
    const { positions, camera } = this.#scene;
    if (!positions.length) return [];
    const [left0, top0] = camera.toScreen(0, 0);
    const { scale } = camera;
    const flags = this.#flags;
    const candidates: Candidate[] = [];
    const tried = new Set<number>();
    const before = this.#forget ? [] : this.#placed;
    this.#forget = false;
    const places = new Map(before.map(({ node, place }) => [node, place]));
    const consider = (node: number, pinned = false): void => {
      if (tried.has(node) || (flags && flags[node] & HIDDEN)) return;
      const left = left0 + scale * positions[2 * node];
      const top = top0 - scale * positions[2 * node + 1];
      if (!(left >= 0 && top >= 0 && left <= width && top <= height)) return;
      tried.add(node);
      const text = this.#textOf(node);
      if (!text) return;
      const size = Math.round(FONT_SIZE * this.#scaleOf(node));
      const wide = (this.#widthOf(context, text) * size) / FONT_SIZE;
      candidates.push({
        node,
        left,
        top,
        radius: this.#scene.radiusOf(node),
        width: wide,
        size,
        before: places.get(node),
        pinned,
      });
    };
    for (const node of this.#pinned) consider(node, true);
    if (this.#text) {
      const importance = this.#importance();
      this.#order ??= byImportance(importance);
      // What was labelled stays so while it has room: labels that swap places at every step cannot be read.
      const clear = (node: number): boolean => !flags || !(flags[node] & FADED);
      for (const node of this.#order.subarray(0, FOREMOST)) if (clear(node)) consider(node, true);
      for (const { node } of before) if (clear(node)) consider(node);
      const tryAll = (nodes: ArrayLike<number>): void => {
        for (let k = 0; k < nodes.length && tried.size < MOST_TRIED; k++) if (clear(nodes[k])) consider(nodes[k]);
      };
      tryAll(this.#order);
      if (tried.size < 10 && this.#order.length < positions.length / 2) {
        const others = inSight(positions, left0, top0, scale, width, height);
        tryAll(others.sort((a, b) => importance[b] - importance[a] || a - b));
      }
      if (flags) candidates.sort((a, b) => (flags[b.node] & RAISED) - (flags[a.node] & RAISED));
    }
    return placeLabels(
      candidates,
      width,
      height,
      Math.min(MOST_LABELS, Math.max(8, Math.round((width * height) / ROOM))),
      this.#blocked,
    );
  }

  #widthOf(context: CanvasRenderingContext2D, text: string): number {
    let width = this.#widths.get(text);
    if (width === undefined) {
      if (this.#widths.size > 5000) this.#widths.clear();
      width = context.measureText(text).width;
      this.#widths.set(text, width);
    }
    return width;
  }
}
