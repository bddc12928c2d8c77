// What is said in words: a line that screen readers follow, notes that stay until they are closed, and what stands
// in the middle while there is no picture.

import { Disposables } from "../../dom/disposables.js";
import { iconButton, make, setText } from "../../dom/elements.js";

/** Milliseconds between two announcements; the newest wins. */
const PAUSE = 700;

/** What is "busy" ends by itself: it has a sign of life and no button to close it. */
export type NoteLevel = "info" | "busy" | "warning" | "error";

export class StatusLine {
  /** Bottom of the picture: notes, and under them the line. */
  readonly element: HTMLElement;
  readonly placeholder = make("div", "graphne-middle", { hidden: true });
  /** Whether there are words in the middle. */
  hasPlaceholder = false;
  #disposables = new Disposables();
  #notes = make("div", "graphne-notes");
  #live = make("span", "graphne-live", { role: "status", "aria-live": "polite" });
  #summary = make("span", "graphne-facts");
  #shown = new Map<string, { element: HTMLElement; text: HTMLElement; times: number; message: string }>();
  #next: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #announcedAt = Number.NEGATIVE_INFINITY;

  constructor() {
    this.element = make(
      "div",
      "graphne-foot",
      {},
      this.#notes,
      make("div", "graphne-line-foot", {}, this.#summary, this.#live),
    );
    this.#disposables.add(() => clearTimeout(this.#timer));
  }

  /** Sizes of the graph and of the selection; not announced. */
  setSummary(text: string): void {
    setText(this.#summary, text);
  }

  /** Announces something, not more often than can be listened to. */
  announce(message: string): void {
    this.#next = message;
    clearTimeout(this.#timer);
    const wait = this.#announcedAt + PAUSE - performance.now();
    if (wait <= 0) this.#announceNext();
    else if (this.#disposables.open) this.#timer = setTimeout(() => this.#announceNext(), wait);
  }

  /** Shows a note until it is closed. One `key` has one note; the same warning again is counted. */
  note(key: string, message: string, level: NoteLevel): void {
    const known = this.#shown.get(key);
    if (known) {
      // A state that is said again is the same state; a warning that is said again is another case of it.
      known.times = known.message === message && level === "warning" ? known.times + 1 : 1;
      known.message = message;
      setText(known.text, known.times > 1 ? `${message} (${known.times} times)` : message);
      return;
    }
    const text = make("span", "graphne-note-text", {}, message);
    const close = iconButton("close", "Dismiss this note");
    const role = level === "error" ? "alert" : "note";
    const end = level === "busy" ? [] : [close];
    const element = make("div", "graphne-panel graphne-note", { "data-level": level, role }, text, ...end);
    close.addEventListener("click", () => this.dropNote(key));
    this.#notes.append(element);
    this.#shown.set(key, { element, text, times: 1, message });
  }

  dropNote(key: string): void {
    this.#shown.get(key)?.element.remove();
    this.#shown.delete(key);
  }

  /** Words in the middle of the picture; "" for none. `waiting` adds a sign of life. */
  setPlaceholder(message: string, waiting = false): void {
    this.hasPlaceholder = message !== "";
    this.placeholder.hidden = !this.hasPlaceholder;
    this.placeholder.classList.toggle("graphne-waiting", waiting);
    setText(this.placeholder, message);
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
    this.placeholder.remove();
  }

  #announceNext(): void {
    if (this.#next === null) return;
    // The same words again are announced again only if they are another text.
    const again = this.#live.textContent === this.#next;
    this.#live.textContent = again ? `${this.#next}\u00a0` : this.#next;
    this.#next = null;
    this.#announcedAt = performance.now();
  }
}
