// One legend for all pictures of a page that show the same colours: what is picked out in it is so in each of them.

import type { Column, Shade } from "../../data/types.js";
import { Disposables } from "../../dom/disposables.js";
import { make } from "../../dom/elements.js";
import { shadeOf, watchHost } from "../../dom/theme.js";
import { mergeColumns, paintedColumn } from "../../encoding/colors.js";
import type { ViewerData } from "../../store/api.js";
import type { LinkGroup, LinkMember, SharedChange } from "../../store/link-group.js";
import { reduce } from "../../store/reduce.js";
import { INITIAL } from "../../store/state.js";
import { Store } from "../../store/store.js";
import { Legend } from "./legend.js";

/** Whether all show one graph in the same colours, as one legend can explain them. */
export function alike(views: readonly ViewerData[]): boolean {
  const [first, ...others] = views;
  if (!first || others.length === 0) return false;
  const keys = ({ extra }: ViewerData): string => extra.map(({ key }) => key).join("\n");
  return others.every((one) => one.graph === first.graph && one.color === first.color && keys(one) === keys(first));
}

/** Stands above the pictures, and joins their group; `shown` hears whether it can explain what they show. */
export class SharedLegend {
  readonly element: HTMLElement;
  #disposables = new Disposables();
  #data: ViewerData;
  #columns: readonly Column[];
  #store: Store;
  #shade: Shade;
  #legend: Legend;
  #shown: (shown: boolean) => void;

  constructor(group: LinkGroup, data: ViewerData, shown: (shown: boolean) => void) {
    this.#data = data;
    this.#columns = mergeColumns(data.graph, data.extra);
    const saved = data.view ?? {};
    this.#store = new Store(
      reduce(INITIAL, { type: "set", part: { color: data.color, colors: data.colors, ...saved } }),
    );
    this.#shown = shown;
    const member: LinkMember = { graph: data.graph, receive: (change) => this.#receive(change) };
    this.#legend = new Legend(this.#store);
    this.#disposables.add(
      this.#store.subscribe(
        ({ legend }) => legend,
        (legend, _, cause) => cause !== "group" && group.send(member, { legend }),
      ),
    );
    this.#disposables.add(
      this.#store.subscribe(
        ({ colors }) => colors,
        (colors, _, cause) => {
          if (cause !== "group") group.send(member, { colors });
          this.#show();
        },
      ),
    );
    this.element = make("div", "graphne graphne-shared", {}, this.#legend.element);
    this.#shade = shadeOf(data.theme, document.body);
    this.#disposables.add(() => this.element.remove());
    this.#disposables.add(() => this.#legend.destroy());
    this.#disposables.add(group.join(member));
    this.#disposables.add(watchHost(() => this.#followTheme()));
    this.#show();
  }

  destroy(): void {
    this.#disposables.empty();
  }

  #receive({ color, colors, legend }: SharedChange): void {
    const before = this.#store.state.color;
    const part = { ...(color !== undefined && { color }), ...(colors && { colors }), ...(legend && { legend }) };
    this.#store.dispatch({ type: "set", part }, "group");
    if (this.#store.state.color !== before) this.#show();
  }

  #followTheme(): void {
    const shade = shadeOf(this.#data.theme, document.body);
    if (shade === this.#shade) return;
    this.#shade = shade;
    this.#show();
  }

  #show(): void {
    // Each view has measured its own neighbour recall: such a column is unknown here, and theirs are legends of their own.
    const { color, colors } = this.#store.state;
    const found = this.#columns.find(({ key }) => key === color);
    const column = found ? paintedColumn(found, colors[color]) : null;
    this.element.dataset.theme = this.#shade;
    this.#legend.show(column, this.#data.graph, this.#shade);
    this.element.hidden = this.#legend.element.hidden;
    this.#shown(!this.element.hidden);
  }
}
