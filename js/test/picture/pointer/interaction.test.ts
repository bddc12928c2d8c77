// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from "vitest";
import { Interaction, type InteractionEvents, modeOf, wheelFactor } from "../../../src/picture/pointer/interaction.js";
import type { CameraApi } from "../../../src/scene/types.js";
import { countListeners, pointer } from "../../fakes.js";

const camera = { panBy: vi.fn(), zoomBy: vi.fn() } as unknown as CameraApi;
const events = Object.fromEntries(
  [
    ...["hover", "leave", "tap", "doubleTap", "outline", "select", "moved", "fit", "play", "search", "escape"],
    ...["menu", "step", "enter", "back", "aim", "grab", "drag", "drop", "pin"],
  ].map((name) => [name, vi.fn()]),
) as unknown as { [K in keyof InteractionEvents]: Mock<InteractionEvents[K]> };
let surface: HTMLElement;
let interaction: Interaction;

beforeEach(() => {
  vi.useFakeTimers();
  surface = document.createElement("div");
  surface.tabIndex = 0;
  document.body.append(surface);
  interaction = new Interaction(surface, () => camera, events);
});

afterEach(() => {
  interaction.destroy();
  surface.remove();
  vi.clearAllMocks();
  vi.useRealTimers();
});

const send = (type: string, left: number, top: number, more = {}): boolean =>
  surface.dispatchEvent(pointer(type, left, top, more));
const drag = (points: [number, number][], more = {}): void => {
  send("pointerdown", ...points[0], more);
  for (const point of points.slice(1)) send("pointermove", ...point, more);
  send("pointerup", ...points.at(-1)!, more);
};
const press = (key: string, more = {}): boolean =>
  surface.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
const wheel = (more = {}): WheelEvent => {
  const event = new WheelEvent("wheel", { deltaY: -100, bubbles: true, cancelable: true, ...more });
  surface.dispatchEvent(event);
  return event;
};

