/// <reference lib="esnext.disposable" preserve="true" />
import type { Handle } from "#glue";
import { throwIfAborted } from "./abort.js";
import { fetchPlanned } from "./bodies.js";
import { type Core, cores } from "./core.js";
import { guard } from "./counter.js";
import { SkillpickError } from "./errors.js";
import { abortable, catalogSettings, contextOf, defined, selectSettings, text, texts, utf8 } from "./inputs.js";
import { loadFetching, loadOnce, loadSettings } from "./loading.js";
import { CATALOG, LOAD, SEARCH, SELECT, SNAPSHOT } from "./names.js";
import { plain } from "./plain.js";
import { LiveSession } from "./session.js";
import { fromBytes, fromStream } from "./snapshot.js";
import type * as types from "./types.js";
import { currentGeneration, enter, release } from "./wasm/instance.js";

export interface Catalog {
  /** The same as `dispose`, for `using`; only where the platform has `Symbol.dispose`. */
  [Symbol.dispose](): void;
}

/**
 * A catalog of skills, parsed and indexed once and never changed. The memory behind it is freed when it is garbage-collected, or at
 * once by {@link Catalog.dispose}; a synchronous loop that makes many catalogs needs the latter.
 */
export class Catalog {
  readonly #options: types.CatalogOptions;
  readonly #born: number;
  #handle: Handle | undefined;

  private constructor(handle: Handle, given: types.CatalogOptions) {
    const options = defined(given);
    this.#handle = handle;
    this.#options = options;
    this.#born = currentGeneration();
    cores.set(this, {
      options,
      call: (work) => this.#call(work),
      counted: (own, work) => this.#counted(own, work),
    });
  }

  /**
   * Reads a catalog. A skill that can't be used is left out with a diagnostic and takes no other with it.
   *
   * @throws SkillpickError `invalid_catalog` if it is no JSON, no array, or over a documented limit
   */
  static from(source: types.CatalogSource, options: types.CatalogOptions = {}): Catalog {
    const bytes = utf8(source);
    const settings = catalogSettings(defined(options, CATALOG));
    return new Catalog(
      enter((boundary) => boundary.Handle.fromJson(bytes, settings)),
      options,
    );
  }

  /**
   * A catalog from what {@link Catalog.toBytes} gave: nothing is parsed and nothing indexed again. The bytes are copied and may be
   * changed afterwards.
   *
   * @throws SkillpickError `snapshot_format` for other bytes, `snapshot_version` for those of another major version,
   *   `snapshot_truncated`, `snapshot_checksum`; `catalog_too_large` above 256 MiB
   */
  static fromBytes(snapshot: Uint8Array, options: types.CatalogOptions = {}): Catalog {
    return new Catalog(fromBytes(snapshot, defined(options, CATALOG)), options);
  }

  /**
   * As {@link Catalog.fromBytes}, from a stream such as the body of a response: each piece goes to its place in the core's memory as
   * it comes, so that the snapshot is never held twice.
   *
   * @throws SkillpickError also `stream_failed` with the stream's own error as the cause
   */
  static async fromStream(snapshot: types.ByteStream, options: types.CatalogOptions = {}): Promise<Catalog> {
    return new Catalog(await fromStream(snapshot, defined(options, CATALOG)), options);
  }

  /** One catalog of several, as if their entries stood one after the other. */
  static merge(...catalogs: [Catalog, ...Catalog[]]): Catalog {
    if (catalogs.length === 0) throw new SkillpickError("invalid_argument", "merge needs a catalog", { path: "catalogs" });
    // Half and half, so that no entry is read again for every catalog that comes after it.
    const merged = (from: number, to: number): Catalog => {
      if (to - from === 1) return catalogs[from] as Catalog;
      const middle = (from + to) >> 1;
      const halves = [merged(from, middle), merged(middle, to)] as const;
      const both = halves[0].#derive((handle) => halves[1].#call((other) => handle.merge(other)));
      // What lies between is nobody's.
      for (const half of halves) if (!catalogs.includes(half)) half.dispose();
      return both;
    };
    return merged(0, catalogs.length);
  }

  /** A catalog with more skills; where an id is there already, the rules for two skills with one id decide. */
  with(skills: readonly types.Skill[]): Catalog {
    const bytes = utf8(skills);
    return this.#derive((handle) => handle.withSkills(bytes));
  }

