// What is said of a graph and its run, beside the picture and in its place.

import { describe } from "./controls.js";
import { formatCount, plural } from "./format.js";
import { isHidden } from "./marks.js";
import type { GraphData, RunStatus, ViewerData } from "./types.js";

/** How many are selected, how many of them cannot be seen, and how far two are apart; "" for none. */
export function selectedWords(selection: Uint32Array, hidden: Uint8Array, apart: string): string {
  if (selection.length === 0) return "";
  const away = selection.reduce((sum, node) => sum + (isHidden(hidden, node) ? 1 : 0), 0);
  const unseen = away === 0 ? "" : away < selection.length ? `, ${formatCount(away)} of them hidden` : ", but hidden";
  return `${formatCount(selection.length)} selected${unseen}${apart && `, ${apart}`}`;
}

/** How much there is of a graph, and how much of it is shown; `most` is how many edges are drawn at most. */
export function factsOf(graph: GraphData, selected: string, hidden: Uint8Array, most: number): string {
  let away = 0;
  for (const byte of hidden) for (let bits = byte; bits; bits &= bits - 1) away++;
  const shown = away ? `${formatCount(graph.nodes - away)} of ${plural(graph.nodes, "node")} shown` : plural(graph.nodes, "node");
  const drawn = Math.min(graph.pairs.length >> 1, most);
  const why = drawn === most ? ", for want of a graphics card" : "";
  const sampled = drawn < graph.edges ? [`${formatCount(drawn)} of ${formatCount(graph.edges)} edges are drawn${why}`] : [];
  return [...(selected ? [selected] : []), shown, plural(graph.edges, "edge"), ...sampled, ...graph.notes].join(" · ");
}

/** What is announced of a run when that changes, not at every iteration; null for nothing. */
export function announcement(status: RunStatus, before: RunStatus | undefined): string | null {
  if (before && before.state === status.state && before.phase === status.phase && before.message === status.message) return null;
  const at = formatCount(status.iteration);
  const said: Partial<Record<RunStatus["state"], string>> = {
    paused: `Paused at iteration ${at}`,
    finished: `Finished after ${at} iterations`,
    stopped: `Stopped at iteration ${at}`,
    failed: "The run failed",
    idle: "",
  };
  return said[status.state] ?? describe(status);
}

/** What stands in the middle while there is no picture, and whether there will be one. */
export function inPlaceOfPicture({ graph, frame, status }: ViewerData, drawable: boolean): readonly [words: string, waiting: boolean] {
  if (graph.nodes === 0) return ["This graph has no nodes.", false];
  if (frame || !drawable) return ["", false];
  if (status.state === "failed" || status.state === "stopped") return ["There is no layout.", false];
  return ["Preparing the layout…", true];
}
