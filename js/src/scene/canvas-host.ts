// The canvas on the page: its size in device pixels, whether it can be seen, and a renderer that survives lost contexts.

import { createCanvas2D } from "./canvas2d.js";
import { acquire, giveBack, type Holder } from "./contexts.js";
import { mostEdges } from "./edge-budget.js";
import { MOST_STYLED_ON_CANVAS } from "./edges/canvas-edges.js";
import { MOST_STYLED } from "./edges/edge-look.js";
import type { Renderer, SceneState } from "./renderer.js";
import type { SceneInfo } from "./types.js";
import { capability, createWebGL } from "./webgl/webgl.js";

/** A lost context usually comes back by itself; after so many milliseconds a new canvas is tried. */
const PATIENCE = 1000;
/** A view that loses its context more often than this within a minute has rivals on the page that we do not know. */
const LOSSES = 3;
const MINUTE = 60_000;
const MOST_PIXELS = 32e6;
const SLOWER = "drawing with Canvas 2D, which is slower";

export interface CanvasHostEvents {
  /** The canvas has another size: it is blank until the next draw. */
  resized(): void;
  /** Something else makes a new draw necessary. */
  stale(): void;
  /** There is a new renderer, which was given the state as it is. */
  rebuilt(): void;
}

export class CanvasHost implements Holder {
  /** What the page holds on to. When its context is lost for good it stays, unseen, above the one that is drawn on. */
  readonly canvas: HTMLCanvasElement;
  renderer: Renderer | null = null;
  info: SceneInfo = { backend: "canvas2d", reason: "", software: false, mostEdges: Infinity, mostStyled: MOST_STYLED };
  /** CSS pixels. */
  width = 0;
  height = 0;
  /** Device pixels per CSS pixel. */
  ratio = 1;
  /** Device pixels of the canvas that is drawn on: kept, since every draw needs them and to ask the page takes time. */
  columns = 1;
  rows = 1;
  visible = true;
  seen = 0;

  private surface: HTMLCanvasElement;
  /** When the context was lost, NaN while there is one. */
  private lostAt = NaN;
  /** Draws with Canvas 2D, because the page has no more WebGL contexts. */
  private crowded = false;
  private losses: number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sizes: ResizeObserver | null = null;
  private sight: IntersectionObserver | null = null;
  private density: MediaQueryList | null = null;
  private device: readonly [number, number] | null = null;
  private knownDensity = 0;
  private ended = false;

  constructor(
    private readonly el: HTMLElement,
    private readonly state: SceneState,
    private readonly forceCanvas: boolean,
    private readonly events: CanvasHostEvents,
  ) {
    this.canvas = this.makeCanvas();
    this.surface = this.canvas;
    if (getComputedStyle(el).position === "static") el.style.position = "relative";
    el.prepend(this.canvas);
    this.build();
    this.measure();
    this.observe();
  }

  /** The canvas that is drawn on, in the size it should have. */
  prepare(): HTMLCanvasElement {
    const { surface } = this;
    // Some hosts change the density without telling anybody.
    if (this.knownDensity !== (window.devicePixelRatio || 1)) this.measure();
    const columns = Math.max(1, this.device ? this.device[0] : Math.round(this.width * this.ratio));
    const rows = Math.max(1, this.device ? this.device[1] : Math.round(this.height * this.ratio));
    if (columns !== this.columns) surface.width = this.columns = columns;
    if (rows !== this.rows) surface.height = this.rows = rows;
    return surface;
  }

