import type { Skill } from "../types.js";
import { readFlag, restrictionOf } from "./flags.js";
import { meaningOf, type Meaning } from "./names.js";
import { readCases, readExamples } from "./records.js";
import type { Report } from "./report.js";
import { splitTools } from "./tools.js";
import { isNull, setOwn, toJson, type Entry, type Value } from "./value.js";

/** Everything that a header says, before a name and a description are found for what it doesn't say. */
export type Draft = Partial<Skill>;

/** Gives each entry its meaning. What has none is kept under `extra`; what can't be read is reported. */
export function readFields(entries: Entry[], report: Report): Draft {
  const draft: Draft = {};
  const seen = new Map<string, number>();
  const extra: Record<string, unknown> = {};
  for (const entry of entries) {
    const meaning = meaningOf(entry.key);
    const slot = meaning?.field ?? ` ${entry.key}`;
    const earlier = seen.get(slot);
    if (earlier !== undefined && meaning?.reading !== "flag") {
      report.warning("duplicate_key", entry.line, `\`${entry.key}\` stands in line ${earlier} already; the last one counts. Remove one of them.`, entry.key);
    }
    seen.set(slot, entry.line);
    if (meaning === undefined || !readField(draft, meaning, entry, report)) setOwn(extra, entry.key, toJson(entry.value));
  }
  if (draft.metadata !== undefined) restrictByMetadata(draft, entries, report);
  if (Object.keys(extra).length > 0) draft.extra = extra;
  return draft;
}

/** Sets one field; false if the value belongs to `extra` as it is. */
function readField(draft: Draft, meaning: Meaning, entry: Entry, report: Report): boolean {
  const { value } = entry;
  switch (meaning.reading) {
    case "name":
      return readName(draft, meaning.field as "id" | "name", entry, report);
    case "prose":
    case "word":
      return readText(draft, meaning, entry, report);
    case "flag":
      return restrict(draft, entry, report);
    case "tools":
      return readTools(draft, meaning.field as "allowedTools" | "tools", entry, report);
    case "list":
    case "phrases":
      return readList(draft, meaning, value);
    case "number": {
      const number = value.kind === "text" ? Number(value.text.trim() || "x") : NaN;
      if (!Number.isFinite(number)) return false;
      draft.priority = number;
      return true;
    }
    case "map": {
      if (value.kind === "null") return true;
      if (value.kind !== "map") return false;
      assign(draft, meaning.field, toJson(value));
      return true;
    }
    case "context": {
      const context = value.kind === "text" ? value.text.trim() : "";
      if (context !== "inline" && context !== "fork") return false;
      draft.executionContext = context;
      return true;
    }
    case "examples":
      return assignDefined(draft, "examples", readExamples(value));
    case "cases":
      return assignDefined(draft, "evaluationCases", readCases(value));
  }
}

function readName(draft: Draft, field: "id" | "name", entry: Entry, report: Report): boolean {
  const { value } = entry;
  const name = value.kind === "text" ? fold(value.text).normalize("NFC") : "";
  if (name !== "" && !(value.kind === "text" && value.plain && isNull(name))) {
    draft[field] = name;
    return true;
  }
  if (field === "id") return false;
  report.warning("name_not_text", entry.line, "The name is empty or no text; the folder's name is used. Write `name: ` and a word.", "name");
  return true;
}

/** White space as single blanks. */
export function fold(text: string): string {
  return text.trim().split(/\s+/).join(" ");
}

function readText(draft: Draft, meaning: Meaning, entry: Entry, report: Report): boolean {
  const { value } = entry;
  if (value.kind === "null") {
    if (meaning.field === "permissionProfile") draft.permissionProfile = "restricted";
    return true;
  }
  if (value.kind !== "text") {
    // A policy that can't be read must not become an open one.
    if (meaning.field === "permissionProfile") draft.permissionProfile = "restricted";
    const lines = textItems(value) ?? value.source.split("\n").map((line) => line.trim());
    const text = meaning.reading === "prose" ? lines.join("\n").trim() : fold(lines.join(" "));
    report.warning("not_text", entry.line, `The value of \`${entry.key}\` is a list or a mapping; it was read as text. Write a text.`, entry.key);
    if (text !== "") assign(draft, meaning.field, text);
    return true;
  }
  const text = meaning.reading === "prose" ? value.text.replace(/^\n+/, "").trimEnd() : fold(value.text);
  if (text.trim() !== "") assign(draft, meaning.field, text);
  else if (meaning.field === "description" && /^(""|'')$/.test(value.source)) draft.description = "";
  return true;
}

