/**
 * `skillpick/skill-md`: one SKILL.md to a skill, in any runtime.
 *
 * The lenient reading loses nothing that a person could read, reports every repair with file and line, and is never more
 * permissive than the text. The strict one is the Agent Skills specification.
 */
import { MAX_HEADER } from "./skill-md/limits.js";
import {
  checkSpecification, decode, type Draft, fold, foldBlanks, readBody, readFields, readHeader, readYaml, Report, scanRestrictions, split,
  type Split, STAND_INS, strictFault, withoutControls,
} from "./skill-md/reading.js";
import type { Entry } from "./skill-md/value.js";
import type { Diagnostic, Skill } from "./types.js";

export { renderSkill } from "./skill-md/render.js";
export type { Diagnostic, Skill } from "./types.js";

/** Options of {@link parseSkill}. */
export interface ParseOptions {
  /** Path of the file: it stands in the diagnostics, and its folder gives a name where the header has none. */
  file?: string;
  /** Accept only what the Agent Skills specification allows. Default `false`. */
  strict?: boolean;
}

/** What {@link parseSkill} answers. */
export interface ParseResult {
  /** `null` if nothing usable was found; then a diagnostic of severity `error` says why. */
  skill: Skill | null;
  /** What was odd, in the order of discovery. */
  diagnostics: Diagnostic[];
}

/**
 * Reads one SKILL.md. Never throws. Line ends of the body become `\n`, so that the same text gives the same bytes.
 *
 * @param text The file as text, or as its bytes in UTF-8, UTF-16 or an old single-byte encoding.
 */
export function parseSkill(text: string | Uint8Array, options: ParseOptions = {}): ParseResult {
  const report = new Report(options.file);
  const decoded = decode(text, report);
  const skill = decoded === null ? null : read(decoded, options, report);
  const { diagnostics } = report;
  if (skill !== null) for (const diagnostic of diagnostics) diagnostic.skill = skill.id ?? skill.name;
  return { skill, diagnostics };
}

function read(text: string, options: ParseOptions, report: Report): Skill | null {
  const folder = folderOf(options.file);
  if (options.strict === true) return readStrict(text, folder, report);
  if (text.trim() === "") {
    report.error("file_empty", 1, "The file is empty.");
    return null;
  }
  const link = linkTarget(text);
  if (link !== null) {
    report.error("link_as_text", 1, `The file holds only the path \`${link}\`: a symbolic link that was checked out as text.`);
    return null;
  }
  const parts = split(text, folder, report);
  if (parts.form === "refused") return null;
  const header = readHeader(parts, report);
  const draft = readFields(header.entries, report);
  if (header.broken || parts.suspect !== "") restrictFromText(draft, parts, header.entries.length, report);
  else restrictFromSwallowed(draft, parts, header.entries, report);
  draft.instructions = parts.body;
  return complete(draft, parts, folder, report);
}

