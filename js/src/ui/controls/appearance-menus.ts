// What colour, size and label stand for: one menu each, over the columns that suit.

import { oneLine } from "../../data/format.js";
import { meaningOf } from "../../data/glossary.js";
import { computable, statisticOf } from "../../data/statistics.js";
import type { Column } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { make } from "../../dom/elements.js";
import { suits } from "../../encoding/colors.js";

export type Channel = "color" | "size" | "label";

/** The key that stands for the nodes' own names. */
export const NAMES_KEY = "name";

const CHANNELS = {
  color: { caption: "Colour", title: "What the colours show", none: "none" },
  size: { caption: "Size", title: "What the sizes show", none: "none" },
  label: { caption: "Label", title: "What is written beside the nodes", none: "none" },
} as const;

/** Keys and names a menu offers; "" stands for none. */
export function choices(channel: Channel, columns: readonly Column[], named: boolean): [key: string, name: string][] {
  const own: [string, string][] = columns
    .filter(suits[channel])
    .map(({ key, name }) => [key, oneLine(name, 40) || "custom"]);
  const names: [string, string][] = channel === "label" && named ? [[NAMES_KEY, "name"]] : [];
  // An attribute that is called like the nodes' own names would be taken for them.
  if (names.length && own.some(([, name]) => name === "name")) names[0][1] = "node";
  return [["", CHANNELS[channel].none], ...names, ...own];
}

/** The term of the field that a key stands for; an attribute of a graph is its owner's word. */
function termOf(key: string, columns: readonly Column[]): string {
  if (key.startsWith("a:")) return "";
  return statisticOf(key) ?? columns.find((column) => column.key === key)?.name ?? "";
}

export class AppearanceMenus {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #selects: Record<Channel, HTMLSelectElement>;
  #boxes: Record<Channel, HTMLElement>;
  /** What is not there yet, and shall be shown when it is. */
  #awaited: Partial<Record<Channel, string>> = {};

  constructor(changed: (channel: Channel, key: string) => void) {
    const select = (channel: Channel): HTMLSelectElement => {
      const { title } = CHANNELS[channel];
      const element = make("select", "graphne-select", { title, "aria-label": title });
      this.#disposables.listen(element, "change", () => changed(channel, element.value));
      return element;
    };
    this.#selects = { color: select("color"), size: select("size"), label: select("label") };
    const box = (channel: Channel): HTMLElement =>
      make(
        "label",
        "graphne-choice",
        {},
        make("span", "graphne-caption", {}, CHANNELS[channel].caption),
        make("span", "graphne-select-box", {}, this.#selects[channel]),
      );
    this.#boxes = { color: box("color"), size: box("size"), label: box("label") };
    this.element = make("div", "graphne-menus", {}, ...Object.values(this.#boxes));
  }

  /** `compute` tells whether there is somebody who computes statistics that are not there yet. */
  show(columns: readonly Column[], named: boolean, chosen: Readonly<Record<Channel, string>>, compute = false): void {
    for (const channel of ["color", "size", "label"] as const) {
      const select = this.#selects[channel];
      const offered = choices(channel, columns, named);
      const more = compute && channel !== "label" ? computable(columns, channel === "size") : [];
      const options = [...offered, ...more].map(([key, name]) => {
        const title = meaningOf(termOf(key, columns));
        return make("option", "", { value: key, ...(title && { title }) }, name);
      });
      // Rebuilding a menu closes it under the user's hand.
      const same =
        options.length === select.options.length &&
        options.every(
          (option, at) => option.value === select.options[at].value && option.text === select.options[at].text,
        );
      if (!same) {
        const group = make("optgroup", "", { label: "Compute" }, ...options.slice(offered.length));
        select.replaceChildren(...options.slice(0, offered.length), ...(more.length ? [group] : []));
      }
      const awaited = this.#awaited[channel];
      select.value = awaited ?? (offered.some(([key]) => key === chosen[channel]) ? chosen[channel] : "");
      const column = columns.find(({ key }) => key === chosen[channel]);
      const about = column && [meaningOf(termOf(column.key, columns)), column.note].filter(Boolean).join("; ");
      select.title = about && awaited === undefined ? `${column.name}: ${about}` : CHANNELS[channel].title;
      this.#boxes[channel].hidden = offered.length + more.length < 2;
    }
  }

  /** A menu waits for what it shows, or no longer. */
  wait(channel: Channel, key: string | null): void {
    if (key === null) delete this.#awaited[channel];
    else this.#awaited[channel] = key;
    this.#selects[channel].disabled = key !== null;
    this.#selects[channel].setAttribute("aria-busy", String(key !== null));
  }

  destroy(): void {
    this.#disposables.empty();
    this.element.remove();
  }
}
