import { isFamiliar, meaningOf } from "./names.js";

/** What the body offers where the header gives no name or description. */
export interface BodyText {
  /** The first heading, without its marks. */
  heading: string | null;
  /** The first paragraph of prose, or the first list where there is none. */
  paragraph: string | null;
  /** The file's line within the body, from 0. */
  line: number;
}

const REACH = 400;

/** Reads the first heading and the first paragraph of a Markdown text. */
export function readBody(body: string): BodyText {
  const lines = body.split("\n", REACH);
  let heading: string | null = null;
  let list: { text: string; line: number } | null = null;
  for (let at = 0; at < lines.length; ) {
    const line = unescapeMark((lines[at] as string).trim());
    if (line === "") at++;
    else if (/^(```|~~~)/.test(line)) at = afterCode(lines, at);
    else if (line.startsWith("<!--")) at = afterComment(lines, at);
    else if (/^#{1,6}(\s|$)/.test(line)) {
      heading ??= line.replace(/^#+/, "").trim() || null;
      at++;
    } else {
      const end = blockEnd(lines, at);
      const block = lines.slice(at, end).map((one) => unescapeMark(one.trim())).filter((one) => one.toLowerCase() !== "skill.md");
      const label = labelled(block);
      if (label !== null) return { heading, paragraph: label, line: at };
      if (isList(line)) list ??= { text: block.join("\n"), line: at };
      else if (isProse(block)) return { heading, paragraph: paragraphOf(block), line: at };
      at = end;
    }
  }
  return { heading, paragraph: list?.text ?? null, line: list?.line ?? 0 };
}

/** Some editors write `\\# Title`. */
function unescapeMark(line: string): string {
  return line.startsWith("\\") && /^\\[#*>_+-]/.test(line) ? line.slice(1) : line;
}

function afterCode(lines: string[], at: number): number {
  const fence = (lines[at] as string).trim().slice(0, 3);
  for (let end = at + 1; end < lines.length; end++) if ((lines[end] as string).trim().startsWith(fence)) return end + 1;
  return lines.length;
}

function afterComment(lines: string[], at: number): number {
  for (let end = at; end < lines.length; end++) if ((lines[end] as string).includes("-->")) return end + 1;
  return lines.length;
}

/** The end of a block of lines: a blank line, a heading, or code. */
function blockEnd(lines: string[], at: number): number {
  let end = at + 1;
  while (end < lines.length && (lines[end] as string).trim() !== "" && !/^(#{1,6}\s|```|~~~)/.test((lines[end] as string).trimStart())) end++;
  return end;
}

function isList(line: string): boolean {
  return /^([-*+•]\s|[0-9]{1,3}[.)]\s)/.test(line);
}

/** `**Description:** text`, in any of the languages that we know the word in. */
function labelled(block: string[]): string | null {
  for (const [at, line] of block.entries()) {
    const label = /^[>\s]{0,4}\*\*([^*:：]{1,30})[:：]?\*\*[:：]?(.*)$/.exec(line);
    if (label === null || meaningOf((label[1] as string).trim())?.field !== "description") continue;
    const first = (label[2] as string).trim();
    const text = first === "" ? (block[at + 1] ?? "") : first;
    if (text !== "") return text;
  }
  return null;
}

/** Not a rule, a table, an image, a badge, a tag, or lines of `**Version:** 1.0`. */
function isProse(block: string[]): boolean {
  const line = block[0];
  if (line === undefined) return false;
  if (/^([-*_=]\s?){3,}$/.test(line) || /^\|/.test(line) || /^<\/?[a-zA-Z][^>]{0,200}>$/.test(line)) return false;
  if (/^(\[?!\[)/.test(line)) return false;
  if (paragraphOf(block) === "") return false;
  return !block.every((one) => {
    const label = /^[>\s]{0,4}(\*\*|_)?([^*:：]{1,30})\*{0,2}[:：]/.exec(one);
    return label !== null && (label[1] !== undefined || isFamiliar((label[2] as string).trim()));
  });
}

function paragraphOf(block: string[]): string {
  const lines = block.map((line) => line.replace(/^(>\s?)+/, "").trim());
  return lines
    .reduce((text, line) => (text === "" ? line : `${text}${isList(line) ? "\n" : " "}${line}`), "")
    .trim();
}
