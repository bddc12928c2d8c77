// What all views of one widget share: the decoded graph, the newest frame, and one ear for messages.
// A host shows one widget in as many places as the user likes; each frame is decoded and acknowledged once.

import { sentenceOf } from "../data/format.js";
import type { Frame, GraphData, Recording } from "../data/types.js";
import { decodeRecording } from "../protocol/recording.js";
import { decodeFrame, decodeGraph } from "../protocol/wire.js";
import type { GraphViewerApi } from "../store/api.js";

// biome-ignore lint/suspicious/noExplicitAny: the arguments differ from event to event.
type Callback = (...args: any[]) => void;

/** What is used of anywidget's model. */
export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown, options?: { readonly silent: boolean }): void;
  save_changes(): void;
  send(content: unknown): unknown;
  on(name: string, callback: Callback): void;
  off(name: string, callback: Callback): void;
}

/** Milliseconds after which a command counts as unanswered; what has to be computed, or is large, takes its time. */
const ANSWER_TIME = 15_000;
const PATIENT_TIME = 600_000;
const PATIENT: readonly string[] = [
  ...["recording", "statistic", "classes", "take", "remove_overlap", "predicted_links", "link_auc"],
];
const EMPTY = new Uint8Array(0);

/** Bytes in whatever form a host hands them over: views (Jupyter), buffers, base64 (marimo), nothing at all. */
export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === "string") {
    try {
      return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    } catch {
      return EMPTY;
    }
  }
  return EMPTY;
}

export function isNewer(one: Frame, other: Frame | null): boolean {
  return !other || one.run > other.run || (one.run === other.run && one.iteration >= other.iteration);
}

interface Waiting {
  readonly name: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

// The proxies that hosts hand to `initialize` and to each `render` differ; the bytes of the graph are one object.
const hubs = new WeakMap<object, WidgetSession>();

export class WidgetSession {
  #graph: GraphData;
  /** The bytes that the graph was read from. */
  #bytes: unknown;
  /** Whether the kernel was heard of: a saved notebook has none. */
  connected = false;
  /** Whether it was, and then went away, as one that is restarted does. */
  lost = false;
  #newest: Frame | null = null;
  #models: WidgetModel[] = [];
  #views = new Set<GraphViewerApi>();
  #heard = new Set<() => void>();
  #waiting = new Map<string, Waiting>();
  #commands = 0;
  // Answers reach every page that shows the widget: the ids of two of them must not meet.
  #name = Math.random().toString(36).slice(2, 10);

  /** The hub of a model; throws an Error that can be shown if its graph cannot be read. */
  static of(model: WidgetModel): WidgetSession {
    const bytes = model.get("_graph");
    const key = typeof bytes === "object" && bytes !== null ? bytes : null;
    const known = key && hubs.get(key);
    if (known) return known;
    const session = new WidgetSession(bytes);
    if (key) hubs.set(key, session);
    return session;
  }

  private constructor(bytes: unknown) {
    this.#bytes = bytes;
    this.#graph = decodeGraph(bytesOf(bytes));
  }

  get graph(): GraphData {
    return this.#graph;
  }

