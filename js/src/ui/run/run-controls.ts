// The control bar: what the run does, and what it should do.

import { formatCount, sentenceOf } from "../../data/format.js";
import { meaningOf } from "../../data/glossary.js";
import type { Frame, Recording, RunState, RunStatus } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { enable, iconButton, make, QUIET, relabel, setText } from "../../dom/elements.js";
import type { Host } from "../../store/api.js";
import { ExaggerationSlider } from "./exaggeration-slider.js";
import { KlCurve } from "./kl-curve.js";
import { Replay } from "./replay.js";

export type RunCommand = "pause" | "resume" | "stop" | "restart" | "play" | "remove_overlap";

/** What the play button does in a state; null: nothing. */
export function playCommand(state: RunState, external = false): "pause" | "resume" | "play" | null {
  if (state === "running") return "pause";
  if (state === "paused") return "resume";
  return external || state === "starting" || state === "failed" ? null : "play";
}

export const canStop = (state: RunState): boolean => state === "starting" || state === "running" || state === "paused";
export const canRestart = (state: RunState): boolean => state !== "starting";

/** Nodes that cover each other are moved apart where nothing else moves them. */
export const canSpread = (state: RunState): boolean => !canStop(state);

const SPREAD = "Remove overlap";
const SPREAD_WORDS = {
  able: "Move nodes apart that cover each other; the next run takes them from there",
  active: "Nodes that cover each other can be moved apart once the run has ended",
} as const;

const PLAY_WORDS = {
  running: ["Pause", "Pause (space)"],
  paused: ["Resume", "Resume (space)"],
  starting: ["Starting", "The run is starting"],
  failed: ["Continue", "The run failed; restart it from the beginning"],
  idle: ["Optimise", "Optimise, starting from this layout (space)"],
  finished: ["Continue", "Optimise further from here (space)"],
  stopped: ["Continue", "Optimise further from here (space)"],
} as const satisfies Record<RunState, readonly [string, string]>;

/** Milliseconds between two updates of the words and the curve. */
const PAINT_INTERVAL = 250;

const PHASES = ["start", "early exaggeration", "optimisation", "", "training"];

/** What the bar says the run is doing. */
export function describe(status: RunStatus): string {
  switch (status.state) {
    case "idle":
      return "Given layout";
    case "starting":
      return "Preparing";
    case "running":
      return capital(phaseName(status.phase)) || "Running";
    default:
      return capital(status.state);
  }
}

/** The kernel's phases in the spelling of the viewer. */
const phaseName = (phase: string): string => phase.replace("optimiz", "optimis");
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export interface RunControlEvents {
  exaggeration(value: number): void;
  /** A moment of the run to look at; null for how it is now. */
  moment(frame: Frame | null): void;
  /** How large nodes are drawn: the radius of one of usual size and the scale, in pixels; null where nothing is drawn. */
  usual(): { readonly radius: number; readonly scale: number } | null;
  /** So many nodes were moved apart. */
  spread(moved: number): void;
  failed(message: string): void;
}

