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

/** Bodies that a plan asks for, and why others can't be had. */
export interface Planned {
  bodies: Record<string, string>;
  failed: Map<string, unknown>;
}

/**
 * Fetches what `plan` wants. Prices of bodies are guesses until they are here, so it is asked once more with those that came; by
 * then the rest is settled well enough.
 */
export async function fetchPlanned(
  load: NonNullable<CatalogOptions["loadInstructions"]>,
  signal: AbortSignalLike | undefined,
  plan: (bodies: Record<string, string>) => string[],
): Promise<Planned> {
  const bodies: Record<string, string> = Object.create(null) as Record<string, string>;
  const failed = new Map<string, unknown>();
  for (let round = 0; round < 2; round++) {
    const missing = plan(bodies).filter((id) => !(id in bodies) && !failed.has(id));
    await Promise.all(
      missing.map(async (id) => {
        const fetched = await fetchBody(load, id, signal);
        if (fetched.ok) bodies[id] = fetched.text;
        else failed.set(id, fetched.cause);
      }),
    );
  }
  return { bodies, failed };
}
