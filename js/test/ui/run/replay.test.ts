// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Recording } from "../../../src/data/types.js";
import { GraphViewer } from "../../../src/ui/viewer.js";
import { dataOf, frameOf, scenes, statusOf } from "../../fakes.js";

vi.mock("../../../src/scene/scene.js", () => import("../../fakes.js"));

const LENGTH = 5;
/** At moment k every coordinate is k. */
const recording: Recording = {
  length: LENGTH,
  at: (k) => frameOf(3, { iteration: 100 * k, phase: k < 2 ? 1 : 2, positions: new Float32Array(6).fill(k) }),
};
const finished = statusOf({ state: "finished", iteration: 400, total: 400, shots: LENGTH, steerable: false });

describe("a replay", () => {
  let viewer: GraphViewer;
  const load = vi.fn(() => Promise.resolve(recording));

  function show(status = finished, host = { recording: load }): void {
    const place = document.createElement("div");
    document.body.append(place);
    viewer = new GraphViewer(
      place,
      dataOf({ status, frame: frameOf(3, { positions: new Float32Array(6).fill(9) }) }),
      host,
    );
  }
  const slider = (): HTMLInputElement => document.querySelector(".graphne-replay input")!;
  const button = (): HTMLButtonElement => document.querySelector(".graphne-replay button")!;
  const offered = (): boolean => !document.querySelector<HTMLElement>(".graphne-replay")!.hidden;
  const textOf = (name: string): string => document.querySelector(`.graphne-${name}`)!.textContent!;
  const seen = (): number[] => vi.mocked(scenes.at(-1)!.setPositions).mock.calls.map(([positions]) => positions[0]);
  const move = async (to: number): Promise<void> => {
    slider().value = String(to);
    slider().dispatchEvent(new Event("input"));
    await vi.advanceTimersByTimeAsync(0);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("ResizeObserver", undefined);
    load.mockClear();
  });
  afterEach(() => {
    viewer.destroy();
    document.body.replaceChildren();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("plays once, however often it was asked to before the recording was there", async () => {
    let ready = (_: Recording): void => {};
    show(finished, { recording: vi.fn(() => new Promise<Recording>((resolve) => (ready = resolve))) });
    for (let k = 0; k < 3; k++) button().click();
    ready(recording);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen().slice(-LENGTH)).toEqual([0, 1, 2, 3, 9]);
    expect(seen().filter((at) => at === 2)).toHaveLength(1);
  });

  const showWithDivergence = (): void => {
    const told = { ...recording, at: (k: number) => ({ ...recording.at(k), kl: 5 - k }) };
    const history = [
      [100, 4],
      [400, 1],
    ] as const;
    show({ ...finished, kl: 1, history }, { recording: vi.fn(() => Promise.resolve(told)) });
  };

  it("says how good the moment is, and no longer how good the end", async () => {
    showWithDivergence();
    expect(textOf("curve-value")).toBe("1.000");
    await move(1);
    expect(textOf("curve-value")).toBe("4.000");
    await move(4);
    expect(textOf("curve-value")).toBe("1.000");
  });

  it("forgets the moment when the run goes on", async () => {
    showWithDivergence();
    await move(1);
    expect(textOf("curve-value")).toBe("4.000");
    viewer.update({
      status: {
        ...finished,
        state: "running",
        iteration: 410,
        kl: 0.5,
        history: [
          [400, 1],
          [410, 0.5],
        ],
        shots: 0,
      },
    });
    expect(textOf("curve-value")).toBe("0.500");
  });

  it("shows the moment that the slider is at, and at its end how it is", async () => {
    show();
    expect(offered()).toBe(true);
    expect(load).not.toHaveBeenCalled();
    await move(1);
    expect(seen().at(-1)).toBe(1);
    expect([textOf("phase"), textOf("iteration")]).toEqual(["Early exaggeration", "100 / 400"]);
    expect(slider().getAttribute("aria-valuetext")).toBe("iteration 100");
    await move(4);
    expect(seen().at(-1)).toBe(9);
    expect([textOf("phase"), textOf("iteration")]).toEqual(["Finished", "400 / 400"]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("plays all of them in turn, once, and can be held", async () => {
    show();
    button().click();
    await vi.advanceTimersByTimeAsync(600);
    expect(button().getAttribute("aria-label")).toBe("Pause replay");
    button().click();
    await vi.advanceTimersByTimeAsync(3000);
    expect(seen().slice(1)).toEqual([0, 1, 2]);
    button().click();
    await vi.advanceTimersByTimeAsync(3000);
    expect(seen().slice(1)).toEqual([0, 1, 2, 2, 3, 9]);
    expect(button().getAttribute("aria-label")).toBe("Replay");
  });

  it("is offered only at rest, and where there is something to show", () => {
    show(statusOf({ state: "running", shots: 9 }));
    expect(offered()).toBe(false);
    viewer.update({ status: statusOf({ state: "paused", shots: 9 }) });
    expect(offered()).toBe(true);
    viewer.update({ status: { ...finished, shots: 1 } });
    expect(offered()).toBe(false);
    viewer.destroy();
    show(finished, {} as { recording: typeof load });
    expect(offered()).toBe(false);
  });

  it("has its moments as soon as somebody answers", async () => {
    show({ ...finished, shots: 0 });
    expect(offered()).toBe(false);
    viewer.update({ status: finished });
    expect([slider().max, slider().value]).toEqual(["4", "4"]);
    await move(1);
    expect(seen().at(-1)).toBe(1);
  });

  it("gives way to what is new, and is asked for anew then", async () => {
    show();
    button().click();
    await vi.advanceTimersByTimeAsync(300);
    viewer.update({
      status: statusOf({ state: "running", run: 2, shots: 0 }),
      frame: frameOf(3, { positions: new Float32Array(6).fill(8) }),
    });
    await vi.advanceTimersByTimeAsync(3000);
    expect(seen().at(-1)).toBe(8);
    viewer.update({ status: { ...finished, run: 2 } });
    await move(2);
    expect(seen().at(-1)).toBe(2);
    viewer.frame(frameOf(3, { positions: new Float32Array(6).fill(7) }));
    expect(seen().at(-1)).toBe(7);
    expect(slider().value).toBe("4");
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("says what went wrong, and nothing after its end", async () => {
    load.mockImplementationOnce(() => Promise.reject(new Error("the kernel does not answer")));
    show();
    await move(0);
    expect(textOf("note-text")).toBe("the kernel does not answer");
    expect(slider().value).toBe("4");
    button().click();
    viewer.destroy();
    await vi.advanceTimersByTimeAsync(3000);
    expect(seen()).toEqual([9]);
  });
});
