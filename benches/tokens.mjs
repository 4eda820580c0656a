// The token estimate against exact counts: bias, mean and 95th percentile of the error, by tokenizer and language, over single texts and
// over blocks of 500 to 4,000 tokens that look like our output. Characters / 4, which others use, beside it.
//   node benches/tokens.mjs
// Reads examples/catalog, texts made here, and real skills in $SKILLPICK_SHARED (default ../shared) where present.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const root = join(import.meta.dirname, "..");
const shared = process.env.SKILLPICK_SHARED ?? join(root, "../shared");
const encodings = await Promise.all(["o200k_base", "cl100k_base"].map((name) => import(`gpt-tokenizer/encoding/${name}`)));
const escape = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const attribute = (s) => escape(s).replace(/"/g, "&quot;").replace(/\s+/g, " ").trim();
const forms = {
  agentpool: ["<available-skills>\n", (s) => `  <skill id="${attribute(s.name)}" name="${attribute(s.name)}" description="${attribute(s.description)}" />\n`, "</available-skills>"],
  agentskills: ["<available_skills>\n", (s) => `<skill>\n<name>\n${escape(s.name)}\n</name>\n<description>\n${escape(s.description)}\n</description>\n</skill>\n`, "</available_skills>"],
  compact: ["<skills>\n", (s) => `${escape(s.name)}: ${escape(s.description.replace(/\s+/g, " ").trim())}\n`, "</skills>"],
};
let seed = 7;
const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647);

function language(s) {
  const share = (pattern) => (s.match(pattern) ?? []).length / s.length;
  if (share(/[\u3040-\u30ff]/g) > 0.05) return "ja";
  if (share(/[\uac00-\ud7af]/g) > 0.1) return "ko";
  if (share(/[\u4e00-\u9fff]/g) > 0.1) return "zh";
  if (share(/[\u0400-\u04ff]/g) > 0.1) return "ru";
  if (share(/[\u0600-\u06ff]/g) > 0.1) return "ar";
  if (share(/[\u0900-\u097f]/g) > 0.1) return "hi";
  if (share(/[äöüß]/g) > 0.008 && / (und|der|die|das|für|wenn) /.test(s)) return "de";
  if (share(/[\u00c0-\u024f]/g) > 0.008) return "other Latin";
  return "en";
}

/** Blocks of a format from skills in random order, of 500 to 4,000 tokens by characters / 4. */
function blocks(skills, count) {
  return Array.from({ length: count }, (_, i) => {
    const [open, entry, close] = Object.values(forms)[i % 3];
    const limit = 4 * [500, 1000, 2000, 4000][i % 4];
    let text = open;
    while (text.length < limit) text += entry(skills[Math.floor(random() * skills.length)]);
    return text + close;
  });
}

const groups = new Map();
const add = (name, kind, texts) => groups.set(`${name}|${kind}`, (groups.get(`${name}|${kind}`) ?? []).concat(texts));

if (existsSync(join(shared, "corpus"))) {
  const read = (file) => gunzipSync(readFileSync(join(shared, file))).toString("utf8").trim().split("\n").map((line) => JSON.parse(line));
  const byLanguage = Map.groupBy?.(read("corpus/skills-36k.jsonl.gz"), (s) => language(s.description)) ?? new Map();
  if (byLanguage.size === 0) for (const s of read("corpus/skills-36k.jsonl.gz")) byLanguage.set(language(s.description), (byLanguage.get(language(s.description)) ?? []).concat(s.description ? [s] : []));
  for (const [name, skills] of byLanguage) {
    if (skills.length < 12) continue;
    add(name, "real descriptions", skills.filter((_, i) => i % Math.ceil(skills.length / 3000) === 0).map((s) => s.description).filter(Boolean));
    add(name, "real blocks", blocks(skills, name === "en" || name === "zh" ? 600 : 100));
  }
  const bodies = read("corpus/skills-10k-with-bodies.jsonl.gz").filter((_, i) => i % 10 === 0);
  for (const s of bodies) add(language(s.instructions), "real bodies", [escape(s.instructions)]);
} else console.log(`No real skills: ${shared}/corpus is absent (set SKILLPICK_SHARED).`);

const own = readdirSync(join(root, "examples/catalog")).filter((name) => statSync(join(root, "examples/catalog", name)).isDirectory() && existsSync(join(root, "examples/catalog", name, "SKILL.md")));
for (const name of own) {
  const text = readFileSync(join(root, "examples/catalog", name, "SKILL.md"), "utf8");
  add(language(text), "own skills", [text]);
}
const hex = (length) => createHash("sha256").update(String(random())).digest("hex").slice(0, length);
const emoji = Array.from({ length: 0x1faf8 - 0x1f300 }, (_, i) => String.fromCodePoint(0x1f300 + i)).filter((c) => /\p{Emoji_Presentation}/u.test(c));
const generated = (name, make) => add(name, "generated blocks", Array.from({ length: 60 }, () => Array.from({ length: 60 }, make).join(" ")));
generated("emoji", () => `${emoji[Math.floor(random() * emoji.length)]} ${["build", "test", "deploy", "chart", "mail", "plan"][Math.floor(random() * 6)]}`);
generated("hashes", () => hex([7, 12, 32, 40, 64][Math.floor(random() * 5)]));
generated("base64", () => Buffer.from(hex(64), "hex").toString("base64"));
const minified = execFileSync(join(root, "node_modules/.bin/esbuild"), ["--minify", "--format=esm", join(root, "benches/tokens.mjs")], { encoding: "utf8" });
add("minified code", "generated blocks", minified.match(/[\s\S]{1,3000}/g));

const texts = [...groups.values()].flat();
const printed = spawnSync("cargo", ["bench", "--quiet", "--bench", "token_estimates"], { cwd: root, input: texts.map((t) => `${JSON.stringify(t)}\n`).join(""), maxBuffer: 2 ** 30, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });
const estimates = printed.stdout.trim().split("\n").map((line) => line.split(" ").map(Number));
const percent = (v) => (100 * v).toFixed(2).padStart(8);
console.log(`| text | kind | texts | tokenizer | bias % | mean % | p95 % | characters / 4: mean % |\n|---|---|--:|---|--:|--:|--:|--:|`);
let at = 0;
for (const [key, list] of groups) {
  for (const [which, { countTokens }] of encodings.entries()) {
    let [sum, exact] = [0, 0];
    const rows = list.map((text, i) => {
      const count = countTokens(text, { disallowedSpecial: new Set() });
      (sum += estimates[at + i][which]), (exact += count);
      return [Math.abs(estimates[at + i][which] / count - 1), Math.abs(text.length / 4 / count - 1)];
    });
    const mean = (j) => rows.reduce((s, r) => s + r[j], 0) / rows.length;
    const p95 = rows.map((r) => r[0]).sort((a, b) => a - b)[Math.floor(rows.length * 0.95)];
    console.log(`| ${key.replace("|", " | ")} | ${list.length} | ${["o200k", "cl100k"][which]} |${percent(sum / exact - 1)} |${percent(mean(0))} |${percent(p95)} |${percent(mean(1))} |`);
  }
  at += list.length;
}
