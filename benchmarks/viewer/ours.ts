// The viewer as a notebook runs it: a message comes in, is acknowledged, decoded and drawn.

import { offer } from "./harness.js";
// As it is shipped: it carries a worker that only its own build puts in.
import widget from "../../graphne_viz/viewer/static/widget.js";
import "../../graphne_viz/viewer/static/widget.css";

type Listener = (...values: unknown[]) => void;

/** What a notebook hands to a widget, with a kernel that agrees to everything. */
class Model {
  #listeners = new Map<string, Set<Listener>>();

  constructor(private readonly traits: Record<string, unknown>) {}

  get(name: string): unknown {
    return this.traits[name];
  }

  set(name: string, value: unknown): void {
    this.traits[name] = value;
  }

  save_changes(): void {}

  send(content: { kind: string; id?: string }): void {
    if (content.kind === "command") queueMicrotask(() => this.tell({ kind: "answer", id: content.id, ok: true }));
  }

  on(name: string, listener: Listener): void {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name)!.add(listener);
  }

  off(name: string, listener: Listener): void {
    this.#listeners.get(name)?.delete(listener);
  }

  tell(content: unknown, buffers: DataView[] = []): void {
    for (const listener of this.#listeners.get("msg:custom") ?? []) listener(content, buffers);
  }
}

const NONE = new DataView(new ArrayBuffer(0));
const status = { state: "running", message: "", run: 1, iteration: 0, total: 750, phase: "optimization", kl: null, history: [], steerable: true };
let model: Model;
let seq = 0;

offer({
  frames: 1,
  start(el, { bytes }) {
    const traits = { _graph: bytes, _extra: NONE, _frame: NONE, _selected: NONE, _status: status, color: "cluster", size: "degree", label: "" };
    // As views were before classes had names on the map, to compare with those.
    const plain = location.search === "?plain" ? { color: "degree", class_names: false } : {};
    model = new Model({ ...traits, ...plain, edges: true, exaggeration: 1, theme: "light", height: 600 });
    widget.initialize({ model } as never);
    widget.render({ model, el } as never);
  },
  update(message) {
    model.tell({ kind: "frame", seq: ++seq }, [message]);
  },
});
