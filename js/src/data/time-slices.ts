// Work that is done between everything else on the main thread.

/** Work that stops after every little while. */
export type Work<T> = Generator<void, T, void>;

/** Milliseconds of work before everybody else has a chance. */
const SLICE = 8;

/** Does some work a slice at a time; returns how to give it up. */
export function inSlices<T>(work: Work<T>, done: (result: T) => void, failed?: (error: unknown) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slice = (): void => {
    const end = performance.now() + SLICE;
    try {
      for (let step = work.next(); ; step = work.next()) {
        if (step.done) {
          done(step.value);
          return;
        }
        if (performance.now() > end) break;
      }
    } catch (error) {
      if (!failed) throw error;
      failed(error);
      return;
    }
    timer = setTimeout(slice, 0);
  };
  timer = setTimeout(slice, 0);
  return () => clearTimeout(timer);
}
