// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import type { RunState } from "../../../src/data/types.js";
import type { Host } from "../../../src/store/api.js";
import { ExaggerationSlider, exaggerationOf, MARKS, stepOf } from "../../../src/ui/run/exaggeration-slider.js";
import { canRestart, canSpread, canStop, playCommand, RunControls } from "../../../src/ui/run/run-controls.js";
import { frameOf, statusOf } from "../../fakes.js";

describe("the slider's scale", () => {
  it("is logarithmic from 1 to 30", () => {
    expect([1, 30].map(stepOf)).toEqual([0, 1000]);
    expect(stepOf(Math.sqrt(30))).toBe(500);
    expect(exaggerationOf(0)).toBe(1);
    expect(exaggerationOf(1000)).toBe(30);
    expect(exaggerationOf(500)).toBeCloseTo(Math.sqrt(30), 1);
  });

  it("goes there and back", () => {
    for (const value of [1, 1.5, 2, 4, 7.3, 12, 25, 30]) expect(exaggerationOf(stepOf(value))).toBeCloseTo(value, 1);
  });

  it("rests on the marks and keeps within its ends", () => {
    expect(exaggerationOf(stepOf(4) + 9)).toBe(4);
    expect([0.1, Number.NaN, 100, Number.POSITIVE_INFINITY].map(stepOf)).toEqual([0, 0, 1000, 1000]);
  });

  it("names t-SNE, UMAP and ForceAtlas2", () => {
    expect(MARKS.map(({ value, name }) => [value, name])).toEqual([
      [1, "t-SNE"],
      [4, "UMAP-like"],
      [12, "ForceAtlas2-like"],
    ]);
  });
});

describe("ExaggerationSlider", () => {
  const make = () => {
    const changed = vi.fn();
    const dial = new ExaggerationSlider(changed);
    dial.show(1);
    return {
      changed,
      dial,
      input: dial.element.querySelector("input")!,
      marks: dial.element.querySelectorAll("button"),
    };
  };

  it("reports what the user chooses and nothing that it is told", () => {
    const { changed, dial, input } = make();
    dial.show(7);
    expect(changed).not.toHaveBeenCalled();
    input.value = "1000";
    input.dispatchEvent(new Event("input"));
    expect(changed).toHaveBeenCalledWith(30);
    expect(input.getAttribute("aria-valuetext")).toBe("30");
  });

  it("moves with a click on a mark and with the keys", () => {
    const { changed, input, marks } = make();
    marks[1].click();
    expect(changed).toHaveBeenLastCalledWith(4);
    expect(input.getAttribute("aria-valuetext")).toBe("4, UMAP-like");
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", cancelable: true }));
    expect(changed.mock.lastCall![0]).toBeGreaterThan(4);
  });

  it("is not pulled from under the finger", () => {
    const { dial, input } = make();
    input.dispatchEvent(new Event("pointerdown"));
    input.value = "700";
    dial.show(2);
    expect(input.value).toBe("700");
    input.dispatchEvent(new Event("pointerup"));
    dial.show(2);
    expect(input.value).toBe(String(stepOf(2)));
  });
});

describe("what may be done when", () => {
  const table: [RunState, ReturnType<typeof playCommand>, boolean, boolean][] = [
    ["idle", "play", false, true],
    ["starting", null, true, false],
    ["running", "pause", true, true],
    ["paused", "resume", true, true],
    ["finished", "play", false, true],
    ["stopped", "play", false, true],
    ["failed", null, false, true],
  ];
  it.each(table)("%s", (state, play, stop, restart) => {
    expect([playCommand(state), canStop(state), canRestart(state)]).toEqual([play, stop, restart]);
  });
});

describe("overlap is removed", () => {
  const states: RunState[] = ["idle", "starting", "running", "paused", "finished", "stopped", "failed"];

  it("where nothing else moves the nodes", () => {
    expect(states.filter(canSpread)).toEqual(["idle", "finished", "stopped", "failed"]);
  });
});

