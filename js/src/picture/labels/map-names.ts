// The names of classes on the map: found anew when the nodes have moved, placed anew whenever the picture is drawn.

import { oneLine } from "../../data/format.js";
import type { ClassColumn, Column, GraphData, Shade } from "../../data/types.js";
import { prepare } from "../../dom/elements.js";
import { type ByteRgba, classColors, legible, toCss } from "../../encoding/colors.js";
import type { SceneApi } from "../../scene/types.js";
import {
  type Box,
  type Disc,
  findHearts,
  type Heart,
  LINE,
  MOST_DISCS,
  nameOpacity,
  placeNames,
} from "./class-names.js";

/** Milliseconds between two searches for the clusters, while the nodes move; more where a search takes long. */
const PAUSE = 400;
const PAUSE_PER_COST = 40;
/** Milliseconds between two draws while the camera follows a layout that forms: names need not keep up with its frames. */
const CALM = 120;
/** Milliseconds that the nodes have rested before names make room for them: before, they would jump about. */
const REST = 500;
/** Pixels of letters at which texts are measured; their widths grow with the letters. */
const MEASURED = 20;

export interface NamesStyle {
  readonly halo: string;
  readonly family: string;
}

export class MapNames {
  readonly canvas: HTMLCanvasElement;
  /** Whether there is anything to draw, or to wipe off. */
  shows = false;
  /** Where names are now, strong enough to be read. */
  boxes: readonly Box[] = [];
  #scene: SceneApi;
  #column: ClassColumn | null = null;
  #colors: readonly ByteRgba[] = [];
  #texts: readonly string[] = [];
  #hidden: Uint8Array | null = null;
  #positions: Float32Array | null = null;
  #hearts: readonly Heart[] = [];
  #stale = true;
  #movedAt = Number.NEGATIVE_INFINITY;
  #foundAt = Number.NEGATIVE_INFINITY;
  #cost = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #widths = new Map<string, number>();
  #late: ReturnType<typeof setTimeout> | undefined;
  #style: NamesStyle = { halo: "#fff", family: "sans-serif" };
  #size: readonly [number, number] = [0, 0];

  constructor(canvas: HTMLCanvasElement, scene: SceneApi) {
    this.canvas = canvas;
    this.#scene = scene;
  }

  /** Names the classes of a column; a single class, or anything else, needs none. */
  show(column: Column | null, graph: GraphData, shade: Shade): void {
    const shown = column?.kind === "classes" && column.categories.length > 1 ? column : null;
    this.#stale ||= shown?.codes !== this.#column?.codes;
    if (this.#stale) this.#foundAt = Number.NEGATIVE_INFINITY;
    this.#column = shown;
    this.shows ||= shown !== null;
    this.#texts = shown?.categories.map(({ label }) => oneLine(label)) ?? [];
    this.#colors = shown ? classColors(shown, graph, shade).map((color) => legible(color, shade)) : [];
  }

  setStyle(style: NamesStyle): void {
    if (style.family !== this.#style.family) this.#widths.clear();
    this.#style = style;
  }

  setPositions(positions: Float32Array | null): void {
    if (positions === this.#positions) return;
    this.#positions = positions;
    this.#stale = true;
    this.#movedAt = performance.now();
  }

  /** Who cannot be seen: HIDDEN or 0 for every node. */
  hide(hidden: Uint8Array | null): void {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    this.#stale = true;
    this.#foundAt = Number.NEGATIVE_INFINITY;
  }

  resize(width: number, height: number): void {
    this.#size = [width, height];
  }

  draw(): void {
    const now = performance.now();
    if (this.#scene.camera.following && this.boxes.length > 0 && now - this.#drawnAt < CALM) {
      this.#late ??= setTimeout(() => this.draw(), CALM);
      return;
    }
    this.#drawnAt = now;
    if (this.#late !== undefined) clearTimeout(this.#late);
    this.#late = undefined;
    this.#find();
    const [width, height] = this.#size;
    const alpha = this.#column ? nameOpacity(this.#scene.camera.zoom) : 0;
    const isEmpty = alpha <= 0 || this.#hearts.length === 0;
    this.shows = this.#column !== null;
    if (isEmpty && this.boxes.length === 0) return;
    const context = prepare(this.canvas, width, height);
    this.boxes = [];
    if (!context || isEmpty || !this.#column) return;
    const { camera } = this.#scene;
    const centers = this.#hearts.map(({ x, y }) => {
      const [left, top] = camera.toScreen(x, y);
      return left < 0 || top < 0 || left > width || top > height ? null : ([left, top] as const);
    });
    context.font = this.#font(MEASURED);
    const measure = (text: string, size: number): number => {
      const width = this.#widths.get(text) ?? context.measureText(text).width;
      this.#widths.set(text, width);
      return (width * size) / MEASURED;
    };
    const placed = placeNames(this.#hearts, centers, this.#texts, this.#size, measure, undefined, this.#discs(now));
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.globalAlpha = alpha;
    context.strokeStyle = this.#style.halo;
    // The largest last: it stays readable where halos touch.
    for (const { heart, lines, x, y, size } of [...placed].reverse()) {
      context.font = this.#font(size);
      context.lineWidth = 3 + size / 8;
      context.fillStyle = toCss(this.#colors[this.#hearts[heart].code]);
      const write = (put: (line: string, top: number) => void): void =>
        lines.forEach((line, k) => put(line, y + (k - (lines.length - 1) / 2) * LINE * size));
      write((line, top) => context.strokeText(line, x, top));
      write((line, top) => context.fillText(line, x, top));
    }
    context.globalAlpha = 1;
    this.boxes = placed.map(({ box }) => box);
  }

  destroy(): void {
    clearTimeout(this.#late);
  }

  /** The nodes that names should not cover, where they are few and at rest. */
  #discs(now: number): Disc[] {
    const { positions, camera } = this.#scene;
    const nodes = positions.length / 2;
    if (nodes > MOST_DISCS) return [];
    if (now - this.#movedAt < REST) {
      this.#late ??= setTimeout(() => this.draw(), REST);
      return [];
    }
    return Array.from({ length: nodes }, (_, node) => node)
      .filter((node) => !this.#hidden?.[node])
      .map((node) => [...camera.toScreen(positions[2 * node], positions[2 * node + 1]), this.#scene.radiusOf(node)]);
  }

  #font(size: number): string {
    return `650 ${size.toFixed(1)}px ${this.#style.family}`;
  }

  /** Looks for the clusters, unless that was done a moment ago; then it is done a moment later. */
  #find(): void {
    if (!this.#stale) return;
    if (!this.#column || !this.#positions) {
      this.#hearts = [];
      this.#stale = this.#column !== null;
      return;
    }
    const now = performance.now();
    const pause = PAUSE + PAUSE_PER_COST * this.#cost;
    if (now - this.#foundAt < pause) {
      this.#late = setTimeout(() => this.draw(), pause);
      return;
    }
    const { codes, categories } = this.#column;
    this.#hearts = findHearts(this.#positions, codes, categories.length, this.#hidden);
    this.#stale = false;
    this.#foundAt = performance.now();
    this.#cost = this.#foundAt - now;
  }
}
