import type { Catalog } from "./api.js";
import { throwIfAborted } from "./abort.js";
import { fetchBody } from "./bodies.js";
import { type Core, cores } from "./core.js";
import { SkillpickError } from "./errors.js";
import { abortable, defined, reading, text, texts } from "./inputs.js";
import { loadFetching, loadSettings } from "./loading.js";
import { BOUNDARY, LOAD, REATTACH } from "./names.js";
import { plain } from "./plain.js";
import type * as types from "./types.js";

/** What a step of a session gives, and the state after it. */
export interface Stepped<T> {
  result: T;
  state: types.SessionState;
}

type Counter = types.CountTokens | undefined;

/** A session: a state, and the catalog that it is about. Every step is the core's; this only keeps what comes out. */
export class LiveSession implements types.Session {
  #catalog: Catalog;
  #state: types.SessionState | undefined;

  constructor(catalog: Catalog, state?: types.SessionState) {
    this.#catalog = catalog;
    if (state === undefined) return;
    this.#state = plain(state, "state") as types.SessionState;
    // Reads the state, so that a bad one is refused here and not in the middle of a run.
    this.enter([]);
  }

  get state(): types.SessionState {
    if (this.#state === undefined) return { version: 1, active: [], staged: [], turn: 0 };
    return plain(this.#state, "state") as types.SessionState;
  }

  synchronize(catalog: Catalog): types.Dropped {
    this.#catalog = catalog;
    return this.#step((core, state) => core.call((handle) => handle.sessionSynchronize(state, loadSettings(core, {}))));
  }

  load(id: string, options: types.LoadOptions = {}): types.LoadResult {
    return this.#load(id, loadSettings(this.#core, options, LOAD));
  }

  loadAsync(id: string, options: types.LoadOptions & { signal?: types.AbortSignalLike } = {}): Promise<types.LoadResult> {
    return loadFetching(this.#core, id, options, (id, settings) => this.#load(id, settings));
  }

  #load(id: string, settings: Record<string, unknown>): types.LoadResult {
    const checked = text(id, "id");
    return this.#counted((handle, state, count) => handle.sessionLoad(state, checked, settings, count));
  }

  boundary(options: types.BoundaryOptions = {}): types.Boundary {
    return this.#boundary(options, {});
  }

  async boundaryAsync(options: types.BoundaryOptions & { signal?: types.AbortSignalLike } = {}): Promise<types.Boundary> {
    const { signal, rest } = abortable(options);
    throwIfAborted(signal);
    const fetch = this.#core.options.loadInstructions;
    const elsewhere = (rest.required ?? []).filter((id) => this.#catalog.get(id)?.instructions === undefined);
    const bodies: Record<string, string> = {};
    if (fetch) {
      const fetched = await Promise.all(elsewhere.map((id) => fetchBody(fetch, id, signal)));
      for (const [at, body] of fetched.entries()) {
        const id = elsewhere[at] as string;
        if (!body.ok) throw requiredFailed(id, body.cause);
        bodies[id] = body.text;
      }
    }
    return this.#boundary(rest, bodies);
  }

  #boundary(options: types.BoundaryOptions, bodies: Record<string, string>): types.Boundary {
    const settings = loadSettings(this.#core, { ...defined(options, BOUNDARY), bodies });
    return this.#step((core, state) => core.call((handle) => handle.sessionBoundary(state, settings)));
  }

  rules(paths: readonly string[], options: { budget?: number | null } = {}): types.Rules {
    const checked = texts(paths, "paths");
    const settings = unlimited(loadSettings(this.#core, options));
    return this.#counted((handle, state, count) => handle.sessionRules(state, checked, settings, count));
  }

  enter(paths: readonly string[]): types.Entered {
    const checked = texts(paths, "paths");
    return this.#step((core, state) => core.call((handle) => handle.sessionEnter(state, checked, loadSettings(core, {}))));
  }

  select(context: types.Context = {}, options: types.SelectOptions = {}): types.Pick {
    const own = this.#state?.active.map((one) => one.id) ?? [];
    const joined = reading("context", () => ({ ...context, active: [...new Set([...own, ...(context.active ?? [])])] }));
    return this.#catalog.select(joined, options);
  }

  reattach(options: types.ReattachOptions = {}): types.LoadResult[] {
    const settings = unlimited(loadSettings(this.#core, options, REATTACH));
    return this.#counted((handle, state, count) => handle.reattach(state, settings, count));
  }

  copy(): types.Session {
    return new LiveSession(this.#catalog);
  }

  get #core(): Core {
    return cores.get(this.#catalog) as Core;
  }

  #counted<T>(step: (handle: import("#glue").Handle, state: types.SessionState | undefined, count?: Counter) => Stepped<T>): T {
    const own = this.#core.options.defaults?.countTokens;
    return this.#step((core, state) => core.counted(own, (handle, count) => step(handle, state, count)));
  }

  #step<T>(step: (core: Core, state: types.SessionState | undefined) => Stepped<T>): T {
    const { result, state } = step(this.#core, this.#state);
    this.#state = state;
    return result;
  }
}

function requiredFailed(id: string, cause: unknown): SkillpickError {
  return new SkillpickError("required_failed", `"${id}" is required, but its instructions could not be fetched`, {
    path: "options.required",
    cause,
  });
}

/** No limit is `null` on the other side. */
function unlimited(settings: Record<string, unknown>): Record<string, unknown> {
  return settings.budget === Infinity ? { ...settings, budget: null } : settings;
}
