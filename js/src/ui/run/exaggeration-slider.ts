// The attraction-repulsion slider: 1 to 30, logarithmic, with the names of what its values stand for.

import { meaningOf } from "../../data/glossary.js";
import { Disposables } from "../../dom/disposables.js";
import { make, setText } from "../../dom/elements.js";

const LOWEST = 1;
const HIGHEST = 30;
const STEPS = 1000;
/** Closer than this to a mark, the slider rests on it. */
const SNAP = 14;

export const MARKS = [
  { value: 1, name: "t-SNE", about: "repulsion as in t-SNE: most room for every node" },
  { value: 4, name: "UMAP-like", about: "about UMAP's balance: clusters closer together" },
  {
    value: 12,
    name: "ForceAtlas2-like",
    about: "about ForceAtlas2's balance: the overall shape, clusters drawn together",
  },
] as const;

/** The slider's step for an exaggeration. */
export function stepOf(exaggeration: number): number {
  const inside = Math.min(HIGHEST, Math.max(LOWEST, exaggeration || LOWEST));
  return Math.round((STEPS * Math.log(inside / LOWEST)) / Math.log(HIGHEST / LOWEST));
}

/** The exaggeration for a step, with three digits that matter. */
export function exaggerationOf(step: number): number {
  const mark = MARKS.find(({ value }) => Math.abs(stepOf(value) - step) <= SNAP);
  if (mark) return mark.value;
  return Number((LOWEST * (HIGHEST / LOWEST) ** (step / STEPS)).toPrecision(3));
}

const written = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, ""));

export class ExaggerationSlider {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #input: HTMLInputElement;
  #value = make("output", "graphne-dial-value");
  #held = false;

  constructor(changed: (exaggeration: number) => void) {
    this.#input = make("input", "graphne-slider", {
      type: "range",
      min: "0",
      max: String(STEPS),
      step: "1",
      "aria-label": "Attraction versus repulsion",
      title: "Attraction versus repulsion: to the left, nodes keep apart; to the right, neighbours pull together",
    });
    const marks = MARKS.map(({ value, name, about }) => {
      const title = `${value}: ${about}`;
      // Two names side by side have no room for more.
      const short = name.replace("-like", "");
      const mark = make("button", "graphne-mark", { type: "button", title, "aria-label": name }, short);
      const share = stepOf(value) / STEPS;
      mark.style.left = `${100 * share}%`;
      mark.style.setProperty("--graphne-share", String(share));
      this.#disposables.listen(mark, "click", () => {
        this.show(value);
        changed(value);
      });
      return mark;
    });
    this.element = make(
      "div",
      "graphne-dial",
      {},
      make(
        "div",
        "graphne-dial-head",
        {},
        make("span", "graphne-caption", { title: `Exaggeration: ${meaningOf("exaggeration")}` }, "Attraction"),
        this.#value,
      ),
      this.#input,
      make("div", "graphne-marks", {}, ...marks),
    );
    this.#disposables.listen(this.#input, "input", () => {
      const value = exaggerationOf(Number(this.#input.value));
      this.#describe(value);
      changed(value);
    });
    // While it is held, an answer that is late must not pull it away from under the finger.
    this.#disposables.listen(this.#input, "pointerdown", () => (this.#held = true));
    for (const end of ["pointerup", "pointercancel", "blur", "change"]) {
      this.#disposables.listen(this.#input, end, () => (this.#held = false));
    }
    // A browser's steps of 1 in 1000 are too fine for keys.
    this.#disposables.listen<KeyboardEvent>(this.#input, "keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.#input.value = String(Number(this.#input.value) + step * 2 * SNAP);
      this.#input.dispatchEvent(new Event("input"));
    });
  }

  show(exaggeration: number): void {
    if (this.#held) return;
    const step = String(stepOf(exaggeration));
    if (this.#input.value !== step) this.#input.value = step;
    this.#describe(exaggeration);
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #describe(value: number): void {
    const mark = MARKS.find((one) => one.value === value);
    setText(this.#value, written(value));
    this.#input.setAttribute("aria-valuetext", mark ? `${written(value)}, ${mark.name}` : written(value));
    this.#input.style.setProperty("--graphne-share", String(Number(this.#input.value) / STEPS));
  }
}
