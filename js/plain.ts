import { SkillpickError } from "./errors.js";

/** Deeper parts are dropped; no provider's messages come near. */
const MAX_DEPTH = 64;
/** Values in one request; more is an error rather than a frozen host. */
const MAX_VALUES = 2_000_000;
/** Characters in one request, keys included. */
const MAX_TEXT = 1 << 26;

/**
 * Copies what a host passed in as plain JSON values: `undefined`, functions, symbols, binary data and circular references are left
 * out, `toJSON` is honoured, arrays of numbers of any kind become arrays. Nothing that the core reads can run a host's code then.
 *
 * @param name What the value is called in errors, such as `context`.
 */
export function plain(value: unknown, name: string): unknown {
  let values = 0;
  let characters = 0;
  const above = new Set<object>();

  function copy(value: unknown): unknown {
    if (++values > MAX_VALUES) {
      throw new SkillpickError("too_large", `more than ${MAX_VALUES} values`, { path: name });
    }
    switch (typeof value) {
      case "string":
        return checked(value);
      case "number":
      case "boolean":
        return value;
      case "bigint":
        return Number(value);
      case "object":
        return value === null ? null : copyObject(value);
      default:
        return undefined;
    }
  }

  function checked(text: string): string {
    characters += text.length;
    if (characters > MAX_TEXT) throw new SkillpickError("too_large", `more than ${MAX_TEXT} characters`, { path: name });
    return text;
  }

  /** The length of a list says how long a copy takes, even where it has no items. */
  function short<T extends { length: number }>(list: T): T {
    if (list.length > MAX_VALUES) throw new SkillpickError("too_large", `more than ${MAX_VALUES} values`, { path: name });
    return list;
  }

  function copyObject(source: object): unknown {
    if (above.has(source) || above.size >= MAX_DEPTH) return undefined;
    above.add(source);
    try {
      if (Array.isArray(source)) return short(source).map((item) => copy(item) ?? null);
      if (isNumbers(source)) return Array.from(short(source));
      if (isBinary(source)) return undefined;
      if (typeof (source as { toJSON?: unknown }).toJSON === "function") {
        return copy((source as { toJSON(): unknown }).toJSON());
      }
      return copyEntries(source);
    } finally {
      above.delete(source);
    }
  }

  function copyEntries(source: object): Record<string, unknown> {
    const target: Record<string, unknown> = {};
    for (const key of Object.keys(source)) {
      const item = copy((source as Record<string, unknown>)[key]);
      // A key such as __proto__ must become a key and nothing else.
      if (item !== undefined) checked(key);
      if (item !== undefined) Object.defineProperty(target, key, { value: item, enumerable: true });
    }
    return target;
  }

  try {
    return copy(value);
  } catch (cause) {
    if (cause instanceof SkillpickError) throw cause;
    throw new SkillpickError("unreadable", "reading the value has failed", { path: name, cause });
  }
}

function isNumbers(value: object): value is Float32Array {
  return /^\[object (Float(16|32|64)|U?[Ii]nt(8|16|32))Array\]$/.test(kindOf(value)) && kindOf(value) !== "[object Uint8Array]";
}

function isBinary(value: object): boolean {
  return ArrayBuffer.isView(value) || kindOf(value).endsWith("ArrayBuffer]") || kindOf(value) === "[object Blob]";
}

/** By tag and not by class, since a value may come from another realm. */
export function kindOf(value: object): string {
  return Object.prototype.toString.call(value);
}
