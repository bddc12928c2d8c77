// What a viewer is given, what can be asked of it, and what it may ask of whoever shows it.

import type { Column, Frame, GraphData, Recording, Rotation, RunStatus } from "../data/types.js";
import type { Placement } from "./placement.js";
import type { SavedView, ViewJson } from "./serialize.js";
import type { AppearanceState } from "./state.js";

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
