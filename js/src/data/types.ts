// What the parts of the viewer say to each other.

import type { EdgeLooks } from "../scene/edges/edge-look.js";
import type { Placement } from "../store/placement.js";
import type { SavedView, ViewJson } from "../store/serialize.js";
import type { AppearanceState, CameraPlace } from "../store/state.js";

/** A frame of a run: positions and what is known about them. */
export interface Frame {
  readonly nodes: number;
  readonly seq: number;
  readonly iteration: number;
  readonly phase: number;
  /** Kullback-Leibler divergence, NaN where it is unknown. */
  readonly kl: number;
  readonly exaggeration: number;
  readonly run: number;
  /** x and y interleaved, 2 n numbers. */
  readonly positions: Float32Array;
}

/** One text a node, or an edge, decoded when it is asked for. */
export interface Texts {
  readonly length: number;
  at(item: number): string;
}

export interface Category {
  readonly label: string;
  /** null: one of the classes that have no colour of their own. */
  readonly color: string | null;
  readonly count: number;
  /** Whether the colour was chosen in the legend. */
  readonly chosen?: boolean;
}

interface Named {
  readonly key: string;
  readonly name: string;
  /** What a reader must know about the values: by which algorithm, from which sample. */
  readonly note?: string;
}

/** A code equal to the number of categories means that the node has no value. */
export interface ClassColumn extends Named {
  readonly kind: "classes";
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly categories: readonly Category[];
  /** Whether the classes are few numbers, such as years, which can be a range or a time as well. */
  readonly numbers?: boolean;
}

/** NaN means that the node has no value. */
export interface ValueColumn extends Named {
  readonly kind: "values";
  readonly values: Float32Array | Float64Array;
  readonly low: number;
  readonly high: number;
  /** Between which values colours change; they stay the same beyond, where a long tail may be. */
  readonly scale: readonly [number, number];
  readonly whole: boolean;
  /** Where colours change, ascending, if not evenly between the ends of the scale. */
  readonly stops?: Float64Array;
  /** Whether they are days since 1970-01-01. */
  readonly date?: boolean;
  /** Whether a node may have no value only because it was not measured. */
  readonly sampled?: boolean;
}

export interface ColorColumn extends Named {
  readonly kind: "colors";
  readonly rgba: Uint8Array;
}

export interface TextColumn extends Named {
  readonly kind: "text";
  readonly texts: Texts;
}

export type Column = ClassColumn | ValueColumn | ColorColumn | TextColumn;

/** The part of a graph that does not change while it is looked at. */
export interface GraphData {
  readonly nodes: number;
  /** Edges of the graph; `pairs` may hold a sample of them. */
  readonly edges: number;
  /** Source and target in turn; loops and parallel edges as the graph has them. */
  readonly pairs: Uint32Array;
  /** Whether the edges have a direction: all, none, or a byte for each of the pairs. */
  readonly directed: boolean | Uint8Array;
  /** What is known about the pairs, one item each. */
  readonly edgeColumns: readonly Column[];
  readonly names: Texts | null;
  readonly columns: readonly Column[];
  readonly colormap: readonly string[];
  readonly other: string;
  readonly missing: string;
  readonly plain: string;
  readonly notes: readonly string[];
}

export type RunState = "idle" | "starting" | "running" | "paused" | "finished" | "stopped" | "failed";

export interface RunStatus {
  readonly state: RunState;
  readonly message: string;
  readonly run: number;
  readonly iteration: number;
  readonly total: number;
  readonly phase: string;
  readonly kl: number | null;
  /** How far the run is, in a few words, where iterations do not tell. */
  readonly statusText: string;
  readonly history: readonly (readonly [number, number])[];
  /** Whether there is someone who would obey: false without a kernel. */
  readonly steerable: boolean;
  /** Whether there was a kernel, which went away. */
  readonly gone: boolean;
  /** Whether frames come from someone else's optimisation, which can be held and stopped, but neither steered nor begun. */
  readonly external: boolean;
  /** Dimensions of the embedding that is shown, 0 without one. */
  readonly dimension: number;
  /** How many moments of the run are kept for a replay. */
  readonly shots: number;
  /** What the last update of the graph has changed, once the run rests; "" for nothing. */
  readonly update: string;
}

