// Search by name. A million names are read in slices, so that typing and drawing go on meanwhile.

import { formatCount, oneLine } from "../../data/format.js";
import type { Texts } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { icon, make } from "../../dom/elements.js";

const MOST_SHOWN = 50;
/** Milliseconds of reading names before everybody else has a turn. */
const SLICE = 8;
/** Matches that are highlighted; more could not be told from the graph itself. */
const MOST_MATCHES = 100_000;

export interface Suggestion {
  readonly node: number;
  readonly text: string;
  /** 0: begins with what was typed, 1: a word in it does, 2: contains it. */
  readonly rank: number;
}

export function rankOf(text: string, wanted: string): number {
  const at = text.toLowerCase().indexOf(wanted);
  if (at < 0) return -1;
  if (at === 0) return 0;
  return /[\p{L}\p{N}]/u.test(text[at - 1]) ? 2 : 1;
}

/** Reads all names for `wanted` (lower case), best matches first; `found` is called after every slice. */
export function scan(
  names: Texts,
  wanted: string,
  found: (best: readonly Suggestion[], matches: readonly number[], done: boolean) => void,
  others: readonly Texts[] = [],
): () => void {
  const best: Suggestion[] = [];
  const matches: number[] = [];
  let node = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slice = (): void => {
    const end = performance.now() + SLICE;
    while (node < names.length && matches.length < MOST_MATCHES) {
      // Asking for the time costs more than a name.
      if (node % 64 === 63 && performance.now() > end) break;
      const name = names.at(node);
      let text = name;
      let rank = rankOf(name, wanted);
      for (const texts of others) {
        if (rank === 0) break;
        const label = texts.at(node);
        const other = rankOf(label, wanted);
        if (other >= 0 && (rank < 0 || other < rank))
          [text, rank] = [label === name ? name : `${label} (${name})`, other];
      }
      if (rank >= 0) {
        matches.push(node);
        insert(best, { node, text, rank });
      }
      node++;
    }
    const done = node >= names.length || matches.length >= MOST_MATCHES;
    if (!done) timer = setTimeout(slice, 0);
    found(best, matches, done);
  };
  timer = setTimeout(slice, 0);
  return () => clearTimeout(timer);
}

/** Keeps the best few in order: by rank, short names first, then as they come. */
function insert(best: Suggestion[], one: Suggestion): void {
  const before = (a: Suggestion, b: Suggestion): boolean =>
    a.rank !== b.rank ? a.rank < b.rank : a.text.length < b.text.length;
  let at = best.length;
  while (at > 0 && before(one, best[at - 1])) at--;
  if (at >= MOST_SHOWN) return;
  best.splice(at, 0, one);
  if (best.length > MOST_SHOWN) best.pop();
}

export interface SearchEvents {
  /** Nodes that match what is typed; null when nothing is. */
  matched(matches: readonly number[] | null): void;
  chosen(node: number): void;
  /** Escape was pressed in an empty field: back to the picture. */
  left(): void;
}

let fields = 0;

export class Search {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #names: Texts;
  #others: readonly Texts[] = [];
  #events: SearchEvents;
  #input: HTMLInputElement;
  #list: HTMLUListElement;
  #note = make("span", "graphne-search-count", { "aria-live": "polite" });
  #stop: () => void = () => {};
  #best: readonly Suggestion[] = [];
  #active = -1;

