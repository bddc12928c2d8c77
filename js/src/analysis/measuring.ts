// Measuring off the main thread: in a worker where one can be started, otherwise a slice at a time between everything
// else. Both do the same work and give the same figures.

import workerSource from "worker:./measure-worker.ts";
import { inSlices } from "../data/time-slices.js";
import { type Measured, type MeasureRequest, measure } from "./measures.js";

/** Measures; returns how to give that up. `failed` hears of an error that the work itself made. */
export type Measure = (
  request: MeasureRequest,
  done: (result: Measured) => void,
  failed: (error: unknown) => void,
) => () => void;

export const measureInSlices: Measure = (request, done, failed) => inSlices(measure(request), done, failed);

/** What a worker answers. */
export type Answer = { readonly result: Measured } | { readonly error: string };

/** Whether a page has refused to start a worker: it would do so again. */
let refused = false;

function startWorker(): Worker | null {
  if (refused || !workerSource || typeof Worker !== "function") return null;
  const address = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
  try {
    return new Worker(address);
  } catch {
    refused = true;
    return null;
  } finally {
    // It has been fetched, or will be, by the time this is let go of.
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}

/** In a worker of its own, ended when the work is done or given up. */
export const measureOffThread: Measure = (request, done, failed) => {
  const worker = startWorker();
  if (!worker) return measureInSlices(request, done, failed);
  let giveUp = (): void => worker.terminate();
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    worker.terminate();
    if ("error" in data) failed(new Error(data.error));
    else done(data.result);
  };
  // A page's policy may forbid workers without saying so at once.
  worker.onerror = (event) => {
    event.preventDefault();
    worker.terminate();
    refused = true;
    giveUp = measureInSlices(request, done, failed);
  };
  worker.postMessage(request);
  return () => giveUp();
};
