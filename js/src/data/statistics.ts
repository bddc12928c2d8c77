// Statistics that the kernel computes on demand. Those that were computed are columns like any other.

import type { Column } from "./types.js";

/** Name in Python, what menus call it, and whether it is an amount, which sizes can show. */
const STATISTICS: readonly (readonly [name: string, title: string, amount: boolean])[] = [
  ["weighted degree", "weighted degree", true],
  ["pagerank", "PageRank", true],
  ["betweenness", "betweenness", true],
  ["k-core", "k-core", true],
  ["clustering", "clustering coefficient", true],
  ["closeness", "closeness", true],
  ["eigenvector", "eigenvector centrality", true],
  ["eccentricity", "eccentricity, diameter", true],
  ["communities", "communities", false],
  ["modularity class", "modularity class", false],
  ["part", "connected component", false],
];

const PREFIX = "s:";

/** The name of the statistic that a key stands for; null for any other key. */
export function statisticOf(key: string): string | null {
  return STATISTICS.find(([name]) => PREFIX + name === key)?.[0] ?? null;
}

/** What a statistic is called in a sentence. */
export function titleOf(statistic: string): string {
  return STATISTICS.find(([name]) => name === statistic)?.[1] ?? statistic;
}

/** Keys and titles of what is not there yet; an attribute of the same name stands for itself. */
export function computable(columns: readonly Column[], amounts: boolean): [key: string, title: string][] {
  const names = new Set(columns.map(({ name }) => name));
  const open = STATISTICS.filter(([name, , amount]) => !names.has(name) && (amount || !amounts));
  return open.map(([name, title]) => [PREFIX + name, title]);
}
