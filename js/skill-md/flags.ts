import { fold } from "./names.js";
import type { Value } from "./value.js";

/** What a text says of a yes-or-no field; `null` if it can't be told. */
export function readFlag(value: Value | string): boolean | null {
  const raw = typeof value === "string" ? value : value.kind === "text" ? value.text : null;
  if (raw === null) return null;
  if (/^\s*(可以|可|允许)/.test(raw)) return true;
  if (/^\s*(不|禁止)/.test(raw)) return false;
  const word = raw.trim().replace(/^["'`*]+/, "").replace(/["'`*,}\s].*$/s, "").toLowerCase();
  if (["true", "yes", "on", "1", "y", "t", "是", "oui", "sí", "si", "ja", "да"].includes(word)) return true;
  if (["false", "no", "off", "0", "n", "f", "否", "non", "nein", "нет", "never"].includes(word)) return false;
  return null;
}

/** The restrictions of a skill. Only their presence matters: what is absent is open. */
export interface Restrictions {
  enabled?: false;
  modelInvocable?: false;
  userInvocable?: false;
}

const RESTRICTIONS: Record<string, { field: keyof Restrictions; when: boolean }> = {
  disablemodelinvocation: { field: "modelInvocable", when: true },
  modelinvocable: { field: "modelInvocable", when: false },
  userinvocable: { field: "userInvocable", when: false },
  用户可调用: { field: "userInvocable", when: false },
  用户可调用性: { field: "userInvocable", when: false },
  enabled: { field: "enabled", when: false },
  disabled: { field: "enabled", when: true },
};

/** What a key restricts. An unreadable value restricts: its author wanted something other than the default. */
export function restrictionOf(key: string, value: Value | string): keyof Restrictions | null {
  const rule = RESTRICTIONS[fold(key)];
  if (rule === undefined) return null;
  const flag = readFlag(value);
  return flag === null || flag === rule.when ? rule.field : null;
}

const FLAG_LINE =
  /^[\s\-*>"'`{,]{0,40}(disable[-_ ]?model[-_ ]?invocation|model[-_ ]?invocable|user[-_ ]?invocable|用户可调用性?|enabled|disabled)["'`*]{0,4}[ \t]{0,8}[:：=](.*)$/i;
const FLAG_INLINE = /[{,]\s{0,8}["']?(disable[-_]?model[-_]?invocation|model[-_]?invocable|user[-_]?invocable)["']?\s{0,8}:\s{0,8}([^,}]{0,40})/gi;
const TOOLS_LINE = /^[\s\-*>"'`{,]{0,40}allowed[-_ ]?tools["'`*]{0,4}[ \t]{0,8}[:：=](.*)$/i;

/** Restrictions that stand anywhere in the lines of a broken header. */
export function scanRestrictions(lines: string[]): { found: Restrictions; tools: boolean } {
  const found: Restrictions = {};
  let tools = false;
  for (const line of lines) {
    const match = FLAG_LINE.exec(line);
    if (match !== null) note(found, match[1] as string, match[2] as string, line);
    if (line.includes("{")) for (const inline of line.matchAll(FLAG_INLINE)) note(found, inline[1] as string, inline[2] as string, line);
    if (TOOLS_LINE.test(line)) tools = true;
  }
  return { found, tools };
}

function note(found: Restrictions, key: string, value: string, line: string): void {
  // `enabled` is an everyday word of nested settings; only at the margin is it the skill's own.
  if (/^(enabled|disabled)$/i.test(key) && /^[\s-]/.test(line)) return;
  const field = restrictionOf(key.replaceAll(" ", "-"), value.trim());
  if (field !== null) found[field] = false;
}
