import { throwIfAborted, unlessAborted } from "./abort.js";
import type { AbortSignalLike, CatalogOptions } from "./types.js";

/** A body, or why there is none. */
export type Fetched = { ok: true; text: string } | { ok: false; cause: unknown };

/** Asks the host for a body. Only an abort rejects: a body that can't be had is for the model to know, not for the host to crash on. */
export async function fetchBody(
  load: NonNullable<CatalogOptions["loadInstructions"]>,
  id: string,
  signal: AbortSignalLike | undefined,
): Promise<Fetched> {
  try {
    const text = await unlessAborted(signal, async () => load(id, signal ? { signal } : {}));
    return typeof text === "string" ? { ok: true, text } : { ok: false, cause: new TypeError(`no string but ${typeof text}`) };
  } catch (cause) {
    throwIfAborted(signal);
    return { ok: false, cause };
  }
}
