import { afterEach, describe, expect, it, vi } from "vitest";
import { answer } from "../../src/analysis/measure-worker.js";
import { type Measured, type MeasureRequest, sampleOf } from "../../src/analysis/measures.js";
import { type Measure, measureInSlices } from "../../src/analysis/measuring.js";

const NODES = 60;
const request: MeasureRequest = {
  positions: Float32Array.from({ length: 2 * NODES }, (_, k) => Math.sin(k * 12.9898) * 100),
  pairs: Uint32Array.from({ length: 4 * NODES }, (_, k) => (k * 7 + (k & 1) * (k >> 3)) % NODES),
  recall: sampleOf(NODES, NODES),
  votes: { codes: Uint8Array.from({ length: NODES }, (_, k) => k % 3), classes: 3, asked: sampleOf(NODES, NODES) },
};

const result = (measure: Measure): Promise<Measured> =>
  new Promise((resolve, reject) => void measure(request, resolve, reject));

/** A worker as browsers have them, or one that a page's policy forbids. */
function stubWorkers(kind: "works" | "throws" | "fails"): string[] {
  const log: string[] = [];
  class FakeWorker {
    onmessage: (event: unknown) => void = () => {};
    onerror: (event: unknown) => void = () => {};
    constructor() {
      if (kind === "throws") throw new Error("SecurityError");
      log.push("started");
    }
    postMessage(sent: MeasureRequest): void {
      if (kind === "works")
        setTimeout(() => this.onmessage({ data: structuredClone(answer(structuredClone(sent))) }), 0);
      else setTimeout(() => this.onerror({ preventDefault: () => log.push("refused") }), 0);
    }
    terminate(): void {
      log.push("ended");
    }
  }
  vi.stubGlobal("Worker", FakeWorker);
  return log;
}

/** A module that has not met a refusal yet, in a bundle that carries the worker. */
async function offThread(): Promise<Measure> {
  vi.resetModules();
  vi.doMock("worker:./measure-worker.ts", () => ({ default: "the worker's script" }));
  return (await import("../../src/analysis/measuring.js")).measureOffThread;
}

afterEach(() => vi.unstubAllGlobals());

describe("measuring", () => {
  it("gives the same figures in a worker and in slices", async () => {
    const log = stubWorkers("works");
    const found = await result(await offThread());
    expect(found).toEqual(await result(measureInSlices));
    expect(found.recall?.some((share) => share > 0)).toBe(true);
    expect(found.votes?.winners.some((code) => code >= 0)).toBe(true);
    expect(log).toEqual(["started", "ended"]);
  });

  it.each(["throws", "fails"] as const)("goes on in slices where a worker %s, and does not try again", async (kind) => {
    const log = stubWorkers(kind);
    const measure = await offThread();
    const expected = await result(measureInSlices);
    expect(await result(measure)).toEqual(expected);
    const tried = log.length;
    expect(await result(measure)).toEqual(expected);
    expect(log).toHaveLength(tried);
  });

  it("ends a worker whose work is given up", async () => {
    const log = stubWorkers("works");
    const giveUp = (await offThread())(request, vi.fn(), vi.fn());
    giveUp();
    expect(log).toEqual(["started", "ended"]);
  });

  it("says what went wrong", () => {
    expect(answer({ ...request, positions: null as unknown as Float32Array })).toHaveProperty("error");
  });
});