describe("pointers", () => {
  it("hovers without a button and leaves", () => {
    send("pointermove", 5, 6);
    expect(events.hover).toHaveBeenCalledWith(5, 6);
    send("pointerleave", 0, 0);
    expect(events.leave).toHaveBeenCalled();
  });

  it("pans with a drag, not with a tremble", () => {
    send("pointerdown", 10, 10);
    send("pointermove", 12, 11);
    expect(camera.panBy).not.toHaveBeenCalled();
    send("pointermove", 30, 15);
    send("pointermove", 33, 15);
    send("pointerup", 33, 15);
    expect(vi.mocked(camera.panBy).mock.calls).toEqual([
      [20, 5],
      [3, 0],
    ]);
    expect(events.tap).not.toHaveBeenCalled();
  });

  it("taps with modifiers, and a second tap nearby is a double tap", () => {
    drag([[10, 10]], { shiftKey: true });
    drag([[10, 10]], { shiftKey: true });
    expect(events.tap.mock.calls).toEqual([
      [10, 10, "add", false],
      [10, 10, "add", false],
    ]);
    events.tap.mockClear();
    drag([[10, 10]]);
    drag([[11, 10]]);
    expect(events.doubleTap).toHaveBeenCalledWith(11, 10, false);
    drag([[11, 10]]);
    expect(events.tap).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    drag([[11, 10]]);
    expect(events.tap).toHaveBeenCalledTimes(3);
  });

  it("selects with a rectangle", () => {
    interaction.tool = "rectangle";
    drag([
      [10, 10],
      [50, 40],
    ]);
    expect(events.select).toHaveBeenCalledWith(Float64Array.of(10, 10, 50, 10, 50, 40, 10, 40), "replace");
    expect(events.outline.mock.lastCall).toEqual([null]);
  });

  it("selects with a lasso; shift adds, alt removes", () => {
    interaction.tool = "lasso";
    drag(
      [
        [0, 0],
        [50, 0],
        [50, 50],
        [0, 50],
      ],
      { altKey: true },
    );
    expect(events.select).toHaveBeenCalledWith(Float64Array.of(0, 0, 50, 0, 50, 50, 0, 50), "remove");
    drag(
      [
        [0, 0],
        [50, 0],
        [50, 50],
      ],
      { shiftKey: true },
    );
    expect(events.select.mock.lastCall![1]).toBe("add");
    expect(modeOf({ shiftKey: false, altKey: false })).toBe("replace");
  });

  it("draws a rectangle with shift while the tool moves the picture", () => {
    drag(
      [
        [0, 0],
        [50, 50],
      ],
      { shiftKey: true },
    );
    expect(camera.panBy).not.toHaveBeenCalled();
    expect(events.select.mock.lastCall![1]).toBe("add");
  });

  it("means the key that was held at the start, though it is let go before the button", () => {
    send("pointerdown", 0, 0, { shiftKey: true });
    send("pointermove", 50, 50, { shiftKey: true });
    send("pointerup", 50, 50);
    expect(events.select.mock.lastCall![1]).toBe("add");
  });

  it("lets a finger go without forgetting what it tapped", () => {
    drag([[10, 10]], { pointerType: "touch" });
    send("pointerleave", 10, 10, { pointerType: "touch" });
    expect(events.tap).toHaveBeenCalledOnce();
    expect(events.leave).not.toHaveBeenCalled();
  });

  it("leaves a finger that moves up or down to a page that scrolls, and follows it sideways", () => {
    surface.style.setProperty("touch-action", "pan-y");
    const finger = { pointerType: "touch" };
    drag(
      [
        [10, 100],
        [12, 80],
        [12, 60],
      ],
      finger,
    );
    expect(camera.panBy).not.toHaveBeenCalled();
    expect(events.tap).not.toHaveBeenCalled();
    drag(
      [
        [10, 100],
        [40, 105],
      ],
      finger,
    );
    expect(camera.panBy).toHaveBeenLastCalledWith(30, 5);
    surface.style.setProperty("touch-action", "none");
    drag(
      [
        [10, 100],
        [12, 80],
      ],
      finger,
    );
    expect(camera.panBy).toHaveBeenLastCalledWith(2, -20);
  });

  it("gives up a drag with escape, and only then clears", () => {
    interaction.tool = "lasso";
    send("pointerdown", 0, 0);
    send("pointermove", 50, 0);
    press("Escape");
    expect(events.escape).not.toHaveBeenCalled();
    expect(events.outline.mock.lastCall).toEqual([null]);
    send("pointermove", 50, 50);
    send("pointerup", 50, 50);
    expect(events.select).not.toHaveBeenCalled();
    press("Escape");
    expect(events.escape).toHaveBeenCalledOnce();
  });

  it("pinches with two fingers, whatever the tool", () => {
    interaction.tool = "lasso";
    const finger = (id: number): object => ({ pointerId: id, pointerType: "touch" });
    send("pointerdown", 0, 0, finger(1));
    send("pointerdown", 100, 0, finger(2));
    send("pointermove", 200, 0, finger(2));
    expect(camera.zoomBy).toHaveBeenCalledWith(2, 100, 0);
    expect(camera.panBy).toHaveBeenCalledWith(50, 0);
    expect(events.leave).toHaveBeenCalled(); // what was tapped before moves away
    send("pointerup", 200, 0, finger(2));
    send("pointermove", 7, 0, finger(1));
    expect(camera.panBy).toHaveBeenLastCalledWith(7, 0); // the finger that stays moves the picture
    send("pointerup", 7, 0, finger(1));
    expect(events.tap).not.toHaveBeenCalled();
    expect(events.select).not.toHaveBeenCalled();
  });

  it("forgets a pointer that is cancelled", () => {
    send("pointerdown", 0, 0);
    send("pointercancel", 0, 0);
    send("pointermove", 90, 0);
    expect(camera.panBy).not.toHaveBeenCalled();
    expect(events.hover).toHaveBeenCalledWith(90, 0);
  });

  it("leaves the right button alone", () => {
    drag(
      [
        [0, 0],
        [50, 50],
      ],
      { button: 2 },
    );
    expect(camera.panBy).not.toHaveBeenCalled();
  });
});