/** Restrictions that stand anywhere in a header that can't be read in full. */
function restrictFromText(draft: Draft, parts: Split, entries: number, report: Report): void {
  const suspect = parts.suspect.split("\n");
  const code = suspect.findIndex((line) => /^(```|~~~)/.test(line));
  const { found, tools } = scanRestrictions([...parts.header, ...(code < 0 ? suspect : suspect.slice(0, code))]);
  const fresh = (Object.keys(found) as (keyof typeof found)[]).filter((field) => draft[field] !== false);
  if (fresh.length > 0) {
    Object.assign(draft, found);
    report.warning("restriction_recovered", parts.line, `The header can't be read in full; ${fresh.join(", ")} stands in it as false and counts.`);
  }
  if (tools && draft.allowedTools === undefined && entries > 0 && scanRestrictions(parts.header).tools) {
    draft.allowedTools = [];
    report.warning("restriction_recovered", parts.line, "`allowed-tools` stands in a header that can't be read in full; no tool is pre-approved.");
  }
}

/** An unindented line in valid YAML that is no key was swallowed by a quote that opens above it. */
function restrictFromSwallowed(draft: Draft, parts: Split, entries: readonly Entry[], report: Report): void {
  const keys = new Set(entries.map((entry) => fold(entry.key)));
  const lines = parts.header.filter((line) => /^[a-z]/i.test(line) && line.includes(":") && !keys.has(fold(line.slice(0, line.indexOf(":")))));
  const { found } = scanRestrictions(lines);
  const fresh = (Object.keys(found) as (keyof typeof found)[]).filter((field) => draft[field] !== false);
  if (fresh.length === 0) return;
  Object.assign(draft, found);
  report.warning("restriction_recovered", parts.line, `A quoted text runs over a line of its own; ${fresh.join(", ")} stands in it as false and counts. Close the quote above it.`);
}

/** Finds a name and a description where the header has none. */
function complete(draft: Draft, parts: Split, folder: string | undefined, report: Report): Skill | null {
  const body = draft.name === undefined || draft.description === undefined ? readBody(withoutControls(bodyText(parts).slice(0, MAX_HEADER))) : null;
  if (parts.form === "none") {
    report.warning("frontmatter_missing", 1, "The file has no header: the name is the folder's, the description its first paragraph. Add `---`, `name:`, `description:`, `---` at the top.");
  }
  const name = draft.name ?? foldBlanks(folder ?? standIn(draft, "name") ?? body?.heading ?? "").normalize("NFC");
  if (name === "") {
    report.error("name_missing", parts.line, "There is no name: not in the header, nor as a folder or a heading.", "name");
    return null;
  }
  if (draft.name === undefined && parts.form !== "none") report.warning("name_missing", parts.line, `The header has no name; \`${name}\` is used.`, "name");
  if (draft.description === undefined) describe(draft, parts, body?.paragraph ?? null, report);
  else if (draft.description === "") {
    // Quotes around nothing are a decision: nothing is put in its place.
    delete draft.description;
    report.warning("description_missing", parts.line, "The description is empty: the model can't tell when to use the skill.", "description");
  }
  if (draft.name !== undefined && folder !== undefined && draft.name.normalize("NFKC") !== folder.normalize("NFKC")) {
    report.info("name_differs_from_folder", parts.line, `The name \`${draft.name}\` differs from its folder \`${folder}\`.`, "name");
  }
  const { id, ...rest } = draft;
  return { ...(id === undefined || id === name ? {} : { id }), ...rest, name };
}

function describe(draft: Draft, parts: Split, paragraph: string | null, report: Report): void {
  const other = standIn(draft, "description");
  const description = other ?? paragraph;
  if (description !== null && description !== undefined) draft.description = description;
  if (parts.form === "none" && description !== null) return;
  const from = other !== undefined ? "a key that stands for it" : paragraph !== null ? "the first paragraph" : null;
  const told = from === null ? "and the text has no paragraph to take it from" : `it was taken from ${from}`;
  report.warning("description_missing", parts.line, `The header has no description; ${told}. Add \`description:\` with what the skill does and when to use it.`, "description");
}

/** The text below the header, also where the body is the whole file. */
function bodyText(parts: Split): string {
  const header = parts.header.join("\n");
  return parts.form !== "none" && header !== "" && parts.body.includes(header) ? parts.body.replace(header, () => "") : parts.body;
}

/** `summary` for a description, `slug` for a name: at the top level, or in a mapping such as `metadata`. */
function standIn(draft: Draft, field: "name" | "description"): string | undefined {
  const own = [field, ...STAND_INS[field]];
  const nested = [draft.metadata, ...Object.values(draft.extra ?? {})];
  for (const record of [draft.extra, ...nested]) {
    if (typeof record !== "object" || record === null || Array.isArray(record)) continue;
    for (const key of own) {
      const found = Object.entries(record).find(([name]) => fold(name) === key)?.[1];
      if (typeof found === "string" && found.trim() !== "") return found.trim();
    }
  }
  return undefined;
}

/** The folder of a path with any separator. */
function folderOf(file: string | undefined): string | undefined {
  const parts = file?.split(/[\\/]/) ?? [];
  const folder = parts.at(-2);
  const name = withoutControls(folder ?? "").trim();
  return name === "" || name === "." || name === ".." ? undefined : name.normalize("NFC");
}

function linkTarget(text: string): string | null {
  const line = text.trim();
  return line.length < 300 && /^(\.{1,2}\/)+[^\s]+\.md$/i.test(line) ? line : null;
}

function readStrict(text: string, folder: string | undefined, report: Report): Skill | null {
  const parts = split(text, folder, report);
  if (!text.startsWith("---") || parts.form !== "yaml") {
    if (report.diagnostics.length === 0) report.error("frontmatter_missing", 1, "The file must begin with `---` in line 1.");
  } else {
    const fault = strictFault(parts);
    if (fault !== null) report.error("yaml_invalid", fault.line, `The header is not valid YAML (${fault.code}).`);
    else checkSpecification(readYaml(parts.header.join("\n"), parts.line).entries ?? [], folder, parts.line, report);
  }
  if (report.diagnostics.some((diagnostic) => diagnostic.severity !== "info")) {
    for (const diagnostic of report.diagnostics) diagnostic.severity = "error";
    return null;
  }
  const { entries } = readHeader(parts, report);
  const draft = readFields(entries, report);
  restrictFromSwallowed(draft, parts, entries, report);
  draft.instructions = parts.body;
  return complete(draft, parts, folder, report);
}
