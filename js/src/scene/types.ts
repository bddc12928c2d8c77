// The scene: a canvas with nodes and edges, and nothing else on it.

import type { Bounds, CameraPlace } from "../data/types.js";
import type { EdgeLooks } from "./edges/edge-look.js";

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
