import { glued, isFence, isPlainFence, keyOf } from "./marks.js";
import { findLate } from "./late.js";
import { MAX_HEADER } from "./limits.js";
import { isFamiliar } from "./names.js";
import type { Report } from "./report.js";

/** A file in its two parts. */
export interface Split {
  /** How the header is written; `none`: there is none; `refused`: it is code or data that is never evaluated. */
  form: "yaml" | "toml" | "json" | "none" | "refused";
  /** The header's lines, without fences and common indentation. */
  header: string[];
  /** The file's line of the header's first line. */
  line: number;
  body: string;
  /** The header's end had to be guessed: restrictive flags count wherever they stand in this text. */
  suspect: string;
}

/** Divides a file into header and body. A file in proper form is divided at its first two fences and nowhere else. */
export function split(text: string, folder: string | undefined, report: Report): Split {
  const proper = splitProper(text);
  if (proper !== null) return proper;
  const lines = text.split("\n");
  const first = skipLeading(lines);
  const opening = lines[first] ?? "";
  if (isFence(opening)) {
    if (first > 0) {
      report.warning("frontmatter_not_first", first + 1, "The header must start in line 1; other hosts may not see it. Remove what stands above it.");
    } else if (!isPlainFence(opening)) {
      report.warning("fence_spelling", 1, "The first line must be exactly `---`; other hosts may not see the header.");
    }
    return afterFence(lines, first, report);
  }
  const language = /^---[ \t]*([A-Za-z]+)[ \t]*$/.exec(opening)?.[1];
  if (language !== undefined) return refused(lines, first, language, report);
  if (opening.trimEnd() === "+++") return toml(lines, first, report);
  if (opening.startsWith("{")) return json(lines, first, report) ?? none(text);
  return findLate(lines, first, folder, report) ?? none(text);
}

/** The common case, without looking at the lines of the body; `null` if anything is unusual. */
function splitProper(text: string): Split | null {
  if (!text.startsWith("---\n")) return null;
  const end = text.indexOf("\n---", 3);
  if (end < 0 || end > MAX_HEADER || text[end + 4] !== "\n") return null;
  const header = text.slice(4, Math.max(4, end)).split("\n");
  const isUnusual = header.some((line, at) => (at === 0 && /^\s/.test(line)) || line.startsWith("#") || line.startsWith("..."));
  return isUnusual ? null : { form: "yaml", header, line: 2, body: text.slice(end + 5), suspect: "" };
}

function none(text: string): Split {
  return { form: "none", header: [], line: 1, body: text, suspect: "" };
}

/** Blank lines and HTML comments may stand above the first fence. */
function skipLeading(lines: string[]): number {
  let at = 0;
  for (;;) {
    while (at < lines.length && (lines[at] as string).trim() === "") at++;
    if (!(lines[at] ?? "").trimStart().startsWith("<!--")) return at;
    let end = at;
    while (end < lines.length && !(lines[end] as string).includes("-->")) end++;
    if (end >= lines.length || !(lines[end] as string).trimEnd().endsWith("-->")) return at;
    at = end + 1;
  }
}

function refused(lines: string[], first: number, language: string, report: Report): Split {
  report.error(
    "frontmatter_language",
    first + 1,
    `The header is opened with \`---${language}\`. Nothing is evaluated here: only \`---\` with plain YAML is a header.`,
  );
  return { form: "refused", header: [], line: first + 1, body: lines.slice(first + 1).join("\n"), suspect: "" };
}

