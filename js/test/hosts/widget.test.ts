// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import widget from "../../src/hosts/widget.js";
import { bytesOf, WidgetSession } from "../../src/hosts/widget-session.js";
import { readStatus } from "../../src/protocol/settings.js";
import { nextFrame, pointer, scenes, statusOf } from "../fakes.js";

vi.mock("../../src/scene/scene.js", () => import("../fakes.js"));

/** A graph of n nodes on a line, as Python writes it. */
function graphBytes(n = 3): Uint8Array {
  const pairs = Uint32Array.from({ length: 2 * (n - 1) }, (_, at) => (at + 1) >> 1);
  const header = {
    nodes: n,
    edges: n - 1,
    pairs: { at: 0, dtype: "u4", length: pairs.length },
    names: null,
    columns: [],
    colormap: Array<string>(64).fill("#440154"),
    other: "#B8B8B8",
    missing: "#DADADA",
    plain: "#0072B2",
    notes: [],
  };
  let json = JSON.stringify(header);
  json = json.padEnd(Math.ceil((8 + json.length) / 8) * 8 - 8);
  const bytes = new Uint8Array(8 + json.length + Math.ceil(pairs.byteLength / 8) * 8);
  bytes.set(new TextEncoder().encode("GNG1"));
  new DataView(bytes.buffer).setUint32(4, json.length, true);
  bytes.set(new TextEncoder().encode(json), 8);
  bytes.set(new Uint8Array(pairs.buffer), 8 + json.length);
  return bytes;
}

function frameBytes(iteration: number, n = 3, x = 1): DataView {
  // Somewhere in the middle of a message, as in Jupyter.
  const view = new DataView(new ArrayBuffer(64 + 8 * n), 16, 32 + 8 * n);
  [..."GNF1"].forEach((letter, at) => view.setUint8(at, letter.charCodeAt(0)));
  view.setUint32(4, n, true);
  view.setUint32(12, iteration, true);
  view.setFloat32(20, 1.5, true);
  view.setUint32(28, 1, true);
  for (let k = 0; k < 2 * n; k++) view.setFloat32(32 + 4 * k, x, true);
  return view;
}

/** What is said about nodes in a state of the graph, as Python writes it. */
function tagged(version: number, array: Uint8Array | Uint32Array = new Uint8Array(0)): DataView {
  const bytes = new Uint8Array(4 + array.byteLength);
  bytes.set(new Uint8Array(Uint32Array.of(version).buffer));
  bytes.set(new Uint8Array(array.buffer), 4);
  return new DataView(bytes.buffer);
}

type Listener = (...args: unknown[]) => void;

class FakeKernel {
  state: Record<string, unknown> = {
    _graph: new DataView(graphBytes().buffer),
    _extra: new DataView(new ArrayBuffer(0)),
    _frame: frameBytes(0),
    _selected: tagged(0),
    _status: statusOf(),
    color: "",
    size: "",
    label: "",
    edges: true,
    exaggeration: 1,
    theme: "light",
    height: 400,
  };
  /** As before the last change, which models remember. */
  before: Record<string, unknown> = {};
  sent: Record<string, unknown>[] = [];
  saved: Record<string, unknown>[] = [];
  listeners = new Map<string, Set<Listener>>();
  #dirty = new Set<string>();

