import { MAX_KEY, MAX_KEYS } from "./limits.js";
import { keyOf, type KeyLine } from "./marks.js";
import { fold, isFamiliar, meaningOf } from "./names.js";
import type { Report } from "./report.js";
import { text, type Entry, type Value } from "./value.js";
import { readYaml } from "./yaml.js";

/** The lines of one top-level key. */
interface Segment extends KeyLine {
  /** Index of its first line in the header. */
  at: number;
  /** The lines after the first. */
  more: string[];
}

/**
 * Reads a header that is not valid YAML, key by key: what is valid alone keeps its YAML meaning, the rest is taken as the text that
 * stands there. Each repair is reported with its line and with what to write instead.
 */
export function recover(lines: string[], firstLine: number, report: Report): Entry[] {
  const all = segments(lines, firstLine, report);
  const found = all.slice(0, MAX_KEYS);
  if (all.length > MAX_KEYS) report.error("too_many_keys", firstLine, `The broken header has ${all.length} keys; the first ${MAX_KEYS} were read.`);
  const marked = found.find((segment) => segment.marked);
  if (marked !== undefined) {
    report.warning("key_spelling", firstLine + marked.at, `\`${marked.key}\` has Markdown or another colon around it; it was read as a key. Write \`key: value\`.`, marked.key);
  }
  return found.map((segment) => {
    const line = firstLine + segment.at;
    const reading = meaningOf(segment.key)?.reading;
    const isLine = reading === "name" || reading === "word";
    const valid = segmentYaml(segment, line, reading === "prose" || isLine, report);
    if (valid !== null) return valid;
    const value = isLine
      ? prose({ ...segment, more: [] }, line, report)
      : reading === "prose"
        ? prose(segment, line, report)
        : structure(segment, line, report);
    return { key: segment.key, line, value, recovered: true };
  });
}

/** Cuts the header at its unindented keys. */
function segments(lines: string[], firstLine: number, report: Report): Segment[] {
  const found: Segment[] = [];
  // The blanks before keys that have slipped; further ones with the same blanks are keys too.
  let shift = "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const last = found.at(-1);
    const key = splitKey(line);
    if (key !== null && !(last !== undefined && isProseOf(last, key))) {
      for (const one of severalInOne(key)) found.push({ ...one, at, more: [] });
    } else if (last !== undefined) {
      const inner = indentedKey(line, last, shift);
      if (inner === null) last.more.push(line);
      else {
        report.warning("key_indented", firstLine + at, `\`${inner.key}\` is indented under \`${last.key}\`, which has a value already; it was read as a key of its own. Take the blanks or tabs before it away.`, inner.key);
        shift = line.slice(0, line.length - line.trimStart().length);
        found.push({ ...inner, at, more: [] });
      }
    } else if (line.trim() !== "" && !line.startsWith("#")) {
      report.warning("stray_text", firstLine + at, `\`${shorten(line)}\` is no \`key: value\` and was ignored.`);
    }
  }
  return found;
}

/** A key that is known at the top, indented below a key whose value is one line and complete: a slip of the tab key. */
function indentedKey(line: string, last: Segment, shift: string): KeyLine | null {
  const reading = meaningOf(last.key)?.reading;
  const blanks = line.slice(0, line.length - line.trimStart().length);
  const isComplete = (reading === "name" || reading === "word") && last.rest.trim() !== "";
  if (blanks === "" || !(isComplete || blanks === shift)) return null;
  const key = splitKey(line.trimStart());
  return key !== null && isFamiliar(key.key) ? key : null;
}

function splitKey(line: string): KeyLine | null {
  const key = keyOf(line);
  return key !== null && key.key.length <= MAX_KEY ? key : null;
}

