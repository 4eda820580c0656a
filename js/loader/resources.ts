import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { IGNORED_FOLDERS } from "./options.js";

/** The most files that are listed for one skill. */
export const MAX_RESOURCES = 500;
const MAX_DEPTH = 6;

/** The files beside a skill, relative to its folder, sorted. They are listed, never read; links are left out. */
export async function listResources(folder: string, entries: Dirent[], own: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  const visit = async (items: Dirent[], prefix: string, depth: number): Promise<void> => {
    for (const item of items) {
      if (files.length >= MAX_RESOURCES || item.name.startsWith(".")) continue;
      if (item.isFile() && !(prefix === "" && own.includes(item.name))) files.push(prefix + item.name);
      if (!item.isDirectory() || depth >= MAX_DEPTH || IGNORED_FOLDERS.includes(item.name)) continue;
      const below = await readdir(join(folder, prefix, item.name), { withFileTypes: true }).catch(() => []);
      await visit(below, `${prefix}${item.name}/`, depth + 1);
    }
  };
  await visit(entries, "", 0);
  return files.sort();
}