describe("RunControls", () => {
  const make = (host: Host = { command: vi.fn(() => Promise.resolve()) }) => {
    const usual = (): { radius: number; scale: number } => ({ radius: 4, scale: 200 });
    const events = { exaggeration: vi.fn(), moment: vi.fn(), usual, spread: vi.fn(), failed: vi.fn() };
    const controls = new RunControls(host, events);
    const button = (name: string): HTMLButtonElement =>
      controls.element.querySelector<HTMLButtonElement>(`[aria-label="${name}"]`)!;
    return {
      controls,
      events,
      host,
      button,
      text: (part: string) => controls.element.querySelector(`.graphne-${part}`)!.textContent,
    };
  };

  it("says where the run is, a few times a second", async () => {
    const { controls, text } = make();
    controls.show(statusOf({ phase: "training", iteration: 30, total: 7500, statusText: "epoch 2 / 60, recall 0.93" }));
    expect([text("phase"), text("iteration")]).toEqual(["Training", "epoch 2 / 60, recall 0.93"]);
    controls.show(statusOf({ iteration: 1250, total: 7500 }));
    expect([text("phase"), text("iteration")]).toEqual(["Optimisation", "1,250 / 7,500"]);
    controls.progress(frameOf(3, { iteration: 1260, phase: 1, kl: 1.5 }));
    expect([text("phase"), text("iteration"), text("curve-value")]).toEqual([
      "Early exaggeration",
      "1,260 / 7,500",
      "1.500",
    ]);
    controls.progress(frameOf(3, { iteration: 1270, kl: 1.25 }));
    controls.progress(frameOf(3, { iteration: 1280, kl: Number.NaN }));
    expect(text("iteration")).toBe("1,260 / 7,500");
    await vi.waitFor(() => expect([text("iteration"), text("curve-value")]).toEqual(["1,280 / 7,500", "1.250"]));
  });

  it("sends what a button stands for, one command at a time, and shows a refusal", async () => {
    const { controls, events, host, button } = make({ command: vi.fn(() => Promise.reject(new Error("no such run"))) });
    controls.show(statusOf());
    button("Pause").click();
    expect(button("Stop").ariaDisabled).toBe("true");
    button("Stop").click();
    expect(host.command).toHaveBeenCalledExactlyOnceWith("pause");
    await vi.waitFor(() => expect(events.failed).toHaveBeenCalledWith("no such run"));
    await vi.waitFor(() => expect(button("Stop").ariaDisabled).toBe("false"));
  });

  it("survives a host that throws", async () => {
    const { controls, events, button } = make({
      command: () => {
        throw new Error("gone");
      },
    });
    controls.show(statusOf());
    button("Restart").click();
    await vi.waitFor(() => expect(events.failed).toHaveBeenCalledWith("gone"));
  });

  it("hides what nobody would obey, and keeps the curve", () => {
    for (const [host, status] of [
      [{}, statusOf()],
      [{ command: vi.fn(() => Promise.resolve()) }, statusOf({ steerable: false })],
    ] as const) {
      const { controls } = make(host);
      controls.show({
        ...status,
        history: [
          [10, 2],
          [20, 1],
        ],
      });
      expect(controls.element.querySelector<HTMLElement>(".graphne-group")!.hidden).toBe(true);
      expect(controls.element.querySelector<HTMLElement>(".graphne-dial")!.hidden).toBe(true);
      expect(controls.element.querySelector<HTMLElement>(".graphne-curve")!.hidden).toBe(false);
    }
  });

  it("offers to hold and to stop what is optimised elsewhere, and nothing else", () => {
    const { controls, button } = make();
    controls.show(statusOf({ external: true }));
    expect(button("Pause").ariaDisabled).toBe("false");
    expect(button("Stop").ariaDisabled).toBe("false");
    expect(button("Restart").hidden).toBe(true);
    expect(controls.element.querySelector<HTMLElement>(".graphne-dial")!.hidden).toBe(true);
    controls.show(statusOf({ external: true, state: "finished" }));
    expect(controls.element.querySelector("button")!.ariaDisabled).toBe("true");
  });

  it("is not there for a given layout without a kernel", () => {
    const { controls } = make({});
    controls.show(statusOf({ state: "idle", iteration: 0, total: 0, steerable: false }));
    expect(controls.element.hidden).toBe(true);
  });

  it("gives every control a tooltip and a name", () => {
    const { controls } = make();
    controls.show(statusOf());
    for (const control of controls.element.querySelectorAll<HTMLElement>("button, input")) {
      expect(control.title).not.toBe("");
      expect(control.getAttribute("aria-label") ?? control.textContent).not.toBe("");
    }
  });

  it("begins a new curve with a new run", () => {
    const { controls, text } = make();
    controls.show(
      statusOf({
        history: [
          [10, 3],
          [20, 2],
        ],
      }),
    );
    controls.progress(frameOf(3, { run: 2, iteration: 10, kl: 5 }));
    expect(text("curve-value")).toBe("5.000");
  });

  it("has nodes moved apart by the sizes with which they are drawn, and says why not while a run is active", async () => {
    const { controls, button, events, host } = make({ command: vi.fn(() => Promise.resolve(12)) });
    const spread = button("Remove overlap");
    controls.show(statusOf({ state: "running" }));
    expect(spread.getAttribute("aria-disabled")).toBe("true");
    expect(spread.title).toContain("once the run has ended");
    spread.click();
    expect(host.command).not.toHaveBeenCalled();
    controls.show(statusOf({ state: "finished" }));
    expect(spread.getAttribute("aria-disabled")).toBe("false");
    expect(spread.title).toContain("Move nodes apart");
    spread.click();
    expect(host.command).toHaveBeenCalledWith("remove_overlap", { radius: 4, scale: 200 });
    expect(spread.getAttribute("aria-disabled")).toBe("true");
    await vi.waitFor(() => expect(spread.getAttribute("aria-disabled")).toBe("false"));
    expect(events.spread).toHaveBeenCalledWith(12);
    expect(events.failed).not.toHaveBeenCalled();
  });
});
