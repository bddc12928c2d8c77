// Pointers, wheel and keys on the picture. It moves the camera itself and reports the rest.

import { Disposables } from "../../dom/disposables.js";
import type { CameraApi } from "../../scene/types.js";
import type { SelectMode } from "../../store/nodes.js";
import type { Tool } from "../../store/state.js";

export interface InteractionEvents {
  /** The pointer rests or moves over this point, without a button. */
  hover(left: number, top: number): void;
  leave(): void;
  tap(left: number, top: number, mode: SelectMode, touch: boolean): void;
  doubleTap(left: number, top: number, touch: boolean): void;
  /** The outline drawn so far, screen points interleaved; null when it is gone. */
  outline(points: Float64Array | null): void;
  select(outline: Float64Array, mode: SelectMode): void;
  moved(): void;
  fit(): void;
  play(): void;
  search(): void;
  /** A pointer was pressed here. */
  aim(left: number, top: number, touch: boolean): void;
  /** Whether there are nodes where it was pressed that can be dragged: then they are. */
  grab(left: number, top: number, touch: boolean): boolean;
  drag(left: number, top: number): void;
  /** Lets go of them, as if nothing had happened where it is cancelled. */
  drop(cancelled: boolean): void;
  /** Pins what is selected, or releases it. */
  pin(): void;
  /** A menu is asked for at a point; null: by the keyboard. */
  menu(at: { left: number; top: number } | null, touch: boolean): void;
  /** To another neighbour: 1 the next, -1 the one before. */
  step(by: 1 | -1): void;
  /** On from the node that is selected, or back to the one before. */
  enter(): void;
  back(): void;
  /** Hides what is selected. */
  hide(): void;
  escape(): void;
}

/** A wheel turned within this many milliseconds of the pointer's arrival, or of the page's own scrolling, scrolls on. */
const SETTLED = 300;
/** Unless the pointer came by itself: a page that scrolls under a pointer does not move it so many pixels. */
const TRAVELLED = 12;
const DOUBLE_TAP = 350;
/** Milliseconds after which a finger that rests asks for the menu. */
const LONG_PRESS = 550;
const STEP = 60;
const ZOOM_STEP = 1.25;

interface Pointer {
  left: number;
  top: number;
}

type Drag =
  | { kind: "none" }
  /** Pressed and not moved yet: may become a tap. */
  | { kind: "press"; from: Pointer; tool: Tool; mode: SelectMode }
  | { kind: "pan" }
  | { kind: "nodes" }
  | { kind: "outline"; tool: "rectangle" | "lasso"; mode: SelectMode; points: number[] };

export const modeOf = (event: { shiftKey: boolean; altKey: boolean }): SelectMode =>
  event.shiftKey ? "add" : event.altKey ? "remove" : "replace";

/** How much a turn of the wheel zooms; a pinch on a touchpad arrives as a wheel with the control key. */
export function wheelFactor(event: Pick<WheelEvent, "deltaY" | "deltaMode" | "ctrlKey">): number {
  const pixels = event.deltaY * (event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 300 : 1);
  const rolled = Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey && Math.abs(pixels) < 50 ? 6 : 1);
  return Math.exp(-rolled * 0.0016);
}

export class Interaction {
  tool: Tool = "pan";
  #disposables = new Disposables();
  #surface: HTMLElement;
  #camera: () => CameraApi;
  #events: InteractionEvents;
  #pointers = new Map<number, Pointer>();
  #drag: Drag = { kind: "none" };
  #lastTap = { time: Number.NEGATIVE_INFINITY, left: 0, top: 0 };
  #quietSince = Number.NEGATIVE_INFINITY;
  #travelled = 0;
  #hovered: Pointer | null = null;
  #pressing: ReturnType<typeof setTimeout> | undefined;

