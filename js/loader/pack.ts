import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { decode, readCases, readExamples, readFields, readHeader, readYaml, Report, scanRestrictions } from "../skill-md/reading.js";
import type { Entry, Value } from "../skill-md/value.js";
import type { Diagnostic, Skill } from "../types.js";
import type { Found } from "./walk.js";

/** Files that a Promethea pack may have; the rest of its folder are resources. */
export const PACK_FILES = ["skill.yaml", "skill.yml", "skill.json", "system_instruction.md", "tool_allowlist.yaml", "examples.json", "evaluation_cases.json"];

/** Reads a Promethea pack: a manifest, its instruction, its tools, its examples. Every file is optional; a broken one is reported. */
export async function readPack(found: Found, instructions: boolean): Promise<{ skill: Skill; diagnostics: Diagnostic[] }> {
  const names = new Set(found.entries.map((entry) => entry.name));
  const folder = basename(found.folder).normalize("NFC");
  const diagnostics: Diagnostic[] = [];
  const open = async (name: string): Promise<{ text: string; report: Report } | null> => {
    if (!names.has(name)) return null;
    const report = new Report(join(found.folder, name));
    const text = decode(await readFile(join(found.folder, name)), report);
    diagnostics.push(...report.diagnostics.splice(0));
    return text === null ? null : { text, report };
  };
  const manifest = found.file === "system_instruction.md" ? null : await open(found.file);
  const draft = manifest === null ? {} : readManifest(manifest.text, manifest.report);
  if (manifest !== null) diagnostics.push(...manifest.report.diagnostics);
  const body = await open("system_instruction.md");
  const inline = draft.extra?.["system_instruction"];
  const instruction = body?.text ?? (typeof inline === "string" ? inline : "");
  const list = await open("tool_allowlist.yaml");
  const allowed = list === null ? undefined : readAllowlist(list.text);
  const examples = await open("examples.json");
  const cases = await open("evaluation_cases.json");
  const { extra, name = folder, id = folder, ...rest } = draft;
  const kept = Object.fromEntries(Object.entries(extra ?? {}).filter(([key]) => key !== "system_instruction"));
  const skill: Skill = { ...rest, name, ...(id === name ? {} : { id }) };
  if (instructions) skill.instructions = instruction;
  else skill.instructionTokens = Math.ceil(instruction.length / 4);
  if (allowed !== undefined) skill.allowedTools = [...new Set([...allowed, ...(rest.allowedTools ?? [])])];
  const read = { examples: records(examples, readExamples, diagnostics), evaluationCases: records(cases, readCases, diagnostics) };
  if (read.examples !== undefined) skill.examples = read.examples;
  if (read.evaluationCases !== undefined) skill.evaluationCases = read.evaluationCases;
  if (Object.keys(kept).length > 0) skill.extra = kept;
  for (const diagnostic of diagnostics) diagnostic.skill = id;
  return { skill, diagnostics };
}

function readManifest(text: string, report: Report): Partial<Skill> {
  const split = { form: "yaml" as const, header: text.split("\n"), line: 1, body: "", suspect: "" };
  const header = readHeader(split, report);
  // The manifest's two names for one list are merged, its own way.
  const tools = header.entries.filter((entry) => /^(allowed_tools|tool_allowlist)$/.test(entry.key));
  const draft = readFields(mergeTools(header.entries, tools), report);
  if (header.broken) Object.assign(draft, scanRestrictions(split.header).found);
  return draft;
}

function mergeTools(entries: Entry[], tools: Entry[]): Entry[] {
  if (tools.length < 2) return entries;
  const ordered = tools.toSorted((a, b) => Number(b.key === "tool_allowlist") - Number(a.key === "tool_allowlist"));
  const items: Value[] = ordered.flatMap((entry) => (entry.value.kind === "list" ? entry.value.items : [entry.value]));
  const first = tools[0] as Entry;
  return [...entries.filter((entry) => !tools.includes(entry)), { ...first, key: "allowed_tools", value: { kind: "list", items, source: "" } }];
}

/** `tools: [..]`, or a bare list. */
function readAllowlist(text: string): string[] | undefined {
  const read = readYaml(text, 1).entries ?? readYaml(`tools:\n${text}`, 1).entries;
  const list = read?.find((entry) => /^(tools|tool_allowlist|allowed_tools)$/.test(entry.key))?.value;
  if (list?.kind !== "list") return undefined;
  return list.items.flatMap((item) => (item.kind === "text" && item.text.trim() !== "" ? [item.text.trim()] : []));
}

function records<T>(file: { text: string; report: Report } | null, read: (value: Value) => T[] | null, diagnostics: Diagnostic[]): T[] | undefined {
  if (file === null) return undefined;
  const value = readYaml(`records: ${file.text.trim().replaceAll("\n", "\n ")}`, 1).entries?.[0]?.value;
  const list = value === undefined ? null : read(value);
  if (list !== null) return list;
  file.report.warning("records_unreadable", 1, "The file is no list of records and was left out.");
  diagnostics.push(...file.report.diagnostics);
  return undefined;
}
