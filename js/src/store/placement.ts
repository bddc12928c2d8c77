// Nodes that somebody has put somewhere by hand, and which of them are pinned there. One that is not pinned any more stays
// where it was put while nothing is optimised; graphne_viz/viewer/run/placement.py has the same.

/** Nodes ascending, each once; places interleaved, in coordinates of the layout; 1 for each that is pinned. */
export interface Placement {
  readonly nodes: Uint32Array;
  readonly places: Float32Array;
  readonly pinned: Uint8Array;
}

export const NOWHERE: Placement = {
  nodes: new Uint32Array(0),
  places: new Float32Array(0),
  pinned: new Uint8Array(0),
};

/** Bytes of a row: node, x, y, pinned. */
const ROW = 16;

interface Entry {
  readonly node: number;
  readonly x: number;
  readonly y: number;
  readonly pinned: boolean;
}

function entriesOf({ nodes, places, pinned }: Placement): Entry[] {
  return Array.from(nodes, (node, k) => ({ node, x: places[2 * k], y: places[2 * k + 1], pinned: pinned[k] !== 0 }));
}

function placementOf(entries: Iterable<Entry>): Placement {
  const sorted = [...entries].sort((a, b) => a.node - b.node);
  return {
    nodes: Uint32Array.from(sorted, ({ node }) => node),
    places: Float32Array.from(sorted.flatMap(({ x, y }) => [x, y])),
    pinned: Uint8Array.from(sorted, ({ pinned }) => Number(pinned)),
  };
}

/** Pins nodes at places, which are interleaved. */
export function withPinned(before: Placement, nodes: ArrayLike<number>, places: ArrayLike<number>): Placement {
  const known = new Map(entriesOf(before).map((entry) => [entry.node, entry]));
  for (let k = 0; k < nodes.length; k++) {
    known.set(nodes[k], { node: nodes[k], x: places[2 * k], y: places[2 * k + 1], pinned: true });
  }
  return placementOf(known.values());
}

/** Releases nodes, all for null; they `stay` where they are, or are the layout's again. */
export function released(before: Placement, nodes: ArrayLike<number> | null, stay: boolean): Placement {
  const gone = nodes && new Set(Array.from(nodes));
  const kept = entriesOf(before).flatMap((entry) => {
    if (!entry.pinned || (gone && !gone.has(entry.node))) return [entry];
    return stay ? [{ ...entry, pinned: false }] : [];
  });
  return placementOf(kept);
}

/** Which nodes are pinned. */
export const pinnedNodes = ({ nodes, pinned }: Placement): Uint32Array => nodes.filter((_, k) => pinned[k]);

/** Positions with what was put somewhere else; the same array where there is nothing. `moving`: a run moves what is not pinned. */
export function putPlaces(positions: Float32Array, placement: Placement, moving: boolean): Float32Array {
  const { nodes, places, pinned } = placement;
  if (nodes.length === 0) return positions;
  const put = positions.slice();
  for (let k = 0; k < nodes.length; k++) {
    if (!pinned[k] && moving) continue;
    put[2 * nodes[k]] = places[2 * k];
    put[2 * nodes[k] + 1] = places[2 * k + 1];
  }
  return put;
}

export function encodePlacement({ nodes, places, pinned }: Placement): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(ROW * nodes.length));
  nodes.forEach((node, k) => {
    bytes.setUint32(ROW * k, node, true);
    bytes.setFloat32(ROW * k + 4, places[2 * k], true);
    bytes.setFloat32(ROW * k + 8, places[2 * k + 1], true);
    bytes.setUint32(ROW * k + 12, pinned[k], true);
  });
  return new Uint8Array(bytes.buffer);
}

/** Reads what a host keeps; what names no node of the graph, or no place, is left out. */
export function decodePlacement(bytes: Uint8Array, nodes: number): Placement {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = Array.from({ length: Math.floor(bytes.length / ROW) }, (_, k) => ({
    node: view.getUint32(ROW * k, true),
    x: view.getFloat32(ROW * k + 4, true),
    y: view.getFloat32(ROW * k + 8, true),
    pinned: view.getUint32(ROW * k + 12, true) !== 0,
  }));
  return placementOf(entries.filter(({ node, x, y }) => node < nodes && Number.isFinite(x) && Number.isFinite(y)));
}
