// Stand-ins for what jsdom lacks: a scene that remembers what it was told, and small graphs.

import { vi } from "vitest";
import type {
  CameraPlace,
  ClassColumn,
  Column,
  Frame,
  GraphData,
  RunStatus,
  Texts,
  ValueColumn,
} from "../src/data/types.js";
import type { CameraApi, SceneApi } from "../src/scene/types.js";
import type { ViewerData } from "../src/store/api.js";
import { INITIAL } from "../src/store/state.js";

// jsdom has canvases without anything to draw on, and complains when asked.
if (typeof HTMLCanvasElement !== "undefined") HTMLCanvasElement.prototype.getContext = () => null;

export const EVIL = "<img src=x onerror=alert(1)>";

export const textsOf = (values: readonly string[]): Texts => ({ length: values.length, at: (node) => values[node] });

export function classColumn(labels: readonly (string | null)[], key = "a:class", colored = 2): ClassColumn {
  const known = [...new Set(labels.filter((label) => label !== null))];
  const colors = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"];
  return {
    key,
    name: key.replace("a:", ""),
    kind: "classes",
    codes: Uint8Array.from(labels, (label) => (label === null ? known.length : known.indexOf(label))),
    categories: known.map((label, at) => ({
      label,
      color: at < colored ? colors[at] : null,
      count: labels.filter((other) => other === label).length,
    })),
  };
}

export function valueColumn(values: readonly number[], key = "a:value"): ValueColumn {
  const finite = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  return {
    key,
    name: key.replace("a:", ""),
    kind: "values",
    values: Float64Array.from(values),
    low,
    high,
    scale: [low, high],
    whole: finite.every(Number.isInteger),
  };
}

export function graphOf(
  names: readonly string[],
  columns: readonly Column[] = [],
  pairs: readonly number[] = [],
): GraphData {
  return {
    nodes: names.length,
    edges: pairs.length / 2,
    pairs: Uint32Array.from(pairs),
    directed: false,
    edgeColumns: [],
    names: textsOf(names),
    columns,
    colormap: ["#440154", "#21918c", "#fde725"],
    other: "#B8B8B8",
    missing: "#DADADA",
    plain: "#0072B2",
    notes: [],
  };
}

export function frameOf(nodes: number, part: Partial<Frame> = {}): Frame {
  const positions = Float32Array.from({ length: 2 * nodes }, (_, at) => at);
  return { nodes, seq: 1, iteration: 10, phase: 1, kl: 2, exaggeration: 1, run: 1, positions, ...part };
}

export function statusOf(part: Partial<RunStatus> = {}): RunStatus {
  return {
    state: "running",
    message: "",
    run: 1,
    iteration: 10,
    total: 750,
    phase: "optimization",
    kl: null,
    statusText: "",
    history: [],
    steerable: true,
    external: false,
    gone: false,
    shots: 0,
    dimension: 0,
    update: "",
    ...part,
  };
}

export function dataOf(part: Partial<ViewerData> = {}): ViewerData {
  const graph =
    part.graph ??
    graphOf(["ann", EVIL, "bob"], [classColumn(["x", EVIL, "x"]), valueColumn([1, 2, Number.NaN])], [0, 1, 1, 2]);
  return {
    graph,
    extra: [],
    frame: frameOf(graph.nodes),
    status: statusOf(),
    ...INITIAL,
    color: "a:class",
    view: null,
    events: [],
    theme: "light",
    height: 400,
    rotation: null,
    ...part,
  };
}

export interface FakeScene extends SceneApi {
  /** What `pick`, `pickEdge` and `within` find. */
  under: number;
  underEdge: number;
  inside: Uint32Array;
  flags: Uint8Array;
  colors: Uint8Array;
  destroyed: number;
  /** Calls the listeners of a draw. */
  drawn(): void;
}

export const scenes: FakeScene[] = [];

/** A camera that is where it was told to be; a fit makes it follow. */
function fakeCamera(): CameraApi {
  let place: CameraPlace | null = null;
  const stay = (): void => void (place ??= { center: [0, 0], span: 10 });
  return {
    get following() {
      return place === null;
    },
    get place() {
      return place;
    },
    scale: 1,
    zoom: 1,
    toScreen: (x, y) => [x, -y],
    toWorld: (left, top) => [left, -top],
    panBy: vi.fn(() => {
      stay();
      place = { center: [place!.center[0] + 1, 0], span: place!.span };
    }),
    zoomBy: vi.fn((factor: number) => {
      stay();
      place = { center: place!.center, span: place!.span / factor };
    }),
    fit: vi.fn(() => void (place = null)),
    reserve: vi.fn(),
    flyTo: vi.fn(() => void (place = { center: [0.5, 0.5], span: 1 })),
    moveTo: vi.fn((to: CameraPlace | null) => void (place = to)),
  };
}