/** A capitalised word with a colon, in a text whose lines are not indented, is part of that text: `Note: …`. */
function isProseOf(segment: Segment, key: KeyLine): boolean {
  const reading = meaningOf(segment.key)?.reading;
  if (reading !== "prose" || isFamiliar(key.key)) return false;
  return /^\p{Lu}/u.test(key.key) || segment.more.some((line) => line.trim() !== "" && !/^[\s#]/.test(line));
}

/** A header that an editor has joined into one line: `name: a description: b`. */
function severalInOne(key: KeyLine): KeyLine[] {
  if (fold(key.key) !== "name") return [key];
  const at = key.rest.search(/ description: /i);
  if (at < 0) return [key];
  const description = key.rest.slice(at + " description: ".length);
  const metadata = description.search(/ metadata: *\{/);
  return [
    { ...key, rest: key.rest.slice(0, at) },
    { ...key, key: "description", rest: metadata < 0 ? description : description.slice(0, metadata) },
  ];
}

/** The segment as YAML of its own, if it is valid. Unindented lines after a complete value are not part of it. */
function segmentYaml(segment: Segment, line: number, isText: boolean, report: Report): Entry | null {
  const more = withoutBlankEnd(segment.more);
  const whole = readOne(segment, more, line);
  if (whole !== null || isText) return whole;
  const stray = more.findIndex((next) => next !== "" && !/^[\s\-#}\]]/.test(next));
  const head = stray < 0 ? null : readOne(segment, more.slice(0, stray), line);
  if (head !== null) {
    report.warning("stray_text", line + stray + 1, `\`${shorten(more[stray] as string)}\` is no \`key: value\` and was ignored.`);
  }
  return head;
}

function readOne(segment: Segment, more: string[], line: number): Entry | null {
  const result = readYaml([`${JSON.stringify(segment.key)}: ${segment.rest}`, ...more].join("\n"), line);
  const entry = result.entries?.[0];
  return result.entries?.length === 1 && entry !== undefined ? { ...entry, key: segment.key, line } : null;
}

function withoutBlankEnd(lines: string[]): string[] {
  let end = lines.length;
  while (end > 0 && (lines[end - 1] as string).trim() === "") end--;
  return lines.slice(0, end);
}

/** The text of a value that YAML can't read, without the marks of quoting that its author meant. */
function prose(segment: Segment, line: number, report: Report): Value {
  const name = segment.key;
  const marker = /^[|>][+-]?[0-9]?[+-]?(?=$|\s)/.exec(segment.rest)?.[0];
  const first = marker === undefined ? segment.rest : segment.rest.slice(marker.length).trim();
  const rest = withoutBlankEnd(segment.more).map((next) => next.trim());
  const read = unquote(first, rest);
  report.warning(read.code ?? cause(segment), line, explain(name, read.code ?? cause(segment), segment.rest), name);
  return text(join(read.lines, marker?.startsWith("|") ?? false), false, segment.rest);
}

/** Takes off a pair of quotes around the value, or around its first line. */
function unquote(first: string, rest: string[]): { lines: string[]; code?: string } {
  const quote = first[0];
  if (quote !== '"' && quote !== "'") return { lines: [first, ...rest] };
  const all = [first, ...rest];
  const last = all.findLastIndex((line) => line !== "");
  const end = all[last] as string;
  const inner = (line: string) => (quote === '"' ? unescape(line) : line.replaceAll("''", "'"));
  if (end.length > (last === 0 ? 1 : 0) && end.endsWith(quote)) {
    // The pair encloses everything; quotes inside were meant as text.
    const lines = last === 0 ? [first.slice(1, -1)] : [first.slice(1), ...all.slice(1, last), end.slice(0, -1)];
    return { lines: lines.map(inner), code: "quote_inside_quotes" };
  }
  const close = first.indexOf(quote, 1);
  if (close < 0) {
    if (quote === "'" && /^'(tis|twas|twill|til|till|em|cause|round|bout|n|ere|[0-9]0s)\b/i.test(first)) return { lines: all };
    return { lines: [first.slice(1), ...rest].map(inner), code: "unclosed_quote" };
  }
  // A quoted sentence, and more text after it. A quoted word at the start of a sentence keeps its quotes.
  const quoted = first.slice(1, first.lastIndexOf(quote));
  const after = first.slice(first.lastIndexOf(quote) + 1).trim();
  if (after === "" || (isSentence(first.slice(1, close)) && first.indexOf(quote, close + 1) < 0)) {
    return { lines: [`${inner(quoted)}${after === "" ? "" : ` ${after}`}`, ...rest], code: "text_after_quote" };
  }
  return { lines: all, code: "text_after_quote" };
}

function isSentence(quoted: string): boolean {
  return quoted.length >= 40 || /[.!?。！？]$/.test(quoted.trim());
}

function unescape(line: string): string {
  return line.replace(/\\(["\\/nt])/g, (_, character: string) => (character === "n" ? "\n" : character === "t" ? " " : character));
}

/** Folds lines as YAML does, but keeps the breaks of lists, of paragraphs, and of literal blocks. */
function join(lines: string[], literal: boolean): string {
  let joined = "";
  let breaks = 0;
  for (const line of lines) {
    if (line === "") {
      breaks++;
      continue;
    }
    const isItem = /^([-*•]|\(?[0-9]{1,3}[.)、）])/.test(line);
    if (joined !== "") joined += breaks > 0 ? "\n".repeat(Math.min(breaks, 2)) : literal || isItem ? "\n" : " ";
    joined += line;
    breaks = 0;
  }
  return joined;
}

/** A list or a mapping that YAML can't read: its items where it is plainly a list, else its text. */
function structure(segment: Segment, line: number, report: Report): Value {
  const more = withoutBlankEnd(segment.more);
  const source = [segment.rest, ...more].join("\n").trim();
  const reading = meaningOf(segment.key)?.reading;
  report.warning("yaml_recovered", line, `The value of \`${segment.key}\` is not valid YAML; its text was kept. ${hint(segment.rest)}`, segment.key);
  if (reading === "flag" || reading === "map" || reading === "number") return text(source);
  const items = listItems(segment.rest, more);
  return items === null ? text(source) : { kind: "list", items: items.map((item) => text(item)), source };
}

function listItems(first: string, more: string[]): string[] | null {
  if (first === "" && more.length > 0) {
    const items = more.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
    if (!items.every((item) => item.startsWith("-"))) return null;
    return items.map((item) => bare(item.slice(1)));
  }
  if (!first.startsWith("[")) return null;
  const all = [first, ...more].join(" ");
  return all.slice(1).replace(/\]\s{0,8}$/, "").split(",").map(bare).filter((item) => item !== "");
}

function bare(item: string): string {
  const trimmed = item.trim();
  const pair = /^(["'])(.*)\1$/.exec(trimmed);
  return pair === null ? trimmed : (pair[2] as string);
}

function cause(segment: Segment): string {
  if (/^[[{\]},@`*&!%#|>?]/.test(segment.rest)) return "indicator_start";
  if (/:(\s|$)/.test(segment.rest)) return "plain_colon";
  if (segment.more.some((line) => line !== "" && !/^\s/.test(line))) return "unindented_text";
  return "yaml_recovered";
}

function explain(key: string, code: string, value: string): string {
  switch (code) {
    case "plain_colon":
      return `The value of \`${key}\` has a colon and a blank in it, which YAML reads as another key; it was read as text. Write it in double quotes: ${key}: "…".`;
    case "indicator_start":
      return `The value of \`${key}\` starts with \`${value[0]}\`, which has a meaning in YAML; it was read as text. Write it in double quotes: ${key}: "…".`;
    case "text_after_quote":
      return `The value of \`${key}\` goes on after its closing quote; all of it was read. Put the closing quote at the very end, and \\" for quotes inside.`;
    case "quote_inside_quotes":
      return `The value of \`${key}\` has quotes inside its quotes; it was read as text. Write \\" for the inner ones.`;
    case "unclosed_quote":
      return `The quote that opens the value of \`${key}\` is never closed; the text was read. Close it at the end of the value.`;
    case "unindented_text":
      return `The text of \`${key}\` goes on in lines that are not indented; all of it was read. Write \`${key}: |\` and indent its lines by two blanks.`;
    default:
      return `The value of \`${key}\` is not valid YAML; it was read as text. Write it in double quotes: ${key}: "…".`;
  }
}

function hint(value: string): string {
  if (/^[[{]/.test(value)) return "Look for a missing bracket, or for quotes that are missing around an item.";
  return "Look at its indentation, and put quotes around values with special characters.";
}

function shorten(line: string): string {
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
