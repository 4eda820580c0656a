/**
 * `skillpick/loader`: folders of skills, Promethea packs and AGENTS.md files to a list of skills. Node, Deno, Bun.
 */
import { join } from "node:path";
import { withFile } from "./loader/head.js";
import type { LoadSkillsOptions } from "./loader/options.js";
import { PACK_FILES, readPack } from "./loader/pack.js";
import { inPool } from "./loader/pool.js";
import { listResources, MAX_RESOURCES } from "./loader/resources.js";
import { reason, walk, type Found } from "./loader/walk.js";
import { parseSkill } from "./skill-md.js";
import type { Diagnostic, Skill } from "./types.js";

export { IGNORED_FOLDERS, SKILL_HOMES, type LoadSkillsOptions } from "./loader/options.js";
export type { Diagnostic, Skill } from "./types.js";

/** What {@link loadSkills} answers. */
export interface LoadedSkills {
  /** In the order of their paths. */
  skills: Skill[];
  /** What was odd, by file. */
  diagnostics: Diagnostic[];
}

/**
 * Reads every SKILL.md, Promethea pack and AGENTS.md below the given folders. A file that can't be read or makes no skill is
 * reported and never stops the rest; the same file reached by two paths is read once.
 *
 * @param folders Folders, or single files.
 * @throws Only what `signal` was aborted with, and what `onProgress` throws.
 */
export async function loadSkills(folders: string | readonly string[], options: LoadSkillsOptions = {}): Promise<LoadedSkills> {
  const diagnostics: Diagnostic[] = [];
  const found = await walk(typeof folders === "string" ? [folders] : folders, options, diagnostics);
  const results = new Array<LoadedSkills>(found.length);
  let done = 0;
  await inPool(found, options, async (one, index) => {
    results[index] = await readOne(one, options);
    options.onProgress?.(++done, found.length);
  });
  return {
    skills: results.flatMap((result) => result.skills),
    diagnostics: [...diagnostics, ...results.flatMap((result) => result.diagnostics)],
  };
}

async function readOne(found: Found, options: LoadSkillsOptions): Promise<LoadedSkills> {
  const path = join(found.folder, found.file);
  try {
    const read = found.kind === "pack" ? await readPack(found, options.instructions !== false) : await readFile(found, path, options);
    if (read.skill === null) return { skills: [], diagnostics: read.diagnostics };
    const skill: Skill = { ...read.skill, location: found.folder };
    if (options.source !== undefined) skill.source = options.source;
    if (found.kind !== "rule") {
      const resources = await listResources(found.folder, found.entries, found.kind === "pack" ? PACK_FILES : [found.file]);
      if (resources.length > 0) skill.resources = resources;
      if (resources.length >= MAX_RESOURCES) {
        read.diagnostics.push({ code: "resources_cut", severity: "info", message: `Only the first ${MAX_RESOURCES} files beside the skill are listed.`, file: path, line: 1 });
      }
    }
    return { skills: [skill], diagnostics: read.diagnostics };
  } catch (error) {
    return { skills: [], diagnostics: [{ code: "file_unreadable", severity: "error", message: `The file can't be read: ${reason(error)}.`, file: path, line: 1 }] };
  }
}

function readFile(found: Found, path: string, options: LoadSkillsOptions): Promise<{ skill: Skill | null; diagnostics: Diagnostic[] }> {
  const whole = options.instructions !== false || found.kind === "rule";
  return withFile(path, whole, ({ bytes, size }) => {
    if (found.kind === "rule") return readRule(found, path, bytes);
    const result = parseSkill(bytes, { file: path, strict: options.strict ?? false });
    return whole || result.skill === null ? result : { ...result, skill: withoutBody(result.skill, bytes.length, size) };
  });
}

/** Prices the body by its size, and lets go of the text that the fields were cut from. */
function withoutBody(skill: Skill, read: number, size: number): Skill {
  const { instructions, ...rest } = skill;
  const body = size - read + Buffer.byteLength(instructions ?? "");
  // Four bytes a token holds for English as for Chinese, within a quarter.
  return JSON.parse(JSON.stringify({ ...rest, instructionTokens: Math.ceil(body / 4) })) as Skill;
}

/** AGENTS.md: its folder is its scope. A header is optional and may give a description. */
function readRule(found: Found, path: string, bytes: Uint8Array): { skill: Skill; diagnostics: Diagnostic[] } {
  const name = found.scope === "." ? found.file : `${found.scope}/${found.file}`;
  const text = new TextDecoder().decode(bytes);
  const isHeaded = /^\ufeff?---[ \t]*\r?\n/.test(text);
  if (!isHeaded) {
    return { skill: { name, kind: "rule", scope: found.scope, instructions: text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") }, diagnostics: [] };
  }
  const { skill, diagnostics } = parseSkill(bytes, { file: path });
  const rule: Skill = { ...(skill ?? { name }), name, kind: "rule", scope: found.scope };
  delete rule.id;
  return { skill: rule, diagnostics: diagnostics.filter((one) => !/^(name|description)_/.test(one.code)) };
}

