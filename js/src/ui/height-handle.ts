// The lower edge of a view: dragged, or moved by arrows, it gives the view another height.

import type { Disposables } from "../dom/disposables.js";
import { make, QUIET } from "../dom/elements.js";
import type { TableKind } from "../store/state.js";
import type { Store } from "../store/store.js";

/** Pixels. */
const LEAST_HEIGHT = 160;
const MOST_HEIGHT = 4000;
const STEP = 20;
/** What an open table adds, so that the picture stays; and the height that has room for both. */
const TABLE_HEIGHT = 240;
const ROOMY = 760;

/** Height of a view in pixels, of which the user chooses that without a table. */
export function heightOf(chosen: number, table: TableKind): number {
  const height = Math.max(LEAST_HEIGHT, chosen);
  return table ? Math.max(height, Math.min(height + TABLE_HEIGHT, ROOMY)) : height;
}

/** Makes the handle of a view whose height the store knows. */
export function heightHandle(disposables: Disposables, store: Store): HTMLElement {
  const title = "Drag to change the height";
  const handle = make("div", "graphne-height", {
    [QUIET]: "true",
    role: "separator",
    tabindex: "0",
    "aria-orientation": "horizontal",
    "aria-label": "Height",
    "aria-valuemin": String(LEAST_HEIGHT),
    "aria-valuemax": String(MOST_HEIGHT),
    title,
  });
  const say = (height: number): void => handle.setAttribute("aria-valuenow", String(height));
  say(store.state.height);
  disposables.add(store.subscribe(({ height }) => height, say));
  let from: { readonly top: number; readonly height: number } | null = null;
  const resize = (height: number): void => {
    const whole = Math.round(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, height)));
    store.dispatch({ type: "set", part: { height: whole } });
  };
  disposables.listen<PointerEvent>(handle, "pointerdown", (event) => {
    event.preventDefault();
    handle.focus({ preventScroll: true });
    from = { top: event.clientY, height: store.state.height };
    try {
      handle.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already, or was made up by a test.
    }
  });
  disposables.listen<PointerEvent>(handle, "pointermove", ({ clientY }) => {
    if (from) resize(from.height + clientY - from.top);
  });
  for (const type of ["pointerup", "pointercancel"]) disposables.listen(handle, type, () => void (from = null));
  disposables.listen<KeyboardEvent>(handle, "keydown", (event) => {
    const step = { ArrowDown: STEP, ArrowUp: -STEP }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    resize(store.state.height + step);
  });
  return handle;
}
