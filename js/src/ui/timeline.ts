// Time as a filter that moves: a column of dates or numbers, of nodes or of edges, a window over it, and play.

import { oneLine, valueText } from "../data/format.js";
import type { Column, ValueColumn } from "../data/types.js";
import { Disposables } from "../dom/disposables.js";
import { iconButton, make, QUIET, relabel, setText } from "../dom/elements.js";
import { isEdgeKey } from "../store/filters.js";
import { isRangeRule } from "../store/state.js";
import type { Store } from "../store/store.js";

/** Milliseconds from the first moment to the last at speed 1, and between two steps. */
const WHOLE = 20_000;
const STEP = 60;
const STEPS = 1000;
/** Shares of the time that are seen at once; 0 is all until then. */
const WINDOWS = [
  [0, "all until then"],
  [0.05, "a window of 5 %"],
  [0.1, "a window of 10 %"],
  [0.25, "a window of 25 %"],
  [0.5, "a window of 50 %"],
] as const;
const SPEEDS = [0.25, 0.5, 1, 2, 4];
/** What people call times. */
const TIMES = /^(start|time|timestamp|date|year|month|day|end)/i;

export const NO_TIMES = "No attribute of nodes or edges holds dates or different numbers: there is no timeline.";

export function timeColumns(nodes: readonly Column[], edges: readonly Column[]): ValueColumn[] {
  const found = [...nodes, ...edges].filter(
    (column): column is ValueColumn => column.kind === "values" && column.high > column.low,
  );
  const rank = ({ date, name }: ValueColumn): number => (date ? 0 : TIMES.test(name) ? 1 : 2);
  return found.sort((a, b) => rank(a) - rank(b));
}

/** The part of a column's range that is seen when the window ends at a share of it. */
export function windowAt(
  { low, high }: ValueColumn,
  share: number,
  width: number,
): { low: number | null; high: number } {
  const end = share >= 1 ? high : low + share * (high - low);
  return { low: width === 0 ? null : end - width * (high - low), high: end };
}

export interface TimelineEvents {
  opened(): void;
  failed(error: unknown): void;
}

export class Timeline {
  readonly button = iconButton("clock", "Timeline", "Play nodes and edges by a date or number");
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #store: Store;
  #events: TimelineEvents;
  #columns: readonly ValueColumn[] = [];
  #play = iconButton("play", "Play the timeline");
  #column = make("select", "graphne-select", { "aria-label": "Time is shown by", title: "Time is shown by" });
  #width = make("select", "graphne-select", {
    "aria-label": "How much time is shown",
    title: "How much time is shown",
  });
  #speed = make("select", "graphne-select", { "aria-label": "Speed", title: "Speed" });
  #slider = make("input", "graphne-time-slider", {
    type: "range",
    min: "0",
    max: String(STEPS),
    "aria-label": "Time",
    title: "Time",
  });
  #said = make("span", "graphne-time-text");
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The filter that this has set. */
  #key = "";

  constructor(store: Store, events: TimelineEvents) {
    this.#store = store;
    this.#events = events;
    this.#width.append(...WINDOWS.map(([share, words]) => make("option", "", { value: String(share) }, words)));
    this.#speed.append(...SPEEDS.map((speed) => make("option", "", { value: String(speed) }, `${speed} ×`)));
    this.#speed.value = "1";
    this.#slider.value = String(STEPS);
    const close = iconButton("close", "Close the timeline");
    const parts = [this.#play, this.#column, this.#slider, this.#said, this.#width, this.#speed, close];
    this.element = make(
      "section",
      "graphne-timeline",
      { "aria-label": "Timeline", [QUIET]: "true", hidden: true },
      ...parts,
    );
    this.button.setAttribute("aria-expanded", "false");
    this.#disposables.listen(this.button, "click", () => this.#open(this.element.hidden === true));
    this.#disposables.listen(close, "click", () => this.#open(false));
    this.#disposables.listen(this.#play, "click", () => (this.#timer === undefined ? this.#start() : this.#stop()));
    this.#disposables.listen(this.#slider, "input", () => this.#apply());
    for (const select of [this.#column, this.#width]) this.#disposables.listen(select, "change", () => this.#apply());
    this.#disposables.add(() => this.#stop());
    this.#disposables.add(
      store.subscribe(
        ({ filters }) => filters,
        (_, __, cause) => cause !== "user" && this.#follow(),
      ),
    );
  }

  setColumns(nodes: readonly Column[], edges: readonly Column[]): void {
    this.#columns = timeColumns(nodes, edges);
    const keys = this.#columns.map(({ key }) => key);
    if (keys.join() === Array.from(this.#column.options, ({ value }) => value).join()) return;
    const { value } = this.#column;
    const words = ({ key, name }: ValueColumn): string =>
      `${oneLine(name, 60)} of ${isEdgeKey(key) ? "edges" : "nodes"}`;
    this.#column.replaceChildren(
      ...this.#columns.map((column) => make("option", "", { value: column.key }, words(column))),
    );
    if (keys.includes(value)) this.#column.value = value;
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  get #chosen(): ValueColumn | undefined {
    return this.#columns.find(({ key }) => key === this.#column.value);
  }

  #open(open: boolean): void {
    if (open && !this.#chosen) {
      this.#events.failed(new Error(NO_TIMES));
      return;
    }
    this.#stop();
    this.element.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (open) {
      this.#slider.value = String(STEPS);
      this.#say();
      this.#play.focus();
    } else {
      this.#clear("");
      this.button.focus();
    }
    this.#events.opened();
  }

  /** Takes back the filter of another column. */
  #clear(but: string): void {
    if (this.#key && this.#key !== but) this.#store.dispatch({ type: "filter", column: this.#key, rule: null });
    this.#key = but;
  }

  #apply(): void {
    const column = this.#chosen;
    if (!column) return;
    this.#clear(column.key);
    const share = Number(this.#slider.value) / STEPS;
    const rule = windowAt(column, share, Number(this.#width.value));
    const all = share >= 1 && rule.low === null;
    this.#store.dispatch({ type: "filter", column: column.key, rule: all ? null : rule });
    this.#say();
  }

  #say(): void {
    const column = this.#chosen;
    if (!column) return;
    const { low, high } = windowAt(column, Number(this.#slider.value) / STEPS, Number(this.#width.value));
    const ends = [low === null ? column.low : Math.max(low, column.low), high].map((end) =>
      valueText(column, end, !column.date),
    );
    setText(this.#said, ends.join(" to "));
    this.#slider.setAttribute("aria-valuetext", ends.join(" to "));
  }

  /** Undo, Python or a linked view has changed the filters. */
  #follow(): void {
    const column = this.#chosen;
    if (!column || this.element.hidden) return;
    const rule = this.#store.state.filters[column.key];
    const end = rule && isRangeRule(rule) && rule.high !== null ? rule.high : column.high;
    this.#slider.value = String(Math.round((STEPS * (end - column.low)) / (column.high - column.low)));
    this.#say();
  }

  #start(): void {
    if (Number(this.#slider.value) >= STEPS) this.#slider.value = "0";
    relabel(this.#play, "pause", "Pause the timeline");
    let at = Number(this.#slider.value);
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      // Somebody may have moved it meanwhile.
      if (Math.abs(at - Number(this.#slider.value)) > 1) at = Number(this.#slider.value);
      at = Math.min(at + (STEPS * (now - last) * Number(this.#speed.value)) / WHOLE, STEPS);
      last = now;
      this.#slider.value = String(at);
      this.#apply();
      if (at >= STEPS) this.#stop();
    }, STEP);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    relabel(this.#play, "play", "Play the timeline");
  }
}
