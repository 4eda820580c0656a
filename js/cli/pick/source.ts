import { readFile, stat } from "node:fs/promises";
import { Catalog, type Diagnostic, type Skill } from "skillpick";
import type { Invocation } from "../command.js";
import { readFolders } from "../read.js";

/** A catalog, and what was odd about where it came from. */
export interface Source {
  catalog: Catalog;
  diagnostics: Diagnostic[];
}

/** The catalog of all that the command line names: folders of skills, catalogs in JSON, snapshots. */
export async function sourceOf(invocation: Invocation): Promise<Source> {
  const { files, folders } = await sorted(invocation.positionals);
  const reading = folders.length > 0 || files.length === 0;
  const read = reading ? await readFolders({ ...invocation, positionals: folders }) : { skills: [], diagnostics: [] };
  const catalogs = await Promise.all(files.map(fromFile));
  if (reading) catalogs.unshift(Catalog.from(read.skills as Skill[]));
  const [first, ...others] = catalogs as [Catalog, ...Catalog[]];
  if (others.length === 0) return { catalog: first, diagnostics: [...read.diagnostics, ...first.diagnostics] };
  const merged = Catalog.merge(first, ...others);
  for (const catalog of catalogs) catalog.dispose();
  return { catalog: merged, diagnostics: [...read.diagnostics, ...merged.diagnostics] };
}

/** Files that are no SKILL.md are catalogs; all else is the loader's to look into, or to report. */
async function sorted(positionals: readonly string[]): Promise<{ files: string[]; folders: string[] }> {
  const isCatalog = await Promise.all(
    positionals.map(async (path) => !/\.md$/i.test(path) && !/(^|[\\/])skill\.(json|ya?ml)$/i.test(path) && (await stat(path).catch(() => undefined))?.isFile() === true),
  );
  return { files: positionals.filter((_, index) => isCatalog[index]), folders: positionals.filter((_, index) => !isCatalog[index]) };
}

async function fromFile(path: string): Promise<Catalog> {
  const bytes = await readFile(path);
  // JSON begins with a bracket or a brace, after blanks or a mark; a snapshot with neither.
  const isJson = /^(\u00ef\u00bb\u00bf)?\s*[[{]/.test(bytes.subarray(0, 64).toString("latin1")) || bytes.length === 0;
  try {
    return isJson ? Catalog.from(bytes) : Catalog.fromBytes(bytes);
  } catch (error) {
    throw new Error(`${path} is no catalog (${error instanceof Error ? error.message : String(error)}); \`skillpick build\` writes one`);
  }
}
