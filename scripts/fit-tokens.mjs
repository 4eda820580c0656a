// Fits the weights of the token estimate and writes src/tokens/weights.rs.
//   cargo build --profile bench --bench token_features
//   node scripts/fit-tokens.mjs FEATURES_PROGRAM PACKAGES < texts.jsonl
// FEATURES_PROGRAM: the built benches/token_features.rs; PACKAGES: a node_modules folder with gpt-tokenizer.
// texts.jsonl: { lang, kind, text } a line (scripts/fit-tokens-texts.mjs). One text in seven is kept for the test that is printed.
//
// Weighted ridge regression of exact token counts on feature counts, solved by conjugate gradients: the error of a text counts
// relative to its length, languages with few texts count more, and pairs and triples of letters are held nearer to zero.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [program, packages] = process.argv.slice(2);
const need = createRequire(resolve(packages, "x.js"));
const rows = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const SCALE = 256, COARSE = 4;
const WEIGHT = { de: 3, ru: 4, ja: 5, ko: 12, hi: 12, fr: 2, es: 2, it: 1, pt: 2, tr: 2, pl: 1, cs: 1, emoji: 8, hash: 4, minified: 5, other: 0.15, ar: 5, th: 8, latin: 5, names: 2, odd: 0.05, signs: 0.3 };

const printed = spawnSync(program, { input: Buffer.from(rows.map((r) => `${JSON.stringify(r.text)}\n`).join("")), maxBuffer: 2 ** 31 - 1 }).stdout;
const [size, fine] = printed.subarray(0, printed.indexOf(10)).toString().split(" ").map(Number);
const nonzero = Math.ceil(printed.length / 3);
const columns = new Uint16Array(nonzero), values = new Float32Array(nonzero), starts = new Uint32Array(rows.length + 1);
let filled = 0, row = 0, number = 0, digits = false, isValue = false;
for (let at = printed.indexOf(10) + 1; at < printed.length; at++) {
  const byte = printed[at];
  if (byte >= 48) (number = number * 10 + byte - 48), (digits = true);
  else {
    if (digits) isValue ? (values[filled++] = number) : (columns[filled] = number), (isValue = !isValue);
    (number = 0), (digits = false);
    if (byte === 10) starts[++row] = filled;
  }
}
const clamp = (v, limit) => Math.max(-limit, Math.min(limit, v));
const test = (i) => i % 7 === 3;

/** Minimises Σ w (y - x·b)² + Σ r b² from the training rows. */
function solve(target, weight, ridge, rounds) {
  const scale = new Float64Array(size).fill(0);
  const train = [];
  for (let i = 0; i < rows.length; i++) {
    if (test(i) || !target[i]) continue;
    train.push(i);
    for (let k = starts[i]; k < starts[i + 1]; k++) scale[columns[k]] += weight[i] * values[k] ** 2;
  }
  const multiply = (b) => {
    const product = Float64Array.from(b, (v, f) => v * ridge[f]);
    for (const i of train) {
      let dot = 0;
      for (let k = starts[i]; k < starts[i + 1]; k++) dot += b[columns[k]] * values[k];
      dot *= weight[i];
      for (let k = starts[i]; k < starts[i + 1]; k++) product[columns[k]] += dot * values[k];
    }
    return product;
  };
  const b = new Float64Array(size), residual = new Float64Array(size);
  for (const i of train) for (let k = starts[i]; k < starts[i + 1]; k++) residual[columns[k]] += weight[i] * target[i] * values[k];
  const precondition = (v) => v.map((x, f) => x / (scale[f] + ridge[f]));
  let z = precondition(residual), direction = z.slice(), old = z.reduce((s, v, f) => s + v * residual[f], 0);
  for (let round = 0; round < rounds && old > 1e-9; round++) {
    const product = multiply(direction);
    const step = old / product.reduce((s, v, f) => s + v * direction[f], 0);
    for (let f = 0; f < size; f++) (b[f] += step * direction[f]), (residual[f] -= step * product[f]);
    z = precondition(residual);
    const next = z.reduce((s, v, f) => s + v * residual[f], 0);
    for (let f = 0; f < size; f++) direction[f] = z[f] + (next / old) * direction[f];
    old = next;
  }
  return b;
}

/** Bias, mean and 95th percentile of the relative error over single texts and over blocks of 500 to 4,000 tokens. */
function report(name, b, target) {
  const groups = new Map();
  for (let i = 0; i < rows.length; i++) {
    if (!test(i) || !target[i]) continue;
    const group = `${rows[i].lang} ${rows[i].kind}`;
    if (!groups.has(group)) groups.set(group, []);
    let dot = 0;
    for (let k = starts[i]; k < starts[i + 1]; k++) dot += b[columns[k]] * values[k];
    groups.get(group).push([dot, target[i]]);
  }
  const percent = (v) => (100 * v).toFixed(2).padStart(7);
  const line = (pairs) => {
    const errors = pairs.map(([e, t]) => Math.abs(e / t - 1)).sort((a, c) => a - c);
    const sum = (j) => pairs.reduce((s, p) => s + p[j], 0);
    return `${percent(sum(0) / sum(1) - 1)} ${percent(errors.reduce((s, v) => s + v, 0) / errors.length)} ${percent(errors[Math.floor(errors.length * 0.95)])}`;
  };
  console.log(`${name.padEnd(20)} texts    bias    mean     p95 | blocks    bias    mean     p95`);
  for (const [group, pairs] of [...groups].sort()) {
    const blocks = [];
    let block = [0, 0], limit = 500, turn = 0;
    for (const [e, t] of pairs) {
      block = [block[0] + e, block[1] + t];
      if (block[1] >= limit) blocks.push(block), (block = [0, 0]), (limit = [500, 1000, 2000, 4000][++turn % 4]);
    }
    if (blocks.length < 2) continue;
    console.log(`${group.padEnd(20)} ${String(pairs.length).padStart(5)} ${line(pairs)} | ${String(blocks.length).padStart(6)} ${line(blocks)}`);
  }
}

const ridge = new Float64Array(size).fill(0.05);
const sets = [];
for (const name of ["o200k_base", "cl100k_base"]) {
  const { countTokens } = need(`gpt-tokenizer/encoding/${name}`);
  const target = Float64Array.from(rows, (r) => countTokens(r.text, { disallowedSpecial: new Set() }));
  const weight = Float64Array.from(rows, (r, i) => (WEIGHT[r.kind] ?? WEIGHT[r.lang] ?? 1) / target[i]);
  const fitted = solve(target, weight, ridge, Number(process.env.ROUNDS ?? 250));
  const rounded = fitted.map((v, f) => (f < fine ? clamp(Math.round(v * SCALE), 32767) : COARSE * clamp(Math.round((v * SCALE) / COARSE), 127)));
  report(name, rounded.map((v) => v / SCALE), target);
  sets.push([name.replace("_base", "").toUpperCase(), rounded]);
}
let source = "//! Generated by scripts/fit-tokens.mjs: the price of each feature in 1/256 token; of pairs and triples in 1/64.\n";
const table = (name, type, weights) => {
  source += `\n#[rustfmt::skip]\npub(super) static ${name}: &[${type}] = &[\n`;
  for (let at = 0; at < weights.length; at += 32) source += `    ${[...weights.slice(at, at + 32)].join(", ")},\n`;
  source += "];\n";
};
for (const [name, weights] of sets) {
  table(name, "i16", weights.slice(0, fine));
  table(`${name}_PAIRS`, "i8", weights.slice(fine).map((v) => v / COARSE));
}
writeFileSync(join(import.meta.dirname, "../src/tokens/weights.rs"), source);
