// A second, plain reading of SKILL.md files, written apart from the package and without YAML: the description is what stands after
// the first `description:`, down to the next key or fence; without one, it is the first paragraph. Only letters and digits are
// compared, so that quotes, folding and Markdown marks don't matter. It judges whether a reader lost any of the author's text.

const KEY = /^[*#_\s"]{0,6}(description|描述|说明|説明|설명|descripci[oó]n|beschreibung|описание)["*_]{0,3}\s*[:：=](.*)$/i;
const OTHER_KEY = /^["*_]{0,3}[\p{L}_][\p{L}\p{N}_. -]{0,40}["*_]{0,3}\s*[:：](\s|$|\*)/u;
const SINGLE_KEY = /^"?[a-z_][\w.-]{0,40}"?\s*:(\s|$)/;
const STAND_IN = /^[\s*]*["]?(summary|tagline|short[-_]?description|职责)["]?\s*[:：][\s*]*(.+)$/i;

/** The text of a file's description, or `null` if a person would find none. `from` says where it stands. */
export function plainDescription(bytes) {
  const utf8 = new TextDecoder("utf-8").decode(bytes);
  const text = (utf8.includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : utf8).replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const lines = text.split("\n");
  if (lines.filter((line) => line.trim() !== "").length === 1 && /\.md$/.test(text.trim())) return null;
  const head = Math.min(lines.length, 120);
  const fence = lines.findIndex((line) => line.trim() !== "");
  const isHeaded = lines.slice(0, head).some((line, at) => /^\s*(---|\+\+\+)/.test(line) && at <= fence);
  for (let at = 0; at < head; at++) {
    if (isHeaded && at > fence && /^\s*---/.test(lines[at])) break;
    const match = KEY.exec(lines[at]);
    if (match && !/^\s{3,}/.test(lines[at].replace(/^\s*(?=description)/i, (blank) => (allIndented(lines, fence) ? "" : blank)))) {
      const found = letters(valueFrom(lines, at, match[2]));
      if (found !== "") return { text: found, from: "header" };
    }
  }
  for (let at = 0; at < Math.min(head, 60); at++) {
    const match = STAND_IN.exec(lines[at]);
    if (match && isHeaded) return { text: letters(match[2]), from: "stand-in" };
    if (at > fence && /^\s*---/.test(lines[at])) break;
  }
  const paragraph = firstParagraph(lines);
  return paragraph === null ? null : { text: letters(paragraph), from: "body" };
}

function allIndented(lines, fence) {
  return /^\s+\S/.test(lines[fence + 1] ?? "");
}

function valueFrom(lines, at, first) {
  const isBold = lines[at].trimStart().startsWith("*");
  const isClosed = /^\s*(["']).*\1\s*$/.test(first);
  const block = /^\s*[|>][-+0-9]*\s*(#.*)?$/.test(first);
  const out = [block ? "" : first];
  for (let next = at + 1; next < lines.length && next < at + 300; next++) {
    const line = lines[next];
    if (/^(---|\.\.\.|```|<!--|\+\+\+)/.test(line.trim()) && !/^\s/.test(line)) break;
    if (/^\s+---\s*$/.test(line)) break;
    if (!/^\s/.test(line) && line !== "" && (SINGLE_KEY.test(line) || (isBold && OTHER_KEY.test(line)))) break;
    if (isClosed && line.startsWith("#")) break;
    if (/^\s/.test(line) && /^\s*[a-z_-]+:(\s|$)/.test(line) && indent(line) <= indent(lines[at])) break;
    out.push(line);
  }
  return out.join("\n");
}

const indent = (line) => /^\s*/.exec(line)[0].length;

function firstParagraph(lines) {
  const body = lines.join("\n").replace(/<!--[\s\S]*?-->/g, "").replace(/^```[\s\S]*?^```.*$/gm, "");
  const start = /^---[^\n]*\n[\s\S]*?\n---/.exec(body.trimStart());
  const rest = start ? body.trimStart().slice(start[0].length) : body;
  for (const block of rest.split(/\n\s*\n|\n(?=#)|(?<=^#[^\n]*)\n/m)) {
    const line = block.trim().replace(/^SKILL\.md\n/i, "");
    if (line === "" || /^\\?(#|---|===|\||<|!\[|\[!\[|[-*+] |\d+[.)] )/i.test(line)) continue;
    if (line.split("\n").every((one) => /^[>\s]*(\*\*[^*]{1,30}\*\*\s*[:：]|\*\*[^*]{1,30}[:：]\*\*|\w+:)/.test(one))) continue;
    return line.replace(/^>+\s?/gm, "");
  }
  return null;
}

/** Letters and digits of a text, escapes resolved. */
export function letters(text) {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\U([0-9a-fA-F]{8})/g, (_, code) => String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)))
    .replace(/\\[nrt]/g, " ")
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
