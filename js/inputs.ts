// What callers pass in, made into what the core takes.
import { SkillpickError } from "./errors.js";
import { CONTEXT, checkNames, type Names, SELECT } from "./names.js";
import { kindOf, plain } from "./plain.js";
import type * as types from "./types.js";

/** The catalog as UTF-8 bytes: the fastest way into the core. */
export function utf8(source: types.CatalogSource): Uint8Array {
  if (typeof source === "string") return new TextEncoder().encode(source);
  if (typeof source !== "object" || source === null) {
    throw new SkillpickError(
      "invalid_catalog",
      `a catalog is JSON text, its bytes, an array of skills, or an object with \`skills\`; this is ${kindName(source)}`,
    );
  }
  reading("skills", () => refusePromise(source, "invalid_catalog", "skills", ", as in Catalog.from((await loadSkills(folder)).skills)"));
  const bytes = reading("skills", () => bytesOf(source));
  if (bytes) return bytes;
  let values = 0;
  /** Bounds the work: a list without items has a length too, and parts that are shared are written again at each place. */
  function bounded(key: string, value: unknown): unknown {
    if (++values > MAX_CATALOG_VALUES || (Array.isArray(value) && value.length > MAX_CATALOG_VALUES)) {
      throw new SkillpickError("too_large", `more than ${MAX_CATALOG_VALUES} values`, { path: "skills" });
    }
    return wellFormed(key, value);
  }
  try {
    return new TextEncoder().encode(JSON.stringify(source, bounded));
  } catch (cause) {
    if (cause instanceof SkillpickError) throw cause;
    throw new SkillpickError("invalid_catalog", `the catalog can't be written as JSON: ${messageOf(cause)}`, { cause });
  }
}

/** Values of a catalog that is passed as objects: a million skills of thirty fields. */
const MAX_CATALOG_VALUES = 30_000_000;

/** A surrogate that stands alone would be an escape that JSON readers refuse; as text it is replaced like anywhere else. */
function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || !LONE_SURROGATE.test(value)) return value;
  return value.replace(new RegExp(LONE_SURROGATE, "gu"), "\ufffd");
}
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A view on the bytes of a buffer from any realm, or nothing. */
export function bytesOf(source: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return /^\[object (Shared)?ArrayBuffer\]$/.test(kindOf(source)) ? new Uint8Array(source as ArrayBuffer) : undefined;
}

/** The part of the catalog's options that the core knows. */
export function catalogSettings(options: types.CatalogOptions): unknown {
  defined(options.defaults ?? {}, SELECT, "options.defaults");
  return plain({ scopes: options.scopes }, "options");
}

/** Options without functions. No limit is `null` on the other side, since JSON has no Infinity. */
export function selectSettings(options: types.SelectOptions): unknown {
  const { budget, maxSkills } = options;
  const settings: types.SelectOptions = { ...options };
  if (budget === Infinity) settings.budget = null;
  if (maxSkills === Infinity) settings.maxSkills = null;
  return plain(settings, "options");
}

/** Of an earlier pick only its state matters, so the block is not copied again. */
export function contextOf(context: types.Context): unknown {
  return reading("context", () => {
    if (typeof context === "object" && context !== null) {
      refusePromise(context, "invalid_option", "context", "");
      if (!Array.isArray(context)) checkNames(context, CONTEXT, "context");
    }
    const previous = context?.previous;
    if (typeof previous !== "object" || previous === null || !("state" in previous)) return plain(context, "context");
    return plain({ ...context, previous: previous.state }, "context");
  });
}

/** The options that are given: an explicit `undefined` doesn't hide a default. One that is mistyped is an error. */
export function defined<T extends object>(options: T, names?: Names, path = "options"): T {
  return reading(path, () => {
    const given = Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as T;
    if (names) checkNames(given, names, path);
    return given;
  });
}

/** The options of a call that can be aborted, and its signal apart. */
export function abortable<T extends { signal?: types.AbortSignalLike }>(options: T): { signal: types.AbortSignalLike | undefined; rest: Omit<T, "signal"> } {
  return reading("options", () => {
    const { signal, ...rest } = options ?? {};
    return { signal, rest };
  });
}

/** Refuses what somebody has forgotten to wait for. */
function refusePromise(value: object, code: string, path: string, hint: string): void {
  if (typeof (value as { then?: unknown }).then !== "function") return;
  throw new SkillpickError(code, `this is a promise; await it first${hint}`, { path });
}

/** Runs what reads a host's value: a getter or a proxy in it may throw anything. */
export function reading<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof SkillpickError) throw cause;
    throw new SkillpickError("unreadable", "reading the value has failed", { path: name, cause });
  }
}

/** A string, for the glue crashes on anything else. */
export function text(value: string, name: string): string {
  if (typeof value === "string") return value;
  throw new SkillpickError("invalid_argument", `a string is needed, this is ${kindName(value)}`, { path: name });
}

/** Strings in a list. */
const MAX_TEXTS = 2_000_000;

/** A list of strings. */
export function texts(values: readonly string[], name: string): string[] {
  return reading(name, () => {
    if (!Array.isArray(values)) throw new SkillpickError("invalid_argument", "a list of strings is needed", { path: name });
    if (values.length > MAX_TEXTS) throw new SkillpickError("too_large", `more than ${MAX_TEXTS} values`, { path: name });
    // Not `map`, which leaves holes as they are.
    return Array.from(values, (value, index) => text(value, `${name}[${index}]`));
  });
}

export function kindName(value: unknown): string {
  return value === null ? "null" : typeof value;
}

/** What an error of any kind says. */
export function messageOf(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return "something that can't be written as text";
  }
}
