// Views that look at the same things: what is hovered, selected, coloured and picked out in one is so in the others.

import type { GraphData } from "../data/types.js";
import { bitsOf, hasBit } from "./nodes.js";
import type { ViewState } from "./state.js";

/** What linked views share of their states. Not the camera: every layout has coordinates of its own. */
export const SHARED = ["selection", "hidden", "color", "colors", "legend", "filters", "tool", "lens"] as const;

/** What one view tells the others; nodes are those of the view that sends or receives it. */
export interface SharedChange extends Partial<Pick<ViewState, (typeof SHARED)[number]>> {
  /** -1 for none. */
  readonly hover?: number;
}

export interface LinkMember {
  readonly graph: GraphData;
  receive(change: SharedChange): void;
}

/** For every node of one graph that of another, -1 for none; null where they have the same numbers. */
export function counterparts(from: GraphData, to: GraphData): Int32Array | null {
  if (from === to) return null;
  const { names } = from;
  const others = to.names;
  if (!names || !others) return from.nodes === to.nodes ? null : new Int32Array(from.nodes).fill(-1);
  if (from.nodes === to.nodes) {
    let same = 0;
    while (same < from.nodes && names.at(same) === others.at(same)) same++;
    if (same === from.nodes) return null;
  }
  const known = new Map<string, number>();
  for (let node = to.nodes - 1; node >= 0; node--) known.set(others.at(node), node);
  return Int32Array.from({ length: from.nodes }, (_, node) => known.get(names.at(node)) ?? -1);
}

function translate(change: SharedChange, nodes: Int32Array | null, count: number): SharedChange {
  if (!nodes) return change;
  const { hover, selection, hidden, ...rest } = change;
  return {
    ...rest,
    ...(hover !== undefined && { hover: hover < 0 ? -1 : (nodes[hover] ?? -1) }),
    ...(selection && {
      selection: Uint32Array.from(
        Array.from(selection, (node) => nodes[node] ?? -1).filter((node) => node >= 0),
      ).sort(),
    }),
    ...(hidden && { hidden: translateBits(hidden, nodes, count) }),
  };
}

function translateBits(bits: Uint8Array, nodes: Int32Array, count: number): Uint8Array {
  const flags = new Uint8Array(count);
  for (let node = 0; node < nodes.length; node++) if (nodes[node] >= 0 && hasBit(bits, node)) flags[nodes[node]] = 1;
  return bitsOf(flags);
}

export class LinkGroup {
  #members = new Set<LinkMember>();
  // Reading the names of a large graph takes a while: once a pair of graphs, when it is first needed.
  #known = new WeakMap<GraphData, WeakMap<GraphData, { nodes: Int32Array | null }>>();
  /** What a member that joins late has to know, and whose nodes that is about. */
  #kept: { readonly from: GraphData; readonly change: SharedChange } | null = null;
  #emptied: () => void;

  constructor(emptied: () => void = () => {}) {
    this.#emptied = emptied;
  }

  /** Returns how to leave. Who joins late receives what is hidden, filtered and isolated. */
  join(member: LinkMember): () => void {
    this.#members.add(member);
    if (this.#kept) member.receive(this.#translated(this.#kept.change, this.#kept.from, member.graph));
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#emptied();
    };
  }

  /** Sends a change to all others. */
  send(from: LinkMember, change: SharedChange): void {
    const { legend, filters, hidden } = change;
    if (legend || filters || hidden) {
      const kept = this.#kept?.from === from.graph ? this.#kept.change : {};
      const more = { ...(legend && { legend }), ...(filters && { filters }), ...(hidden && { hidden }) };
      this.#kept = { from: from.graph, change: { ...kept, ...more } };
    }
    for (const member of [...this.#members]) {
      if (member !== from) member.receive(this.#translated(change, from.graph, member.graph));
    }
  }

  #translated(change: SharedChange, from: GraphData, to: GraphData): SharedChange {
    return translate(change, this.#nodes(from, to), to.nodes);
  }

  #nodes(from: GraphData, to: GraphData): Int32Array | null {
    let known = this.#known.get(from);
    if (!known) this.#known.set(from, (known = new WeakMap()));
    let found = known.get(to);
    if (!found) known.set(to, (found = { nodes: counterparts(from, to) }));
    return found.nodes;
  }
}

// Hosts load the bundle once a widget: what widgets share has to be in a place that they all know.
const REGISTRY = Symbol.for("graphne.links");

/** The group of that name on this page. */
export function groupOf(name: string): LinkGroup {
  const page = globalThis as { [REGISTRY]?: Map<string, LinkGroup> };
  const groups = (page[REGISTRY] ??= new Map<string, LinkGroup>());
  const known = groups.get(name);
  if (known) return known;
  const made = new LinkGroup(() => groups.delete(name));
  groups.set(name, made);
  return made;
}