/** Moments of a run, the last of them how it ended; each is decoded when it is asked for. */
export interface Recording {
  readonly length: number;
  at(shot: number): Frame;
}

export type Theme = "auto" | "light" | "dark";
/** What a theme comes to on a page. */
export type Shade = Exclude<Theme, "auto">;

/** Everything a viewer shows; `update` takes any part of it. */
export interface ViewerData extends AppearanceState {
  graph: GraphData;
  extra: readonly Column[];
  frame: Frame | null;
  status: RunStatus;
  selection: Uint32Array;
  /** Nodes that are hidden one by one: a bit each, the lowest of a byte first; empty if none is. */
  hidden: Uint8Array;
  /** Nodes that were put somewhere by hand. */
  placement: Placement;
  /** Events that somebody wants to hear of: "click", "hover". */
  events: readonly string[];
  /** Camera, tool, lens, filters and legend as they were saved; null for none. */
  view: SavedView | null;
  /** How the layout is rotated to lie as another one does: x' = a x + b y, y' = c x + d y; null as it is. */
  rotation: Rotation | null;
}

export type Rotation = readonly [a: number, b: number, c: number, d: number];

/** What takes the kernel a while. */
export type Question = "statistic" | "classes" | "predicted_links" | "link_auc" | "remove_overlap";

/** What a viewer may ask of whoever shows it. All are optional: a page without a kernel has none. */
export interface Host {
  /** Resolves with the answer, rejects with an Error that can be shown. */
  command?(
    name: "pause" | "resume" | "stop" | "restart" | "play" | "ready" | "take" | Question,
    more?: Readonly<Record<string, string | number>>,
  ): Promise<unknown>;
  /** The moments of the run that have been kept, as many as the status says or one more. */
  recording?(): Promise<Recording>;
  /** The user changed something that the host keeps, too. */
  changed?(part: Partial<AppearanceState & { selection: Uint32Array }>): void;
  /** How the view is saved has changed. */
  saved?(part: { view?: ViewJson; hidden?: Uint8Array; placement?: Placement }): void;
  /** A node was clicked, or the pointer came to one, or to none: -1. */
  pointed?(event: "click" | "hover", node: number): void;
  /** Other nodes can be seen than before, for whatever reason: a bit for each that cannot; empty if all can. */
  visibilityChanged?(bits: Uint8Array): void;
}

export interface GraphViewerApi {
  update(part: Partial<ViewerData>): void;
  /** A frame of the running optimisation; throws nothing, shows what is wrong with it in the status line. */
  frame(frame: Frame): void;
  /** Report a problem to the user (a refused frame, an unknown message); the picture stays. */
  warn(message: string): void;
  destroy(): void;
}

// ---- The scene: a canvas with nodes and edges, and nothing else on it ----

export const HIDDEN = 1;
export const FADED = 2;
export const SELECTED = 4;
export const RAISED = 8;

