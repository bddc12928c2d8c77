// A slider over the moments of a run that has come to rest, and a button that plays them.

import { formatCount, sentenceOf } from "../../data/format.js";
import type { Frame, Recording } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { iconButton, make, relabel } from "../../dom/elements.js";

/** Milliseconds that a replay takes, and that a moment has at least and at most. */
const LENGTH = 6000;
const SHORTEST = 40;
const LONGEST = 250;

export interface ReplayEvents {
  /** A moment of the run; null for how it is now. */
  moment(frame: Frame | null): void;
  failed(message: string): void;
}

export class Replay {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #load: () => Promise<Recording>;
  #events: ReplayEvents;
  #play = iconButton("replay", "Replay", "Show how the layout formed");
  #slider = make("input", "graphne-slider", {
    type: "range",
    min: "0",
    max: "1",
    step: "1",
    "aria-label": "Moment of the run",
    title: "Move back and forth through the run",
  });
  /** What the recording that is loaded, or on its way, is of. */
  #of = "";
  #recording: Promise<Recording> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #playing = false;
  /** Counts who plays or holds: what was begun before the recording was there may have been taken back since. */
  #requests = 0;
  #away = false;

  constructor(load: () => Promise<Recording>, events: ReplayEvents) {
    this.#load = load;
    this.#events = events;
    this.#play.classList.add("graphne-small");
    this.element = make("div", "graphne-replay", { hidden: true }, this.#play, this.#slider);
    this.#disposables.add(() => clearTimeout(this.#timer));
    this.#disposables.listen(this.#play, "click", () => this.toggle());
    this.#disposables.listen(this.#slider, "input", () => {
      this.#halt();
      void this.#with((recording) => this.#show(recording, Number(this.#slider.value)));
    });
  }

  get offered(): boolean {
    return !this.element.hidden;
  }

  /** Offers so many moments of a run, none below 2; `of` tells one run, and how far it is, from another. */
  offer(shots: number, of: string): void {
    this.element.hidden = shots < 2;
    const offered = `${of}:${shots}`;
    if (offered === this.#of) return;
    this.#of = offered;
    this.#recording = null;
    this.#slider.max = String(Math.max(1, shots - 1));
    this.leave();
  }

  /** Plays from where the slider is, from the beginning if that is the end; or stops there. */
  toggle(): void {
    if (!this.offered) return;
    if (this.#playing) {
      this.#halt();
      return;
    }
    this.#playing = true;
    const request = ++this.#requests;
    relabel(this.#play, "pause", "Pause replay", "Pause the replay");
    void this.#with((recording) => {
      if (request !== this.#requests) return;
      const at = Number(this.#slider.value);
      this.#step(recording, at >= recording.length - 1 ? 0 : at);
    });
  }

  /** There is something newer to see. */
  leave(): void {
    this.#halt();
    this.#away = false;
    this.#slider.value = this.#slider.max;
    this.#describe("the end");
  }

  /** Whether a moment is shown that is not the newest. */
  get away(): boolean {
    return this.#away;
  }

  destroy(): void {
    this.#halt();
    this.#disposables.empty();
  }

  #halt(): void {
    clearTimeout(this.#timer);
    this.#requests++;
    this.#playing = false;
    relabel(this.#play, "replay", "Replay", "Show how the layout formed");
  }

  /** Does something with the recording, as soon as it is there and unless there is another one by then. */
  async #with(use: (recording: Recording) => void): Promise<void> {
    const of = this.#of;
    const first = !this.#recording;
    this.#recording ??= this.#load();
    try {
      const recording = await this.#recording;
      if (!this.#disposables.open || of !== this.#of) return;
      const last = recording.length - 1;
      if (first && Number(this.#slider.max) !== last) {
        const share = Number(this.#slider.value) / Number(this.#slider.max);
        this.#slider.max = String(last);
        this.#slider.value = String(Math.round(share * last));
      }
      use(recording);
    } catch (error) {
      if (!this.#disposables.open || of !== this.#of) return;
      this.#recording = null;
      this.leave();
      this.#events.failed(sentenceOf(error));
    }
  }

  #step(recording: Recording, at: number): void {
    if (!this.#playing) return;
    this.#slider.value = String(at);
    this.#show(recording, at);
    if (at >= recording.length - 1) {
      this.#halt();
      return;
    }
    const pause = Math.min(LONGEST, Math.max(SHORTEST, LENGTH / recording.length));
    this.#timer = setTimeout(() => this.#step(recording, at + 1), pause);
  }

  #show(recording: Recording, at: number): void {
    this.#away = at < recording.length - 1;
    const frame = recording.at(at);
    this.#describe(`iteration ${formatCount(frame.iteration)}`);
    this.#events.moment(this.#away ? frame : null);
  }

  #describe(words: string): void {
    this.#slider.setAttribute("aria-valuetext", words);
    this.#slider.style.setProperty("--graphne-share", String(Number(this.#slider.value) / Number(this.#slider.max)));
  }
}
