import { isWanted } from "./engine/wanted.js";
import type { SourceFile } from "./engine/protocol.js";
import { texts } from "./texts.js";

const MOST_FILES = 50_000;
const SKIPPED = new Set(["node_modules", ".git", "__MACOSX"]);

/** The single files of a drop, and those of its folders that can hold skills. Must be called before the event is over. */
export function droppedFiles(data: DataTransfer): Promise<SourceFile[]> {
  const entries: FileSystemEntry[] = [];
  const plain: SourceFile[] = [];
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry?.();
    const file = entry?.isDirectory ? null : item.getAsFile?.();
    if (file) plain.push({ path: file.name, file });
    else if (entry) entries.push(entry);
  }
  return walk(entries).then((walked) => [...plain, ...walked]);
}

/** The files of an `<input type="file">`, folders with their paths. */
export function chosenFiles(files: FileList): SourceFile[] {
  return [...files]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !path.includes("/") || (isWanted(path, false) && !path.split("/").some((part) => SKIPPED.has(part))));
}

async function walk(entries: FileSystemEntry[]): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  let seen = 0;
  for (let queue = entries; queue.length > 0; ) {
    const next: FileSystemEntry[] = [];
    for (const entry of queue) {
      if (++seen > MOST_FILES) throw new Error(texts.errors.tooMany(MOST_FILES));
      const path = entry.fullPath.replace(/^\//, "");
      if (entry.isDirectory) {
        if (!SKIPPED.has(entry.name)) next.push(...(await children(entry as FileSystemDirectoryEntry)));
      } else if (isWanted(path, !path.includes("/"))) {
        found.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
      }
    }
    queue = next;
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A reader gives at most 100 entries at a time, and none at the end. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
    if (all.length > MOST_FILES) throw new Error(texts.errors.tooMany(MOST_FILES));
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));
