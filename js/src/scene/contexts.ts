// A page has sixteen WebGL contexts; a seventeenth takes the oldest one away from whoever has it. So views that cannot be
// seen give theirs to those that can.

export interface Holder {
  readonly visible: boolean;
  /** When it was last in sight, in milliseconds. */
  readonly seen: number;
  /** Gives the context back; the view makes itself a new one when it comes into sight. */
  release(): void;
}

/** Some are left to the rest of the page. */
const MOST = 12;

/** Every notebook cell may load its own copy of this module, but they share one page. */
function holders(): Set<Holder> {
  const page = globalThis as unknown as Record<symbol, Set<Holder> | undefined>;
  return (page[Symbol.for("graphne-viz.contexts")] ??= new Set());
}

/** Whether the view may have a context. */
export function acquire(holder: Holder): boolean {
  const all = holders();
  if (all.has(holder)) return true;
  if (all.size >= MOST) {
    const unseen = [...all].filter((other) => !other.visible).sort((a, b) => a.seen - b.seen)[0];
    if (!unseen) return false;
    all.delete(unseen);
    unseen.release();
  }
  all.add(holder);
  return true;
}

export function giveBack(holder: Holder): void {
  holders().delete(holder);
}
