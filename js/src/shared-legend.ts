// One legend for all pictures of a page that show the same colours: what is picked out in it is so in each of them.

import { mergeColumns } from "./colors.js";
import { Bin, make } from "./dom.js";
import { Legend } from "./legend.js";
import type { Group, Member, News } from "./links.js";
import { type Shade, shadeOf, watchHost } from "./theme.js";
import type { Column, ViewerData } from "./types.js";

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
  #bin = new Bin();
  #data: ViewerData;
  #columns: readonly Column[];
  #color: string;
  #shade: Shade;
  #legend: Legend;
  #shown: (shown: boolean) => void;

  constructor(group: Group, data: ViewerData, shown: (shown: boolean) => void) {
    this.#data = data;
    this.#columns = mergeColumns(data.graph, data.extra);
    this.#color = data.color;
    this.#shown = shown;
    const member: Member = { graph: data.graph, hear: (news) => this.#hear(news) };
    this.#legend = new Legend(() => group.tell(member, { legend: { column: this.#color, state: this.#legend.state } }));
    this.element = make("div", "graphne graphne-shared", {}, this.#legend.element);
    this.#shade = shadeOf(data.theme, document.body);
    this.#bin.add(() => this.element.remove());
    this.#bin.add(() => this.#legend.destroy());
    this.#bin.add(group.join(member));
    this.#bin.add(watchHost(() => this.#follow()));
    this.#show();
  }

  destroy(): void {
    this.#bin.empty();
  }

  #hear({ color, legend }: News): void {
    if (color !== undefined && color !== this.#color) {
      this.#color = color;
      this.#show();
    }
    if (legend && legend.column === this.#color) this.#legend.adopt(legend.state);
  }

  #follow(): void {
    const shade = shadeOf(this.#data.theme, document.body);
    if (shade === this.#shade) return;
    this.#shade = shade;
    this.#show();
  }

  #show(): void {
    // Each view has measured its own neighbour recall: such a column is unknown here, and theirs are legends of their own.
    const column = this.#columns.find(({ key }) => key === this.#color) ?? null;
    this.element.dataset["theme"] = this.#shade;
    this.#legend.show(column, this.#data.graph, this.#shade);
    this.element.hidden = this.#legend.element.hidden;
    this.#shown(!this.element.hidden);
  }
}