  constructor(surface: HTMLElement, camera: () => CameraApi, events: InteractionEvents) {
    this.#surface = surface;
    this.#camera = camera;
    this.#events = events;
    const disposables = this.#disposables;
    disposables.listen<PointerEvent>(surface, "pointerdown", (event) => this.#down(event));
    disposables.listen<PointerEvent>(surface, "pointermove", (event) => this.#move(event));
    disposables.listen<PointerEvent>(surface, "pointerup", (event) => this.#up(event, false));
    disposables.listen<PointerEvent>(surface, "pointercancel", (event) => this.#up(event, true));
    disposables.listen<PointerEvent>(surface, "pointerenter", (event) => this.#arrive(this.#at(event)));
    disposables.listen<PointerEvent>(surface, "pointerleave", (event) => {
      // A finger leaves whenever it is lifted; what it tapped is described until it taps elsewhere.
      if (event.pointerType !== "touch") events.leave();
    });
    disposables.listen<MouseEvent>(surface, "contextmenu", (event) => {
      event.preventDefault();
      // A key asks for it where nothing is pressed, at a point that means nothing.
      const touch = (event as PointerEvent).pointerType === "touch";
      if (event.button === 2 || touch) this.#askForMenu(this.#at(event), touch);
    });
    disposables.add(() => clearTimeout(this.#pressing));
    disposables.listen<WheelEvent>(surface, "wheel", (event) => this.#wheel(event), { passive: false });
    // At the window and on the way down: JupyterLab listens at the document, and some of its one-key commands
    // (0 0 restarts the kernel) share keys with ours.
    disposables.listen<KeyboardEvent>(window, "keydown", (event) => this.#key(event), { capture: true });
  }

  /** Ends whatever is being dragged, without effect; tells whether anything was. */
  cancel(): boolean {
    const busy = this.#drag.kind !== "none";
    if (this.#drag.kind === "outline") this.#events.outline(null);
    if (this.#drag.kind === "nodes") this.#events.drop(true);
    this.#drag = { kind: "none" };
    return busy;
  }

  get dragging(): boolean {
    return ["pan", "nodes", "outline"].includes(this.#drag.kind) || this.#pointers.size > 1;
  }

  destroy(): void {
    this.cancel();
    this.#disposables.empty();
  }

  #at(event: MouseEvent): Pointer {
    const box = this.#surface.getBoundingClientRect();
    return { left: event.clientX - box.left, top: event.clientY - box.top };
  }

  /** The pointer is here from now on, moved by its owner or because the page scrolled. */
  #arrive(at: Pointer): void {
    this.#quietSince = performance.now();
    this.#travelled = 0;
    this.#hovered = at;
  }

  #down(event: PointerEvent): void {
    if (event.pointerType === "mouse" && event.button > 1) return;
    const at = this.#at(event);
    this.#pointers.set(event.pointerId, at);
    // A finger that scrolls the page past the picture does not mean it; a tap does.
    if (event.pointerType !== "touch") this.#surface.focus({ preventScroll: true });
    try {
      this.#surface.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already, or was made up by a test.
    }
    if (event.pointerType === "mouse") event.preventDefault();
    if (this.#pointers.size > 1) {
      this.cancel(); // a second finger turns a drag into a pinch
      this.#events.leave();
      return;
    }
    const held = event.shiftKey || event.altKey;
    const tool = event.button === 1 ? "pan" : this.tool === "pan" && held ? "rectangle" : this.tool;
    this.#drag = { kind: "press", from: at, tool, mode: modeOf(event) };
    clearTimeout(this.#pressing);
    if (event.pointerType === "touch") {
      this.#pressing = setTimeout(() => {
        if (this.#drag.kind === "press") this.#askForMenu(at, true);
      }, LONG_PRESS);
    }
    this.#events.aim(at.left, at.top, event.pointerType === "touch");
  }

  #move(event: PointerEvent): void {
    const at = this.#at(event);
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      if (this.#hovered) this.#travelled += Math.hypot(at.left - this.#hovered.left, at.top - this.#hovered.top);
      this.#hovered = at;
      if (event.pointerType !== "touch") this.#events.hover(at.left, at.top);
      return;
    }
    if (this.#pointers.size === 2) {
      this.#pinch(event.pointerId, before, at);
      return;
    }
    this.#pointers.set(event.pointerId, at);
    const drag = this.#drag;
    if (drag.kind === "press") {
      const across = at.left - drag.from.left;
      const down = at.top - drag.from.top;
      if (Math.hypot(across, down) < (event.pointerType === "touch" ? 8 : 4)) return;
      this.#events.leave();
      if (event.pointerType === "touch" && Math.abs(down) > Math.abs(across) && this.#pageScrolls()) {
        // The browser is about to scroll the page, and to cancel this pointer; a move of the picture would be in the way.
        this.#drag = { kind: "none" };
        return;
      }
      const touch = event.pointerType === "touch";
      if (drag.tool === "pan" && event.button !== 1 && this.#events.grab(drag.from.left, drag.from.top, touch)) {
        this.#drag = { kind: "nodes" };
        this.#events.drag(at.left, at.top);
        return;
      }
      if (drag.tool === "pan") {
        this.#drag = { kind: "pan" };
        this.#pan(across, down);
        return;
      }
      this.#drag = { kind: "outline", tool: drag.tool, mode: drag.mode, points: [drag.from.left, drag.from.top] };
      this.#extend(at);
    } else if (drag.kind === "pan") {
      this.#pan(at.left - before.left, at.top - before.top);
    } else if (drag.kind === "nodes") {
      this.#events.drag(at.left, at.top);
    } else if (drag.kind === "outline") {
      this.#extend(at);
    }
  }

  #askForMenu(at: Pointer, touch: boolean): void {
    this.cancel();
    this.#events.leave();
    this.#events.menu(at, touch);
  }

  /** Whether a finger that moves up or down scrolls the page: the style sheet says when. */
  #pageScrolls(): boolean {
    return getComputedStyle(this.#surface).getPropertyValue("touch-action") === "pan-y";
  }

  #up(event: PointerEvent, cancelled: boolean): void {
    if (!this.#pointers.delete(event.pointerId)) return;
    const drag = this.#drag;
    const at = this.#at(event);
    if (cancelled) {
      this.cancel();
      return;
    }
    if (drag.kind === "press") this.#tap(at, event);
    if (drag.kind === "nodes") this.#events.drop(false);
    if (drag.kind === "outline") {
      this.#events.outline(null);
      // Whoever lets go of the key a moment before the button means what was held at the start.
      const mode = drag.mode === "replace" ? modeOf(event) : drag.mode;
      if (drag.points.length >= 6) this.#events.select(Float64Array.from(drag.points), mode);
    }
    // The finger that stays after a pinch goes on moving the picture.
    this.#drag = this.#pointers.size === 1 ? { kind: "pan" } : { kind: "none" };
    if (event.pointerType === "mouse" && drag.kind !== "press") this.#events.hover(at.left, at.top);
  }

  #tap(at: Pointer, event: PointerEvent): void {
    const now = performance.now();
    const mode = modeOf(event);
    const near = Math.hypot(at.left - this.#lastTap.left, at.top - this.#lastTap.top) < 12;
    // Whoever holds a modifier collects nodes one by one, quickly and perhaps side by side.
    const second = mode === "replace" && near && now - this.#lastTap.time < DOUBLE_TAP;
    this.#lastTap = { time: second || mode !== "replace" ? Number.NEGATIVE_INFINITY : now, ...at };
    const touch = event.pointerType === "touch";
    if (touch) this.#surface.focus({ preventScroll: true });
    if (second) this.#events.doubleTap(at.left, at.top, touch);
    else this.#events.tap(at.left, at.top, mode, touch);
  }

  #pan(left: number, top: number): void {
    this.#camera().panBy(left, top);
    this.#events.moved();
  }

  #zoom(factor: number, at?: Pointer): void {
    this.#camera().zoomBy(factor, at?.left, at?.top);
    this.#events.moved();
  }

  #pinch(id: number, before: Pointer, at: Pointer): void {
    const other = [...this.#pointers].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const apart = Math.hypot(before.left - other.left, before.top - other.top);
    const now = Math.hypot(at.left - other.left, at.top - other.top);
    this.#pointers.set(id, at);
    this.#pan((at.left - before.left) / 2, (at.top - before.top) / 2);
    if (apart > 1 && now > 1) {
      this.#zoom(now / apart, { left: (at.left + other.left) / 2, top: (at.top + other.top) / 2 });
    }
  }

  #extend(at: Pointer): void {
    const drag = this.#drag;
    if (drag.kind !== "outline") return;
    if (drag.tool === "rectangle") {
      const [left, top] = drag.points as [number, number];
      drag.points = [left, top, at.left, top, at.left, at.top, left, at.top];
    } else {
      const [left, top] = drag.points.slice(-2) as [number, number];
      // A slow hand would add a thousand points that change nothing.
      if (Math.hypot(at.left - left, at.top - top) >= 3) drag.points.push(at.left, at.top);
    }
    this.#events.outline(Float64Array.from(drag.points));
  }

  #wheel(event: WheelEvent): void {
    // Sideways there is nothing to zoom: the page may scroll.
    if (!event.ctrlKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    const now = performance.now();
    const focused = (this.#surface.getRootNode() as Document | ShadowRoot).activeElement === this.#surface;
    const rested = now - this.#quietSince > SETTLED || this.#travelled >= TRAVELLED;
    if (!focused && !event.ctrlKey && !event.metaKey && !rested) {
      // Somebody scrolls past: let them, until the wheel has been quiet for a moment.
      this.#arrive(this.#at(event));
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#zoom(wheelFactor(event), this.#at(event));
  }

  #key(event: KeyboardEvent): void {
    if (event.composedPath()[0] !== this.#surface || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.#events.menu(null, false);
      return;
    }
    const meant = this.#act(event.key, event.shiftKey ? 4 * STEP : STEP);
    if (meant) event.preventDefault();
    // Letters that mean nothing here reach nobody: in JupyterLab, d d would delete the cell with the view.
    if (meant || event.key.length === 1) event.stopImmediatePropagation();
  }

  #act(key: string, step: number): boolean {
    switch (key) {
      case "ArrowLeft":
        this.#pan(step, 0);
        return true;
      case "ArrowRight":
        this.#pan(-step, 0);
        return true;
      case "ArrowUp":
        this.#pan(0, step);
        return true;
      case "ArrowDown":
        this.#pan(0, -step);
        return true;
      case "+":
      case "=":
        this.#zoom(ZOOM_STEP);
        return true;
      case "-":
      case "_":
        this.#zoom(1 / ZOOM_STEP);
        return true;
      case "0":
      case "f":
      case "F":
        this.#events.fit();
        return true;
      case " ":
        this.#events.play();
        return true;
      case "/":
        this.#events.search();
        return true;
      case "n":
        this.#events.step(1);
        return true;
      case "N":
        this.#events.step(-1);
        return true;
      case "Enter":
        this.#events.enter();
        return true;
      case "Backspace":
        this.#events.back();
        return true;
      case "p":
      case "P":
        this.#events.pin();
        return true;
      case "h":
      case "H":
        this.#events.hide();
        return true;
      case "Escape":
        if (!this.cancel()) this.#events.escape();
        return true;
      default:
        return false;
    }
  }
}
