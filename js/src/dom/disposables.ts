// What has to be undone when a part of the page goes away.

/** What has to be undone at the end: listeners, observers, timers. Emptying it twice is fine. */
export class Disposables {
  #undo: (() => void)[] = [];
  #open = true;

  get open(): boolean {
    return this.#open;
  }

  add(undo: () => void): void {
    if (this.#open) this.#undo.push(undo);
    else undo();
  }

  listen<E extends Event>(
    target: EventTarget,
    type: string,
    handler: (event: E) => void,
    options: AddEventListenerOptions = {},
  ): void {
    if (!this.#open) return;
    target.addEventListener(type, handler as EventListener, options);
    this.add(() => target.removeEventListener(type, handler as EventListener, options));
  }

  empty(): void {
    this.#open = false;
    for (const undo of this.#undo.splice(0).reverse()) undo();
  }
}

/** Calls at most once an animation frame, however often it is asked. */
export function perFrame(disposables: Disposables, call: () => void): () => void {
  let asked = 0;
  disposables.add(() => cancelAnimationFrame(asked));
  return () => {
    if (asked || !disposables.open) return;
    asked = requestAnimationFrame(() => {
      asked = 0;
      call();
    });
  };
}

/** Calls when an element gets another size, and not at all where nobody can tell. */
export function watchSize(disposables: Disposables, element: Element, changed: () => void): void {
  if (typeof ResizeObserver !== "function") return;
  const observer = new ResizeObserver(changed);
  observer.observe(element);
  disposables.add(() => observer.disconnect());
}
