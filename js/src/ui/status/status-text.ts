// What is said of a graph and its run, beside the picture and in its place.

import { formatCount, plural } from "../../data/format.js";
import type { GraphData, RunStatus } from "../../data/types.js";
import type { SceneInfo } from "../../scene/types.js";
import type { ViewerData } from "../../store/api.js";
import { countBits, hasBit } from "../../store/nodes.js";
import { describe } from "../run/run-controls.js";

/** How many are selected, how many of them cannot be seen, and how far two are apart; "" for none. */
export function selectionText(selection: Uint32Array, hidden: Uint8Array, apart: string): string {
  if (selection.length === 0) return "";
  const away = selection.reduce((sum, node) => sum + (hasBit(hidden, node) ? 1 : 0), 0);
  const unseen = away === 0 ? "" : away < selection.length ? `, ${formatCount(away)} of them hidden` : ", but hidden";
  return `${formatCount(selection.length)} selected${unseen}${apart && `, ${apart}`}`;
}

/** What can be seen of a graph: a bit for each node that cannot, and how many of the pairs can. */
interface Visible {
  readonly bits: Uint8Array;
  readonly pairs: number;
}

/** How much there is of a graph, and how much of it is shown; `styled`: edges are asked to have looks of their own. */
export function summaryText(
  graph: GraphData,
  selected: string,
  { bits, pairs }: Visible,
  { mostEdges, mostStyled }: Pick<SceneInfo, "mostEdges" | "mostStyled">,
  styled: boolean,
): string {
  const away = countBits(bits);
  const shown = away
    ? `${formatCount(graph.nodes - away)} of ${plural(graph.nodes, "node")} shown`
    : plural(graph.nodes, "node");
  const all = graph.pairs.length >> 1;
  // Of a sample it is only known about how many of all edges can be seen.
  const seen = pairs === all ? graph.edges : Math.round((pairs / all) * graph.edges);
  const about = all < graph.edges ? "about " : "";
  const edges =
    seen < graph.edges
      ? `${about}${formatCount(seen)} of ${plural(graph.edges, "edge")} shown`
      : plural(graph.edges, "edge");
  const drawn = Math.min(pairs, mostEdges);
  const why = drawn === mostEdges ? " (no GPU: drawn by software)" : "";
  const sampled = drawn < seen ? [`${formatCount(drawn)} of ${formatCount(seen)} edges are drawn${why}`] : [];
  const plain = styled && all > mostStyled ? ["so many edges are drawn as thin lines, all alike"] : [];
  return [...(selected ? [selected] : []), shown, edges, ...sampled, ...plain, ...graph.notes].join(" · ");
}

/** What is said where the kernel went away under a view. */
export const KERNEL_GONE = "The kernel is gone: this is the last layout that came from it.";

/** What is announced of a run when that changes, not at every iteration; null for nothing. */
export function announcement(status: RunStatus, before: RunStatus | undefined): string | null {
  const known: readonly (keyof RunStatus)[] = ["state", "phase", "message", "gone"];
  if (before && known.every((part) => before[part] === status[part])) return null;
  if (status.gone) return KERNEL_GONE;
  const at = formatCount(status.iteration);
  const words: Partial<Record<RunStatus["state"], string>> = {
    paused: `Paused at iteration ${at}`,
    finished: `Finished after ${at} iterations`,
    stopped: `Stopped at iteration ${at}`,
    failed: "The run failed",
    idle: "",
  };
  return words[status.state] ?? describe(status);
}

/** What stands in the middle while there is no picture, and whether there will be one. */
export function placeholderText(
  { graph, frame, status }: Pick<ViewerData, "graph" | "frame" | "status">,
  drawable: boolean,
): readonly [words: string, waiting: boolean] {
  if (graph.nodes === 0) return ["This graph has no nodes.", false];
  if (frame || !drawable) return ["", false];
  if (status.state === "failed" || status.state === "stopped") return ["There is no layout.", false];
  return [status.external ? "Waiting for the first frame…" : "Preparing the layout…", true];
}