  /** The graph of the model, which may be another state of it by now; throws an Error if it cannot be read. */
  sync(model: WidgetModel): GraphData {
    const bytes = model.get("_graph");
    if (bytes === this.#bytes || bytes == null) return this.#graph;
    this.#graph = decodeGraph(bytesOf(bytes));
    this.#bytes = bytes;
    this.#newest = null;
    if (typeof bytes === "object") hubs.set(bytes, this);
    return this.#graph;
  }

  /** The newest frame that was seen, even if the model keeps no other. */
  get newest(): Frame | null {
    return this.#newest;
  }

  /** The newest frame, be it of the stream or the one that the model keeps. */
  latest(model: WidgetModel): Frame | null {
    const kept = this.kept(model);
    if (kept && isNewer(kept, this.#newest)) this.#newest = kept;
    return this.#newest;
  }

  /** The frame the model keeps; throws if it is not one. */
  kept(model: WidgetModel): Frame | null {
    const bytes = bytesOf(model.get("_frame"));
    return bytes.length ? decodeFrame(bytes, this.graph.nodes) : null;
  }

  /** Listens through this model, or through another one that joined before. Returns how to leave. */
  join(model: WidgetModel): () => void {
    this.#models.push(model);
    if (this.#models.length === 1) this.#listen(model);
    return () => {
      const at = this.#models.indexOf(model);
      if (at < 0) return;
      this.#models.splice(at, 1);
      if (at > 0) return;
      model.off("msg:custom", this.#receive);
      model.off("comm_live_update", this.#doubt);
      if (this.#models[0]) this.#listen(this.#models[0]);
    };
  }

  #listen(model: WidgetModel): void {
    model.on("msg:custom", this.#receive);
    model.on("comm_live_update", this.#doubt); // of Jupyter; other hosts have no such thing
  }

  /** Something happened to the connection: whoever answers is there. */
  #doubt = (): void => {
    // Where it was lost already, the question or its answer may have been lost with it.
    if (!(this.connected || this.lost) || !this.#models[0]) return;
    this.connected = false;
    this.lost = true;
    this.#settle();
    for (const heard of this.#heard) heard();
    this.command(this.#models[0], "ready").catch(() => {}); // an answer is heard like any other message
  };

  /** Answers were lost: what became of a command is told by the state that follows, and what was to be brought is not. */
  #settle(): void {
    for (const { name, resolve, reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      if (PATIENT.includes(name)) reject(new Error("the connection was lost meanwhile; please try again"));
      else resolve(undefined);
    }
    this.#waiting.clear();
  }

  /** Shows a view what comes in; `heard` is called when the kernel comes or goes. Returns how to end that. */
  show(view: GraphViewerApi, heard: () => void): () => void {
    this.#views.add(view);
    this.#heard.add(heard);
    return () => {
      this.#views.delete(view);
      this.#heard.delete(heard);
    };
  }

  /** How the run went, as far as the kernel keeps it. */
  async recording(model: WidgetModel): Promise<Recording> {
    return decodeRecording(bytesOf(await this.command(model, "recording")), this.graph.nodes);
  }

  /** Sends a command; rejects if the kernel refuses it or does not answer. */
  command(model: WidgetModel, name: string, more: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
    const id = `${this.#name}-${++this.#commands}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#waiting.delete(id);
          reject(new Error("the kernel does not answer"));
        },
        PATIENT.includes(name) ? PATIENT_TIME : ANSWER_TIME,
      );
      this.#waiting.set(id, { name, resolve, reject, timer });
      try {
        model.send({ ...more, kind: "command", id, name });
      } catch (error) {
        clearTimeout(timer);
        this.#waiting.delete(id);
        reject(new Error(sentenceOf(error)));
      }
    });
  }

  #receive = (message: unknown, buffers: unknown): void => {
    if (!this.connected) {
      this.connected = true;
      this.lost = false;
      for (const heard of this.#heard) heard();
    }
    const content = (typeof message === "object" && message !== null ? message : {}) as Record<string, unknown>;
    const { kind } = content;
    const buffer: unknown = Array.isArray(buffers) ? buffers[0] : undefined;
    if (kind === "frame") this.#frame(content.seq, buffer);
    else if (kind === "answer") this.#answer(content, buffer);
    else this.#warn(`The kernel sent a message that this viewer does not know: ${String(kind).slice(0, 60)}.`);
  };

  #frame(seq: unknown, buffer: unknown): void {
    let frame: Frame | null = null;
    let problem = "";
    try {
      if (this.#models[0]) this.sync(this.#models[0]); // a view may not have looked at another graph yet
      frame = decodeFrame(bytesOf(buffer), this.#graph.nodes);
    } catch (error) {
      problem = sentenceOf(error);
    }
    // Before anything is drawn: the answer sets the pace of the stream, not the speed of this machine's graphics. A
    // frame without a number wants none, unless there is something to say.
    try {
      if (seq !== 0 || problem)
        this.#models[0]?.send(problem ? { kind: "ack", seq, error: problem } : { kind: "ack", seq });
    } catch {
      // Whoever sent the frame is gone; it can be shown all the same.
    }
    if (!frame) {
      this.#warn(`A frame was refused. ${problem}`);
      return;
    }
    this.#newest = frame;
    // Of several between two pictures the scene draws only the newest.
    for (const view of this.#views) view.frame(frame);
  }

  #answer({ id, error, result }: Record<string, unknown>, buffer: unknown): void {
    const waiting = this.#waiting.get(String(id));
    if (!waiting) return; // of another page, or too late
    this.#waiting.delete(String(id));
    clearTimeout(waiting.timer);
    if (error === undefined || error === null) waiting.resolve(buffer === undefined ? result : bytesOf(buffer));
    else waiting.reject(new Error(String(error)));
  }

  #warn(message: string): void {
    for (const view of this.#views) view.warn(message);
  }
}
