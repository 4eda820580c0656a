import { Inflate, deflateSync } from "fflate";
import type { Settings, Turn } from "./engine/protocol.js";
import { BUDGET, defaults } from "./presets.js";

/** What a link holds. */
export interface Shared {
  turns: Turn[];
  files: string;
  settings: Settings;
  catalog: "example" | "generated" | "missing" | { json: string };
}

/** Addresses longer than this are cut or refused here and there. */
const MOST_LINK = 60_000;
/** What a foreign link may unpack to. */
const MOST_TEXT = 4 << 20;
const VERSION = 1;

/** The part of the address after `#`; `undefined` if it would be too long. */
export function encode(shared: Shared): string | undefined {
  const bytes = deflateSync(new TextEncoder().encode(JSON.stringify({ v: VERSION, ...shared })), { level: 9 });
  const text = toBase64Url(bytes);
  return text.length > MOST_LINK ? undefined : text;
}

/** Reads such a part; `undefined` for anything that isn't one. Everything in it is checked: links come from anywhere. */
export function decode(fragment: string): Shared | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(inflate(fromBase64Url(fragment))));
    return typeof value === "object" && value !== null && (value as { v?: unknown }).v === VERSION ? checked(value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function checked(value: Record<string, unknown>): Shared | undefined {
  const { turns, files, catalog } = value;
  if (!Array.isArray(turns) || turns.length > 500 || typeof files !== "string") return undefined;
  const read: Turn[] = [];
  for (const turn of turns as { role?: unknown; text?: unknown }[]) {
    if (typeof turn?.text !== "string") return undefined;
    read.push({ role: turn.role === "assistant" ? "assistant" : "user", text: turn.text });
  }
  const json = (catalog as { json?: unknown } | null)?.json;
  const from = catalog === "generated" || catalog === "missing" ? catalog : typeof json === "string" ? { json } : "example";
  return { turns: read, files, settings: settingsOf(value["settings"]), catalog: from };
}

const CHOICES = {
  mode: ["off", "metadata", "full", "auto"],
  format: ["agentpool", "agentskills", "compact", "two-layer", "promethea"],
  placement: ["single", "split"],
  order: ["relevance", "name", "catalog"],
} as const satisfies { [K in "mode" | "format" | "placement" | "order"]: readonly Settings[K][] };

export const choices = CHOICES;

function settingsOf(value: unknown): Settings {
  const given = (typeof value === "object" && value !== null ? value : {}) as Partial<Record<keyof Settings, unknown>>;
  const choice = <K extends keyof typeof CHOICES>(key: K): Settings[K] => (CHOICES[key] as readonly unknown[]).includes(given[key]) ? (given[key] as Settings[K]) : defaults[key];
  const { budget } = given;
  return {
    budget: typeof budget === "number" && Number.isInteger(budget) && budget >= BUDGET.least ? Math.min(budget, BUDGET.most) : defaults.budget,
    mode: choice("mode"),
    format: choice("format"),
    placement: choice("placement"),
    order: choice("order"),
    sticky: given.sticky === true,
  };
}

function inflate(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let total = 0;
  const stream = new Inflate((part) => {
    total += part.length;
    if (total > MOST_TEXT) throw new Error("too long");
    parts.push(part.slice());
  });
  // In small steps, so that a short text that unpacks to a huge one is noticed early.
  for (let at = 0; at < bytes.length; at += 1024) stream.push(bytes.subarray(at, at + 1024), at + 1024 >= bytes.length);
  const all = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
