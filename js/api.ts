/// <reference lib="esnext.disposable" preserve="true" />
import type { Handle } from "#glue";
import { throwIfAborted } from "./abort.js";
import { fetchBody } from "./bodies.js";
import { guard } from "./counter.js";
import { SkillpickError } from "./errors.js";
import { bytesOf, catalogSettings, contextOf, defined, selectSettings, text, utf8 } from "./inputs.js";
import { plain } from "./plain.js";
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

  private constructor(handle: Handle, options: types.CatalogOptions) {
    this.#handle = handle;
    this.#options = options;
    this.#born = currentGeneration();
  }

  /**
   * Reads a catalog. A skill that can't be used is left out with a diagnostic and takes no other with it.
   *
   * @throws SkillpickError `invalid_catalog` if it is no JSON, no array, or over a documented limit
   */
  static from(source: types.CatalogSource, options: types.CatalogOptions = {}): Catalog {
    const bytes = utf8(source);
    const settings = catalogSettings(options);
    return new Catalog(
      enter((boundary) => boundary.Handle.fromJson(bytes, settings)),
      options,
    );
  }

  /**
   * Reads a snapshot that {@link Catalog.toBytes} has made; nothing is parsed or indexed again.
   *
   * @throws SkillpickError `snapshot_corrupt`, `snapshot_version`
   */
  static fromBytes(snapshot: Uint8Array | ArrayBuffer, options: types.CatalogOptions = {}): Catalog {
    const bytes = bytesOf(snapshot);
    if (!bytes) throw new SkillpickError("invalid_snapshot", "a snapshot is a Uint8Array or an ArrayBuffer");
    const settings = catalogSettings(options);
    return new Catalog(
      enter((boundary) => boundary.Handle.fromBytes(bytes, settings)),
      options,
    );
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
    return this.#call((handle) => handle.get(text(id, "id"))) ?? undefined;
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
   *   doesn't fit; `counter_failed` if the host's counter throws
   */
  select(context: types.Context = {}, options: types.SelectOptions = {}): types.Pick {
    const request = contextOf(context);
    const merged = { ...this.#options.defaults, ...defined(options) };
    const settings = selectSettings(merged);
    return this.#counted(merged.countTokens, (handle, count) => handle.select(request, settings, count));
  }

  /** As {@link Catalog.select}, and stops when the signal says so. */
  async selectAsync(
    context: types.Context = {},
    options: types.SelectOptions & { signal?: types.AbortSignalLike } = {},
  ): Promise<types.Pick> {
    const { signal, ...rest } = options;
    throwIfAborted(signal);
    return this.select(context, rest);
  }

  /** The skills that a query finds, best first. */
  search(query: string, options: types.SearchOptions = {}): types.SearchHit[] {
    const settings = plain(options, "options");
    return this.#call((handle) => handle.search(text(query, "query"), settings));
  }

  /** The state of every skill of the catalog in a pick, those included that `omitted` had no room for. */
  report(pick: types.Pick): types.SkillState[] {
    const copy = plain(pick, "pick");
    return this.#call((handle) => handle.report(copy));
  }

  /** The body of a skill in its wrapper, as a tool result. Never throws for what a model can ask. */
  load(id: string, options: types.LoadOptions = {}): types.LoadResult {
    return this.#load(id, plain(options, "options") as object);
  }

  /** As {@link Catalog.load}; a body that is not in the catalog comes from `loadInstructions`. */
  async loadAsync(
    id: string,
    options: types.LoadOptions & { signal?: types.AbortSignalLike } = {},
  ): Promise<types.LoadResult> {
    const { signal, ...rest } = options;
    throwIfAborted(signal);
    const settings = plain(rest, "options") as object;
    const result = this.#load(id, settings);
    const fetch = this.#options.loadInstructions;
    if (result.ok || result.code !== "instructions_not_loaded" || !fetch) return result;
    const body = await fetchBody(fetch, id, signal);
    if (!body.ok) return { ...result, code: "instructions_failed", text: `The instructions of ${id} could not be fetched.` };
    return this.#load(id, { ...settings, instructions: body.text });
  }

  #load(id: string, settings: object): types.LoadResult {
    return this.#counted(undefined, (handle, count) => handle.load(text(id, "id"), settings, count));
  }

  /** Definitions of the tools that load and search skills, in the subset of JSON Schema that strict modes accept. */
  tools(options: types.SelectOptions = {}): types.ToolDefinition[] {
    const settings = selectSettings({ ...this.#options.defaults, ...defined(options) });
    return this.#call((handle) => handle.tools(settings));
  }

  /** What the active skills ask of the host; reported, never enforced. */
  policy(active: readonly string[], request: { mode?: string; allowlist?: readonly string[] } = {}): types.ToolPolicy {
    const ids = plain(active, "active");
    const wants = plain(request, "request");
    return this.#call((handle) => handle.policy(ids, wants));
  }

  /** A snapshot for {@link Catalog.fromBytes}. `instructions: false` leaves the bodies out, to be fetched by `loadInstructions`. */
  toBytes(options: { instructions?: boolean } = {}): Uint8Array {
    const settings = plain(options, "options");
    return this.#call((handle) => handle.toBytes(settings));
  }

  /** Frees the memory at once. Twice is harmless; any other use afterwards throws `catalog_disposed`. */
  dispose(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle) release(handle, this.#born);
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
