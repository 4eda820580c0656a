// Reads real files that strict YAML refuses, and compares the descriptions with a second, plain reading. The files are not part of
// the project: an archive `corpus/odd-open.tar.gz` under $SKILLPICK_SHARED (default ../shared), or the folder given as argument.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseSkill, renderSkill } from "skillpick/skill-md";
import { isDeepStrictEqual } from "node:util";
import { letters, plainDescription } from "../tests/js/plain-reading.mjs";

const shared = process.env.SKILLPICK_SHARED ?? join(import.meta.dirname, "..", "..", "shared");
const archive = process.argv[2] ?? join(shared, "corpus", "odd-open.tar.gz");
if (!existsSync(archive)) {
  console.log(`skipped: ${archive} is not there`);
  process.exit(0);
}

const files = /\.t?gz$/.test(archive) ? untar(gunzipSync(readFileSync(archive))) : fromFolder(archive);
const faults = { silent: [], round: [], slow: [], lost: [] };
let described = 0;
for (const [path, bytes] of files) {
  const started = performance.now();
  const { skill, diagnostics } = parseSkill(bytes, { file: path });
  if (performance.now() - started > 50) faults.slow.push(path);
  const located = diagnostics.some((one) => one.severity === "error" && one.file === path && one.line >= 1);
  if (skill === null && !located) faults.silent.push(path);
  if (skill !== null && !isDeepStrictEqual(parseSkill(renderSkill(skill), { file: path }).skill, skill)) faults.round.push(path);
  const plain = plainDescription(bytes);
  if (plain === null) continue;
  described++;
  if (letters(skill?.description ?? "") !== plain.text) faults.lost.push(path);
}
const share = described === 0 ? 1 : 1 - faults.lost.length / described;
console.log(`${files.length} files; ${described} with descriptive text, ${(share * 100).toFixed(2)} % of them read in full`);
for (const [kind, paths] of Object.entries(faults)) if (paths.length > 0) console.log(`${kind}:\n  ${paths.join("\n  ")}`);
process.exitCode = faults.silent.length + faults.round.length > 0 || share < 0.99 ? 1 : 0;

function untar(tar) {
  const found = [];
  let long = null;
  for (let at = 0; at + 512 <= tar.length; ) {
    const text = (from, length) => tar.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = parseInt(text(124, 12), 8) || 0;
    const type = text(156, 1);
    const data = tar.subarray(at + 512, at + 512 + size);
    const name = long ?? join(text(345, 155), text(0, 100));
    long = type === "L" ? data.toString("utf8").replace(/\0.*$/s, "") : type === "x" ? (/ path=(.*)\n/.exec(data.toString("utf8"))?.[1] ?? null) : null;
    if ((type === "0" || type === "") && name.endsWith("SKILL.md")) found.push([name, data]);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

function fromFolder(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith("SKILL.md"))
    .map((name) => [name, readFileSync(join(folder, name))]);
}
