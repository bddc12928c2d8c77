// The one place where a view's state is kept. Parts subscribe to what concerns them; nobody else remembers it.

import { History } from "./history.js";
import { type Action, reduce } from "./reduce.js";
import type { ViewState } from "./state.js";

/** Who changed the state: the user here, the host (Python, a page), a linked view, or undo and redo. */
export type Cause = "user" | "host" | "group" | "history";

type Listener<T> = (value: T, before: T, cause: Cause) => void;

interface Subscription {
  check(cause: Cause): void;
}

export class Store {
  #state: ViewState;
  #history: History;
  #subscriptions = new Set<Subscription>();

  constructor(state: ViewState, history = new History()) {
    this.#state = state;
    this.#history = history;
  }

  get state(): ViewState {
    return this.#state;
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  /** `amends`: it goes on with what was done last, as a hand does that still holds something; undo takes back both. */
  dispatch(action: Action, cause: Cause = "user", amends = false): void {
    const before = this.#state;
    const next = reduce(before, action);
    if (next === before) return;
    if (!amends) this.#history.record(before, next, performance.now());
    this.#enter(next, cause);
  }

  undo(): void {
    this.#enter(this.#history.undo(this.#state), "history");
  }

  redo(): void {
    this.#enter(this.#history.redo(this.#state), "history");
  }

  /** Calls when what is selected becomes another value; returns how to end that. */
  subscribe<T>(select: (state: ViewState) => T, listener: Listener<T>): () => void {
    let last = select(this.#state);
    const subscription: Subscription = {
      check: (cause) => {
        const value = select(this.#state);
        if (Object.is(value, last)) return;
        const before = last;
        last = value;
        listener(value, before, cause);
      },
    };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  /** Another graph: what is said of nodes and columns of the last one, and its history, mean nothing any more. */
  replace(state: ViewState): void {
    this.#history = new History();
    this.#enter(state, "host");
  }

  #enter(state: ViewState, cause: Cause): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const subscription of [...this.#subscriptions]) {
      // A listener may have ended another one's subscription.
      if (this.#subscriptions.has(subscription)) subscription.check(cause);
    }
  }
}
