// Binds the viewer to anywidget: traits in, changes and commands out.

import { Hub, type Model, bytesOf } from "./hub.js";
import { groupOf } from "./links.js";
import { number, readStatus, readTheme, readTurn, text } from "./settings.js";
import "./style.css";
import type { Column, Frame, Host, ViewerData } from "./types.js";
import { GraphViewer } from "./viewer.js";
import { decodeColumns } from "./wire.js";

/** Milliseconds for which changes that come in streams are held back. */
const PAUSE = 120;

interface Props {
  readonly model: Model;
  readonly signal?: AbortSignal;
}

/** Which trait a part of the viewer's data is, and how it is read. */
const TRAITS = {
  _extra: (model: Model, hub: Hub): Partial<ViewerData> => ({ extra: readExtra(model, hub) }),
  _frame: (model: Model, hub: Hub): Partial<ViewerData> => ({ frame: readFrame(model, hub) }),
  _status: (model: Model, hub: Hub): Partial<ViewerData> => ({ status: readStatus(model.get("_status"), hub.connected, hub.lost) }),
  _selected: (model: Model, hub: Hub): Partial<ViewerData> => ({ selection: readSelection(model, hub) }),
  color: (model: Model): Partial<ViewerData> => ({ color: text(model.get("color")) }),
  size: (model: Model): Partial<ViewerData> => ({ size: text(model.get("size")) }),
  label: (model: Model): Partial<ViewerData> => ({ label: text(model.get("label")) }),
  edges: (model: Model): Partial<ViewerData> => ({ edges: model.get("edges") !== false }),
  exaggeration: (model: Model): Partial<ViewerData> => ({ exaggeration: number(model.get("exaggeration"), 1) }),
  theme: (model: Model): Partial<ViewerData> => ({ theme: readTheme(model.get("theme")) }),
  height: (model: Model): Partial<ViewerData> => ({ height: number(model.get("height"), 520) }),
  _turn: (model: Model): Partial<ViewerData> => ({ turn: readTurn(model.get("_turn")) }),
} as const;

type Trait = keyof typeof TRAITS;

const readExtra = (model: Model, hub: Hub): Column[] => decodeColumns(bytesOf(model.get("_extra")), hub.graph.nodes);
const readFrame = (model: Model, hub: Hub): Frame | null => hub.latest(model);

function readSelection(model: Model, hub: Hub): Uint32Array {
  const bytes = bytesOf(model.get("_selected"));
  if (bytes.length % 4) throw new Error("The selection that the kernel sent has a length that is not a multiple of 4.");
  // A copy, since the bytes may begin at an odd place.
  const nodes = new Uint32Array(bytes.slice().buffer);
  if (nodes.some((node) => node >= hub.graph.nodes)) {
    throw new Error("The selection that the kernel sent names nodes that the graph does not have.");
  }
  return nodes;
}

/** Reads traits; what cannot be read is reported and left out, so that the last good state stays. */
function read(traits: Iterable<Trait>, model: Model, hub: Hub, report: (problem: string) => void): Partial<ViewerData> {
  const part: Partial<ViewerData> = {};
  for (const trait of traits) {
    try {
      Object.assign(part, TRAITS[trait](model, hub));
    } catch (error) {
      report((error as Error).message);
    }
  }
  return part;
}

function hostOf(model: Model, hub: Hub): { host: Host; flush: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    model.save_changes();
  };
  const host: Host = {
    command: (name, more) => {
      // In the order of the user's doing: an attraction that is changed after Stop would let the run go on.
      if (timer !== undefined) flush();
      return hub.command(model, name, more);
    },
    film: () => hub.film(model),
    changed: ({ selection, ...part }) => {
      for (const [name, value] of Object.entries(part)) model.set(name, value);
      if (selection) model.set("_selected", new DataView(selection.slice().buffer));
      if (!selection && part.exaggeration === undefined) {
        flush();
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(flush, PAUSE);
    },
    hid: (bits) => {
      model.set("_hidden", new DataView(bits.slice().buffer));
      clearTimeout(timer);
      timer = setTimeout(flush, PAUSE);
    },
  };
  // A new view hides nobody, whatever one before it did; one that is still there may.
  if (!hub.viewed && bytesOf(model.get("_hidden")).length) host.hid!(new Uint8Array(0));
  return { host, flush: () => timer !== undefined && flush() };
}

/** Runs once a model, before and beyond all views: frames are acknowledged although nobody looks. */
function initialize({ model, signal }: Props): (() => void) | void {
  // Without bytes that tell one model from another, each view listens for itself.
  if (typeof model.get("_graph") !== "object") return;
  let leave: () => void;
  try {
    leave = Hub.of(model).join(model);
  } catch {
    return; // `render` says what is wrong
  }
  signal?.addEventListener("abort", leave);
  return leave;
}

function render({ model, el, signal }: Props & { readonly el: HTMLElement }): () => void {
  let hub: Hub;
  try {
    hub = Hub.of(model);
  } catch (error) {
    const message = document.createElement("p");
    message.textContent = `The graph cannot be shown: ${(error as Error).message}`;
    el.append(message);
    return () => message.remove();
  }
  const problems: string[] = [];
  const traits = Object.keys(TRAITS) as Trait[];
  const data: ViewerData = {
    graph: hub.graph,
    extra: [],
    frame: null,
    status: readStatus(null, false),
    color: "",
    size: "",
    label: "",
    edges: true,
    exaggeration: 1,
    selection: new Uint32Array(0),
    theme: "auto",
    height: 520,
    turn: null,
    ...read(traits, model, hub, (problem) => problems.push(problem)),
  };
  const { host, flush } = hostOf(model, hub);
  const viewer = new GraphViewer(el, data, host);
  viewer.view = hub.view;
  for (const problem of problems) viewer.warn(problem);
  const link = (): void => {
    const name = text(model.get("_group"));
    viewer.link(name ? groupOf(name) : null);
  };
  link();

  // Traits that change together, as with `hold_sync`, are shown together.
  const changed = new Set<Trait>();
  let open = true;
  const change = (trait: Trait): void => {
    if (changed.size === 0) {
      queueMicrotask(() => {
        const batch = [...changed];
        changed.clear();
        if (open) viewer.update(read(batch, model, hub, (problem) => viewer.warn(problem)));
      });
    }
    changed.add(trait);
  };
  const changes = traits.map((trait) => [`change:${trait}`, () => change(trait)] as const);
  const listeners = [...changes, ["change:_group", link] as const];
  for (const [name, listener] of listeners) model.on(name, listener);
  const leave = hub.join(model);
  const hide = hub.show(viewer, () => change("_status"));
  hub.command(model, "ready").catch(() => {}); // without a kernel there is nothing to be ready for

  const close = (): void => {
    if (!open) return;
    open = false;
    for (const [name, listener] of listeners) model.off(name, listener);
    flush();
    hide();
    leave();
    hub.view = viewer.view;
    viewer.destroy();
  };
  signal?.addEventListener("abort", close);
  return close;
}

export default { initialize, render };
