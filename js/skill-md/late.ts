import { isFence, keyOf } from "./marks.js";
import { MAX_HEADER } from "./limits.js";
import { fold, meaningOf } from "./names.js";
import type { Report } from "./report.js";
import type { Split } from "./split.js";

/** How far down a misplaced header is looked for. */
const REACH = 80;

/**
 * A header that is not where it belongs: without its opening fence, inside a code fence, or below prose. The body stays the whole
 * text where prose stands above the header, since that prose may matter.
 */
export function findLate(lines: string[], first: number, folder: string | undefined, report: Report): Split | null {
  const opening = lines[first] ?? "";
  if (startsHeader(lines, first)) return unopened(lines, first, report);
  if (isCodeFence(opening)) {
    const wrapped = insideCodeFence(lines, first, report);
    if (wrapped !== null) return wrapped;
  }
  return (opening.startsWith("<") ? inElements(lines, first, report) : null) ?? belowProse(lines, first, folder, report);
}

/** A file written as XML: `<name>` and `<description>` elements at its start. */
function inElements(lines: string[], first: number, report: Report): Split | null {
  const head = lines.slice(first, first + REACH).join("\n");
  const description = element(head, "description");
  if (description === null) return null;
  report.warning("frontmatter_language", first + 1, "The header is XML; other hosts read YAML between `---` only.");
  const name = element(head, "name");
  const header = [...(name === null ? [] : [`name: ${JSON.stringify(name)}`]), `description: ${JSON.stringify(description)}`];
  return { form: "yaml", header, line: first + 1, body: lines.join("\n"), suspect: "" };
}

function element(text: string, name: string): string | null {
  const start = text.indexOf(`<${name}>`);
  const end = text.indexOf(`</${name}>`, start);
  const content = start < 0 || end < 0 ? "" : text.slice(start + name.length + 2, end).trim();
  return content === "" ? null : content;
}

/** `name:` or `description:` in the first line, and a second key or a fence soon after. */
function startsHeader(lines: string[], first: number): boolean {
  const key = keyOf(lines[first] ?? "");
  if (key === null || !["name", "description", "slug", "skillid", "title"].includes(fold(key.key))) return false;
  for (let at = first + 1; at < Math.min(lines.length, first + 40); at++) {
    const line = lines[at] as string;
    if (isFence(line) || keyOf(line) !== null) return true;
  }
  return false;
}

/** A header whose opening fence is missing. */
function unopened(lines: string[], first: number, report: Report): Split {
  report.error("frontmatter_unopened", first + 1, "The header has no opening fence. Add a line `---` above its first key.");
  let end = first;
  let afterBlank = false;
  let length = 0;
  for (; end < lines.length && length <= MAX_HEADER; end++) {
    const line = lines[end] as string;
    length += line.length + 1;
    if (isFence(line)) return { form: "yaml", header: lines.slice(first, end), line: first + 1, body: lines.slice(end + 1).join("\n"), suspect: "" };
    if (/^(#{1,6}\s|```)/.test(line) || (afterBlank && line.trim() !== "" && keyOf(line) === null && !/^[\s\-}\]"]/.test(line))) break;
    afterBlank = line.trim() === "";
  }
  const body = lines.slice(end).join("\n");
  return { form: "yaml", header: lines.slice(first, end), line: first + 1, body, suspect: body.slice(0, MAX_HEADER) };
}

function isCodeFence(line: string): boolean {
  return /^(```|~~~)[ \t]*[A-Za-z-]*[ \t]*$/.test(line);
}

/** The whole file, or its header, stands inside a code fence. */
function insideCodeFence(lines: string[], first: number, report: Report): Split | null {
  const block = readBlock(lines, first + 1);
  if (block === null) return null;
  report.error("frontmatter_not_first", first + 1, "The file is wrapped in a code fence, so other hosts see no header. Remove the line with the backticks.");
  let body = lines.slice(block.after);
  if (isClosingFence(body[0])) body = body.slice(1);
  else {
    // The fence around the whole file closes at its end.
    let last = body.length - 1;
    while (last > 0 && (body[last] as string).trim() === "") last--;
    if (isClosingFence(body[last]) && body.filter((line) => /^(```|~~~)/.test(line)).length % 2 === 1) body.splice(last, 1);
  }
  return { form: "yaml", header: block.header, line: block.line, body: body.join("\n"), suspect: "" };
}

function isClosingFence(line: string | undefined): boolean {
  return line !== undefined && /^(```|~~~)[ \t]*$/.test(line);
}

/** A header below prose counts if it has both a name and a description, or the folder's name: a sample in the text has not. */
function belowProse(lines: string[], first: number, folder: string | undefined, report: Report): Split | null {
  for (let at = first; at < Math.min(lines.length, first + REACH); at++) {
    const line = lines[at] as string;
    const block =
      isFence(line) || (isCodeFence(line) && /ya?ml|markdown|md|skill|^(```|~~~)\s*$/.test(line))
        ? readBlock(lines, isFence(line) ? at : at + 1)
        : keyOf(line) !== null && fold(keyOf(line)?.key ?? "") === "name"
          ? readBlock(lines, at)
          : null;
    if (block === null || !plausible(block.header, folder)) {
      if (block !== null && isCodeFence(line)) return null;
      continue;
    }
    report.error("frontmatter_not_first", block.line, "The header stands below other text, so other hosts see none. Move it to line 1, between lines `---`.");
    return { form: "yaml", header: block.header, line: block.line, body: lines.join("\n"), suspect: "" };
  }
  return null;
}

interface Block {
  header: string[];
  line: number;
  /** Index of the first line after it. */
  after: number;
}

/** A run of header lines, with or without fences, from line `at` on. */
function readBlock(lines: string[], at: number): Block | null {
  while (at < lines.length && (lines[at] as string).trim() === "") at++;
  const fenced = isFence(lines[at] ?? "");
  const start = fenced ? at + 1 : at;
  let firstKey = start;
  while (firstKey < lines.length && (lines[firstKey] as string).trim() === "") firstKey++;
  const key = keyOf(lines[firstKey] ?? "");
  if (key === null || (meaningOf(key.key) === undefined && fold(key.key) !== "slug")) return null;
  let end = start;
  for (let length = 0; end < lines.length && length <= MAX_HEADER; end++) {
    const line = lines[end] as string;
    length += line.length + 1;
    if (isFence(line)) return { header: lines.slice(start, end), line: start + 1, after: end + 1 };
    if (/^(```|~~~)/.test(line) || (!fenced && line.trim() === "") || (fenced && /^#{1,6}\s/.test(line))) break;
  }
  return { header: lines.slice(start, end), line: start + 1, after: end };
}

function plausible(header: string[], folder: string | undefined): boolean {
  let name: string | null = null;
  let description = false;
  for (const line of header) {
    const key = keyOf(line);
    const field = key === null ? undefined : meaningOf(key.key)?.field;
    if (field === "name") name ??= key?.rest ?? "";
    if (field === "description") description = true;
  }
  if (name === null) return false;
  return description || (folder !== undefined && fold(name.replace(/^["']|["']$/g, "")) === fold(folder));
}
