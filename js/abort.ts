import { SkillpickError } from "./errors.js";
import type { AbortSignalLike } from "./types.js";

/** Throws the signal's reason if it is aborted. */
export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

function reasonOf(signal: AbortSignalLike): unknown {
  return signal.reason ?? new SkillpickError("aborted", "the call was aborted");
}

/** Waits for `work`, but not longer than until the signal is aborted, even if `work` doesn't heed it. */
export function unlessAborted<T>(signal: AbortSignalLike | undefined, work: () => Promise<T>): Promise<T> {
  throwIfAborted(signal);
  if (!signal) return work();
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(reasonOf(signal));
    signal.addEventListener("abort", stop);
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}
