import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Dirent } from "node:fs";
import type { Diagnostic } from "../types.js";
import { IGNORED_FOLDERS, SKILL_HOMES, type LoadSkillsOptions } from "./options.js";
import { inPool } from "./pool.js";

/** Something to read, and the folder that it was found in. */
export interface Found {
  kind: "skill" | "pack" | "rule";
  folder: string;
  /** Name of its file; for packs, of the manifest if there is one. */
  file: string;
  /** Names in the folder, as the walk saw them. */
  entries: Dirent[];
  /** For rules: the folder that they govern, relative to the root, with `/`. */
  scope: string;
}

interface Folder {
  path: string;
  root: string;
  depth: number;
}

/** Every skill, pack and rule below the roots, each once, in the order of their paths. */
export async function walk(roots: readonly string[], options: LoadSkillsOptions, diagnostics: Diagnostic[]): Promise<Found[]> {
  const walker = new Walker(options, diagnostics);
  for (const root of roots) await walker.root(root);
  await walker.links();
  return walker.found.sort((a, b) => compare(join(a.folder, a.file), join(b.folder, b.file)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

class Walker {
  readonly found: Found[] = [];
  private readonly seen = new Set<string>();
  private readonly roots: string[] = [];
  private readonly pending: { link: string; root: string; depth: number }[] = [];
  private readonly depth: number;
  private readonly ignored: Set<string>;
  private deepest = 0;

  constructor(
    private readonly options: LoadSkillsOptions,
    private readonly diagnostics: Diagnostic[],
  ) {
    this.depth = options.depth ?? 8;
    this.ignored = new Set([...IGNORED_FOLDERS, ...(options.ignore ?? [])]);
  }

  /** A folder that the caller named; hidden or ignored names don't matter here. A path to a file loads that file. */
  async root(path: string): Promise<void> {
    let real: string;
    try {
      real = await realpath(path);
      if ((await stat(real)).isFile()) {
        const file = basename(path);
        const entries = await readdir(dirname(path), { withFileTypes: true });
        this.found.push({ kind: /^agents\.md$/i.test(file) ? "rule" : "skill", folder: dirname(path), file, entries, scope: "." });
        return;
      }
    } catch (error) {
      this.report("error", "folder_unreadable", path, `The folder can't be read: ${reason(error)}.`);
      return;
    }
    this.roots.push(real);
    await this.walk([{ path, root: path, depth: 0 }], real);
  }

  /** Links are followed after everything else, so that what they point to is found under its own path first. */
  async links(): Promise<void> {
    for (let link = this.pending.shift(); link !== undefined; link = this.pending.shift()) {
      const { link: path, root, depth } = link;
      try {
        const real = await realpath(path);
        if (!(await stat(real)).isDirectory()) continue;
        const inside = this.roots.some((one) => real === one || real.startsWith(one + sep));
        if (inside || this.options.outsideLinks === true) await this.walk([{ path, root, depth }], real);
        else this.report("info", "link_outside", path, "The link leads out of the folder and was not followed. Name its target as a folder of its own, or allow outside links.");
      } catch (error) {
        this.report("info", "link_broken", path, `The link can't be followed: ${reason(error)}.`);
      }
    }
  }

  private async walk(start: Folder[], real: string): Promise<void> {
    const base = start[0] as Folder;
    const realOf = (path: string) => (path === base.path ? real : join(real, relative(base.path, path)));
    let level = start;
    while (level.length > 0 && !this.isFull()) {
      const next: Folder[] = [];
      await inPool(level, this.options, async (folder) => {
        const key = realOf(folder.path);
        if (this.seen.has(key)) return;
        this.seen.add(key);
        next.push(...(await this.open(folder)));
      });
      level = next;
    }
  }

  private isFull(): boolean {
    const limit = this.options.limit ?? 100_000;
    if (this.found.length < limit) return false;
    this.report("warning", "limit_reached", this.roots[0] ?? "", `More than ${limit} skills; the rest was left out.`);
    this.found.length = limit;
    return true;
  }

  /** Looks into one folder; gives the folders to go on with. */
  private async open(folder: Folder): Promise<Folder[]> {
    let entries: Dirent[];
    try {
      entries = await readdir(folder.path, { withFileTypes: true });
    } catch (error) {
      this.report("warning", "folder_unreadable", folder.path, `The folder can't be read: ${reason(error)}.`);
      return [];
    }
    const isSkill = this.note(folder, entries);
    if (isSkill && this.options.nested !== true) return [];
    const folders: Folder[] = [];
    for (const entry of entries) {
      if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
      if (this.ignored.has(entry.name) || (entry.name.startsWith(".") && !SKILL_HOMES.includes(entry.name))) continue;
      const path = join(folder.path, entry.name);
      if (folder.depth >= this.depth) {
        if (entry.isDirectory() && this.deepest++ === 0) {
          this.report("info", "depth_reached", path, `Folders more than ${this.depth} levels down were not looked into.`);
        }
      } else if (entry.isSymbolicLink()) this.pending.push({ link: path, root: folder.root, depth: folder.depth + 1 });
      else folders.push({ path, root: folder.root, depth: folder.depth + 1 });
    }
    return folders;
  }

  /** Records what a folder holds; true if it is a skill. */
  private note(folder: Folder, entries: Dirent[]): boolean {
    const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink());
    const named = files.filter((entry) => /^skill\.md$/i.test(entry.name)).sort((a, b) => compare(a.name, b.name));
    const skill = named.find((entry) => entry.name === "SKILL.md") ?? named[0];
    if (skill !== undefined) {
      for (const other of named) {
        if (other.name === "SKILL.md") continue;
        const told = other === skill ? "it was read all the same" : "SKILL.md beside it was read";
        this.report("warning", "file_name_case", join(folder.path, other.name), `The file should be called SKILL.md; ${told}. On some systems other hosts won't find it.`);
      }
      this.found.push({ kind: "skill", folder: folder.path, file: skill.name, entries, scope: "" });
      return true;
    }
    const manifest = files.find((entry) => /^skill\.(ya?ml|json)$/.test(entry.name));
    if (manifest !== undefined || files.some((entry) => entry.name === "system_instruction.md")) {
      this.found.push({ kind: "pack", folder: folder.path, file: manifest?.name ?? "system_instruction.md", entries, scope: "" });
      return true;
    }
    const rule = files.find((entry) => /^agents\.md$/i.test(entry.name));
    if (rule !== undefined) {
      const scope = relative(folder.root, folder.path).split(sep).join("/") || ".";
      this.found.push({ kind: "rule", folder: folder.path, file: rule.name, entries, scope });
    }
    return false;
  }

  private report(severity: Diagnostic["severity"], code: string, file: string, message: string): void {
    this.diagnostics.push({ code, severity, message, file, line: 1 });
  }
}

/** The system's word for a failure. */
export function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