  constructor(names: Texts, events: SearchEvents) {
    this.#names = names;
    this.#events = events;
    const id = `graphne-found-${++fields}`;
    this.#list = make("ul", "graphne-panel graphne-found", {
      id,
      role: "listbox",
      "aria-label": "Nodes found",
      hidden: true,
    });
    this.#input = make("input", "graphne-search-field", {
      type: "text",
      role: "combobox",
      placeholder: "Find a node",
      title: "Find nodes by name (/); Enter goes to the first",
      "aria-label": "Search for a node by name",
      "aria-autocomplete": "list",
      "aria-controls": id,
      "aria-expanded": "false",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.element = make("div", "graphne-search", {}, icon("search"), this.#input, this.#note, this.#list);
    this.#disposables.listen(this.#input, "input", () => this.#look());
    this.#disposables.listen(this.#input, "focus", () => this.#open(this.#best.length > 0));
    this.#disposables.listen(this.#input, "blur", () => this.#open(false));
    this.#disposables.listen<KeyboardEvent>(this.#input, "keydown", (event) => this.#key(event));
    // Before the field loses the focus and closes the list.
    this.#disposables.listen<PointerEvent>(this.#list, "pointerdown", (event) => event.preventDefault());
    this.#disposables.listen<MouseEvent>(this.#list, "click", (event) => {
      const index = (event.target as Element).closest<HTMLElement>("[data-index]")?.dataset.index;
      if (index !== undefined) this.#choose(Number(index));
    });
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** Empties the field; tells whether there was anything in it. */
  clear(): boolean {
    if (!this.#input.value) return false;
    this.#input.value = "";
    this.#look();
    return true;
  }

  destroy(): void {
    this.#stop();
    this.#disposables.empty();
    this.element.remove();
  }

  /** Looks into these texts, too: what stands on the nodes is what people look for. */
  alsoIn(others: readonly Texts[]): void {
    this.#others = others;
  }

  #look(): void {
    this.#stop();
    const wanted = this.#input.value.trim().toLowerCase();
    if (!wanted) {
      this.#show([], "");
      this.#events.matched(null);
      return;
    }
    const found = (best: readonly Suggestion[], matches: readonly number[], done: boolean): void => {
      const count = matches.length >= MOST_MATCHES ? `${formatCount(MOST_MATCHES)}+` : formatCount(matches.length);
      this.#show([...best], done ? (matches.length ? count : "none") : `${count}…`);
      this.#events.matched(matches);
    };
    this.#stop = scan(this.#names, wanted, found, this.#others);
  }

  #show(best: readonly Suggestion[], note: string): void {
    const chosen = this.#best[this.#active]?.node;
    this.#best = best;
    this.#note.textContent = note;
    this.#list.replaceChildren(
      ...best.map(({ text, node }, index) => {
        const about = { role: "option", id: `${this.#list.id}-${index}`, "data-index": String(index) };
        const words = oneLine(text, 120) || `node ${node}`;
        return make("li", "graphne-found-line", { ...about, title: words }, words);
      }),
    );
    this.#activate(best.findIndex(({ node }) => node === chosen));
    this.#open(best.length > 0 && this.#focused);
  }

  get #focused(): boolean {
    return (this.#input.getRootNode() as Document | ShadowRoot).activeElement === this.#input;
  }

  #open(open: boolean): void {
    this.#list.hidden = !open;
    this.#input.setAttribute("aria-expanded", String(open));
  }

  #activate(index: number): void {
    this.#active = index;
    Array.from(this.#list.children).forEach((line, at) => {
      line.classList.toggle("graphne-active", at === index);
      line.setAttribute("aria-selected", String(at === index));
      if (at === index) (line as HTMLElement).scrollIntoView?.({ block: "nearest" });
    });
    if (index >= 0) this.#input.setAttribute("aria-activedescendant", `${this.#list.id}-${index}`);
    else this.#input.removeAttribute("aria-activedescendant");
  }

  #choose(index: number): void {
    const suggestion = this.#best[index];
    if (!suggestion) return;
    this.#stop();
    this.#activate(index);
    this.#open(false);
    this.#events.chosen(suggestion.node);
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return; // Enter takes a suggestion of the input method, not one of ours
    const count = this.#best.length;
    if (event.key === "Enter") this.#choose(Math.max(0, this.#active));
    else if (event.key === "Escape") {
      if (!this.clear()) this.#events.left();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count) {
      this.#open(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.#activate(this.#active < 0 && step < 0 ? count - 1 : (this.#active + step + count) % count);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
