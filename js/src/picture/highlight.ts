// Who stands out on the picture: what is pointed at, found, selected or on a path, with its neighbours, its edges and its
// name; and who steps back or is not there.

import { FADED, type GraphData, RAISED, SELECTED } from "../data/types.js";
import type { SceneApi } from "../scene/types.js";
import { type ClassMarks, centerOf, markNodes } from "../store/marks.js";
import type { Store } from "../store/store.js";
import type { TextLayers } from "./labels/text-layers.js";
import type { Lens } from "./lens.js";

/** Selected nodes are labelled up to this number. */
const MOST_LABELLED = 20;
const NO_ITEMS = new Uint32Array(0);

export interface Marks {
  /** Nodes whose names match the search; null while nothing is searched. */
  readonly matches?: ArrayLike<number> | null;
  /** What was picked out in the legend. */
  readonly classes?: ClassMarks | null;
  /** 1 for each node that cannot be seen; null where all can. */
  readonly hidden?: Uint8Array | null;
  /** The node that is hovered in another view, -1 for none. */
  readonly hoveredElsewhere?: number;
}

export class Highlight {
  /** A byte for each node, as the scene takes them. */
  readonly flags: Uint8Array;
  #scene: SceneApi;
  #graph: GraphData;
  #store: Store;
  #texts: TextLayers;
  #lens: Lens;
  #marks: Required<Marks> = { matches: null, classes: null, hidden: null, hoveredElsewhere: -1 };
  /** The edges of a path, and the selection that it belongs to. */
  #path: Uint32Array = NO_ITEMS;
  #pathOf: Uint32Array | null = null;

  constructor(scene: SceneApi, graph: GraphData, store: Store, texts: TextLayers, lens: Lens) {
    this.#scene = scene;
    this.#graph = graph;
    this.#store = store;
    this.#texts = texts;
    this.#lens = lens;
    this.flags = new Uint8Array(graph.nodes);
  }

  /** 1 for each node that cannot be seen; null where all can. */
  get hidden(): Uint8Array | null {
    return this.#marks.hidden;
  }

  set(marks: Marks): void {
    this.#marks = { ...this.#marks, ...marks };
    if (marks.hidden !== undefined) this.#texts.names.hide(marks.hidden);
  }

  /** Raises the edges of a path, whose nodes are selected, until something else is. */
  setPath(path: readonly number[]): void {
    const edges = path.slice(1).map((node, k) => {
      const before = path[k];
      return this.#scene
        .edgesOf(node)
        .find((edge) => this.#graph.pairs.subarray(2 * edge, 2 * edge + 2).includes(before));
    });
    this.#path = Uint32Array.from(edges.filter((edge) => edge !== undefined));
    this.#pathOf = this.#store.state.selection;
  }

  /** Shows it, with the pointer at a node, or at an edge; -1 for none. */
  show(hovered: number, edge: number): void {
    const scene = this.#scene;
    const { selection } = this.#store.state;
    const { matches, classes, hidden, hoveredElsewhere } = this.#marks;
    const elsewhere = hovered < 0 ? hoveredElsewhere : -1;
    const center = centerOf(elsewhere < 0 ? hovered : elsewhere, matches, selection);
    const neighbors = center >= 0 ? scene.neighborsOf(center) : NO_ITEMS;
    // A new array each time would be garbage at every move of the pointer; the scene has read the old one by now.
    const flags = markNodes(this.flags, { center, neighbors, matches, selection, classes, hidden });
    // A ring tells the node from its neighbours; where there is no pointer on it, a name does, too.
    if (center >= 0) flags[center] |= SELECTED;
    this.#lens.look(center, flags);
    if (edge >= 0) {
      for (const end of this.#graph.pairs.subarray(2 * edge, 2 * edge + 2)) flags[end] = (flags[end] & ~FADED) | RAISED;
      scene.raiseEdge(edge);
    } else if (center < 0 && this.#path.length && selection === this.#pathOf) {
      scene.raiseEdges(this.#path);
    } else {
      scene.raiseEdgesOf(center);
    }
    this.#texts.edgeLabels.point(center, edge);
    scene.setFlags(flags);
    const chosen = selection.length <= MOST_LABELLED ? Array.from(selection) : [];
    const named = elsewhere >= 0 ? [elsewhere, ...chosen.filter((node) => node !== elsewhere)] : chosen;
    this.#texts.labels.setFlags(flags, named, center >= 0 || matches !== null || selection.length > 0);
    scene.invalidate();
  }
}
