// Time as a filter that moves: a column of dates or numbers, of nodes or of edges, a window over it, and play.

import { formatValue, limitText, oneLine, valueText } from "../data/format.js";
import type { Column, ValueColumn } from "../data/types.js";
import { Disposables } from "../dom/disposables.js";
import { iconButton, make, QUIET, relabel, setText } from "../dom/elements.js";
import { asNumbers, isEdgeKey } from "../store/filters.js";
import { isRangeRule, type TimelineState, type ViewState } from "../store/state.js";
import type { Store } from "../store/store.js";

/** Milliseconds from the first moment to the last at speed 1, and between two steps. */
const WHOLE = 20_000;
const STEP = 60;
const STEPS = 1000;
/** Shares of the time that are seen at once; 0 is all until then. */
const WINDOWS = [0, 0.05, 0.1, 0.25, 0.5];
const SPEEDS = [0.25, 0.5, 1, 2, 4];
const windowWords = (share: number): string =>
  share === 0 ? "all until then" : `a window of ${formatValue(100 * share)} %`;
const speedWords = (speed: number): string => `${formatValue(speed)} ×`;
/** What people call times. */
const TIMES = /^(start|time|timestamp|date|year|month|day|end)/i;

export const NO_TIMES = "No attribute of nodes or edges holds dates or different numbers: there is no timeline.";

