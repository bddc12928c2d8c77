// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { Disposables } from "../../src/dom/disposables.js";
import { INITIAL } from "../../src/store/state.js";
import { Store } from "../../src/store/store.js";
import { heightHandle, heightOf } from "../../src/ui/height-handle.js";

describe("the height of a view", () => {
  it("grows with an open table where there would be little left of the picture", () => {
    expect(heightOf(520, "")).toBe(520);
    expect(heightOf(520, "nodes")).toBe(760);
    expect(heightOf(300, "edges")).toBe(540);
    expect(heightOf(700, "nodes")).toBe(760);
    expect(heightOf(1000, "nodes")).toBe(1000);
    expect(heightOf(1, "")).toBe(160);
  });

  it("is changed by arrows, from what the user chose and not from what a table adds", () => {
    const store = new Store({ ...INITIAL, height: 520, table: "nodes" });
    const handle = heightHandle(new Disposables(), store);
    handle.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown" }));
    expect(store.state.height).toBe(540);
    expect(handle.getAttribute("aria-valuenow")).toBe("540");
  });
});
