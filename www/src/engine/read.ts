import { unzipSync } from "fflate";
import type { Diagnostic, Skill } from "skillpick";
import { parseSkill } from "skillpick/skill-md";
import { texts } from "../texts.js";
import type { SourceFile } from "./protocol.js";
import { isJson, isWanted, isZip } from "./wanted.js";

/** Larger files hold no SKILL.md; an archive may unpack to this much in all. */
const MOST_FILE = 4 << 20;
const MOST_ALL = 128 << 20;

/** What dropped files hold: entries of a catalog, as JSON text. */
export interface Read {
  /** One JSON file as it is, or the entries of all files. */
  json: string | Uint8Array;
  diagnostics: Diagnostic[];
  ignored: number;
}

interface Found {
  skills: unknown[];
  diagnostics: Diagnostic[];
  ignored: number;
}

export class ReadError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads SKILL.md files, JSON catalogs and zip archives of both. */
export async function readFiles(files: readonly SourceFile[]): Promise<Read> {
  const [only] = files;
  if (files.length === 1 && only && isJson(only.path)) return { json: await bytesOf(only), diagnostics: [], ignored: 0 };
  const found: Found = { skills: [], diagnostics: [], ignored: 0 };
  for (const file of files) {
    const direct = !file.path.includes("/");
    if (isZip(file.path)) readZip(file.path, await bytesOf(file), found);
    else if (!isWanted(file.path, direct) || file.file.size > MOST_ALL) found.ignored++;
    else readOne(file.path, await bytesOf(file), found);
  }
  if (found.skills.length === 0) throw new ReadError("no_skills", texts.errors.noSkills);
  return { json: JSON.stringify(found.skills), diagnostics: found.diagnostics, ignored: found.ignored };
}

async function bytesOf({ file, path }: SourceFile): Promise<Uint8Array> {
  if (file.size > MOST_ALL) throw new ReadError("too_large", texts.errors.tooLarge(path));
  return new Uint8Array(await file.arrayBuffer());
}

function readZip(path: string, bytes: Uint8Array, found: Found): void {
  let total = 0;
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (name.endsWith("/")) return false;
        const direct = !name.includes("/");
        const wanted = isWanted(name, direct) && !isZip(name) && !name.startsWith("__MACOSX/");
        if (!wanted) found.ignored++;
        if (wanted) total += originalSize;
        if (total > MOST_ALL) throw new ReadError("too_large", texts.errors.tooLarge(path));
        return wanted;
      },
    });
  } catch (error) {
    throw error instanceof ReadError ? error : new ReadError("invalid_zip", texts.errors.invalidZip(path));
  }
  for (const [name, content] of Object.entries(entries)) readOne(name, content, found);
}

function readOne(path: string, bytes: Uint8Array, found: Found): void {
  if (isJson(path)) return readJson(path, bytes, found);
  if (bytes.length > MOST_FILE) return void found.ignored++;
  const { skill, diagnostics } = parseSkill(bytes, { file: path });
  found.diagnostics.push(...diagnostics);
  if (!skill) return void found.ignored++;
  const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
  const located: Skill = folder === "" ? skill : { ...skill, location: folder };
  found.skills.push(located);
}

/** A folder of skills has other JSON files too; only those that look like a catalog are one. */
function readJson(path: string, bytes: Uint8Array, found: Found): void {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    found.ignored++;
    return;
  }
  const list = Array.isArray(value) ? value : (value as { skills?: unknown } | null)?.skills;
  const entries = Array.isArray(list) ? list.filter((entry) => typeof entry === "object" && entry !== null && ("name" in entry || "id" in entry)) : [];
  if (entries.length === 0) return void found.ignored++;
  for (const entry of entries) found.skills.push(entry);
  if (Array.isArray(list) && entries.length < list.length) {
    found.diagnostics.push({ code: "entry_ignored", severity: "warning", message: texts.errors.entriesIgnored(list.length - entries.length), file: path });
  }
}
