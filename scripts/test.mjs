// Runs the tests step by step: node scripts/test.mjs [--fast] [--only NAME]...
// Each step's whole output goes to target/test-logs/; here stand one line a step and, where one fails, its end and a hint.
import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
process.chdir(root);
const { values } = parseArgs({ options: { fast: { type: "boolean" }, only: { type: "string", multiple: true } } });
const logs = join("target", "test-logs");
mkdirSync(logs, { recursive: true });

const bin = (name) => join("node_modules", ".bin", name);
const suites = (folder) => readdirSync(folder).filter((name) => name.endsWith(".test.mjs")).map((name) => join(folder, name));

/** How a step's output tells the number of its tests; a step that doesn't is one test. */
const counts = {
  cargo: (text) => sum(text, /^test result: \w+\. (\d+) passed; (\d+) failed/gm),
  node: (text) => [Number(/^(?:#|ℹ) pass (\d+)/m.exec(text)?.[1] ?? 0), Number(/^(?:#|ℹ) fail (\d+)/m.exec(text)?.[1] ?? 0)],
  plain: (text) => sum(text, /^(\d+) passed, (\d+) failed/gm),
};

const STEPS = [
  { name: "formatting", fast: true, run: ["cargo", "fmt", "--check"], hint: "cargo fmt" },
  { name: "lints", fast: true, run: ["cargo", "clippy", "--all-targets", "--locked", "--", "-D", "warnings"], hint: "warnings are errors here; mend them or allow one with a reason" },
  { name: "native tests", fast: true, run: ["cargo", "test", "--locked"], count: counts.cargo, hint: "one test: cargo test NAME; after an intended change of output see tests/vectors/README.md" },
  { name: "types", fast: true, run: [bin("tsc"), "-p", "tsconfig.json"], hint: "npx tsc -p tsconfig.json" },
  { name: "crate docs", fast: true, run: ["cargo", "doc", "--no-deps", "--locked"], env: { RUSTDOCFLAGS: "-D warnings" }, hint: "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps" },
  { name: "crate", run: ["node", "scripts/crate.mjs"], count: counts.plain, hint: "node scripts/crate.mjs; after an intended change of the public items with SKILLPICK_BLESS=1" },
  { name: "package docs", fast: true, run: ["node", "scripts/docs.mjs", "target/reference"], hint: "every exported name and its members have a comment; links in them lead somewhere: make docs" },
  { name: "build", run: ["make", "--no-print-directory", "dist"], hint: "make dist" },
  { name: "wasm tests", run: ["node", "--test", "--test-reporter=spec", ...suites("tests/js")], count: counts.node, hint: "node --test tests/js/NAME.test.mjs" },
  { name: "adapters", run: ["node", "tests/adapters/run.mjs"], count: counts.node, hint: "node tests/adapters/run.mjs NAME" },
  { name: "complexity", run: ["node", "scripts/complexity.mjs", "--check"], count: counts.plain, hint: "node scripts/complexity.mjs CASE" },
  { name: "fuzz", run: ["bash", "scripts/fuzz.sh", "--short"], count: counts.plain, hint: "the input is in fuzz/artifacts; bash scripts/fuzz.sh --short TARGET" },
  { name: "publint", run: [bin("publint"), "--strict"], hint: "npx publint" },
  // Node 10's resolution knows no exports, so the subpaths can't be found by it; nothing that we support resolves so.
  // Cloudflare's SDK is for workerd, so its adapter can only be imported.
  { name: "attw", run: [bin("attw"), "--pack", ".", "--profile", "node16", "--exclude-entrypoints", "skillpick.wasm", "cloudflare-agents"], hint: "npx attw --pack ." },
  { name: "package tests", run: ["node", "pkg-tests/run.mjs"], count: counts.plain, hint: "node pkg-tests/run.mjs --only NAME --keep" },
  { name: "worker", run: ["node", "examples/cloudflare-worker/test/run.mjs"], count: counts.node, hint: "make worker-test" },
  { name: "playground", run: ["node", "www/tests/run.mjs"], count: counts.plain, hint: "node www/tests/run.mjs --only chromium --times --screenshots FOLDER" },
];

function sum(text, pattern) {
  let [passed, failed] = [0, 0];
  for (const [, good, bad] of text.matchAll(pattern)) {
    passed += Number(good);
    failed += Number(bad);
  }
  return [passed, failed];
}

/** Runs a command, its output into a file; a line every 20 seconds shows that it lives. */
function execute([command, ...args], log, name, env = {}) {
  return new Promise((resolve) => {
    const started = performance.now();
    const file = createWriteStream(log);
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1", CARGO_TERM_COLOR: "never", ...env } });
    child.stdout.pipe(file, { end: false });
    child.stderr.pipe(file, { end: false });
    const beat = setInterval(() => console.log(`        ${name} is running, ${seconds(started)}: ${lastLine(log)}`), 20_000);
    const finish = (code) => {
      clearInterval(beat);
      file.end(() => resolve({ code, time: seconds(started) }));
    };
    child.on("error", (error) => file.write(`${error.message}\n`, () => finish(127)));
    child.on("close", finish);
  });
}

const seconds = (started) => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const lastLine = (log) => (existsSync(log) ? (readFileSync(log, "utf8").trimEnd().split("\n").at(-1) ?? "").slice(0, 100) : "");

let passed = 0;
let failed = 0;
const steps = STEPS.filter(({ name, fast }) => (values.only ? values.only.includes(name) : fast || !values.fast));
for (const { name, run, env, count, hint } of steps) {
  const log = join(logs, `${name.replaceAll(" ", "-")}.log`);
  const { code, time } = await execute(run, log, name, env);
  const text = readFileSync(log, "utf8");
  const [good, bad] = count?.(text) ?? [1, 0];
  const broken = code === 0 ? bad : Math.max(bad, 1);
  passed += code !== 0 && !count ? 0 : good;
  failed += broken;
  console.log(`  ${broken ? "FAIL" : "ok  "}  ${name.padEnd(16)} ${count ? `${good} passed` : ""}`.padEnd(44) + time);
  if (broken) {
    console.log(text.trimEnd().split("\n").slice(-60).join("\n").replace(/^/gm, "        "));
    console.log(`        to mend it: ${hint}   (whole output: ${log})`);
  }
  if (broken && name === "build") break;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