export function timeColumns(nodes: readonly Column[], edges: readonly Column[]): ValueColumn[] {
  const found = [...nodes, ...edges].map(asNumbers).filter((column) => column !== null && column.high > column.low);
  const rank = ({ date, name }: ValueColumn): number => (date ? 0 : TIMES.test(name) ? 1 : 2);
  return (found as ValueColumn[]).sort((a, b) => rank(a) - rank(b));
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
  #rangeText = make("span", "graphne-time-text");
  #timer: ReturnType<typeof setInterval> | undefined;
  /** What changes now is changed here: the slider is where it belongs. */
  #own = false;

  constructor(store: Store, events: TimelineEvents) {
    this.#store = store;
    this.#events = events;
    const close = iconButton("close", "Close the timeline");
    close.classList.add("graphne-time-close");
    const box = (select: HTMLElement): HTMLElement => make("span", "graphne-select-box", {}, select);
    this.element = make(
      "section",
      "graphne-timeline",
      { "aria-label": "Timeline", [QUIET]: "true", hidden: true },
      this.#play,
      box(this.#column),
      this.#slider,
      this.#rangeText,
      box(this.#width),
      box(this.#speed),
      close,
    );
    this.button.setAttribute("aria-expanded", "false");
    const { listen } = this.#disposables;
    const on = listen.bind(this.#disposables) as typeof listen;
    on(this.button, "click", () => this.#toggle());
    on(close, "click", () => this.#toggle());
    on(this.#play, "click", () => (this.#timer === undefined ? this.#start() : this.#stop()));
    on(this.#slider, "input", () => this.#apply());
    on(this.#column, "change", () => this.#set({ ...this.#state, column: this.#column.value }));
    on(this.#width, "change", () => {
      this.#set({ ...this.#state, window: Number(this.#width.value) });
      this.#apply();
    });
    on(this.#speed, "change", () => this.#set({ ...this.#state, speed: Number(this.#speed.value) }));
    this.#disposables.add(() => this.#stop());
    for (const select of [({ timeline }: ViewState) => timeline, ({ filters }: ViewState) => filters]) {
      this.#disposables.add(store.subscribe<unknown>(select, () => this.#show()));
    }
  }

  setColumns(nodes: readonly Column[], edges: readonly Column[]): void {
    this.#columns = timeColumns(nodes, edges);
    const words = ({ key, name }: ValueColumn): string =>
      `${oneLine(name, 60)} of ${isEdgeKey(key) ? "edges" : "nodes"}`;
    offer(
      this.#column,
      this.#columns.map((column) => [column.key, words(column)]),
    );
    this.#show();
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }

  get #state(): TimelineState {
    return this.#store.state.timeline ?? { column: this.#columns[0]?.key ?? "", window: 0, speed: 1 };
  }

  get #chosen(): ValueColumn | undefined {
    const { column } = this.#state;
    return this.#columns.find(({ key }) => key === column);
  }

  #toggle(): void {
    const open = this.element.hidden;
    if (open && !this.#columns.length) {
      this.#events.failed(new Error(NO_TIMES));
      return;
    }
    this.#set(open ? { ...this.#state, column: (this.#chosen ?? this.#columns[0]).key } : null);
    (open ? this.#play : this.button).focus();
  }

  /** Another timeline, or none; what the one before left out is seen again. */
  #set(timeline: TimelineState | null): void {
    const before = this.#store.state;
    const gone = before.timeline && before.timeline.column !== timeline?.column ? before.timeline.column : null;
    const filters = Object.fromEntries(Object.entries(before.filters).filter(([key]) => key !== gone));
    this.#store.dispatch({ type: "set", part: { timeline, filters } });
  }

  #show(): void {
    const { timeline, filters } = this.#store.state;
    const column = timeline ? this.#chosen : undefined;
    const { window, speed } = this.#state;
    if (this.element.hidden === (column !== undefined)) {
      this.element.hidden = !column;
      this.button.setAttribute("aria-expanded", String(!!column));
      this.#events.opened();
    }
    if (!column) {
      this.#stop();
      return;
    }
    this.#column.value = column.key;
    offer(this.#width, withOwn(WINDOWS, window, windowWords));
    offer(this.#speed, withOwn(SPEEDS, speed, speedWords));
    this.#width.value = String(window);
    this.#speed.value = String(speed);
    const rule = filters[column.key];
    if (!this.#own) {
      const end = rule && isRangeRule(rule) && rule.high !== null ? rule.high : column.high;
      this.#slider.value = String(Math.round((STEPS * (end - column.low)) / (column.high - column.low)));
    }
    // Python may have set other limits than a window of this width has.
    if (!this.#own && rule && isRangeRule(rule)) this.#say(column, { low: rule.low, high: rule.high ?? column.high });
    else this.#say(column, this.#window(column, window));
  }

  /** Shows what there is where the slider stands. */
  #apply(): void {
    const column = this.#chosen;
    if (!column) return;
    const share = Number(this.#slider.value) / STEPS;
    const rule = this.#window(column, this.#state.window);
    const all = share >= 1 && rule.low === null;
    this.#own = true;
    this.#store.dispatch({ type: "filter", column: column.key, rule: all ? null : rule });
    this.#own = false;
    this.#say(column, rule);
  }

  #window(column: ValueColumn, width: number): { low: number | null; high: number } {
    return windowAt(column, Number(this.#slider.value) / STEPS, width);
  }

  #say(column: ValueColumn, { low, high }: { low: number | null; high: number }): void {
    const ends = [low === null ? column.low : Math.max(low, column.low), high].map((end, at) =>
      column.date ? valueText(column, end) : limitText(column, end, at === 1),
    );
    setText(this.#rangeText, ends.join(" to "));
    this.#slider.setAttribute("aria-valuetext", ends.join(" to "));
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
      at = Math.min(at + (STEPS * (now - last) * this.#state.speed) / WHOLE, STEPS);
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

/** Fills a menu, unless it offers the same already: to rebuild it would close it under the user's hand. */
function offer(select: HTMLSelectElement, choices: readonly (readonly [value: string, words: string])[]): void {
  const options = choices.map(([value, words]) => make("option", "", { value }, words));
  const same = (option: HTMLOptionElement, at: number): boolean =>
    option.value === select.options[at]?.value && option.text === select.options[at].text;
  if (options.length !== select.options.length || !options.every(same)) select.replaceChildren(...options);
}

/** What a menu offers, and what Python has chosen beside that. */
function withOwn(usual: readonly number[], own: number, words: (value: number) => string): [string, string][] {
  const all = usual.includes(own) ? usual : [...usual, own].sort((a, b) => a - b);
  return all.map((value) => [String(value), words(value)]);
}
