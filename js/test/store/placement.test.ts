import { describe, expect, it } from "vitest";
import {
  decodePlacement,
  encodePlacement,
  NOWHERE,
  pinnedNodes,
  putPlaces,
  released,
  withPinned,
} from "../../src/store/placement.js";
import { INITIAL } from "../../src/store/state.js";
import { Store } from "../../src/store/store.js";

const two = withPinned(NOWHERE, [3, 1], [30, 31, 10, 11]);

describe("a placement", () => {
  it("holds nodes in order, and puts them where they were put", () => {
    expect([...two.nodes]).toEqual([1, 3]);
    expect([...putPlaces(new Float32Array(8), two, true)]).toEqual([0, 0, 10, 11, 0, 0, 30, 31]);
    expect([...withPinned(two, [1], [5, 6]).places]).toEqual([5, 6, 30, 31]);
  });

  it("lets go of nodes, which stay or are the layout's again", () => {
    const stays = released(two, [1], true);
    expect([...pinnedNodes(stays)]).toEqual([3]);
    expect([...putPlaces(new Float32Array(8), stays, false)].slice(2, 4)).toEqual([10, 11]);
    expect([...putPlaces(new Float32Array(8), stays, true)].slice(2, 4)).toEqual([0, 0]);
    expect([...released(two, null, false).nodes]).toEqual([]);
  });

  it("travels as bytes; what names no node or no place is left out", () => {
    expect(decodePlacement(encodePlacement(two), 4)).toEqual(two);
    expect([...decodePlacement(encodePlacement(two), 2).nodes]).toEqual([1]);
    const nowhere = withPinned(NOWHERE, [0], [Number.NaN, 0]);
    expect(decodePlacement(encodePlacement(nowhere), 4)).toEqual(NOWHERE);
  });

  it("is one step to undo, however long a hand has held the node", () => {
    const store = new Store(INITIAL);
    store.dispatch({ type: "pin", nodes: [1], places: [1, 1] });
    store.dispatch({ type: "pin", nodes: [1], places: [2, 2] }, "user", true);
    store.dispatch({ type: "pin", nodes: [1], places: [3, 3] }, "user", true);
    store.undo();
    expect(store.state.placement).toBe(INITIAL.placement);
    store.redo();
    expect([...store.state.placement.places]).toEqual([3, 3]);
  });
});
