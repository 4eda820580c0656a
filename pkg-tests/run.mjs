// Tries the packed package in every runtime: node pkg-tests/run.mjs [--only NAME]... [--keep]
import { parseArgs } from "node:util";
import { targets } from "./targets.mjs";
import { leave, workplace } from "./workplace.mjs";

const { values } = parseArgs({ options: { only: { type: "string", multiple: true }, keep: { type: "boolean" } } });
const PARALLEL = 2;
const wanted = targets().filter(({ name }) => !values.only || values.only.some((part) => name.includes(part)));
if (wanted.length === 0) {
  console.error(`no target is named so; there are: ${targets().map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const work = await workplace();
console.log(`package tests in ${work}`);
let passed = 0;
let failed = 0;
let skipped = 0;
const digests = new Map();
/** Failures as text, with the target where they were printed: what fails everywhere is said once. */
const told = new Map();

async function attempt({ name, missing, work: consume }) {
  if (missing) {
    skipped++;
    console.log(`  skip  ${name}: needs ${missing}`);
    return;
  }
  const start = performance.now();
  try {
    const result = await consume(work);
    if (result.digest) digests.set(name, result.digest);
    settle(name, result, performance.now() - start);
  } catch (error) {
    settle(name, { passed: 0, failures: [error.message] }, performance.now() - start);
  }
}

function settle(name, result, ms) {
  passed += result.passed;
  failed += result.failures.length;
  const verdict = result.failures.length === 0 ? "ok  " : "FAIL";
  console.log(`  ${verdict}  ${name.padEnd(28)} ${String(result.passed).padStart(4)} passed  ${(ms / 1000).toFixed(1)} s`);
  if (result.failures.length === 0) return;
  const all = result.failures.join("\n");
  if (told.has(all)) return console.log(`          the same as ${told.get(all)}`);
  told.set(all, name);
  for (const failure of result.failures.slice(0, 10)) console.log(failure.replace(/^/gm, "          "));
  if (result.failures.length > 10) console.log(`          … and ${result.failures.length - 10} more`);
}

const queue = [...wanted];
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await attempt(next);
  }),
);

const kinds = [...new Set(digests.values())];
if (kinds.length > 1) {
  failed++;
  console.log(`  FAIL  the sweep of budgets differs: ${[...digests].map(([name, digest]) => `${name} ${digest}`).join(", ")}`);
} else if (digests.size > 1) {
  passed++;
  console.log(`  ok    the sweep of budgets is the same in ${digests.size} runtimes (${kinds[0]})`);
}
if (values.keep) console.log(`kept: ${work}`);
else leave(work);
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exit(failed > 0 ? 1 : 0);
