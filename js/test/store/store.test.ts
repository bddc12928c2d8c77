import { describe, expect, it, vi } from "vitest";
import { History } from "../../src/store/history.js";
import { type Action, reduce } from "../../src/store/reduce.js";
import { fromJson, toJson } from "../../src/store/serialize.js";
import { INITIAL, legendOf, same, type ViewState } from "../../src/store/state.js";
import { Store } from "../../src/store/store.js";

const state: ViewState = { ...INITIAL, color: "a:class", legend: legendOf("a:class"), selection: Uint32Array.of(1, 2) };
const stateAfter = (...actions: Action[]): ViewState => actions.reduce(reduce, state);

describe("reducers", () => {
  it("change what an action is about, and leave the state they were given as it is", () => {
    const frozen = Object.freeze({ ...state });
    const next = reduce(frozen, { type: "select", nodes: [5], mode: "add" });
    expect(next.selection).toEqual(Uint32Array.of(1, 2, 5));
    expect(frozen.selection).toEqual(Uint32Array.of(1, 2));
    expect(next.filters).toBe(frozen.filters);
  });

  it("give back the same state where nothing is new", () => {
    const actions: Action[] = [
      { type: "select", nodes: [2, 1], mode: "replace" },
      { type: "select", nodes: [7], mode: "remove" },
      { type: "filter", column: "none", rule: null },
      { type: "clearFilters" },
      { type: "unhide" },
      { type: "resetLegend" },
      { type: "moveCamera", to: null },
      { type: "chooseTool", tool: "pan" },
      { type: "set", part: { color: "a:class", filters: {}, hidden: new Uint8Array(0) } },
      { type: "set", part: { legend: { column: "a:other", isolated: ["x"], hidden: [] } } },
    ];
    for (const action of actions) expect(reduce(state, action)).toBe(state);
  });

  it("hide nodes one by one, which are no longer selected, and show them again", () => {
    const hidden = stateAfter({ type: "hide", nodes: [1, 9], of: 10 });
    expect(hidden.hidden).toEqual(Uint8Array.of(0b10, 0b10));
    expect(hidden.selection).toEqual(Uint32Array.of(2));
    expect(reduce(hidden, { type: "unhide" }).hidden).toEqual(new Uint8Array(0));
  });

  it("add, change and remove filters", () => {
    const rule = { low: 1, high: null };
    const filtered = stateAfter(
      { type: "filter", column: "a", rule },
      { type: "filter", column: "b", rule: { without: ["x"] } },
    );
    expect(filtered.filters).toEqual({ a: rule, b: { without: ["x"] } });
    expect(reduce(filtered, { type: "filter", column: "a", rule: null }).filters).toEqual({ b: { without: ["x"] } });
    expect(reduce(filtered, { type: "clearFilters" }).filters).toEqual({});
  });

  it("paint classes, and give them back their own colours", () => {
    const paint = (label: string, color: string | null): Action => ({
      type: "paintClass",
      column: "a:x",
      label,
      color,
    });
    const painted = stateAfter(paint("one", "#ff0000"), paint("two", "#00ff00"), paint("one", "#0000ff"));
    expect(painted.colors).toEqual({ "a:x": { two: "#00ff00", one: "#0000ff" } });
    expect([paint("one", null), paint("two", null)].reduce(reduce, painted).colors).toEqual({});
    expect(reduce(painted, paint("two", "#00ff00"))).toBe(painted);
  });

  it("keep the legend that of the colours", () => {
    const picked = stateAfter({ type: "isolateEntry", id: "x", more: false }, { type: "hideEntry", id: "y" });
    expect(picked.legend).toEqual({ column: "a:class", isolated: ["x"], hidden: ["y"] });
    expect(reduce(picked, { type: "set", part: { color: "a:value" } }).legend).toEqual(legendOf("a:value"));
    const legend = { column: "b", isolated: [], hidden: ["z"] };
    expect(reduce(picked, { type: "set", part: { color: "b", legend } }).legend).toBe(legend);
    expect(reduce(picked, { type: "set", part: { legend, edges: false } }).legend).toBe(picked.legend);
  });
});

describe("the store", () => {
  it("tells those whom it concerns, once, and who did it", () => {
    const store = new Store(state);
    const [selected, tool] = [vi.fn(), vi.fn()];
    const stop = store.subscribe(({ selection }) => selection, selected);
    store.subscribe((one) => one.tool, tool);
    store.dispatch({ type: "select", nodes: [3], mode: "replace" }, "host");
    expect(selected.mock.calls).toEqual([[Uint32Array.of(3), Uint32Array.of(1, 2), "host"]]);
    expect(tool).not.toHaveBeenCalled();
    stop();
    store.dispatch({ type: "select", nodes: [], mode: "replace" });
    expect(selected).toHaveBeenCalledOnce();
  });

  it("holds when a listener dispatches, or ends another's subscription", () => {
    const store = new Store(state);
    const late = vi.fn();
    store.subscribe(
      ({ color }) => color,
      () => {
        store.dispatch({ type: "chooseTool", tool: "lasso" });
        stop();
      },
    );
    const stop = store.subscribe(({ color }) => color, late);
    const tool = vi.fn();
    store.subscribe((one) => one.tool, tool);
    store.dispatch({ type: "set", part: { color: "b" } });
    expect(tool).toHaveBeenCalledOnce();
    // It was told of the colour while the tool was chosen, and only then ended.
    expect(late.mock.calls.length).toBeLessThanOrEqual(1);
    expect(store.state).toMatchObject({ color: "b", tool: "lasso" });
  });
});

