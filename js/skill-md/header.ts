import { keyOf } from "./marks.js";
import { isFamiliar, meaningOf } from "./names.js";
import { recover } from "./recover.js";
import type { Report } from "./report.js";
import { text, type Entry } from "./value.js";
import type { Split } from "./split.js";
import { withoutControls } from "./decode.js";
import { readYaml, type Fault } from "./yaml.js";

/** The entries of a header, and whether it had to be recovered. */
export interface Header {
  entries: Entry[];
  broken: boolean;
}

/** Reads the header of a divided file in whatever form it has. */
export function readHeader(split: Split, report: Report): Header {
  const lines = clean(split, report);
  if (split.form === "toml") return { entries: simpleToml(lines, split.line), broken: false };
  const source = lines.join("\n");
  const whole = readYaml(source, split.line);
  // A header of headings is a header of comments to YAML.
  const isComment = whole.entries?.length === 0 && lines.some((line) => keyOf(line)?.marked === true);
  if (whole.entries !== null && !isComment) {
    return { entries: whole.entries.map((entry) => restoreText(entry, source, split.line, report)), broken: false };
  }
  const spaced = withoutTabs(lines);
  if (spaced !== null) {
    const read = readYaml(spaced.lines.join("\n"), split.line);
    if (read.entries !== null) {
      report.warning("tab_indentation", split.line + spaced.first, "The header is indented with tabs, which YAML forbids; they were read as two blanks.");
      const tabless = spaced.lines.join("\n");
      return { entries: read.entries.map((entry) => restoreText(entry, tabless, split.line, report)), broken: false };
    }
  }
  const before = report.diagnostics.length;
  const used = spaced?.lines ?? lines;
  const entries = recover(used, split.line, report).map((entry) => (entry.recovered ? entry : restoreText(entry, used.join("\n"), split.line, report)));
  if (report.diagnostics.length === before && entries.length > 0) {
    report.warning("yaml_recovered", split.line + faultLine(source, whole.fault), `The header is not valid YAML (${whole.fault?.code ?? "comment"}); it was read key by key.`);
  }
  if (entries.length === 0 && source.trim() !== "") {
    report.error("frontmatter_unreadable", split.line + faultLine(source, whole.fault), `The header is no list of \`key: value\` lines (${whole.fault?.code ?? "comment"}).`);
  }
  return { entries, broken: true };
}

/** Where strict YAML fails, and why; `null` if it doesn't. */
export function strictFault(split: Split): { line: number; code: string } | null {
  const source = split.header.join("\n");
  const { fault } = readYaml(source, split.line);
  return fault === null ? null : { line: split.line + faultLine(source, fault), code: fault.code };
}

function faultLine(source: string, fault: Fault | null): number {
  if (fault === null) return 0;
  let line = 0;
  for (let at = source.indexOf("\n"); at >= 0 && at < fault.offset; at = source.indexOf("\n", at + 1)) line++;
  return line;
}

function clean(split: Split, report: Report): string[] {
  return split.header.map((line, at) => {
    const without = withoutControls(line);
    if (without !== line) report.warning("control_characters", split.line + at, "Control characters were removed from this line.");
    return without;
  });
}

/** Tabs at the start of lines as two blanks each; `null` if there are none. */
function withoutTabs(lines: string[]): { lines: string[]; first: number } | null {
  const first = lines.findIndex((line) => /^ {0,64}\t/.test(line));
  if (first < 0) return null;
  return { lines: lines.map((line) => line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll("\t", "  "))), first };
}

/**
 * Valid YAML that says less than its author wrote: a text that became a list or a mapping, or was cut at ` #`. Text fields get
 * back what stands in the file.
 */
function restoreText(entry: Entry, source: string, firstLine: number, report: Report): Entry {
  const reading = meaningOf(entry.key)?.reading;
  if (reading !== "prose" && reading !== "word") return entry;
  const { value } = entry;
  if (value.kind === "list" || value.kind === "map") {
    const raw = value.source.trim();
    if (!/^[[{]/.test(raw) || raw.includes("\n")) return entry;
    report.warning("indicator_start", entry.line, `The value of \`${entry.key}\` is a list or a mapping to YAML; it was read as text. Write it in double quotes.`, entry.key);
    return { ...entry, value: text(raw), recovered: true };
  }
  if (value.kind === "text" && !value.plain && value.source === value.text && /^[!&*]/.test(value.text)) {
    report.warning("indicator_start", entry.line, `The value of \`${entry.key}\` starts with \`${value.text[0]}\`, which has a meaning in YAML; it was read as text. Write it in double quotes.`, entry.key);
    return entry;
  }
  return reading === "prose" ? restoreComment(entry, source, firstLine, report) : entry;
}

/** The rest of a plain value's last line, if YAML takes it for a comment. */
function restoreComment(entry: Entry, source: string, firstLine: number, report: Report): Entry {
  const { value } = entry;
  if (value.kind !== "null" && !(value.kind === "text" && value.plain)) return entry;
  const start = lineStart(source, entry.line - firstLine);
  const colon = source.indexOf(":", start);
  if (colon < 0) return entry;
  const at = value.kind === "null" ? colon + 1 : source.indexOf(value.source, colon + 1) + value.source.length;
  const lineEnd = source.indexOf("\n", at);
  const rest = source.slice(at, lineEnd < 0 ? source.length : lineEnd).trim();
  if (at < colon || !rest.startsWith("#") || (value.kind === "null" && value.source !== "")) return entry;
  report.warning(
    "comment_in_text",
    entry.line,
    `\` #\` starts a comment in YAML, so other hosts lose the end of \`${entry.key}\`; all of it was read. Write the value in double quotes.`,
    entry.key,
  );
  return { ...entry, value: text(value.kind === "null" ? rest : `${value.text} ${rest}`), recovered: true };
}

function lineStart(source: string, number: number): number {
  let at = 0;
  for (let line = 0; line < number; line++) {
    const next = source.indexOf("\n", at);
    if (next < 0) return source.length;
    at = next + 1;
  }
  return at;
}

/** `key = "value"` lines of TOML; tables and multi-line values are left alone. */
function simpleToml(lines: string[], firstLine: number): Entry[] {
  const entries: Entry[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("[")) break;
    const pair = /^([A-Za-z0-9_-]{1,64})[ \t]{0,8}=[ \t]{0,8}(.*)$/.exec(line);
    if (pair === null || !isFamiliar(pair[1] as string)) continue;
    const raw = (pair[2] as string).trim();
    const read = readYaml(`value: ${raw}`, firstLine + at);
    const value = read.entries?.[0]?.value ?? text(raw);
    entries.push({ key: pair[1] as string, line: firstLine + at, value, recovered: false });
  }
  return entries;
}
