// Binds the viewer to `graphne view`: what a notebook's model is, over two requests to the server that sent the page. One
// never ends and brings messages, the other takes them; docs of the format are in graphne_viz/viewer/transport/page_channel.py.

import { make } from "../dom/elements.js";
import { bytesOf, type WidgetModel } from "./widget-session.js";
import "../styles/page.css";
import widget from "./widget.js";

// biome-ignore lint/suspicious/noExplicitAny: the arguments differ from event to event.
type Callback = (...args: any[]) => void;
type Fields = Record<string, unknown>;
type Bytes = Uint8Array<ArrayBuffer>;

export interface Message {
  readonly data: Fields;
  readonly buffers: readonly Bytes[];
}

/** Pixels around the view. */
const MARGIN = 24;
const LEAST = 340;
/** Milliseconds before each attempt to reach the server again; after the last it counts as ended. */
const PATIENCE = [200, 500, 1000, 2000, 4000];

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A message as bytes: their number, that of the header, the header, the buffers. */
export function pack({ data, buffers }: Message): Bytes {
  const header = new TextEncoder().encode(JSON.stringify({ data, sizes: buffers.map(({ length }) => length) }));
  const size = buffers.reduce((sum, { length }) => sum + length, 4 + header.length);
  const bytes = new Uint8Array(4 + size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, size, true);
  view.setUint32(4, header.length, true);
  bytes.set(header, 8);
  let at = 8 + header.length;
  for (const buffer of buffers) {
    bytes.set(buffer, at);
    at += buffer.length;
  }
  return bytes;
}

/** Puts messages together from the pieces in which they arrive. Each gets memory of its own. */
export class Unpacker {
  #pieces: Uint8Array[] = [];
  #size = 0;

