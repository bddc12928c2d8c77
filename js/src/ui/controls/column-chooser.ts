// Shows a column by colour, size or label. A statistic that nobody has computed yet is computed by the kernel first.

import { sentenceOf } from "../../data/format.js";
import { statisticOf, titleOf } from "../../data/statistics.js";
import type { Column } from "../../data/types.js";
import type { Host } from "../../store/api.js";
import type { Store } from "../../store/store.js";
import type { StatusLine } from "../status/status-line.js";
import type { AppearanceMenus, Channel } from "./appearance-menus.js";

export interface ChooserEvents {
  /** The columns that are there. */
  columns(): readonly Column[];
  /** A statistic was computed, or could not be: the menus offer something else. */
  settled(): void;
  failed(message: string): void;
}

export class ColumnChooser {
  #store: Store;
  #host: Host;
  #menus: AppearanceMenus;
  #status: StatusLine;
  #events: ChooserEvents;
  #open = true;

  constructor(store: Store, host: Host, menus: AppearanceMenus, status: StatusLine, events: ChooserEvents) {
    this.#store = store;
    this.#host = host;
    this.#menus = menus;
    this.#status = status;
    this.#events = events;
  }

  choose(channel: Channel, key: string): void {
    const statistic = statisticOf(key);
    if (!statistic || !this.#host.command || this.#events.columns().some((column) => column.key === key)) {
      this.#show(channel, key);
      return;
    }
    const before = this.#store.state[channel];
    const words = `Computing ${titleOf(statistic)} …`;
    const note = `computing ${channel}`;
    this.#menus.wait(channel, key);
    this.#status.note(note, words, "busy");
    this.#status.announce(words);
    const settle = (end: () => void): void => {
      if (!this.#open) return;
      this.#menus.wait(channel, null);
      this.#status.dropNote(note);
      end();
      this.#events.settled();
    };
    this.#host.command("statistic", { statistic }).then(
      () =>
        settle(() => {
          // Who chose something else meanwhile, in Python, keeps that; the new column is in the menu.
          if (this.#store.state[channel] === before) this.#show(channel, key);
        }),
      (error: unknown) => settle(() => this.#events.failed(sentenceOf(error))),
    );
  }

  destroy(): void {
    this.#open = false;
  }

  #show(channel: Channel, key: string): void {
    this.#store.dispatch({ type: "set", part: { [channel]: key } });
  }
}
