// What the menu on the map offers for a node, for a class of the legend, or for the picture as a whole, and what comes of it.

import { formatCount, oneLine, plural } from "../data/format.js";
import { Traversal } from "../data/traversal.js";
import type { Column, GraphData } from "../data/types.js";
import { legendLines } from "../encoding/legend-entries.js";
import type { Picture } from "../picture/picture.js";
import { complement } from "../store/nodes.js";
import { pinnedNodes } from "../store/placement.js";
import type { Store } from "../store/store.js";
import { ContextMenu, type MenuItem, type NodeSet, type SetCommand } from "./controls/context-menu.js";
import type { StatusLine } from "./status/status-line.js";

/** Steps around a node that are offered. */
const STEPS = [1, 2, 3] as const;

export class NodeMenu {
  readonly menu: ContextMenu;
  #graph: GraphData;
  #store: Store;
  #picture: Picture;
  #status: StatusLine;
  #traversal: Traversal;
  #colored: Column | null = null;
  #title: (node: number) => string = String;
  /** Nodes that were gone through with the keyboard, the last one last. */
  #trail: number[] = [];

  constructor(area: HTMLElement, graph: GraphData, store: Store, picture: Picture, status: StatusLine) {
    this.#graph = graph;
    this.#store = store;
    this.#picture = picture;
    this.#status = status;
    this.#traversal = new Traversal(graph.nodes, graph.pairs, graph.directed);
    this.menu = new ContextMenu(area, (command, set) => this.#do(command, set));
  }

  show(colored: Column | null, title: (node: number) => string): void {
    this.#colored = colored;
    this.#title = title;
  }

  destroy(): void {
    this.menu.destroy();
  }

  /** Opens the menu of a node, or for -1 of the picture, at a point of the area. */
  open(node: number, left: number, top: number): void {
    const { selection } = this.#store.state;
    const sets: NodeSet[] = selection.length ? [{ name: "the selection", nodes: selection }] : [];
    if (node >= 0) sets.push(...this.#setsOf(node));
    if (this.#graph.pairs.length) sets.push({ name: "the giant component", nodes: this.#traversal.giant() });
    const title = node >= 0 ? oneLine(this.#title(node), 80) : plural(this.#graph.nodes, "node");
    this.menu.open({ title, sets, items: this.#items(node) }, left, top, this.#picture.surface);
  }

  /** Opens the menu of an entry of the legend. */
  openEntry(id: string, left: number, top: number, back: HTMLElement): void {
    const column = this.#colored;
    if (column?.kind !== "classes") return;
    const { lines, lineOf } = legendLines(column, this.#graph, "light");
    const last = column.categories.length;
    const found: number[] = [];
    for (let node = 0; node < this.#graph.nodes; node++) {
      if (lines[lineOf[Math.min(column.codes[node], last)]]?.id === id) found.push(node);
    }
    const name = lines.find((line) => line.id === id)?.label ?? "";
    const sets = [{ name, nodes: Uint32Array.from(found) }];
    this.menu.open({ title: column.name, sets, items: [] }, left, top, back);
  }

  #setsOf(node: number): NodeSet[] {
    const sets: NodeSet[] = [];
    const column = this.#colored;
    if (column?.kind === "classes") {
      const own = column.codes[node];
      const name = column.categories[own]?.label ?? "no value";
      const nodes = Uint32Array.from(column.codes.keys()).filter((one) => column.codes[one] === own);
      sets.push({ name: `class ${oneLine(name, 40)}`, nodes });
    }
    if (!this.#graph.pairs.length) return sets;
    sets.push({ name: "its component", nodes: this.#traversal.within(node, Number.POSITIVE_INFINITY) });
    for (const steps of STEPS) {
      sets.push({ name: `${plural(steps, "step")} around it`, nodes: this.#traversal.within(node, steps) });
    }
    return sets;
  }

  #items(node: number): MenuItem[] {
    const { selection, hidden, placement } = this.#store.state;
    const items: MenuItem[] = [];
    if (node >= 0) {
      const held = pinnedNodes(placement).includes(node);
      const run = (): void => this.#picture.pins.toggle(Uint32Array.of(node));
      items.push({ words: held ? "Release" : "Pin here", run });
    }
    const ends = node >= 0 && selection.length === 1 && selection[0] !== node ? [selection[0], node] : selection;
    if (ends.length === 2) {
      const ways = this.#graph.directed === false ? [ends] : [ends, [ends[1], ends[0]]];
      for (const [from, to] of ways) {
        const words = `Shortest path from ${oneLine(this.#title(from), 30)} to ${oneLine(this.#title(to), 30)}`;
        items.push({ words, run: () => this.showPath(from, to) });
      }
    }
    if (hidden.length) items.push({ words: "Show all nodes", run: () => this.#store.dispatch({ type: "unhide" }) });
    return items;
  }

  /** Selects a shortest path among what can be seen, or says that there is none. */
  showPath(from: number, to: number): void {
    const path = this.#traversal.path(from, to, this.#picture.hidden, this.#picture.hiddenEdges);
    const [one, other] = [this.#title(from), this.#title(to)];
    if (!path) {
      const words = `There is no path from ${one} to ${other} along edges that can be seen.`;
      this.#status.note("path", words, "info");
      this.#status.announce(words);
      return;
    }
    this.#status.dropNote("path");
    this.#picture.showPath(path);
    const names = path.map((node) => oneLine(this.#title(node), 40)).join(", ");
    this.#status.note("path", `Shortest path, ${plural(path.length - 1, "step")}: ${names}.`, "info");
    this.#status.announce(`${plural(path.length - 1, "step")}: ${names}`);
  }

  // ---- From node to node with the keyboard ----

  /** Goes to the next neighbour of the node that was entered last, or to the one before; without one, to a node. */
  step(by: number): void {
    const here = this.#trail.at(-1);
    const { selection } = this.#store.state;
    const current = selection.length === 1 ? selection[0] : -1;
    const center = here ?? current;
    if (center < 0) {
      const first = this.#picture.central();
      if (first >= 0) this.#enter(first);
      return;
    }
    if (here === undefined) this.#trail = [center];
    const { hidden } = this.#picture;
    const near = this.#traversal.within(center, 1).filter((node) => node !== center && !hidden?.[node]);
    if (!near.length) {
      this.#status.announce(`${this.#title(center)} has no neighbours that can be seen`);
      return;
    }
    const at = near.indexOf(current);
    const next = at < 0 ? (by > 0 ? 0 : near.length - 1) : (at + by + near.length) % near.length;
    this.#picture.visit(near[next]);
    const place = `neighbour ${formatCount(next + 1)} of ${formatCount(near.length)} of ${this.#title(center)}`;
    this.#status.announce(`${this.#describe(near[next])}. ${place}`);
  }

  /** From now on, steps go to the neighbours of the node that is selected. */
  enter(): void {
    const { selection } = this.#store.state;
    if (selection.length === 1) this.#enter(selection[0]);
    else this.step(1);
  }

  /** Back to the node before. */
  back(): void {
    const { selection } = this.#store.state;
    if (this.#trail.length > 1 && selection.length === 1 && selection[0] === this.#trail.at(-1)) this.#trail.pop();
    const node = this.#trail.at(-1);
    if (node === undefined) return;
    this.#picture.visit(node);
    this.#status.announce(this.#describe(node));
  }

  #enter(node: number): void {
    if (this.#trail.at(-1) !== node) this.#trail.push(node);
    this.#picture.visit(node);
    this.#status.announce(this.#describe(node));
  }

  #describe(node: number): string {
    const column = this.#colored;
    const own = column?.kind === "classes" ? (column.categories[column.codes[node]]?.label ?? "") : "";
    const count = this.#traversal.within(node, 1).length - 1;
    return [this.#title(node), plural(count, "neighbour"), ...(own ? [`class ${own}`] : [])].join(", ");
  }

  #do(command: SetCommand, { nodes, name }: NodeSet): void {
    const of = this.#graph.nodes;
    const others = (): Uint32Array => complement(nodes, of);
    if (command === "select") this.#store.dispatch({ type: "select", nodes, mode: "replace" });
    else if (command === "others") this.#store.dispatch({ type: "select", nodes: others(), mode: "replace" });
    else this.#store.dispatch({ type: "hide", nodes: command === "keep" ? others() : nodes, of });
    if (command === "keep") this.#picture.showNodes(nodes);
    const words = { select: "", others: "", keep: `Only ${name} is shown`, hide: `${name} is hidden` }[command];
    if (words) this.#status.announce(words);
  }
}