  destroy(): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    this.sizes?.disconnect();
    this.sight?.disconnect();
    this.density?.removeEventListener("change", this.onDensity);
    this.drop(this.surface);
    this.renderer?.destroy();
    this.renderer = null;
    giveBack(this);
    this.surface.remove();
    this.canvas.remove();
  }

  private makeCanvas(): HTMLCanvasElement {
    const canvas = this.el.ownerDocument.createElement("canvas");
    canvas.style.cssText = "position:absolute;inset:0;width:100%;height:100%;display:block";
    canvas.width = canvas.height = this.columns = this.rows = 1;
    canvas.addEventListener("webglcontextlost", this.onLost);
    canvas.addEventListener("webglcontextrestored", this.onRestored);
    return canvas;
  }

  private drop(canvas: HTMLCanvasElement): void {
    canvas.removeEventListener("webglcontextlost", this.onLost);
    canvas.removeEventListener("webglcontextrestored", this.onRestored);
  }

  /** For others to call: a view that needs a context more than this one. */
  release(): void {
    this.renderer?.destroy();
    this.renderer = null;
    this.drop(this.surface);
    // Long ago: a new one is made as soon as this view is seen.
    this.lostAt = -Infinity;
  }

  /** Makes a renderer for the surface. */
  private build(contested = false): void {
    const { software } = capability();
    let reason = capability().reason;
    this.crowded = false;
    if (this.forceCanvas) {
      reason = "Canvas 2D was asked for";
    } else if (!reason) {
      this.crowded = contested || !acquire(this);
      if (contested) reason = "The browser keeps taking WebGL away from this view";
      else if (this.crowded) reason = "The page has more WebGL views than the browser allows";
    }
    if (!reason) {
      try {
        this.renderer = createWebGL(this.surface, this.state);
        this.describe("webgl2", software ? "WebGL2 is drawn by software, without a graphics card" : "", software);
        return;
      } catch (error) {
        reason = (error as Error).message;
        // A canvas that has one kind of context cannot have another.
        this.replace();
      }
    }
    giveBack(this);
    this.renderer = createCanvas2D(this.surface, this.state);
    reason = this.renderer
      ? `${reason}; ${SLOWER}`
      : "Neither WebGL2 nor Canvas 2D is available in this browser: nothing can be drawn";
    this.describe("canvas2d", reason, false);
  }

  private describe(backend: SceneInfo["backend"], reason: string, software: boolean): void {
    const mostStyled = backend === "webgl2" ? MOST_STYLED : MOST_STYLED_ON_CANVAS;
    this.info = { backend, reason, software, mostEdges: mostEdges({ backend, software }), mostStyled };
  }

  /** A fresh canvas to draw on. The first one keeps its place, since the page listens to it. */
  private replace(): void {
    const { surface } = this;
    this.drop(surface);
    this.surface = this.makeCanvas();
    surface.before(this.surface);
    if (surface !== this.canvas) {
      surface.remove();
      return;
    }
    surface.style.opacity = "0";
    surface.width = surface.height = 1;
  }

  private readonly onLost = (event: Event): void => {
    // Without this the browser would not give the context back.
    event.preventDefault();
    if (this.ended) return;
    this.renderer = null;
    this.lostAt = performance.now();
    this.losses.push(this.lostAt);
    this.revive();
  };

  private readonly onRestored = (): void => {
    if (this.ended) return;
    this.lostAt = NaN;
    this.build();
    this.events.rebuilt();
  };

  /** Replaces a canvas whose context does not come back, once it is in sight. */
  private revive(): void {
    clearTimeout(this.timer);
    if (this.ended || Number.isNaN(this.lostAt) || !this.visible) return;
    const wait = this.lostAt + PATIENCE - performance.now();
    if (wait > 0) {
      this.timer = setTimeout(() => this.revive(), wait);
      return;
    }
    this.rebuild();
  }

  private rebuild(): void {
    this.lostAt = NaN;
    this.losses = this.losses.filter((time) => performance.now() - time < MINUTE);
    this.replace();
    this.build(this.losses.length > LOSSES);
    this.events.rebuilt();
  }

  private observe(): void {
    if (typeof ResizeObserver === "function") {
      this.sizes = new ResizeObserver((entries) => this.onResize(entries[entries.length - 1]));
      try {
        this.sizes.observe(this.canvas, { box: "device-pixel-content-box" });
      } catch {
        this.sizes.observe(this.canvas);
      }
    }
    if (typeof IntersectionObserver === "function") {
      this.sight = new IntersectionObserver((entries) => {
        const before = this.visible;
        this.visible = entries[entries.length - 1].isIntersecting;
        this.seen = performance.now();
        if (!this.visible) return;
        if (this.crowded && !before) this.rebuild();
        else this.revive();
        this.events.stale();
      });
      this.sight.observe(this.el);
    }
    this.watchDensity();
  }

  /** A window that moves to another screen changes its density, not its size. */
  private watchDensity(): void {
    this.density?.removeEventListener("change", this.onDensity);
    if (typeof matchMedia !== "function") return;
    this.density = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
    this.density.addEventListener?.("change", this.onDensity);
  }

  private readonly onDensity = (): void => {
    this.watchDensity();
    this.measure();
    this.events.resized();
  };

  private onResize(entry: ResizeObserverEntry): void {
    this.measure();
    const box = entry.devicePixelContentBoxSize?.[0];
    // A box turned by its writing mode or shrunk by a limit has no pixels of its own to match.
    const exact =
      box &&
      Math.abs(box.inlineSize - this.width * this.ratio) < 2 &&
      Math.abs(box.blockSize - this.height * this.ratio) < 2;
    this.device = exact ? [box.inlineSize, box.blockSize] : null;
    this.events.resized();
  }

  private measure(): void {
    this.width = this.el.clientWidth;
    this.height = this.el.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    if (ratio !== this.knownDensity) this.device = null;
    this.knownDensity = ratio;
    const pixels = this.width * this.height * ratio * ratio;
    this.ratio = pixels > MOST_PIXELS ? ratio * Math.sqrt(MOST_PIXELS / pixels) : ratio;
  }
}