export interface Bounds {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export interface SceneColors {
  /** CSS colours. */
  readonly background: string;
  readonly edge: string;
  readonly selection: string;
}

export interface CameraApi {
  /** Fits the layout as it grows; any move by the user ends that, `fit` begins it anew. */
  readonly following: boolean;
  /** CSS pixels per unit of the layout. */
  readonly scale: number;
  /** That beside the scale at which the whole layout is seen. */
  readonly zoom: number;
  /** Screen points are CSS pixels from the canvas's top left corner; y of the layout points up. */
  toScreen(x: number, y: number): readonly [number, number];
  toWorld(left: number, top: number): readonly [number, number];
  panBy(left: number, top: number): void;
  /** Zooms around a point of the screen, default the middle. */
  zoomBy(factor: number, left?: number, top?: number): void;
  /** Shows the whole layout and follows it again. */
  fit(animate?: boolean): void;
  /** Leaves so many pixels beside and above the nodes free when the whole layout is shown: for their labels. */
  reserve(width: number, height: number): void;
  /** Shows a part of the layout and stays there. */
  flyTo(bounds: Bounds): void;
  /** Where it is, or is flying to; null while it follows the layout. */
  readonly place: CameraPlace | null;
  /** Goes there; null follows the whole layout again. */
  moveTo(place: CameraPlace | null, animate?: boolean): void;
}

export interface SceneInfo {
  readonly backend: "webgl2" | "canvas2d";
  /** Why it is not WebGL2, or that the renderer is software; "" where all is well. */
  readonly reason: string;
  readonly software: boolean;
  /** How many edges are drawn at most, an even sample of all. */
  readonly mostEdges: number;
  /** Of more edges than this all are drawn alike. */
  readonly mostStyled: number;
}

export interface SceneApi {
  readonly canvas: HTMLCanvasElement;
  readonly camera: CameraApi;
  readonly info: SceneInfo;
  /** Whether there are positions yet. */
  readonly placed: boolean;
  /** Positions as they are drawn now, between the last two frames; valid until the next call. */
  readonly positions: Float32Array;
  /** New positions; moves to them within `duration` milliseconds (default: about the time between frames). */
  setPositions(positions: Float32Array, duration?: number): void;
  /** Puts a few nodes somewhere at once, while the others go on as they move. */
  moveNodes(nodes: Uint32Array, places: ArrayLike<number>): void;
  /** Whether the camera stays where it is, whatever the layout does: somebody holds nodes. */
  steady: boolean;
  /** rgba, 4 n bytes. */
  setColors(rgba: Uint8Array): void;
  /** Radii in CSS pixels at the zoom that fits the graph; the scene scales them gently with the zoom. */
  setRadii(radii: Float32Array): void;
  /** One byte of flags a node: HIDDEN, FADED, SELECTED, RAISED. An edge is hidden with either end, faded unless both ends are clear and no node's edges are raised. */
  setFlags(flags: Uint8Array): void;
  /** The nodes from the lowest to the topmost; null for their own order. */
  setOrder(order: Uint32Array | null): void;
  setEdgesVisible(visible: boolean): void;
  setSceneColors(colors: SceneColors): void;
  /** How each of the pairs is drawn. */
  setEdgeLooks(looks: EdgeLooks): void;
  /** Draws a node's edges above the others; -1 for none. */
  raiseEdgesOf(node: number): void;
  /** Draws one of the pairs above the others. */
  raiseEdge(edge: number): void;
  /** Draws some of the pairs above the others. */
  raiseEdges(edges: Uint32Array): void;
  /** The visible node under a point, or -1: of the discs that hold it the topmost, otherwise the nearest within `tolerance` pixels. */
  pick(left: number, top: number, tolerance?: number): number;
  /** Which of the pairs is under a point, or -1: the nearest within `tolerance` pixels, unless they are many. */
  pickEdge(left: number, top: number, tolerance?: number): number;
  /** Visible nodes whose centres are within a rectangle or a lasso (screen points, interleaved, closed by itself), ascending. */
  within(polygon: Float64Array): Uint32Array;
  neighborsOf(node: number): Uint32Array;
  /** The pairs that a node is an end of. */
  edgesOf(node: number): Uint32Array;
  /** The flags that were set last. */
  readonly flags: Uint8Array;
  /** A node's radius on the screen now, in CSS pixels. */
  radiusOf(node: number): number;
  boundsOf(nodes: Uint32Array): Bounds | null;
  /** Called after every draw; returns what ends that. */
  onDraw(listener: () => void): () => void;
  /** A picture of the scene as it is now. */
  toBlob(): Promise<Blob>;
  /** Asks for a draw in the next animation frame. */
  invalidate(): void;
  /** Draws at once, for who is called in an animation frame: the next one would be too late. */
  present(): void;
  destroy(): void;
}
