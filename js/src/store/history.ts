// What undo goes back to and redo returns to. States are immutable, so a step is a reference; moves of the camera and of
// sliders come in streams, which count as one step each.

import type { ViewState } from "./state.js";

/** Steps that are kept, and bytes of sets of nodes in them: a selection of a large graph has megabytes. */
const MOST_STEPS = 100;
const MOST_BYTES = 64e6;
/** Milliseconds within which changes of the same thing are one step. */
const STREAM = 800;
/** What is changed in streams. */
const STREAMED: readonly (keyof ViewState)[] = ["camera", "exaggeration", "filters", "colors", "sizeRange"];
/** The height is the host's: a window that got another size is nothing to undo; nor are panels that open. */
const NOT_UNDONE: readonly (keyof ViewState)[] = ["height", "table", "timeline"];

export class History {
  #past: ViewState[] = [];
  #future: ViewState[] = [];
  /** What the last step changed, where that comes in streams, and when. */
  #stream = { key: "", time: Number.NEGATIVE_INFINITY };

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  record(before: ViewState, after: ViewState, time: number): void {
    const changed = changes(before, after).filter((key) => !NOT_UNDONE.includes(key));
    if (changed.length === 0) return;
    const key = streamOf(changed, before, after);
    const goesOn = key !== "" && key === this.#stream.key && time - this.#stream.time < STREAM && this.canUndo;
    this.#stream = { key, time };
    this.#future = [];
    if (goesOn) return;
    this.#past.push(before);
    while (this.#past.length > 1 && (this.#past.length > MOST_STEPS || bytesOf(this.#past) > MOST_BYTES)) {
      this.#past.shift();
    }
  }

  undo(state: ViewState): ViewState {
    return this.#step(this.#past, this.#future, state);
  }

  redo(state: ViewState): ViewState {
    return this.#step(this.#future, this.#past, state);
  }

  #step(from: ViewState[], to: ViewState[], state: ViewState): ViewState {
    const found = from.pop();
    if (!found) return state;
    to.push(state);
    this.#stream = { key: "", time: Number.NEGATIVE_INFINITY };
    const { height, table, timeline } = state;
    return { ...found, height, table, timeline };
  }
}

const changes = (one: ViewState, other: ViewState): (keyof ViewState)[] =>
  (Object.keys(other) as (keyof ViewState)[]).filter((key) => one[key] !== other[key]);

/** Names the stream that a change belongs to; "" for none. */
function streamOf(changed: readonly (keyof ViewState)[], before: ViewState, after: ViewState): string {
  const [key] = changed;
  if (changed.length > 1 || !STREAMED.includes(key)) return "";
  if (key === "camera") return after.camera && before.camera ? key : "";
  if (key !== "filters") return key;
  // A slider moves the ends of one rule; boxes are ticked one by one, and rules that come and go are steps.
  const columns = new Set([...Object.keys(before.filters), ...Object.keys(after.filters)]);
  const moved = [...columns].filter((column) => before.filters[column] !== after.filters[column]);
  const [column] = moved;
  const isRange = [before, after].every(({ filters }) => filters[column] && "low" in filters[column]);
  return moved.length === 1 && isRange ? `filter ${column}` : "";
}

/** Bytes of the sets of nodes, each array once. */
function bytesOf(states: readonly ViewState[]): number {
  const arrays = new Set(states.flatMap(({ selection, hidden, placement }) => [selection, hidden, placement.places]));
  return [...arrays].reduce((sum, { byteLength }) => sum + byteLength, 0);
}
