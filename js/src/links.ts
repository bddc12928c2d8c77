// Views that look at the same things: what is hovered, selected, coloured and picked out in one is so in the others.

import type { LegendState } from "./legend.js";
import type { GraphData } from "./types.js";

/** What one view tells the others; nodes are those of the view that tells or hears it. */
export interface News {
  /** -1 for none. */
  readonly hover?: number;
  readonly selection?: Uint32Array;
  /** Key of a column, "" for none. */
  readonly color?: string;
  readonly legend?: { readonly column: string; readonly state: LegendState };
}

export interface Member {
  readonly graph: GraphData;
  hear(news: News): void;
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

function translate(news: News, nodes: Int32Array | null): News {
  if (!nodes) return news;
  const { hover, selection, ...rest } = news;
  return {
    ...rest,
    ...(hover !== undefined && { hover: hover < 0 ? -1 : (nodes[hover] ?? -1) }),
    ...(selection && { selection: Uint32Array.from(Array.from(selection, (node) => nodes[node] ?? -1).filter((node) => node >= 0)).sort() }),
  };
}

export class Group {
  #members = new Set<Member>();
  // Reading the names of a large graph takes a while: once a pair of graphs, when it is first needed.
  #known = new WeakMap<GraphData, WeakMap<GraphData, { nodes: Int32Array | null }>>();
  #legend: News | null = null;
  #emptied: () => void;

  constructor(emptied: () => void = () => {}) {
    this.#emptied = emptied;
  }

  /** Returns how to leave. Who comes late hears what is picked out. */
  join(member: Member): () => void {
    this.#members.add(member);
    if (this.#legend) member.hear(this.#legend);
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#emptied();
    };
  }

  /** Tells all others. */
  tell(from: Member, news: News): void {
    if (news.legend) this.#legend = { legend: news.legend };
    for (const member of [...this.#members]) {
      if (member !== from) member.hear(translate(news, this.#nodes(from.graph, member.graph)));
    }
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
export function groupOf(name: string): Group {
  const page = globalThis as { [REGISTRY]?: Map<string, Group> };
  const groups = (page[REGISTRY] ??= new Map<string, Group>());
  const known = groups.get(name);
  if (known) return known;
  const made = new Group(() => groups.delete(name));
  groups.set(name, made);
  return made;
}
