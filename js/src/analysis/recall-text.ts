// What the line under the picture says about a layout.

import { formatCount, percent, plural } from "../data/format.js";
import type { RecallBounds } from "./recall-bounds.js";

/** What a layout could keep at all, where that makes a share easier to judge. */
function boundsText({ random, best }: RecallBounds): string {
  const most = best < 0.995 ? `, ${percent(best)}% at best` : "";
  return ` (${random < 0.005 ? "less than 1" : percent(random)}% by chance${most})`;
}

/** What the line under the picture says about a layout. */
export function recallText(
  share: number,
  about: {
    measured: number;
    nodes: number;
    sampledEdges: boolean;
    parts: number;
    isolates: number;
    given: boolean;
    embedded: boolean;
    bounds: RecallBounds;
  },
): string {
  const { measured, nodes, sampledEdges, parts, isolates, given, embedded, bounds } = about;
  const few = measured < nodes ? ` (measured on ${formatCount(measured)} of ${plural(nodes, "node")})` : "";
  const kept = `The picture keeps ${percent(share)}% of ${sampledEdges ? "the drawn neighbours" : "neighbours"} near${few}${boundsText(bounds)}`;
  // The vectors of all others are laid out as one, whatever the parts of the graph.
  if (embedded)
    return isolates && !sampledEdges
      ? `${kept} · ${plural(isolates, "isolate")} ${isolates === 1 ? "is" : "are"} placed apart, not trained`
      : kept;
  const pieces = [
    ...(parts > 1 && !given ? [plural(parts, "component")] : []),
    ...(isolates > 0 ? [plural(isolates, "isolate")] : []),
  ];
  if (sampledEdges || pieces.length === 0) return kept;
  const packed = given ? "not measured" : "packed, not measured";
  return `${kept} · ${pieces.join(" and ")} ${pieces.length === 1 && isolates === 1 ? "is" : "are"} ${packed}`;
}
