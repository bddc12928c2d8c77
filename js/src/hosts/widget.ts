// Binds the viewer to anywidget: traits in, changes and commands out.

import { APPEARANCE, APPEARANCE_KEYS, readRotation, readStatus, text, words } from "../protocol/settings.js";
import { groupOf } from "../store/link-group.js";
import { bytesOf, type WidgetModel, WidgetSession } from "./widget-session.js";
import "../styles/style.css";
import type { Column, Frame, GraphData, RunStatus } from "../data/types.js";
import { decodeColumns } from "../protocol/wire.js";
import type { Host, ViewerData } from "../store/api.js";
import { hasBit, withBits } from "../store/nodes.js";
import { decodePlacement, encodePlacement } from "../store/placement.js";
import { fromJson } from "../store/serialize.js";
import { INITIAL } from "../store/state.js";
import { GraphViewer } from "../ui/viewer.js";

/** Milliseconds for which changes that come in streams are held back, and what does beside the selection. */
const PAUSE = 120;
/** The same between two places of what somebody drags; and for how many bytes that is too much. */
const INTERVAL = 33;
const SLOW_INTERVAL = 500;
const LARGE = 50_000;
const STREAMED = ["exaggeration", "colors", "sizeRange", "height"];

interface Props {
  readonly model: WidgetModel;
  readonly signal?: AbortSignal;
}

type Read = (model: WidgetModel, session: WidgetSession) => Partial<ViewerData>;

/** Which trait a part of the viewer's data is, and how it is read. */
const TRAITS: Readonly<Record<string, Read>> = {
  _graph: (model, session) => ({ graph: session.sync(model) }),
  _extra: (model, session) => ({ extra: readExtra(model, session) }),
  _frame: (model, session) => ({ frame: readFrame(model, session) }),
  _status: (model, session) => ({ status: readRun(model, session) }),
  _selected: (model, session) => ({
    selection: readSelection(model, session),
  }),
  _hidden: (model) => ({ hidden: numbersOf(model, "_hidden") }),
  _pinned: (model, session) => ({
    placement: decodePlacement(numbersOf(model, "_pinned"), session.graph.nodes),
  }),
  _events: (model) => ({ events: words(model.get("_events")) }),
  _view: (model) => ({ view: fromJson(model.get("_view")) }),
  _rotation: (model) => ({ rotation: readRotation(model.get("_rotation")) }),
  ...Object.fromEntries(
    APPEARANCE_KEYS.map((key) => {
      const [name, read] = APPEARANCE[key];
      return [name, (model: WidgetModel) => ({ [key]: read(model.get(name)) })];
    }),
  ),
};

const readExtra = (model: WidgetModel, session: WidgetSession): Column[] =>
  decodeColumns(bytesOf(model.get("_extra")), session.graph.nodes);
const readFrame = (model: WidgetModel, session: WidgetSession): Frame | null => session.latest(model);

/** How the run stands; of one whose kernel is gone, how far the frames had come: the status is not sent with each. */
function readRun(model: WidgetModel, session: WidgetSession): RunStatus {
  const status = readStatus(model.get("_status"), session.connected, session.lost);
  if (!session.lost) return status;
  const reached = session.newest?.run === status.run ? session.newest.iteration : 0;
  return { ...status, gone: true, iteration: Math.max(status.iteration, reached) };
}

/** Bytes before what tells nodes by their numbers: which state of the graph these are of. */
const VERSION = 4;

/** What a trait says about nodes, by their numbers. */
const numbersOf = (model: WidgetModel, trait: string): Uint8Array => bytesOf(model.get(trait)).subarray(VERSION);

/** The state of the graph that the kernel's numbers of nodes are of. */
function versionOf(model: WidgetModel): number {
  const bytes = bytesOf(model.get("_selected"));
  return bytes.length < VERSION ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}

function readSelection(model: WidgetModel, session: WidgetSession): Uint32Array {
  const bytes = numbersOf(model, "_selected");
  if (bytes.length % 4) throw new Error("The selection that the kernel sent has a length that is not a multiple of 4.");
  // A copy, since the bytes may begin at an odd place.
  const nodes = new Uint32Array(bytes.slice().buffer);
  if (nodes.some((node) => node >= session.graph.nodes)) {
    throw new Error("The selection that the kernel sent names nodes that the graph does not have.");
  }
  return nodes;
}