  /** A catalog without these ids; a skill that one of them shadowed comes to light. */
  without(ids: readonly string[]): Catalog {
    const gone = texts(ids, "ids");
    return this.#derive((handle) => handle.without(gone));
  }

  /** What is different in a newer catalog. */
  changed(newer: Catalog): types.CatalogChanges {
    return this.#call((handle) => newer.#call((other) => handle.changed(other)));
  }

  /** Skills in the catalog. */
  get size(): number {
    return this.#call((handle) => handle.size());
  }

  /** What was odd about the input. */
  get diagnostics(): types.Diagnostic[] {
    return this.#call((handle) => handle.diagnostics());
  }

  /** One skill, as it was read. */
  get(id: string): types.Skill | undefined {
    const checked = text(id, "id");
    return this.#call((handle) => handle.get(checked)) ?? undefined;
  }

  /** All ids, in their own order. */
  ids(): string[] {
    return this.#call((handle) => handle.ids());
  }

  /**
   * Picks the skills that matter for a conversation and renders the block for the prompt. The block never costs more than the
   * budget, by the counter in use.
   *
   * @throws SkillpickError `invalid_budget` and the like for options that make no sense; `required_unfit` if a required skill
   *   doesn't fit; `count_failed` if the host's counter throws
   */
  select(context: types.Context = {}, options: types.SelectOptions = {}): types.Pick {
    const request = contextOf(context);
    const merged = { ...this.#options.defaults, ...defined(options, SELECT) };
    const settings = selectSettings(merged);
    return this.#counted(merged.countTokens, (handle, count) => handle.select(request, settings, count));
  }

  /**
   * As {@link Catalog.select}, with bodies that live elsewhere: those that the pick shows in full are fetched by
   * `loadInstructions`, then the block is made again at their true price. A body that can't be had leaves its skill at its
   * description, with the diagnostic `instructions_failed`.
   *
   * @throws SkillpickError `required_failed` if the body of a required skill can't be had; the signal's reason if it is aborted
   */
  async selectAsync(
    context: types.Context = {},
    options: types.SelectOptions & { signal?: types.AbortSignalLike } = {},
  ): Promise<types.Pick> {
    const { signal, rest } = abortable(options);
    throwIfAborted(signal);
    const fetch = this.#options.loadInstructions;
    const merged = { ...this.#options.defaults, ...defined(rest, SELECT) };
    if (!fetch || (merged.mode !== "full" && merged.mode !== "auto")) return this.select(context, rest);
    const request = contextOf(context);
    const settings = selectSettings(merged) as object;
    const choose = (bodies: Record<string, string>, planBodies: boolean): types.Pick =>
      this.#counted(merged.countTokens, (handle, count) => handle.select(request, { ...settings, bodies, planBodies }, count));
    const { bodies, failed } = await fetchPlanned(fetch, signal, (bodies) =>
      choose(bodies, true).skills.flatMap(({ id, detail }) =>
        detail === "instructions" && this.get(id)?.instructions === undefined ? [id] : [],
      ),
    );
    for (const id of merged.required ?? []) {
      if (!failed.has(id)) continue;
      const path = "options.required";
      throw new SkillpickError("required_failed", `the body of the required skill ${id} can't be had`, { path, cause: failed.get(id) });
    }
    const pick = choose(bodies, false);
    for (const [skill, cause] of failed) {
      const message = `the body of ${skill} can't be had (${cause instanceof Error ? cause.message : String(cause)}); it is shown without`;
      pick.diagnostics.push({ code: "instructions_failed", severity: "warning", skill, message });
    }
    return pick;
  }

  /** The skills that a query finds, best first; 10 where no limit is given, 100 at most. What the model may not see is not found. */
  search(query: string, options: types.SearchOptions = {}): types.SearchHit[] {
    const checked = text(query, "query");
    const settings = plain(defined(options, SEARCH), "options");
    return this.#call((handle) => handle.search(checked, settings));
  }

  /** The state of every skill of the catalog in a pick, those included that `omitted` had no room for. */
  report(pick: types.Pick): types.SkillState[] {
    const copy = plain(pick, "pick");
    return this.#call((handle) => handle.report(copy));
  }

  /**
   * A skill's body in a wrapper that it can't close, as the tool result for the model. What a model can ask never throws: a skill
   * that can't be loaded is a result with a `code` for you and a `text` for the model.
   *
   * @throws SkillpickError `invalid_option`, `count_failed`
   */
  load(id: string, options: types.LoadOptions = {}): types.LoadResult {
    const core = this.#core;
    return loadOnce(core)(id, loadSettings(core, options, LOAD));
  }

  /** As {@link Catalog.load}; a body that is not in the catalog comes from `loadInstructions`. */
  async loadAsync(
    id: string,
    options: types.LoadOptions & { signal?: types.AbortSignalLike } = {},
  ): Promise<types.LoadResult> {
    return loadFetching(this.#core, id, options, loadOnce(this.#core));
  }

  /**
   * Where a listed file of a skill is: its path behind the skill's folder. Read files for the model by this alone.
   *
   * @throws SkillpickError `unknown_skill`, `not_available`, `resource_not_listed` for any path that the skill doesn't list
   */
  resource(id: string, path: string): string {
    const [skill, file] = [text(id, "id"), text(path, "path")];
    return this.#call((handle) => handle.resource(skill, file, loadSettings(this.#core, {})));
  }

  /** What to tell a model that called a skill as if it were a tool; `undefined` if no skill that it may load has this name. */
  advise(tool: string, options: types.LoadOptions = {}): string | undefined {
    const name = text(tool, "tool");
    return this.#call((handle) => handle.advise(name, loadSettings(this.#core, options, LOAD))) ?? undefined;
  }

  /**
   * Definitions of the tools that a model needs with these options: one that loads, where anything can be loaded; those that
   * search and list, where the listing can leave skills out. The same for every conversation.
   */
  tools(options: types.SelectOptions = {}): types.ToolDefinition[] {
    const merged = { ...this.#options.defaults, ...defined(options, SELECT) };
    const settings = selectSettings(merged);
    return this.#counted(merged.countTokens, (handle, count) => handle.tools(settings, count));
  }

  /** What the active skills ask of the host, in the order of their activation; reported, never enforced. */
  policy(active: readonly string[], request: types.PolicyRequest = {}): types.ToolPolicy {
    const ids = texts(active, "active");
    const wants = plain(request, "request");
    const settings = selectSettings(this.#options.defaults ?? {});
    return this.#call((handle) => handle.policy(ids, wants, settings));
  }

  /**
   * What a conversation loads, step by step; a new one, or one from a state that you have kept.
   *
   * @throws SkillpickError `invalid_state`, `state_version`
   */
  session(state?: types.SessionState): types.Session {
    return new LiveSession(this, state);
  }

  /**
   * A snapshot of the catalog and its index, for {@link Catalog.fromBytes} and {@link Catalog.fromStream}: the same catalog gives the
   * same bytes. Functions of the options, and their `defaults`, are no part of it.
   *
   * @throws SkillpickError `catalog_too_large` above 256 MiB
   */
  toBytes(options: types.SnapshotOptions = {}): Uint8Array<ArrayBuffer> {
    const { instructions = true } = defined(options, SNAPSHOT);
    if (typeof instructions !== "boolean") {
      throw new SkillpickError("invalid_option", "expected true or false", { path: "options.instructions" });
    }
    return this.#call((handle) => handle.toBytes(instructions));
  }

  /** Frees the memory at once. Twice is harmless; any other use afterwards throws `catalog_disposed`. */
  dispose(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle) release(handle, this.#born);
  }

  get #core(): Core {
    return cores.get(this) as Core;
  }

  #derive(work: (handle: Handle) => Handle): Catalog {
    return new Catalog(this.#call(work), this.#options);
  }

  #call<T>(work: (handle: Handle) => T): T {
    const handle = this.#handle;
    if (!handle) throw new SkillpickError("catalog_disposed", "the catalog was disposed of before");
    if (this.#born !== currentGeneration()) {
      throw new SkillpickError("stale_catalog", "the instance that held the catalog is gone (reset() or a failure); make it again");
    }
    return enter(() => work(handle));
  }

  #counted<T>(own: types.CountTokens | undefined, work: (handle: Handle, count?: types.CountTokens) => T): T {
    const count = own ?? this.#options.countTokens;
    if (count === undefined) return this.#call((handle) => work(handle));
    const guarded = guard(count);
    try {
      return this.#call((handle) => work(handle, guarded.count));
    } catch (thrown) {
      throw guarded.failure ?? thrown;
    }
  }
}

// Only where the platform has it; the type is declared beside the class.
if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(Catalog.prototype, Symbol.dispose, { value: Catalog.prototype.dispose, configurable: true, writable: true });
}
