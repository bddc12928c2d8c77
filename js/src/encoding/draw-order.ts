// Which node is drawn over which: grey ones first, and large ones before small ones, as in the pictures Python draws.

import type { Column, GraphData } from "../data/types.js";
import { parseColor } from "./colors.js";

/** Which nodes have no colour of their own: 1 for no value, or a class that no colour was left for; null if none. */
export function greyNodes(column: Column | null, graph: GraphData): Uint8Array | null {
  const { nodes } = graph;
  let isGrey: (node: number) => boolean;
  if (column?.kind === "classes") {
    const { codes, categories } = column;
    isGrey = (node) => (categories[codes[node]]?.color ?? null) === null;
  } else if (column?.kind === "values") {
    const { values } = column;
    isGrey = (node) => !Number.isFinite(values[node]);
  } else if (column?.kind === "colors") {
    const { rgba } = column;
    // A node without a colour has that of a missing value, and whoever chose that grey gets what it stands for.
    const missing = parseColor(graph.missing);
    if (!missing) return null;
    isGrey = (node) => missing.every((part, k) => rgba[4 * node + k] === part);
  } else {
    return null;
  }
  const grey = new Uint8Array(nodes);
  let some = 0;
  for (let node = 0; node < nodes; node++) if (isGrey(node)) some = grey[node] = 1;
  return some ? grey : null;
}

/** Bits of a number that hold a node; more nodes than that are told apart by fewer digits of their radii. */
const NODE_BITS = 21;

/**
 * The nodes from the lowest to the topmost; null if that is their own order. What decides is packed into one number
 * for each node, so that the browser's own sort of numbers orders half a million of them at once: grey or not, then the
 * radius, whose bits as a float grow with it, then the node.
 */
export function drawOrder(grey: Uint8Array | null, radii: Float32Array): Uint32Array | null {
  const nodes = radii.length;
  const bits = new Uint32Array(radii.buffer, radii.byteOffset, nodes);
  const width = Math.max(NODE_BITS, Math.ceil(Math.log2(nodes + 1)));
  const coarse = 2 ** (width - NODE_BITS);
  const keys = new Float64Array(nodes);
  let sorted = true;
  for (let node = 0; node < nodes; node++) {
    const rank = (grey?.[node] ? 0 : 2 ** 31) + (2 ** 31 - 1 - bits[node]);
    keys[node] = Math.floor(rank / coarse) * 2 ** width + node;
    if (node > 0 && keys[node] < keys[node - 1]) sorted = false;
  }
  if (sorted) return null;
  keys.sort();
  const order = new Uint32Array(nodes);
  // Not the remainder: dividing by a power of two is exact, and many times faster.
  for (let k = 0; k < nodes; k++) order[k] = keys[k] - Math.floor(keys[k] / 2 ** width) * 2 ** width;
  return order;
}