  /** Hosts hand out another proxy every time. */
  proxy() {
    return {
      get: (name: string) => this.state[name],
      set: (name: string, value: unknown, options?: { silent: boolean }) => {
        this.before = { ...this.state };
        this.state[name] = value;
        this.#dirty.add(name);
        if (!options?.silent) this.emit(`change:${name}`);
      },
      save_changes: () => {
        this.saved.push(Object.fromEntries([...this.#dirty].map((name) => [name, this.state[name]])));
        this.#dirty.clear();
      },
      send: vi.fn((content: unknown) => void this.sent.push(content as Record<string, unknown>)),
      on: (name: string, callback: Listener) => {
        if (!this.listeners.has(name)) this.listeners.set(name, new Set());
        this.listeners.get(name)!.add(callback);
      },
      off: (name: string, callback: Listener) => this.listeners.get(name)?.delete(callback),
    };
  }

  emit(name: string, ...args: unknown[]): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener(...args);
  }

  message(content: unknown, buffers: unknown[] = []): void {
    this.emit("msg:custom", content, buffers);
  }

  update(part: Record<string, unknown>): void {
    Object.assign(this.state, part);
    for (const name of Object.keys(part)) this.emit(`change:${name}`);
  }

  /** What the kernel says of a value that it was sent; as in Jupyter, only another value is a change. */
  echo(part: Record<string, unknown>): void {
    const text = (value: unknown): string =>
      JSON.stringify(ArrayBuffer.isView(value) ? [...bytesOf(value)] : (value ?? null));
    const changed = Object.entries(part).filter(([name, value]) => text(value) !== text(this.state[name]));
    this.update(Object.fromEntries(changed));
  }

  of(kind: string) {
    return this.sent.filter((message) => message.kind === kind);
  }

  get listening(): number {
    return [...this.listeners.values()].reduce((sum, set) => sum + set.size, 0);
  }
}

let kernel: FakeKernel;
let closers: (() => void)[];

const render = (el = document.createElement("div")) => {
  document.body.append(el);
  const close = widget.render({ model: kernel.proxy(), el });
  closers.push(close);
  return {
    el,
    close,
    scene: scenes.at(-1)!,
    find: <E extends HTMLElement>(selector: string) => el.querySelector<E>(selector)!,
  };
};
const initialize = () => widget.initialize({ model: kernel.proxy() }) as () => void;

beforeEach(() => {
  kernel = new FakeKernel();
  closers = [];
});

afterEach(() => {
  for (const close of closers) close();
  document.body.replaceChildren();
  scenes.length = 0;
  vi.useRealTimers();
});

describe("frames", () => {
  it("acknowledges each once, however many views there are, and shows it in all", () => {
    initialize();
    const one = render();
    const two = render();
    kernel.message({ kind: "frame", seq: 7 }, [frameBytes(10)]);
    expect(kernel.of("ack")).toEqual([{ kind: "ack", seq: 7 }]);
    // The frame they began with, and this one.
    expect(one.scene.setPositions).toHaveBeenCalledTimes(2);
    expect(two.scene.setPositions).toHaveBeenCalledTimes(2);
  });

  it("leaves nothing large in a model that is closed, which JupyterLab holds on to", () => {
    Object.assign(kernel.state, { _esm: "export default 1", _css: ".graphne{}" });
    initialize();
    const { el } = render();
    kernel.emit("destroy");
    for (const held of [kernel.state, kernel.before]) {
      expect([held._esm, held._css]).toEqual(["", ""]);
      for (const trait of ["_graph", "_extra", "_frame"]) expect((held[trait] as DataView).byteLength).toBe(0);
    }
    expect(kernel.saved).toEqual([]);
    expect(el.textContent).not.toContain("cannot be");
  });

  it("does not acknowledge what wants no answer, unless it was refused", () => {
    render();
    kernel.message({ kind: "frame", seq: 0 }, [frameBytes(10)]);
    expect(kernel.of("ack")).toEqual([]);
    kernel.message({ kind: "frame", seq: 0 }, [new DataView(new ArrayBuffer(4))]);
    expect(kernel.of("ack")).toEqual([{ kind: "ack", seq: 0, error: expect.any(String) }]);
  });

  it("acknowledges without any view, and shows what it kept to a late one", () => {
    initialize();
    kernel.message({ kind: "frame", seq: 1 }, [frameBytes(10, 3, 4)]);
    expect(kernel.of("ack")).toHaveLength(1);
    const { scene } = render();
    expect(vi.mocked(scene.setPositions).mock.lastCall![0][0]).toBe(4);
  });

  it("works in hosts that do not initialize, also after the first view is gone", () => {
    const one = render();
    render();
    kernel.message({ kind: "frame", seq: 1 }, [frameBytes(10)]);
    one.close();
    kernel.message({ kind: "frame", seq: 2 }, [frameBytes(20)]);
    expect(kernel.of("ack").map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("draws the newest of several between two pictures", async () => {
    const { scene } = render();
    for (let k = 1; k <= 5; k++) kernel.message({ kind: "frame", seq: k }, [frameBytes(10 * k, 3, k)]);
    await nextFrame();
    expect(vi.mocked(scene.setPositions).mock.lastCall![0][0]).toBe(5);
    expect(kernel.of("ack")).toHaveLength(5);
  });

  it.each<[string, unknown]>([
    ["DataView", frameBytes(10, 3, 2)],
    ["ArrayBuffer", bytesOf(frameBytes(10, 3, 2)).slice().buffer],
    ["Uint8Array", bytesOf(frameBytes(10, 3, 2))],
    ["base64", btoa(String.fromCharCode(...bytesOf(frameBytes(10, 3, 2))))],
  ])("reads a %s", async (_, buffer) => {
    const { scene } = render();
    kernel.message({ kind: "frame", seq: 1 }, [buffer]);
    await nextFrame();
    expect(Array.from(vi.mocked(scene.setPositions).mock.lastCall![0])).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it.each<[string, unknown]>([
    ["of another size", frameBytes(10, 4)],
    ["with NaN", frameBytes(10, 3, Number.NaN)],
    ["that is none", new DataView(new ArrayBuffer(40))],
    ["without bytes", undefined],
  ])("refuses a frame %s, answers so, and keeps the picture", async (_, buffer) => {
    const { scene, find } = render();
    kernel.message({ kind: "frame", seq: 3 }, [buffer]);
    await nextFrame();
    expect(kernel.of("ack")).toEqual([{ kind: "ack", seq: 3, error: expect.any(String) }]);
    expect(scene.setPositions).toHaveBeenCalledOnce();
    expect(find(".graphne-note").textContent).toContain("A frame was refused.");
  });

  it("warns of messages it does not know, and of things that are no messages", () => {
    const { find } = render();
    for (const message of [{ kind: "dance" }, null, "hello", 3]) expect(() => kernel.message(message)).not.toThrow();
    expect(find(".graphne-note").textContent).toContain("does not know");
  });

  it("does not go back to an older frame that the model keeps", async () => {
    const { scene } = render();
    kernel.message({ kind: "frame", seq: 1 }, [frameBytes(100, 3, 9)]);
    await nextFrame();
    kernel.update({ _frame: frameBytes(50, 3, 5) });
    await nextFrame();
    expect(vi.mocked(scene.setPositions).mock.lastCall![0][0]).toBe(9);
    kernel.update({ _frame: frameBytes(120, 3, 6) });
    await nextFrame();
    expect(vi.mocked(scene.setPositions).mock.lastCall![0][0]).toBe(6);
  });
});

describe("commands", () => {
  const answer = (at: number, more = {}): void =>
    kernel.message({ kind: "answer", id: kernel.of("command").at(at)!.id, ok: true, ...more });

  it("says that a view is there, and shows the run controls once the kernel is heard of", async () => {
    const { find } = render();
    expect(kernel.of("command")).toEqual([{ kind: "command", id: expect.any(String), name: "ready" }]);
    expect(find(".graphne-bar .graphne-group").hidden).toBe(true);
    answer(0);
    await nextFrame();
    expect(find(".graphne-bar .graphne-group").hidden).toBe(false);
  });

  it("matches answers, ignores those of other pages, and shows errors", async () => {
    const { find } = render();
    answer(0);
    await nextFrame();
    find("[aria-label=Pause]").click();
    expect(kernel.of("command").at(-1)!.name).toBe("pause");
    kernel.message({ kind: "answer", id: "other-1", error: "not ours" });
    expect(document.querySelector(".graphne-note")).toBeNull();
    answer(-1, { error: "nothing is running" });
    await vi.waitFor(() => expect(find(".graphne-note").textContent).toBe("nothing is running"));
  });

  it("offers no controls once the kernel is gone, and offers them again when one answers", async () => {
    kernel.state._status = { ...statusOf(), state: "running", steerable: true };
    const { find } = render();
    answer(0);
    await nextFrame();
    kernel.emit("comm_live_update");
    await nextFrame();
    expect(find(".graphne-bar .graphne-group").hidden).toBe(true);
    expect(find(".graphne-phase").textContent).toBe("Stopped");
    expect(kernel.of("command").at(-1)!.name).toBe("ready");
    answer(-1);
    await nextFrame();
    expect(find(".graphne-bar .graphne-group").hidden).toBe(false);
    expect(find(".graphne-phase").textContent).not.toBe("Stopped");
  });

  it("asks again when the connection was lost once more, and waits for no answer that was lost with it", async () => {
    kernel.state._status = { ...statusOf(), state: "running", steerable: true };
    const { find } = render();
    answer(0);
    await nextFrame();
    const pause = find('.graphne-button[aria-label="Pause"]');
    pause.click();
    expect(pause.getAttribute("aria-disabled")).toBe("true");
    kernel.emit("comm_live_update");
    kernel.emit("comm_live_update");
    expect(kernel.of("command").map(({ name }) => name)).toEqual(["ready", "pause", "ready", "ready"]);
    answer(-1);
    await nextFrame();
    expect(find(".graphne-bar .graphne-group").hidden).toBe(false);
    expect(pause.getAttribute("aria-disabled")).toBe("false");
  });

  it("gives up after 15 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { find } = render();
    answer(0);
    await Promise.resolve();
    find("[aria-label=Pause]").click();
    await vi.advanceTimersByTimeAsync(15_100);
    expect(find(".graphne-note").textContent).toBe("the kernel does not answer");
  });

  it("says what is wrong when sending fails", async () => {
    const proxy = kernel.proxy();
    proxy.send.mockImplementation(() => {
      throw new Error("the comm is closed");
    });
    const el = document.createElement("div");
    closers.push(widget.render({ model: proxy, el }));
    kernel.message({ kind: "answer", id: "x" });
    await nextFrame();
    el.querySelector<HTMLElement>("[aria-label=Pause]")!.click();
    await vi.waitFor(() => expect(el.querySelector(".graphne-note")!.textContent).toBe("the comm is closed"));
  });
});

describe("traits", () => {
  it("shows what the kernel changes, together, and sends nothing back", async () => {
    const { scene } = render();
    const before = kernel.saved.length;
    kernel.update({ edges: false, exaggeration: 4, _selected: tagged(0, Uint32Array.of(0, 2)), height: 300 });
    await nextFrame();
    expect(scene.setEdgesVisible).toHaveBeenLastCalledWith(false);
    expect(Array.from(scene.flags)).toEqual([4, 2, 4]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(kernel.saved.length).toBe(before);
  });

  it("saves menus at once, and the slider and the selection after a pause", async () => {
    const { find } = render();
    find("[aria-label=Edges]").click();
    expect(kernel.saved).toEqual([{ edges: false }]);
    const slider = find<HTMLInputElement>("[aria-label^=Attraction]");
    for (const step of ["300", "600", "1000"]) {
      slider.value = step;
      slider.dispatchEvent(new Event("input"));
    }
    expect(kernel.saved).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(kernel.saved.slice(1)).toEqual([{ exaggeration: 30 }]);
  });

  it("saves what is pending before a command", () => {
    const { find } = render();
    find<HTMLElement>(".graphne-mark:nth-child(2)").click();
    expect(kernel.saved).toEqual([]);
    find("[aria-label=Stop]").click();
    expect(kernel.saved).toEqual([{ exaggeration: 4 }]);
  });

  it("saves what is pending when a view closes", () => {
    const { find, close } = render();
    find<HTMLElement>(".graphne-mark:nth-child(2)").click();
    close();
    expect(kernel.saved).toEqual([{ exaggeration: 4 }]);
  });

  it("shows a change made in one view in the other", async () => {
    const one = render();
    const two = render();
    one.find("[aria-label=Edges]").click();
    await nextFrame();
    expect(two.scene.setEdgesVisible).toHaveBeenLastCalledWith(false);
    expect(kernel.saved).toHaveLength(1);
  });

  it("reports a trait that cannot be read and keeps the last good state", async () => {
    const { scene, find } = render();
    kernel.update({ _selected: tagged(0, Uint32Array.of(99)), edges: false });
    await nextFrame();
    expect(find(".graphne-note").textContent).toContain("selection");
    expect(scene.setEdgesVisible).toHaveBeenLastCalledWith(false);
    kernel.update({ _extra: new DataView(new ArrayBuffer(5)) });
    await nextFrame();
    expect(el(find)).toBeTruthy();
  });

  const el = (find: (selector: string) => HTMLElement): HTMLElement => find(".graphne-surface");

  it("says that a graph cannot be read instead of breaking", () => {
    kernel.state._graph = new DataView(new ArrayBuffer(3));
    expect(() => initialize()).not.toThrow();
    const target = document.createElement("div");
    const close = widget.render({ model: kernel.proxy(), el: target });
    expect(target.textContent).toContain("The graph cannot be shown");
    close();
    expect(target.children).toHaveLength(0);
  });

  it("shows how far a run had come when its kernel went away, until it is heard again", async () => {
    const { el, find } = render();
    kernel.message({ kind: "frame", seq: 1 }, [frameBytes(340)]);
    kernel.emit("comm_live_update");
    await nextFrame();
    expect(find(".graphne-phase").textContent).toBe("Stopped");
    expect(find(".graphne-iteration").textContent).toBe("340 / 750");
    expect(find(".graphne-note").textContent).toContain("The kernel is gone");
    // It was only the connection.
    kernel.message({ kind: "frame", seq: 2 }, [frameBytes(350)]);
    await nextFrame();
    expect(find(".graphne-phase").textContent).not.toBe("Stopped");
    expect(el.querySelector(".graphne-note")).toBeNull();
  });

  it("reads any status", () => {
    expect(readStatus(undefined, true)).toMatchObject({ state: "idle", steerable: false, history: [] });
    expect(
      readStatus({ state: "dancing", history: [[1, 2], "x", [1], [Number.NaN, 1]], kl: null, steerable: true }, true),
    ).toMatchObject({
      state: "idle",
      history: [[1, 2]],
      kl: null,
      steerable: true,
    });
    expect(readStatus({ steerable: true }, false).steerable).toBe(false);
  });
});

it("waits for a recording on a slow link, but not for a kernel that is gone", async () => {
  vi.useFakeTimers();
  try {
    const session = WidgetSession.of(kernel.proxy());
    const slow = session.recording(kernel.proxy()).catch((error: Error) => error.message);
    const dead = session.command(kernel.proxy(), "pause").catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await dead).toBe("the kernel does not answer");
    expect(await Promise.race([slow, Promise.resolve("waiting")])).toBe("waiting");
  } finally {
    vi.useRealTimers();
  }
});

describe("the end", () => {
  it("removes what it listens to; closing twice and by signal is fine", () => {
    const controller = new AbortController();
    const leave = initialize();
    const target = document.createElement("div");
    const close = widget.render({ model: kernel.proxy(), el: target, signal: controller.signal });
    expect(kernel.listening).toBeGreaterThan(10);
    controller.abort();
    close();
    close();
    expect(target.children).toHaveLength(0);
    expect(kernel.listening).toBe(3); // initialize's ear, for messages, the kernel's going and the model's end
    leave();
    expect(kernel.listening).toBe(0);
  });

  it("looks where the last view looked, with its tool, filters, legend and hidden nodes", async () => {
    kernel.state._view = {};
    kernel.state._hidden = tagged(0);
    kernel.state._invisible = tagged(0);
    const one = render();
    const press = (label: string): void => one.el.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.click();
    press("Lasso");
    press("Zoom in");
    one.close();
    expect(kernel.state._view).toEqual({
      version: 1,
      camera: { center: [0, 0], span: 10 / 1.5 },
      tool: "lasso",
      lens: false,
      filters: {},
      legend: { column: "", isolated: [], hidden: [] },
      table: null,
      timeline: null,
    });
    kernel.state._hidden = tagged(0, Uint8Array.of(0b10));
    const two = render();
    expect(two.scene.camera.place).toEqual({ center: [0, 0], span: 10 / 1.5 });
    expect(two.el.querySelector('[aria-label="Lasso"]')?.getAttribute("aria-pressed")).toBe("true");
    expect(two.el.querySelector(".graphne-facts")?.textContent).toContain("2 of 3 nodes shown");
    kernel.update({ _view: { version: 1, camera: { center: [3, 4], span: 2 } } });
    await Promise.resolve();
    expect(two.scene.camera.place).toEqual({ center: [3, 4], span: 2 });
    expect(two.el.querySelector('[aria-label="Move"]')?.getAttribute("aria-pressed")).toBe("true");
    two.close();
    expect(kernel.state._invisible).toEqual(tagged(0, Uint8Array.of(0b10)));
  });

  it("sets what the user does when it is sent: the echo of what was sent before undoes nothing", async () => {
    vi.useFakeTimers();
    kernel.state._view = {};
    const { el, scene, close } = render();
    const zoom = (): void => el.querySelector<HTMLElement>('[aria-label="Zoom in"]')?.click();
    const select = (node: number): void => {
      scene.under = node;
      el.querySelector(".graphne-surface")?.dispatchEvent(pointer("pointerdown", 9, 9, { shiftKey: true }));
      el.querySelector(".graphne-surface")?.dispatchEvent(pointer("pointerup", 9, 9, { shiftKey: true }));
    };
    zoom();
    select(0);
    await vi.advanceTimersByTimeAsync(200);
    const sent = Object.assign({}, ...kernel.saved) as Record<string, unknown>;
    expect(sent._selected).toEqual(tagged(0, Uint32Array.of(0)));
    zoom();
    select(2);
    kernel.echo({ _view: structuredClone(sent._view), _selected: sent._selected });
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.camera.place?.span).toBeCloseTo(10 / 1.5 ** 2);
    expect(el.querySelector(".graphne-facts")?.textContent).toContain("2 selected");
    vi.advanceTimersByTime(200);
    expect(kernel.saved.at(-1)).toMatchObject({ _view: { camera: { span: 10 / 1.5 ** 2 } } });
    expect(kernel.state._selected).toEqual(tagged(0, Uint32Array.of(0, 2)));
    close();
    vi.useRealTimers();
  });

  it("shows another state of the graph with what the kernel says of its nodes", async () => {
    initialize();
    render();
    const [first] = scenes.slice(-1);
    kernel.update({
      _graph: new DataView(graphBytes(5).buffer),
      _frame: frameBytes(0, 5, 2),
      _selected: tagged(1, Uint32Array.of(4)),
    });
    await nextFrame();
    const [second] = scenes.slice(-1);
    expect(first.destroyed).toBe(1);
    expect(second.setPositions).toHaveBeenLastCalledWith(new Float32Array(10).fill(2));
    expect(second.flags[4] & 4).toBe(4);
    kernel.message({ kind: "frame", seq: 1 }, [frameBytes(10, 5, 3)]);
    expect(second.setPositions).toHaveBeenLastCalledWith(new Float32Array(10).fill(3));
    expect(WidgetSession.of(kernel.proxy()).graph.nodes).toBe(5);
  });

  it("keeps what was selected a moment before another state of the graph came", async () => {
    initialize();
    const { el, scene } = render();
    scene.under = 2;
    for (const type of ["pointerdown", "pointerup"])
      el.querySelector(".graphne-surface")?.dispatchEvent(pointer(type, 9, 9));
    expect(bytesOf(kernel.state._selected)).toHaveLength(4); // the kernel has not heard of it
    kernel.update({ _graph: new DataView(graphBytes(5).buffer), _selected: tagged(3) });
    await nextFrame();
    expect(scenes.at(-1)!.flags[2] & 4).toBe(4);
    expect(kernel.state._selected).toEqual(tagged(3, Uint32Array.of(2)));
    expect(el.querySelector(".graphne-facts")?.textContent).toContain("1 selected");
  });
});
