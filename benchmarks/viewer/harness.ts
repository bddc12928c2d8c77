// Streams positions into a library and times all of its JavaScript on the main thread.
//
// To be imported before the library: animation frames, timers and contexts must go through here from the beginning.

export interface Graph {
  readonly nodes: number;
  /** Ends of the edges, interleaved. */
  readonly pairs: Uint32Array;
  /** The same graph in the viewer's own format. */
  readonly bytes: DataView;
  /** x and y interleaved; what to begin with. */
  readonly positions: Float32Array;
}

export interface Library {
  /** Animation frames from an update to its picture. */
  readonly frames: number;
  start(el: HTMLDivElement, graph: Graph): void | Promise<void>;
  /** Takes new positions, as the message that carries them or as they are. */
  update(message: DataView, positions: Float32Array): void;
}

/** Milliseconds. */
interface Sample {
  /** Within the call that hands over the positions. */
  readonly call: number;
  /** That and the animation frames until they are drawn. */
  readonly drawn: number;
  /** Everything until the next update, later frames of a move included. */
  readonly all: number;
  /** Animation frames with work in them. */
  readonly frames: number;
}

const HEADER = 32;
/** Updates in a turn, however long they take. */
const LEAST = 2;
const now = (): number => performance.now();
const nextFrame = window.requestAnimationFrame.bind(window);
const later = window.setTimeout.bind(window);
const sleep = (time: number): Promise<void> => new Promise((resolve) => later(resolve, time));

// Work is counted wherever a library may do it.
let spent = 0;
function timed(work: () => unknown): void {
  const begun = now();
  try {
    work();
  } finally {
    spent += now() - begun;
  }
}

window.setTimeout = ((work: unknown, time?: number, ...rest: unknown[]) =>
  later(() => timed(() => (work as (...values: unknown[]) => void)(...rest)), time)) as typeof window.setTimeout;

// A closed gate holds the animation frames back: libraries that draw all the time rest while others have their turn.
const waiting = new Map<number, FrameRequestCallback>();
let ids = 0;
let open = true;
let armed = false;
let frames = 0;
let drawn: number[] = [];

function arm(): void {
  if (armed || !open || waiting.size === 0) return;
  armed = true;
  nextFrame((time) => {
    armed = false;
    if (!open) return;
    for (const id of [...waiting.keys()]) {
      const work = waiting.get(id);
      waiting.delete(id);
      if (work) timed(() => work(time));
    }
    frames++;
    drawn.push(spent);
    arm();
  });
}

window.requestAnimationFrame = (work) => {
  waiting.set(++ids, work);
  arm();
  return ids;
};
window.cancelAnimationFrame = (id) => void waiting.delete(id);

const contexts = new Set<WebGL2RenderingContext>();
const getContext = HTMLCanvasElement.prototype.getContext as (this: HTMLCanvasElement, ...rest: unknown[]) => RenderingContext | null;
(HTMLCanvasElement.prototype as { getContext: unknown }).getContext = function (this: HTMLCanvasElement, ...rest: unknown[]) {
  const context = getContext.apply(this, rest);
  if (context instanceof WebGL2RenderingContext) contexts.add(context);
  return context;
};

// What a software renderer draws with would be taken from the thread that is timed, so drawing can be left out: the
// libraries make the same calls, which end here.
let drawing = true;
const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...rest: unknown[]) => void>;
for (const name of ["drawArrays", "drawElements", "drawRangeElements", "drawArraysInstanced", "drawElementsInstanced"]) {
  const draw = prototype[name];
  prototype[name] = function (...rest) {
    if (drawing) draw.apply(this, rest);
  };
}

/** Until all that was asked of the graphics card is done: the next update shall not wait for it. */
async function drawnOut(): Promise<void> {
  for (const gl of contexts) {
    const fence = gl.isContextLost() ? null : gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) continue;
    gl.flush();
    while (!gl.isContextLost() && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) await sleep(4);
    gl.deleteSync(fence);
  }
}

/** A frame as JupyterLab hands it over: in a buffer of its own. */
function messageOf(positions: Float32Array, update: number): DataView {
  const bytes = new Uint8Array(HEADER + positions.byteLength);
  bytes.set(new TextEncoder().encode("GNF1"));
  bytes.set(new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength), HEADER);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, positions.length / 2, true);
  view.setUint32(8, update, true);
  view.setUint32(12, 10 * update, true);
  view.setUint8(16, 2);
  view.setFloat32(20, 2 + 3 / update, true);
  view.setFloat32(24, 1, true);
  view.setUint32(28, 1, true);
  return view;
}

class Bench {
  /** What the last order came to; null while it is being carried out. */
  outcome: { samples?: Sample[]; error?: string } | null = null;
  #library: Library;
  #frames: Float32Array[] = [];
  #updates = 0;

  constructor(library: Library) {
    this.#library = library;
  }

  start(folder: string, draw: boolean): void {
    this.#carryOut(async () => {
      drawing = draw;
      const [bytes, pairs, all] = await Promise.all(["graph", "pairs", "frames"].map(async (name) => (await fetch(`${folder}/${name}`)).arrayBuffer()));
      const nodes = Number(folder.split("/").at(-1));
      for (let at = 0; at < all.byteLength; at += 8 * nodes) this.#frames.push(new Float32Array(all, at, 2 * nodes));
      const graph = { nodes, pairs: new Uint32Array(pairs), bytes: new DataView(bytes), positions: this.#frames[0] };
      await this.#library.start(document.querySelector<HTMLDivElement>("#view")!, graph);
      await sleep(500);
      open = false;
      await drawnOut();
      return [];
    });
  }

  /** So many updates, or fewer if they take longer than `limit`; `gap` apart at least; all in milliseconds. */
  run(count: number, gap: number, limit: number, draw: boolean): void {
    this.#carryOut(async () => {
      drawing = draw;
      const samples: Sample[] = [];
      const begun = now();
      while (samples.length < count && (samples.length < LEAST || now() - begun < limit)) samples.push(await this.#update(gap));
      return samples;
    });
  }

  async #update(gap: number): Promise<Sample> {
    const positions = this.#frames[++this.#updates % this.#frames.length];
    const message = messageOf(positions, this.#updates);
    open = true;
    const begun = now();
    // In a task of its own, as a message comes: the browser's account of scripts leaves out what follows a promise.
    const call = await new Promise<number>((resolve, reject) =>
      later(() => {
        try {
          // From here on: a frame of the last move may have come in between.
          spent = frames = 0;
          drawn = [];
          timed(() => this.#library.update(message, positions));
          resolve(spent);
        } catch (error) {
          reject(error);
        }
      }, 0),
    );
    arm();
    while (frames < this.#library.frames || now() - begun < gap) await sleep(Math.max(1, begun + gap - now()));
    open = false;
    await drawnOut();
    return { call, drawn: drawn[this.#library.frames - 1] ?? spent, all: spent, frames };
  }

  #carryOut(order: () => Promise<Sample[]>): void {
    this.outcome = null;
    order().then(
      (samples) => (this.outcome = { samples }),
      (error: unknown) => (this.outcome = { error: String(error) }),
    );
  }
}

export function offer(library: Library): void {
  (window as unknown as { bench: Bench }).bench = new Bench(library);
}
