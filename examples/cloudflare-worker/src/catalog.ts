// The one file that knows where catalog and bodies lie.
import { Catalog } from "skillpick";
import type { Env } from "./env.js";
import { ApiError } from "./errors.js";

/** What the host calls the tools; skill.run stays available whatever the active skills allow. */
export const DEFAULTS = { toolNames: { load: "skill.run", search: "skill.search", list: "skill.list" } };

let loading: Promise<Catalog> | undefined;

/** The shared catalog: read once per isolate, by the first request that needs it. A failure isn't kept, so the next one tries again. */
export function sharedCatalog(env: Env): Promise<Catalog> {
  loading ??= open(env).catch((cause: unknown) => {
    loading = undefined;
    console.error(JSON.stringify({ event: "catalog", code: (cause as { code?: string }).code ?? "unread" }));
    throw new ApiError("catalog_unavailable", "the catalog can't be read at present");
  });
  return loading;
}

async function open(env: Env): Promise<Catalog> {
  const stream = await piece(env, "catalog.snapshot");
  if (!stream) throw new Error("no snapshot");
  return Catalog.fromStream(stream, { defaults: DEFAULTS, loadInstructions: (id) => body(env, id) });
}

/** One body, fetched when it is shown or loaded. */
async function body(env: Env, id: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id)));
  const stream = await piece(env, `bodies/${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`);
  if (!stream) throw new Error("no body");
  return new Response(stream).text();
}

/** Instructions of any skill of a catalog, for its detail. */
export async function instructionsOf(env: Env, skill: { id?: string; name: string; instructions?: string }): Promise<string> {
  if (skill.instructions !== undefined) return skill.instructions;
  return body(env, skill.id ?? skill.name).catch(() => {
    throw new ApiError("instructions_failed", "the instructions can't be read at present");
  });
}

async function piece(env: Env, path: string): Promise<ReadableStream<Uint8Array> | null> {
  if (env.CATALOG) return (await env.CATALOG.get(path))?.body ?? null;
  const answer = await env.ASSETS.fetch(`https://assets.local/${path}`);
  return answer.ok ? answer.body : null;
}

/** After the instance was replaced, the catalog in it is stale. */
export function forgetCatalog(): void {
  loading = undefined;
}
