// Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y), Cmd on a Mac, wherever the focus is within the viewer.

import type { Disposables } from "../dom/disposables.js";
import type { Store } from "../store/store.js";

/** What an event asks for; null for nothing. */
export function undoCommand(event: KeyboardEvent): "undo" | "redo" | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}

export function listenForUndo(disposables: Disposables, root: HTMLElement, store: Store): void {
  // At the window and on the way down, as JupyterLab listens at the document: there, it would undo an edit of the notebook.
  disposables.listen<KeyboardEvent>(
    window,
    "keydown",
    (event) => {
      const [target] = event.composedPath();
      const command = undoCommand(event);
      if (!command || event.defaultPrevented || !event.composedPath().includes(root)) return;
      // What is typed has an undo of its own.
      if (target instanceof HTMLInputElement && (target.type === "search" || target.type === "text")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      store[command]();
    },
    { capture: true },
  );
}
