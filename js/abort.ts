import { SkillpickError } from "./errors.js";
import type { AbortSignalLike } from "./types.js";

/** Throws the signal's reason if it is aborted. */
export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

function reasonOf(signal: AbortSignalLike): unknown {
  return signal.reason ?? new SkillpickError("aborted", "the call was aborted");
}

