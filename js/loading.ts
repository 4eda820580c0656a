// What is asked of one skill: its body, a file of it, advice on its name.
import { throwIfAborted } from "./abort.js";
import { fetchBody } from "./bodies.js";
import type { Core } from "./core.js";
import { abortable, defined, text } from "./inputs.js";
import { LOAD, type Names } from "./names.js";
import { plain } from "./plain.js";
import type * as types from "./types.js";

/** Options of a load as the core takes them: what the catalog's defaults say, then the call's own. */
export function loadSettings(core: Core, options: object, names?: Names): Record<string, unknown> {
  const { format, user, rules, exclude, actor, toolNames, tokenizer, safety } = core.options.defaults ?? {};
  const defaults = defined({ format, user, rules, exclude, actor, toolNames, tokenizer, safety });
  return (plain({ ...defaults, ...defined(options, names) }, "options") ?? {}) as Record<string, unknown>;
}

/** One way to load: at once, with the settings as they are. */
export type Load = (id: string, settings: Record<string, unknown>) => types.LoadResult;

/** Loads; where the catalog does not hold the body, fetches it and loads again. */
export async function loadFetching(
  core: Core,
  id: string,
  options: types.LoadOptions & { signal?: types.AbortSignalLike },
  load: Load,
): Promise<types.LoadResult> {
  const { signal, rest } = abortable(options);
  throwIfAborted(signal);
  const settings = loadSettings(core, rest, LOAD);
  const result = load(id, settings);
  const fetch = core.options.loadInstructions;
  if (result.ok || result.code !== "instructions_not_loaded" || !fetch) return result;
  // The name may be spelled another way; the host knows its own.
  const body = await fetchBody(fetch, result.resolved ?? id, signal);
  if (!body.ok) return { ...result, code: "instructions_failed", text: "Error: The instructions could not be fetched; try again later." };
  return load(id, { ...settings, instructions: body.text });
}

/** Loads once, without a session. */
export function loadOnce(core: Core): Load {
  return (id, settings) => {
    const checked = text(id, "id");
    return core.counted(core.options.defaults?.countTokens, (handle, count) => handle.load(checked, settings, count));
  };
}