function textItems(value: Value): string[] | null {
  if (value.kind !== "list") return null;
  const items = value.items.map((item) => (item.kind === "text" ? item.text.trim() : item.kind === "map" ? item.source.trim() : ""));
  return items.filter((item) => item !== "");
}

function readList(draft: Draft, meaning: Meaning, value: Value): boolean {
  if (value.kind === "null") return true;
  if (value.kind === "map") return false;
  const items =
    value.kind === "list"
      ? value.items.flatMap((item) => (item.kind === "text" ? [item.text.trim()] : []))
      : meaning.field === "notFor"
        ? [value.text.trim()]
        : value.text.split(meaning.field === "arguments" ? /[\s,]+/ : /[,、，\n]/).map((item) => item.trim());
  const unique = [...new Set(items.filter((item) => item !== ""))];
  if (value.kind === "list" && value.items.length > 0 && unique.length === 0) return false;
  if (unique.length > 0) assign(draft, meaning.field, unique);
  return true;
}

function readTools(draft: Draft, field: "allowedTools" | "tools", entry: Entry, report: Report): boolean {
  const { value } = entry;
  if (value.kind === "map" || (field === "tools" && value.kind === "list" && value.items.length > 0 && !value.items.some((item) => item.kind === "text"))) {
    if (field === "tools") return false;
    report.warning("tools_unreadable", entry.line, `\`${entry.key}\` is no list of names; no tool is pre-approved.`, entry.key);
    draft.allowedTools = [];
    return true;
  }
  const written = value.kind === "text" ? [value.text] : value.kind === "list" ? value.items.flatMap((item) => toolName(item, entry, report)) : [];
  const tools: string[] = [];
  for (const one of written) {
    const { tools: found, unbalanced } = splitTools(one);
    if (unbalanced) report.warning("tools_unbalanced", entry.line, `\`${entry.key}\` has an unclosed parenthesis or quote; the rest was kept as one tool.`, entry.key);
    for (const tool of found) if (!tools.includes(tool)) tools.push(tool);
  }
  if (field === "allowedTools" || tools.length > 0) draft[field] = tools;
  return true;
}

function toolName(item: Value, entry: Entry, report: Report): string[] {
  // A number is no tool, whatever it is quoted as; a name of digits only does not occur.
  if (item.kind === "text" && !(item.plain && /^[0-9.]+$/.test(item.text))) return [item.text];
  report.warning("tools_item", entry.line, `An item of \`${entry.key}\` is no tool name and was left out.`, entry.key);
  return [];
}

/** Flags only ever close: the most restrictive of several counts, and an unreadable one restricts. */
function restrict(draft: Draft, entry: Entry, report: Report): boolean {
  const field = restrictionOf(entry.key, entry.value);
  if (field !== null) draft[field] = false;
  if (readFlag(entry.value) === null) {
    report.warning("flag_unreadable", entry.line, `\`${entry.key}\` is neither true nor false; the stricter reading counts. Write \`${entry.key}: true\` or \`false\`.`, entry.key);
  }
  return true;
}

/** The specification's validators allow foreign keys under `metadata` only, so restrictions are written there too. */
function restrictByMetadata(draft: Draft, entries: Entry[], report: Report): void {
  const metadata = entries.findLast((entry) => meaningOf(entry.key)?.field === "metadata");
  if (metadata?.value.kind !== "map") return;
  for (const [key, value] of metadata.value.entries) {
    if (!/model.?invo|user.?invo/i.test(key)) continue;
    const field = restrictionOf(key, value);
    if (field === null) continue;
    draft[field] = false;
    report.info("flag_in_metadata", metadata.line, `\`metadata.${key}\` was read as if it stood at the top level.`, `metadata.${key}`);
  }
}

function assign(draft: Draft, field: string, value: unknown): void {
  (draft as Record<string, unknown>)[field] = value;
}

function assignDefined(draft: Draft, field: string, value: unknown): boolean {
  if (value === null) return false;
  assign(draft, field, value);
  return true;
}
