// What is known of a graph, its layout and its run. Nothing here knows a view.

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

/** How a layout is rotated to lie as another one does: x' = a x + b y, y' = c x + d y. */
export type Rotation = readonly [a: number, b: number, c: number, d: number];

/** Where the camera is, in coordinates of the layout; `span` is how much of it the picture's shorter side shows. */
export interface CameraPlace {
  readonly center: readonly [x: number, y: number];
  readonly span: number;
}

// ---- What is drawn ----

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
