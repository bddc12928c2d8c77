// The worker that measures: one request, one answer. It is bundled on its own and carried as text (see build.mjs).

import { type MeasureRequest, measure } from "./measures.js";
import type { Answer } from "./measuring.js";

/** Does all of the work at once; nobody waits for anything else here. */
export function answer(request: MeasureRequest): Answer {
  try {
    const work = measure(request);
    for (let step = work.next(); ; step = work.next()) if (step.done) return { result: step.value };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const scope = globalThis as unknown as { postMessage(message: unknown): void; onmessage: unknown };
if (typeof document === "undefined") {
  scope.onmessage = ({ data }: MessageEvent<MeasureRequest>) => scope.postMessage(answer(data));
}
