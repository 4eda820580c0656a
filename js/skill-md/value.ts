import { withoutControls, wellFormed } from "./decode.js";

/** A value of a header, before a field gives it a meaning. `source` is what the author wrote. */
export type Value =
  | { kind: "null"; source: string }
  | { kind: "text"; text: string; plain: boolean; source: string }
  | { kind: "list"; items: Value[]; source: string }
  | { kind: "map"; entries: [string, Value][]; source: string };

/** One `key: value` of a header. */
export interface Entry {
  /** As written. */
  key: string;
  /** The line in the file. */
  line: number;
  value: Value;
  /** The value was read from broken YAML. */
  recovered: boolean;
}

/** Plain scalars that mean "nothing". */
export function isNull(text: string): boolean {
  return text === "" || text === "~" || text === "null" || text === "Null" || text === "NULL";
}

/** A text value without characters that no format can carry. */
export function text(raw: string, plain = false, source = raw): Value {
  const clean = withoutControls(wellFormed(raw));
  return plain && isNull(clean.trim()) ? { kind: "null", source } : { kind: "text", text: clean, plain, source };
}

/**
 * JSON of a value. Plain numbers and booleans become JSON's where JSON spells them as the author did, so `2` is a number and
 * `1.10` stays text.
 */
export function toJson(value: Value): unknown {
  switch (value.kind) {
    case "null":
      return null;
    case "text":
      return value.plain ? plainJson(value.text) : value.text;
    case "list":
      return value.items.map(toJson);
    case "map": {
      const object: Record<string, unknown> = {};
      for (const [key, item] of value.entries) setOwn(object, key, toJson(item));
      return object;
    }
  }
}

function plainJson(plain: string): unknown {
  if (plain === "true") return true;
  if (plain === "false") return false;
  if (plain.length > 24) return plain;
  const number = Number(plain);
  return Number.isFinite(number) && String(number) === plain ? number : plain;
}

/** Sets an own property, also for `__proto__`. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}
