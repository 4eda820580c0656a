import { isFamiliar } from "./names.js";

/** `---` alone in its line, `---yaml`, or three dashes that a word processor has joined. */
export function isFence(line: string): boolean {
  const bare = line.trimEnd();
  return isPlainFence(line) || /^[ \t]{0,3}---[ \t]*(ya?ml)?$/i.test(bare) || /^(—-?|–{2,3}|—{2,3}|-—|—–)$/.test(bare);
}

/** Exactly `---`, blanks at the end aside. */
export function isPlainFence(line: string): boolean {
  return line.startsWith("---") && line.trimEnd() === "---";
}

/** A closing fence with the first line of the body glued to it, such as `---# Title`. */
export function glued(line: string): boolean {
  return /^---[^\s\-]/.test(line);
}

/** A line that begins with a key, taken apart. */
export interface KeyLine {
  key: string;
  /** What follows the colon. */
  rest: string;
  /** Markdown stands around the key. */
  marked: boolean;
}

/** The key of an unindented header line, also with Markdown or a full-width colon around it: `**名称：** x`, `## name: x`. */
export function keyOf(line: string): KeyLine | null {
  const plain = /^("?)([\p{L}_$][\p{L}\p{N}_.$ -]{0,63}?)\1[ \t]{0,8}:(?=$|[ \t])/u.exec(line);
  if (plain !== null) {
    const key = plain[2] as string;
    // A phrase of several words is prose unless it is a key that we know.
    if (key.includes(" ") && !isFamiliar(key)) return null;
    return { key, rest: line.slice(plain[0].length).trim(), marked: false };
  }
  const marked = /^(#{2,6}[ \t]{1,4}|\*{1,2}|_{1,2})?["'`]?([\p{L}][\p{L}\p{N}_ -]{0,40}?)["'`]?\*{0,2}[ \t]{0,4}[:：]/u.exec(line);
  if (marked === null) return null;
  const [whole, sign, key] = marked as unknown as [string, string | undefined, string];
  // A bold label in another script, in a header that was translated key by key, is a key too.
  if (!isFamiliar(key) && !(sign?.startsWith("*") === true && /[^\x00-\x7f]/.test(key))) return null;
  let rest = line.slice(whole.length).trim();
  if (sign?.startsWith("*") || sign?.startsWith("_")) rest = rest.replace(/^[*_]{1,2}[ \t]{0,4}/, "").replace(/[*_]{2}$/, "").trim();
  return { key, rest, marked: true };
}