/** A header that begins with a proper fence in line `first`. */
function afterFence(lines: string[], first: number, report: Report): Split {
  const start = first + 1;
  const indent = /^[ \t]*/.exec(lines.slice(start).find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  const end = findEnd(lines, start, indent);
  if (end.kind === "none") {
    report.error("frontmatter_unterminated", first + 1, "The header opened here is never closed. Add a line `---` after its last key.");
    return cut(lines, start, guessEnd(lines, start), indent, true);
  }
  if (end.kind === "glued") {
    report.error("frontmatter_unterminated", end.at + 1, "The header is not closed: `---` must stand alone in its line. Put the text after it in a line of its own.");
    const body = [(lines[end.at] as string).trimStart().replace(/^-+/, ""), ...lines.slice(end.at + 1)].join("\n");
    return { form: "yaml", header: dedent(lines.slice(start, end.at), indent), line: start + 1, body, suspect: "" };
  }
  if (!isPlainFence(lines[end.at] as string)) {
    report.warning("fence_spelling", end.at + 1, "The closing line must be exactly `---`, without indentation; other hosts may not see it.");
  }
  const prose = proseStart(lines, start, end.at);
  if (prose !== null) {
    report.error("frontmatter_unterminated", first + 1, `The header opened here is not closed before the text in line ${prose + 1}. Add a line \`---\` above it.`);
    return cut(lines, start, prose, indent, true);
  }
  const body = lines.slice(end.at + 1).join("\n");
  return { form: "yaml", header: dedent(lines.slice(start, end.at), indent), line: start + 1, body, suspect: "" };
}

function cut(lines: string[], start: number, end: number, indent: string, isSuspect: boolean): Split {
  const body = lines.slice(end).join("\n");
  return {
    form: "yaml",
    header: dedent(lines.slice(start, end), indent),
    line: start + 1,
    body,
    suspect: isSuspect ? body.slice(0, MAX_HEADER) : "",
  };
}

type End = { kind: "fence" | "glued"; at: number } | { kind: "none" };

/** The closing fence: `---` alone in its line; else `---` with the body's first line glued to it. */
function findEnd(lines: string[], start: number, indent: string): End {
  let length = 0;
  let long = -1;
  for (let at = start; at < lines.length && length <= MAX_HEADER; at++) {
    const line = lines[at] as string;
    length += line.length + 1;
    const bare = indent !== "" && line.startsWith(indent) ? line.slice(indent.length) : line;
    if (isFence(bare) || bare.trimEnd() === "...") return { kind: "fence", at };
    if (glued(bare)) return { kind: "glued", at };
    if (long < 0 && /^-{4,}$/.test(bare.trimEnd())) long = at;
  }
  return long >= 0 ? { kind: "fence", at: long } : { kind: "none" };
}

/** Where the header of a file without a closing fence ends: at the first line that can't be part of one. */
function guessEnd(lines: string[], start: number): number {
  let length = 0;
  let keys = 0;
  let afterBlank = false;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] as string;
    length += line.length + 1;
    if (length > MAX_HEADER) return at;
    if (line.trim() === "") {
      afterBlank = true;
      continue;
    }
    const key = keyOf(line);
    if (key !== null) keys++;
    else if (/^(#{1,6}\s|```|~~~)/.test(line) && keys > 0) return at;
    else if (afterBlank && keys > 0 && !/^[\s\-}\]"']/.test(line)) return at;
    afterBlank = false;
  }
  return lines.length;
}

/**
 * Where the text begins, if a fence that was found is a rule of the body: a heading that stands free, with prose after it. In a
 * proper header a `#` line is a comment, and what follows is a key.
 */
function proseStart(lines: string[], start: number, end: number): number | null {
  let keys = 0;
  const last = keyOf(lines[end - 1] ?? "");
  if (last !== null && isFamiliar(last.key)) return null;
  for (let at = start; at < end; at++) {
    const line = lines[at] as string;
    if (keyOf(line) !== null) keys++;
    if (keys === 0 || !/^#{1,6}\s/.test(line) || (lines[at - 1] as string).trim() !== "") continue;
    for (let next = at + 1; next < end; next++) {
      const text = lines[next] as string;
      if (text.trim() === "" || /^[\s#\-}\]]/.test(text)) continue;
      if (keyOf(text) === null) return at;
      break;
    }
  }
  return null;
}

/** Without the indentation that all lines share. */
export function dedent(lines: string[], indent: string): string[] {
  if (indent === "" || !lines.every((line) => line.trim() === "" || line.startsWith(indent))) return lines;
  return lines.map((line) => line.slice(indent.length));
}

function toml(lines: string[], first: number, report: Report): Split {
  const end = lines.findIndex((line, at) => at > first && line.trimEnd() === "+++");
  if (end < 0) report.error("frontmatter_unterminated", first + 1, "The header opened here is never closed.");
  report.warning("frontmatter_language", first + 1, "The header is TOML; other hosts read YAML between `---` only. Its simple keys were read.");
  const stop = end < 0 ? guessEnd(lines, first + 1) : end;
  const body = lines.slice(end < 0 ? stop : end + 1).join("\n");
  return { form: "toml", header: lines.slice(first + 1, stop), line: first + 2, body, suspect: end < 0 ? body.slice(0, MAX_HEADER) : "" };
}

/** A JSON object at the start of the file, as far as its closing brace. */
function json(lines: string[], first: number, report: Report): Split | null {
  let depth = 0;
  let quoted = false;
  for (let at = first; at < lines.length && at < first + 2000; at++) {
    const line = lines[at] as string;
    for (let i = 0; i < line.length; i++) {
      const character = line[i];
      if (character === "\\") i++;
      else if (character === '"') quoted = !quoted;
      else if (!quoted && character === "{") depth++;
      else if (!quoted && character === "}" && --depth === 0) {
        report.warning("frontmatter_language", first + 1, "The header is JSON; other hosts read YAML between `---` only.");
        const header = [...lines.slice(first, at), line.slice(0, i + 1)];
        return { form: "json", header, line: first + 1, body: [line.slice(i + 1), ...lines.slice(at + 1)].join("\n").replace(/^\n/, ""), suspect: "" };
      }
    }
  }
  return null;
}