  /** Throws an Error if it is no message. */
  feed(piece: Uint8Array): Message[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    const found: Message[] = [];
    for (let message = this.#next(); message !== undefined; message = this.#next()) if (message) found.push(message);
    return found;
  }

  /** undefined until there is a whole message; null for an empty one, which only says that the server is there. */
  #next(): Message | null | undefined {
    if (this.#size < 4) return undefined;
    if (this.#pieces[0].length < 4) this.#join();
    const first = this.#pieces[0];
    const size = new DataView(first.buffer, first.byteOffset).getUint32(0, true);
    if (this.#size < 4 + size) return undefined;
    this.#join();
    const whole = this.#pieces[0];
    this.#pieces[0] = whole.subarray(4 + size);
    this.#size -= 4 + size;
    return size === 0 ? null : parse(whole.subarray(4, 4 + size));
  }

  #join(): void {
    if (this.#pieces.length === 1) return;
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [whole];
  }
}

function parse(bytes: Uint8Array): Message {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  if (!isFields(header) || !isFields(header.data) || !Array.isArray(header.sizes)) throw new Error("no message");
  let at = 4 + length;
  const buffers = header.sizes.map((size: unknown) => {
    const buffer = bytes.slice(at, at + Number(size));
    at += Number(size);
    return buffer;
  });
  return { data: header.data, buffers };
}

function sameBytes(one: unknown, other: unknown): boolean {
  const [a, b] = [bytesOf(one), bytesOf(other)];
  return a.length > 0 && a.length === b.length && a.every((byte, k) => byte === b[k]);
}

/** What the widget's model is in a notebook. */
export class ServedModel implements WidgetModel {
  #state = new Map<string, unknown>();
  #changed = new Set<string>();
  #own = new Map<string, unknown>();
  #listeners = new Map<string, Set<Callback>>();
  #post: (message: Message) => void;

  constructor(post: (message: Message) => void) {
    this.#post = post;
  }

  get(name: string): unknown {
    return this.#own.has(name) ? this.#own.get(name) : this.#state.get(name);
  }

  set(name: string, value: unknown): void {
    this.#state.set(name, value);
    this.#changed.add(name);
    this.emit(`change:${name}`);
  }

  /** Decides something here, whatever the server says. */
  own(name: string, value: unknown): void {
    this.#own.set(name, value);
    this.emit(`change:${name}`);
  }

  save_changes(): void {
    const state: Fields = {};
    const paths: string[][] = [];
    const buffers: Bytes[] = [];
    for (const name of this.#changed) {
      const value = this.#state.get(name);
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
        paths.push([name]);
        buffers.push(bytesOf(value).slice());
      } else {
        state[name] = value;
      }
    }
    this.#changed.clear();
    if (Object.keys(state).length || paths.length) {
      this.#post({ data: { method: "update", state, buffer_paths: paths }, buffers });
    }
  }

  send(content: unknown): void {
    this.#post({ data: { method: "custom", content }, buffers: [] });
  }

  on(name: string, callback: Callback): void {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(callback));
  }

  off(name: string, callback: Callback): void {
    this.#listeners.get(name)?.delete(callback);
  }

  emit(name: string, ...args: unknown[]): void {
    for (const callback of [...(this.#listeners.get(name) ?? [])]) callback(...args);
  }

  /** Takes a message of the server. */
  receive({ data, buffers }: Message): void {
    if (data.method === "custom") {
      this.emit("msg:custom", data.content, [...buffers]);
      return;
    }
    const state = new Map(Object.entries(isFields(data.state) ? data.state : {}));
    const paths = Array.isArray(data.buffer_paths) ? data.buffer_paths : [];
    // All bytes of ours are traits themselves, none is inside of another.
    paths.forEach((path: unknown, k) =>
      state.set(String(Array.isArray(path) ? path[0] : path), new DataView(buffers[k].buffer)),
    );
    // The bytes of a graph are what all views of it know each other by: the same again, as after a connection was
    // lost, are no other ones.
    if (sameBytes(this.#state.get("_graph"), state.get("_graph"))) state.delete("_graph");
    for (const [name, value] of state) this.#state.set(name, value);
    for (const name of state.keys()) this.emit(`change:${name}`);
  }
}

const later = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Shows the graph of the server that sent this page, until it ends. */
export async function start(place: HTMLElement): Promise<void> {
  const page = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const headers = { "X-Graphne-Page": page, "Content-Type": "application/octet-stream" };
  let [number, ended] = [0, false];
  // One that is lost on its way is sent again; where only the answer was lost, the server knows it by its number.
  const deliver = async (body: Bytes, numbered: Record<string, string>): Promise<void> => {
    for (const pause of [...PATIENCE, 0]) {
      if (ended) return;
      try {
        await fetch("message", { method: "POST", body, headers: numbered });
        return;
      } catch {
        await later(pause);
      }
    }
  };
  let last: Promise<void> = Promise.resolve();
  // One after the other, so that they arrive in order.
  const post = (message: Message): void => {
    const body = pack(message);
    const numbered = { ...headers, "X-Graphne-Number": String(++number) };
    last = last.then(() => deliver(body, numbered));
  };
  const model = new ServedModel(post);
  const trouble = make("p", "graphne-trouble");
  const fit = (): void => model.own("height", Math.max(LEAST, window.innerHeight - MARGIN - trouble.offsetHeight));
  let shown = false;

  const listen = async (): Promise<void> => {
    await last; // the server begins with all that it knows, and has to know what is still on its way
    const answer = await fetch("events", { headers, cache: "no-store" });
    if (!answer.ok || !answer.body) throw new Error(`the server answers ${answer.status}`);
    const reader = answer.body.getReader();
    const unpacker = new Unpacker();
    trouble.remove();
    if (shown) model.emit("comm_live_update");
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const message of unpacker.feed(read.value)) {
        model.receive(message);
        attempts = 0;
        if (shown) continue;
        shown = true;
        fit();
        widget.initialize({ model });
        widget.render({ model, el: place });
      }
    }
  };

  // The page around the view has its theme, too.
  model.on("change:theme", () => {
    const { dataset } = document.documentElement;
    const theme = model.get("theme");
    if (theme === "light" || theme === "dark") dataset.theme = theme;
    else delete dataset.theme;
  });
  let attempts = 0;
  window.addEventListener("resize", fit);
  while (attempts < PATIENCE.length) {
    try {
      await listen();
    } catch {
      // It is tried again, and said below if that is in vain.
    }
    await later(PATIENCE[attempts++]);
  }
  ended = true;
  trouble.textContent = "graphne view has ended. Its last picture stays, but can no longer be steered.";
  place.before(trouble);
  fit();
  if (shown) model.emit("comm_live_update");
}

const place = document.getElementById("graphne-view");
if (place) void start(place);