describe("the wheel", () => {
  it("lets somebody who scrolls past scroll on", () => {
    send("pointerenter", 0, 0);
    for (let k = 0; k < 10; k++) {
      vi.advanceTimersByTime(100);
      expect(wheel().defaultPrevented).toBe(false);
    }
    expect(camera.zoomBy).not.toHaveBeenCalled();
  });

  it("zooms around the pointer once that has rested", () => {
    send("pointerenter", 0, 0);
    vi.advanceTimersByTime(400);
    expect(wheel({ clientX: 7, clientY: 8 }).defaultPrevented).toBe(true);
    expect(camera.zoomBy).toHaveBeenCalledWith(expect.closeTo(Math.exp(0.16), 5), 7, 8);
  });

  it("zooms at once when the pointer was moved here", () => {
    send("pointerenter", 0, 0);
    send("pointermove", 3, 0);
    expect(wheel({ clientX: 3 }).defaultPrevented).toBe(false);
    send("pointermove", 9, 0);
    send("pointermove", 20, 0);
    expect(wheel({ clientX: 20 }).defaultPrevented).toBe(true);
  });

  it("zooms at once with the focus or a modifier", () => {
    send("pointerenter", 0, 0);
    expect(wheel({ ctrlKey: true }).defaultPrevented).toBe(true);
    send("pointerenter", 0, 0);
    surface.focus();
    expect(wheel().defaultPrevented).toBe(true);
  });

  it("leaves sideways turns to the page", () => {
    surface.focus();
    expect(wheel({ deltaX: 50, deltaY: 0 }).defaultPrevented).toBe(false);
    expect(camera.zoomBy).not.toHaveBeenCalled();
  });

  it("knows lines, pages and pinches", () => {
    const factor = (deltaY: number, deltaMode = 0, ctrlKey = false): number =>
      wheelFactor({ deltaY, deltaMode, ctrlKey });
    expect(factor(-100)).toBeCloseTo(1 / factor(100), 9);
    expect(factor(-3, 1)).toBeGreaterThan(factor(-3));
    expect(factor(-4, 0, true)).toBeGreaterThan(factor(-4));
    expect(factor(-1e9)).toBeLessThan(2);
  });
});

describe("keys", () => {
  it.each([
    ["ArrowLeft", [60, 0]],
    ["ArrowRight", [-60, 0]],
    ["ArrowUp", [0, 60]],
    ["ArrowDown", [0, -60]],
  ])("%s pans", (key, by) => {
    expect(press(key)).toBe(false);
    expect(camera.panBy).toHaveBeenCalledWith(...by);
  });

  it("zooms, fits, pauses, searches", () => {
    for (const key of ["+", "=", "-", "_", "0", "f", " ", "/"]) expect(press(key)).toBe(false);
    expect(vi.mocked(camera.zoomBy).mock.calls.map(([factor]) => factor > 1)).toEqual([true, true, false, false]);
    expect(events.fit).toHaveBeenCalledTimes(2);
    expect(events.play).toHaveBeenCalledOnce();
    expect(events.search).toHaveBeenCalledOnce();
  });

  it("keeps its keys and bare letters from the notebook and lets all others pass", () => {
    const heard = vi.fn();
    document.addEventListener("keydown", heard, true);
    press("0");
    expect(heard).not.toHaveBeenCalled();
    press("Tab");
    press("s", { ctrlKey: true });
    press("0", { ctrlKey: true });
    expect(heard).toHaveBeenCalledTimes(3);
    press("d"); // of which JupyterLab takes two for an order to delete the cell
    expect(heard).toHaveBeenCalledTimes(3);
    document.removeEventListener("keydown", heard, true);
  });

  it("does not act on keys typed elsewhere", () => {
    const input = document.createElement("input");
    surface.append(input);
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "f", bubbles: true }));
    expect(events.fit).not.toHaveBeenCalled();
  });
});

it("removes all its listeners, twice if asked", () => {
  const counted = countListeners();
  const other = new Interaction(document.createElement("div"), () => camera, events);
  expect(counted.open()).toBeGreaterThan(5);
  other.destroy();
  other.destroy();
  expect(counted.open()).toBe(0);
  counted.restore();
});