/** Reads traits; what cannot be read is reported and left out, so that the last good state stays. */
function read(
  traits: Iterable<string>,
  model: WidgetModel,
  session: WidgetSession,
  report: (problem: string) => void,
): Partial<ViewerData> {
  const part: Partial<ViewerData> = {};
  for (const trait of traits) {
    try {
      Object.assign(part, TRAITS[trait](model, session));
    } catch (error) {
      report((error as Error).message);
    }
  }
  return part;
}

/** A copy of what is said about nodes by their numbers in a state of the graph, as models take it. */
function tagged(version: number, array: Uint8Array | Uint32Array): DataView {
  const bytes = new Uint8Array(VERSION + array.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, version, true);
  bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), VERSION);
  return view;
}

/** What is said of the nodes of one graph, by their numbers. */
const OF_NODES = ["_selected", "_hidden", "_invisible", "_pinned"];

/** The numbers that nodes of one graph have in another, by their names; those that it does not have are left out. */
function renumbered(nodes: Uint32Array, from: GraphData, to: GraphData): Uint32Array {
  const name = ({ names }: GraphData, node: number): string => names?.at(node) ?? String(node);
  const sought = new Set(Array.from(nodes, (node) => name(from, node)));
  const found: number[] = [];
  for (let node = 0; node < to.nodes; node++) if (sought.has(name(to, node))) found.push(node);
  return Uint32Array.from(found);
}

interface BoundHost {
  readonly host: Host;
  flush(): void;
  /** Whether the user has changed a trait, and that is still to be sent. */
  holds(trait: string): boolean;
  /** Another graph has other nodes: what is still to be sent about those before is said of them, or means nothing. */
  changeGraph(from: GraphData, to: GraphData): void;
}

function hostOf(model: WidgetModel, session: WidgetSession): BoundHost {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let version = versionOf(model);
  const viewOf = (array: Uint8Array | Uint32Array): DataView => tagged(version, array);
  // Set when they are sent, not before: the kernel's echo of the value before would undo what the user did meanwhile.
  const held = new Map<string, unknown>();
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [trait, value] of held) model.set(trait, value);
    held.clear();
    model.save_changes();
  };
  const hold = (trait: string, value: unknown): void => {
    held.set(trait, value);
    clearTimeout(timer);
    timer = setTimeout(flush, PAUSE);
  };
  /** Like `hold`, for what is answered while it changes: it is sent now and then, not only when all is over. */
  let sentAt = Number.NEGATIVE_INFINITY;
  const stream = (trait: string, value: DataView): void => {
    held.set(trait, value);
    const interval = value.byteLength > LARGE ? SLOW_INTERVAL : INTERVAL;
    if (timer !== undefined && performance.now() - sentAt < interval) return;
    clearTimeout(timer);
    const wait = Math.max(0, sentAt + interval - performance.now());
    const send = (): void => {
      sentAt = performance.now();
      flush();
    };
    if (wait === 0) send();
    else timer = setTimeout(send, wait);
  };
  const host: Host = {
    command: (name, more) => {
      // In the order of the user's doing: an attraction that is changed after Stop would let the run go on.
      if (timer !== undefined) flush();
      return session.command(model, name, more);
    },
    recording: () => session.recording(model),
    changed: ({ selection, ...part }) => {
      for (const [key, value] of Object.entries(part)) hold(APPEARANCE[key as keyof typeof APPEARANCE][0], value);
      if (selection) hold("_selected", viewOf(selection));
      if (!selection && !STREAMED.some((key) => key in part)) flush();
    },
    saved: ({ view, hidden, placement }) => {
      if (view) hold("_view", view);
      if (hidden) hold("_hidden", viewOf(hidden));
      if (placement) stream("_pinned", viewOf(encodePlacement(placement)));
    },
    pointed: (event, node) => void model.send({ kind: "event", name: event, node: node < 0 ? null : node, version }),
    visibilityChanged: (bits) => hold("_invisible", viewOf(bits)),
  };
  return {
    host,
    flush: () => void (timer !== undefined && flush()),
    holds: (trait) => held.has(trait),
    changeGraph: (from, to) => {
      const [selected, hidden] = ["_selected", "_hidden"].map((trait) => {
        const view = held.get(trait) as DataView | undefined;
        return view && new Uint8Array(view.buffer.slice(VERSION));
      });
      for (const trait of OF_NODES) held.delete(trait);
      version = versionOf(model);
      if (selected) model.set("_selected", viewOf(renumbered(new Uint32Array(selected.buffer), from, to)));
      if (hidden) {
        const nodes = Uint32Array.from({ length: from.nodes }, (_, node) => node).filter((node) =>
          hasBit(hidden, node),
        );
        model.set("_hidden", viewOf(withBits(new Uint8Array(0), renumbered(nodes, from, to), to.nodes)));
      }
      if (selected || hidden) model.save_changes();
    },
  };
}

