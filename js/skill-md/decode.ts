import { MAX_FILE } from "./limits.js";
import type { Report } from "./report.js";

/** The text of a file whatever its encoding, with line ends as `\n`; `null` if it is too large or not text. */
export function decode(input: string | Uint8Array, report: Report): string | null {
  const size = input.length;
  if (size > MAX_FILE) {
    report.error("file_too_large", 1, `The file has ${size} bytes; the limit is ${MAX_FILE}.`);
    return null;
  }
  const text = typeof input === "string" ? input : fromBytes(input, report);
  if (looksBinary(text)) {
    report.error("not_text", 1, "The file is not text: save SKILL.md as UTF-8 text.");
    return null;
  }
  return wellFormed(stripMark(text)).replaceAll("\r\n", "\n").replaceAll("\r", "\n");
}

function fromBytes(bytes: Uint8Array, report: Report): string {
  const wide = wideEncoding(bytes);
  if (wide !== null) {
    report.warning("encoding", 1, `The file is ${wide.toUpperCase()}; other hosts read UTF-8 only. Save it as UTF-8.`);
    return new TextDecoder(wide).decode(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return fromMixed(bytes, report);
  }
}

/** Invalid UTF-8: a text with some damaged characters, or an old single-byte encoding throughout. */
function fromMixed(bytes: Uint8Array, report: Report): string {
  const text = new TextDecoder("utf-8").decode(bytes);
  let damaged = 0;
  let valid = 0;
  for (const character of text) {
    if (character === "\ufffd") damaged++;
    else if (character > "\u007f") valid++;
  }
  const line = lineOf(text, text.indexOf("\ufffd"));
  if (valid >= damaged) {
    report.warning("encoding", line, `${damaged} bytes are not UTF-8 and were replaced. Save the file as UTF-8.`);
    return text;
  }
  report.warning("encoding", line, "The file is not UTF-8; it was read as Windows-1252. Save it as UTF-8.");
  return new TextDecoder("windows-1252").decode(bytes);
}

function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  // Without a mark: ASCII letters with a zero byte on one side.
  const head = bytes.subarray(0, 64);
  if (head.length < 4) return null;
  let even = 0;
  let odd = 0;
  head.forEach((byte, index) => {
    if (byte === 0) index % 2 === 0 ? even++ : odd++;
  });
  if (odd > head.length / 4 && even === 0) return "utf-16le";
  if (even > head.length / 4 && odd === 0) return "utf-16be";
  return null;
}

function stripMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** A tenth of control characters in the head: an image, an archive, an executable. */
function looksBinary(text: string): boolean {
  const head = text.slice(0, 1024);
  let control = 0;
  for (let i = 0; i < head.length; i++) {
    const code = head.charCodeAt(i);
    if (code < 9 || (code > 13 && code < 32)) control++;
  }
  return control > 16 && control > head.length / 10;
}

/** Replaces lone surrogates, which UTF-8 can't carry. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) => (found.length === 2 ? found : "\ufffd"));
}

/** Takes out control characters other than tab and line break, which neither YAML nor XML allows. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g, "");
}

/** The line of a position, from 1. */
export function lineOf(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