describe("undo and redo", () => {
  const select = (store: Store, node: number): void =>
    store.dispatch({ type: "select", nodes: [node], mode: "replace" });

  it("go back and forth, whoever changed something", () => {
    const store = new Store(state);
    select(store, 5);
    store.dispatch({ type: "set", part: { color: "b" } }, "host");
    store.undo();
    expect(store.state.color).toBe("a:class");
    store.undo();
    expect(store.state).toEqual(state);
    expect([store.canUndo, store.canRedo]).toEqual([false, true]);
    store.undo();
    store.redo();
    store.redo();
    expect([store.state.color, ...store.state.selection]).toEqual(["b", 5]);
    store.undo();
    select(store, 6);
    expect(store.canRedo).toBe(false);
  });

  it("take a drag as one step, and two drags as two", () => {
    const history = new History();
    let [now, time] = [state, 0];
    const move = (x: number, pause: number): void => {
      const next = reduce(now, { type: "moveCamera", to: { center: [x, 0], span: 1 } });
      history.record(now, next, (time += pause));
      now = next;
    };
    for (let x = 1; x < 50; x++) move(x, 16);
    move(100, 2000);
    move(101, 16);
    now = history.undo(now);
    expect(now.camera?.center[0]).toBe(49);
    now = history.undo(now);
    // Leaving the whole view is a step of its own.
    expect(now.camera?.center[0]).toBe(1);
    expect(history.undo(now)).toEqual(state);
  });

  it("take a slider as one step, but boxes, and other sliders, as their own", () => {
    const history = new History();
    let [now, time] = [state, 0];
    const filter = (column: string, rule: ViewState["filters"][string]): void => {
      const next = reduce(now, { type: "filter", column, rule });
      history.record(now, next, (time += 16));
      now = next;
    };
    filter("a", { low: null, high: null });
    for (const low of [1, 2, 3]) filter("a", { low, high: null });
    filter("b", { without: [] });
    filter("b", { without: ["x"] });
    filter("b", { without: ["x", "y"] });
    const steps: unknown[] = [];
    while (history.canUndo) steps.push((now = history.undo(now)).filters);
    expect(steps).toEqual([
      { a: { low: 3, high: null }, b: { without: ["x"] } },
      { a: { low: 3, high: null }, b: { without: [] } },
      { a: { low: 3, high: null } },
      { a: { low: null, high: null } },
      {},
    ]);
  });

  it("are bounded, and leave the host's height alone", () => {
    const store = new Store(state);
    for (let node = 0; node < 300; node++) select(store, node);
    store.dispatch({ type: "set", part: { height: 900 } }, "host");
    let steps = 0;
    for (; store.canUndo; steps++) store.undo();
    expect(steps).toBe(100);
    expect(store.state.height).toBe(900);
    const large = new History();
    let now = state;
    for (let k = 0; k < 20; k++) {
      const next = { ...now, selection: new Uint32Array(4e6).fill(k) };
      large.record(now, next, k);
      now = next;
    }
    let kept = 0;
    for (; large.canUndo; kept++) now = large.undo(now);
    expect(kept).toBe(4);
  });
});

describe("a saved view", () => {
  it("is the same after it was written and read", () => {
    const view = {
      camera: { center: [1.5, -2] as const, span: 12 },
      tool: "lasso" as const,
      lens: true,
      filters: { degree: { low: 3, high: null }, "a:class": { without: ["x", null] } },
      legend: { column: "a:class", isolated: ["x"], hidden: ["\u0000other"] },
      table: "edges" as const,
      timeline: { column: "e:year", window: 0.1, speed: 2 },
    };
    expect(toJson({ ...state, ...view })).toEqual({ version: 1, ...view });
    expect(fromJson(JSON.parse(JSON.stringify(toJson({ ...state, ...view }))))).toEqual(view);
  });

  it("has defaults for whatever is missing, unknown or cannot be", () => {
    const plain = {
      camera: null,
      tool: "pan",
      lens: false,
      filters: {},
      legend: legendOf(""),
      table: "",
      timeline: null,
    };
    expect(fromJson({ version: 1 })).toEqual(plain);
    const broken = [
      { camera: { center: [1], span: 2 }, more: 1 },
      { camera: { center: [1, 2], span: 0 } },
      { camera: { center: [1, Number.NaN], span: 1 }, tool: "hammer", lens: 1 },
      { filters: { a: 3, b: null, c: {} }, legend: [] },
      { filters: [], legend: { column: 3, isolated: "x", hidden: [1] } },
      { table: "rows", timeline: { window: 0.1 } },
    ];
    for (const value of broken) expect(fromJson(value)).toEqual(plain);
    expect(fromJson({ filters: { a: { low: "1", high: 2 }, b: { without: ["x", 3, null] } } })?.filters).toEqual({
      a: { low: null, high: 2 },
      b: { without: ["x", null] },
    });
    for (const nothing of [undefined, null, {}, [], "x", { version: 2, tool: "lasso" }])
      expect(fromJson(nothing)).toBeNull();
  });
});

it("compares by what is said", () => {
  expect(same({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
  expect(same({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(same(Uint8Array.of(1), Uint8Array.of(2))).toBe(false);
  expect(same(null, {})).toBe(false);
});