/** What a model holds that is large, the viewer itself among it. */
const LARGE_TRAITS = ["_graph", "_extra", "_frame", "_esm", "_css"];

/** Empties a model that is closed: JupyterLab holds on to every model that a page has had, half a megabyte and more each. */
function release(model: WidgetModel): void {
  // The last one twice: a model remembers what it was before it was last set.
  for (const trait of [...LARGE_TRAITS, "_css"]) {
    model.set(trait, typeof model.get(trait) === "string" ? "" : new DataView(new ArrayBuffer(0)), { silent: true });
  }
}

/** Runs once a model, before and beyond all views: frames are acknowledged although nobody looks. */
function initialize({ model, signal }: Props): (() => void) | undefined {
  // Without bytes that tell one model from another, each view listens for itself.
  if (typeof model.get("_graph") !== "object") return;
  let leave: () => void;
  try {
    leave = WidgetSession.of(model).join(model);
  } catch {
    return; // `render` says what is wrong
  }
  const destroyed = (): void => release(model);
  model.on("destroy", destroyed);
  signal?.addEventListener("abort", leave);
  return () => {
    leave();
    model.off("destroy", destroyed);
  };
}

function render({ model, el, signal }: Props & { readonly el: HTMLElement }): () => void {
  let session: WidgetSession;
  try {
    session = WidgetSession.of(model);
  } catch (error) {
    const message = document.createElement("p");
    message.textContent = `The graph cannot be shown: ${(error as Error).message}`;
    el.append(message);
    return () => message.remove();
  }
  const problems: string[] = [];
  const traits = Object.keys(TRAITS);
  const data: ViewerData = {
    graph: session.graph,
    extra: [],
    frame: null,
    status: readStatus(null, false),
    ...INITIAL,
    view: null,
    events: [],
    rotation: null,
    ...read(traits, model, session, (problem) => problems.push(problem)),
  };
  const { host, flush, holds, changeGraph } = hostOf(model, session);
  const viewer = new GraphViewer(el, data, host);
  for (const problem of problems) viewer.warn(problem);
  const link = (): void => {
    const name = text(model.get("_group"));
    viewer.link(name ? groupOf(name) : null);
  };
  link();

  // Traits that change together, as with `hold_sync`, are shown together.
  const changed = new Set<string>();
  let { graph } = session;
  let open = true;
  const follow = (before: GraphData): GraphData => {
    try {
      const now = session.sync(model);
      changeGraph(before, now);
      return now;
    } catch {
      return before; // `read` says what is wrong
    }
  };
  const change = (trait: string): void => {
    if (changed.size === 0) {
      queueMicrotask(() => {
        const another = changed.has("_graph");
        // What comes from the kernel, as after a connection was lost, is older than what the user has just done.
        const batch = another ? traits : [...changed].filter((trait) => !holds(trait));
        changed.clear();
        if (another) graph = follow(graph);
        if (open) viewer.update(read(batch, model, session, (problem) => viewer.warn(problem)));
      });
    }
    changed.add(trait);
  };
  const changes = traits.map((trait) => [`change:${trait}`, () => change(trait)] as const);
  const listeners = [...changes, ["change:_group", link] as const];
  for (const [name, listener] of listeners) model.on(name, listener);
  const leave = session.join(model);
  const hide = session.show(viewer, () => change("_status"));
  session.command(model, "ready").catch(() => {}); // without a kernel there is nothing to be ready for

  const close = (): void => {
    if (!open) return;
    open = false;
    for (const [name, listener] of listeners) model.off(name, listener);
    flush();
    hide();
    leave();
    viewer.destroy();
  };
  signal?.addEventListener("abort", close);
  return close;
}

export default { initialize, render };