export function createScene(el: HTMLElement, nodes: number, pairs: Uint32Array): FakeScene {
  const canvas = document.createElement("canvas");
  el.prepend(canvas);
  const listeners = new Set<() => void>();
  const scene: FakeScene = {
    canvas,
    camera: fakeCamera(),
    info: { backend: "webgl2", reason: "", software: false, mostEdges: Infinity, mostStyled: 100_000 },
    placed: true,
    positions: new Float32Array(2 * nodes),
    under: -1,
    underEdge: -1,
    inside: new Uint32Array(0),
    flags: new Uint8Array(nodes),
    colors: new Uint8Array(0),
    destroyed: 0,
    drawn: () => listeners.forEach((listener) => listener()),
    setPositions: vi.fn(),
    moveNodes: vi.fn(),
    present: vi.fn(),
    steady: false,
    setColors: (rgba) => void (scene.colors = rgba),
    setRadii: vi.fn(),
    setOrder: vi.fn(),
    setFlags: (flags) => void (scene.flags = flags.slice()),
    setEdgesVisible: vi.fn(),
    setSceneColors: vi.fn(),
    setEdgeLooks: vi.fn(),
    raiseEdgesOf: vi.fn(),
    raiseEdge: vi.fn(),
    raiseEdges: vi.fn(),
    pickEdge: vi.fn(() => scene.underEdge),
    pick: vi.fn(() => scene.under),
    within: vi.fn(() => scene.inside),
    edgesOf: (node) => {
      const edges = Array.from({ length: pairs.length / 2 }, (_, k) => k);
      return Uint32Array.from(edges.filter((k) => pairs[2 * k] === node || pairs[2 * k + 1] === node));
    },
    neighborsOf: (node) => {
      const found = new Set<number>();
      for (let k = 0; k < pairs.length; k += 2) {
        if (pairs[k] === node) found.add(pairs[k + 1]);
        if (pairs[k + 1] === node) found.add(pairs[k]);
      }
      return Uint32Array.from(found);
    },
    radiusOf: () => 3,
    boundsOf: () => ({ left: 0, bottom: 0, right: 1, top: 1 }),
    onDraw: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    toBlob: () => Promise.resolve(new Blob()),
    invalidate: vi.fn(),
    destroy: () => {
      scene.destroyed++;
      canvas.remove();
    },
  };
  scenes.push(scene);
  return scene;
}

export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));

export function pointer(type: string, left: number, top: number, more: PointerEventInit = {}): Event {
  return new PointerEvent(type, {
    clientX: left,
    clientY: top,
    bubbles: true,
    cancelable: true,
    pointerId: 1,
    pointerType: "mouse",
    ...more,
  });
}

/** Counts the listeners that are added to everything and not removed again. */
export function countListeners(): { open(): number; restore(): void } {
  const held = new Set<string>();
  let ids = 0;
  const named = new WeakMap<object, number>();
  const nameOf = (thing: object): number => {
    if (!named.has(thing)) named.set(thing, ++ids);
    return named.get(thing)!;
  };
  const key = (target: object, type: string, handler: object, options: unknown): string =>
    `${nameOf(target)} ${type} ${nameOf(handler)} ${Boolean((options as AddEventListenerOptions | undefined)?.capture)}`;
  const add = vi.spyOn(EventTarget.prototype, "addEventListener");
  const remove = vi.spyOn(EventTarget.prototype, "removeEventListener");
  const [reallyAdd, reallyRemove] = [add.getMockImplementation(), remove.getMockImplementation()];
  add.mockImplementation(function (this: EventTarget, type, handler, options) {
    if (handler) held.add(key(this ?? window, type, handler, options));
    return reallyAdd?.call(this, type, handler, options);
  });
  remove.mockImplementation(function (this: EventTarget, type, handler, options) {
    if (handler) held.delete(key(this ?? window, type, handler, options));
    return reallyRemove?.call(this, type, handler, options);
  });
  return {
    open: () => held.size,
    restore: () => {
      add.mockRestore();
      remove.mockRestore();
    },
  };
}