export class RunControls {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #host: Host;
  #events: RunControlEvents;
  #play = iconButton("play", "Continue");
  #stop = iconButton("stop", "Stop", "Stop and keep the layout as it is");
  #restart = iconButton("restart", "Restart", "Start again from the beginning");
  #spread = iconButton("spread", SPREAD, SPREAD_WORDS.active);
  #buttons = make(
    "div",
    "graphne-group",
    { role: "group", "aria-label": "Run" },
    this.#play,
    this.#stop,
    this.#restart,
    this.#spread,
  );
  #exaggeration: ExaggerationSlider;
  #curve = new KlCurve();
  #phase = make("span", "graphne-phase");
  #named = "";
  #iteration = make("span", "graphne-iteration");
  #progress = make("div", "graphne-progress-fill");
  #track = make("div", "graphne-progress", { "aria-hidden": "true" }, this.#progress);
  #report: HTMLElement;
  #replay: Replay;
  #status: RunStatus | null = null;
  #busy = false;
  #frame: Frame | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paintedAt = Number.NEGATIVE_INFINITY;

  constructor(host: Host, events: RunControlEvents) {
    this.#host = host;
    this.#events = events;
    this.#exaggeration = new ExaggerationSlider((value) => events.exaggeration(value));
    const load = (): Promise<Recording> =>
      host.recording?.() ?? Promise.reject(new Error("There is nothing to replay."));
    this.#replay = new Replay(load, {
      moment: (frame) => this.#moment(frame),
      failed: (message) => events.failed(message),
    });
    this.#disposables.add(() => this.#replay.destroy());
    const line = make("div", "graphne-report-line", {}, this.#phase, this.#iteration);
    this.#report = make("div", "graphne-report", {}, line, this.#track, this.#replay.element);
    this.element = make(
      "div",
      "graphne-bar",
      { [QUIET]: "true" },
      this.#buttons,
      this.#report,
      this.#curve.element,
      this.#exaggeration.element,
    );
    this.#curve.draw();
    this.#disposables.add(() => clearTimeout(this.#timer));
    this.#disposables.listen(this.#play, "click", () => this.toggle());
    this.#disposables.listen(this.#stop, "click", () => canStop(this.#state) && this.#send("stop"));
    this.#disposables.listen(this.#restart, "click", () => canRestart(this.#state) && this.#send("restart"));
    this.#disposables.listen(this.#spread, "click", () => {
      const usual = this.#events.usual();
      if (!usual || !canSpread(this.#state)) return;
      this.#send("remove_overlap", usual, (moved) => this.#events.spread(Number(moved)));
    });
  }

  /** Pauses a run that is running; makes any other go on, or replays it where nobody would obey. */
  toggle(): void {
    const command = this.#status && this.#steerable ? playCommand(this.#status.state, this.#status.external) : null;
    if (command) this.#send(command);
    else if (!this.#steerable) this.#replay.toggle();
  }

  show(status: RunStatus): void {
    this.#status = status;
    this.#frame = null; // what it said is older than the status
    const { state } = status;
    this.#curve.series.enter(status.run);
    if (status.history.length) this.#curve.series.load(status.history);
    else if (status.kl !== null) this.#curve.series.push(status.iteration, status.kl);
    this.#curve.draw();
    const [label, title] = PLAY_WORDS[state] ?? PLAY_WORDS.idle;
    relabel(this.#play, state === "running" ? "pause" : "play", label, title);
    this.#buttons.hidden = !this.#steerable;
    this.#exaggeration.element.hidden = !this.#steerable || status.external;
    this.#restart.hidden = status.external;
    // A layout that was given, without anyone to ask for more, has nothing to report.
    this.#report.hidden = state === "idle" && status.iteration === 0 && !this.#steerable;
    this.element.hidden = this.#report.hidden && this.#curve.element.hidden && !this.#steerable;
    this.#namePhase(describe(status));
    this.element.dataset.state = state;
    this.#count(status.iteration);
    const atRest = state !== "starting" && state !== "running";
    this.#replay.offer(this.#host.recording && atRest ? status.shots : 0, `${status.run}:${status.iteration}`);
    if (!this.#replay.away) this.#curve.mark(null);
    this.#track.hidden = this.#replay.offered;
    this.#enable();
  }

  /** A frame that came in. Frames come faster than anybody reads: words and curve follow a few times a second. */
  progress(frame: Frame): void {
    this.#curve.series.enter(frame.run);
    this.#curve.series.push(frame.iteration, frame.kl);
    this.#frame = frame;
    if (this.#replay.away) {
      this.#replay.leave();
      this.#curve.mark(null);
    }
    if (this.#timer !== undefined || !this.#disposables.open) return;
    const wait = this.#paintedAt + PAINT_INTERVAL - performance.now();
    if (wait <= 0) this.#paint();
    else this.#timer = setTimeout(() => this.#paint(), wait);
  }

  showExaggeration(value: number): void {
    this.#exaggeration.show(value);
  }

  /** The curve has another width. */
  redraw(): void {
    this.#curve.resized();
  }

  setInk(line: string, dot: string): void {
    this.#curve.setInk(line, dot);
  }

  destroy(): void {
    this.#disposables.empty();
    this.#exaggeration.destroy();
    this.element.remove();
  }

  get #steerable(): boolean {
    return Boolean(this.#host.command && this.#status?.steerable);
  }

  #paint(): void {
    this.#timer = undefined;
    this.#paintedAt = performance.now();
    const frame = this.#frame;
    if (!frame) return;
    this.#curve.draw();
    // The status of the same run may be ahead of its last frame.
    this.#count(this.#status?.run === frame.run ? Math.max(frame.iteration, this.#status.iteration) : frame.iteration);
    // The status knows a phase that has begun before the first frame of it.
    const phase = frame.phase > 0 ? PHASES[frame.phase] : "";
    if (this.#status?.state === "running") this.#namePhase(capital(phase || phaseName(this.#status.phase)));
  }

  #moment(frame: Frame | null): void {
    this.#curve.mark(frame);
    const status = this.#status;
    if (status) {
      this.#namePhase(frame ? capital(PHASES[frame.phase] || "Replay") : describe(status));
      this.#count(frame?.iteration ?? status.iteration, frame !== null);
    }
    this.#events.moment(frame);
  }

  #namePhase(phase: string): void {
    if (phase === this.#named) return;
    this.#named = phase;
    setText(this.#phase, phase);
    this.#phase.title = meaningOf(phase);
  }

  #count(iteration: number, past = false): void {
    const total = this.#status?.total ?? 0;
    const { state } = this.#status ?? {};
    // A single node is finished without an iteration, and nothing is left to be done.
    const known = total > 0 && state !== "idle" && (state !== "finished" || (this.#status?.iteration ?? 0) > 0);
    const count = known ? `${formatCount(iteration)} / ${formatCount(total)}` : "";
    setText(this.#iteration, (known && !past && this.#status?.statusText) || count);
    this.#progress.style.transform = `scaleX(${known ? Math.min(1, iteration / total) : 0})`;
  }

  get #state(): RunStatus["state"] {
    return this.#status?.state ?? "idle";
  }

  #enable(): void {
    const state = this.#state;
    enable(this.#play, !this.#busy && playCommand(state, this.#status?.external) !== null);
    enable(this.#stop, !this.#busy && canStop(state));
    enable(this.#restart, !this.#busy && canRestart(state));
    enable(this.#spread, !this.#busy && canSpread(state));
    relabel(this.#spread, "spread", SPREAD, canSpread(state) ? SPREAD_WORDS.able : SPREAD_WORDS.active);
  }

  #send(name: RunCommand, more?: Readonly<Record<string, number>>, done?: (answer: unknown) => void): void {
    const { command } = this.#host;
    if (this.#busy || !command) return;
    this.#busy = true;
    this.#buttons.setAttribute("aria-busy", "true");
    this.#enable();
    // A host that throws at once is answered like one that rejects later.
    new Promise((resolve) => resolve(more ? command(name, more) : command(name)))
      .then(done)
      .catch((error: unknown) => this.#events.failed(sentenceOf(error)))
      .finally(() => {
        this.#busy = false;
        this.#buttons.removeAttribute("aria-busy");
        this.#enable();
      });
  }
}
