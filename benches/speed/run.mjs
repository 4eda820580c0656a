// Speed beside other search libraries, all in one run on the same data: node benches/speed/run.mjs [--write FILE] [COUNT...]
// Each system and size runs in a process of its own (one.mjs); the ratios are of processor time on this machine, no promises.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { real } from "./data.mjs";

const here = import.meta.dirname;
const { values, positionals } = parseArgs({ options: { write: { type: "string" } }, allowPositionals: true });
const chosen = positionals.map(Number);
const wanted = (count) => chosen.length === 0 || chosen.includes(count);
const plan = [
  ...[100, 1_000, 10_000, 36_000, 100_000].map((count) => ({ count, bodies: false })),
  ...[100, 1_000, 10_000].map((count) => ({ count, bodies: true })),
].filter(({ count }) => wanted(count));
const SYSTEMS = ["skillpick", "MiniSearch", "Orama", "FlexSearch", "Fuse"];
/** Where a system would take minutes: Fuse looks at every text for every query. */
const most = { Fuse: 1_000, Orama: 36_000 };

function measure(system, { count, bodies }) {
  if (count > (most[system] ?? Infinity) || (bodies && system === "Fuse")) return undefined;
  const args = ["--expose-gc", "--max-old-space-size=6000", join(here, "one.mjs"), system, String(count), ...(bodies ? ["bodies"] : [])];
  try {
    return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", timeout: 240_000, stdio: ["ignore", "pipe", "pipe"] }));
  } catch (error) {
    return { system, failed: error.code === "ETIMEDOUT" ? "over 4 minutes" : String(error.stderr ?? error.message).trim().split("\n").at(-1).slice(0, 80) };
  }
}

const ms = (value) => (value === undefined ? "–" : value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(3));
/** Too little to be told from the rest is no figure. */
const mb = (bytes) => (bytes === undefined || bytes <= 0 ? "–" : (bytes / 1e6).toFixed(1));
const ratio = (theirs, ours) => (theirs === undefined || ours === undefined ? "–" : `${(theirs / ours).toFixed(theirs / ours < 10 ? 1 : 0)}×`);

const out = [];
const print = (line = "") => (console.log(line), out.push(line));

/** What a process needs from its start to the first answer. */
function coldStart() {
  const time = (code) => {
    const times = Array.from({ length: 7 }, () => Number(execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: here, encoding: "utf8" })));
    return times.sort((a, b) => a - b)[3];
  };
  const skills = JSON.stringify([{ id: "a", name: "a", description: "Draws charts from tables." }]);
  const ours = time(`const t = performance.now(); const { Catalog } = await import("skillpick"); Catalog.from(${JSON.stringify(skills)}).select({ query: "chart" }); console.log(performance.now() - t)`);
  const mini = time(`const t = performance.now(); const { default: M } = await import("minisearch"); const m = new M({ fields: ["name", "description"] }); m.addAll(${skills}); m.search("chart"); console.log(performance.now() - t)`);
  return { ours, mini };
}

print(`Node ${process.versions.node}, ${cpus()[0].model.trim()}, ${new Date().toISOString().slice(0, 10)}. Milliseconds of processor time, the median of several;`);
print(real ? "real public skills; beyond 36,000 the same with other names and some words changed." : "the example skills, varied by a fixed seed (set SKILLPICK_SHARED for real ones).");
print();
print("| skills | system | build | search, last message | search, conversation of 2 KB | search, format, count | saved MB | load | memory MB |");
print("|---|---|--:|--:|--:|--:|--:|--:|--:|");
const ratios = [];
for (const one of plan) {
  const results = SYSTEMS.map((system) => measure(system, one)).filter(Boolean);
  const label = `${one.count.toLocaleString("en")}${one.bodies ? " with bodies" : ""}`;
  for (const result of results) {
    if (result.failed) {
      print(`| ${label} | ${result.system} | ${result.failed} | | | | | | |`);
      continue;
    }
    const whole = result.select ?? result.conversation;
    print(`| ${label} | ${result.system} | ${ms(result.build)} | ${ms(result.search.p50)} | ${result.select ? `select: ${ms(whole.p50)}` : ms(whole?.p50)} | ${ms(result.pipeline?.p50)} | ${mb(result.saved)} | ${ms(result.load?.p50)} | ${mb(result.memory)} |`);
  }
  const [ours, mini] = results;
  if (!ours?.failed && mini && !mini.failed) ratios.push({ label, ours, mini });
}
print();
print("skillpick beside MiniSearch: how many times the time of `select`, conversation in and block out, each of these takes. `select` p99 is beside it, in ms.");
print();
print("| skills | search, last message | search, conversation | search, format, count | build | load of what was saved | select p50 | p99 | with 200 KB of conversation |");
print("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
for (const { label, ours, mini } of ratios) {
  print(`| ${label} | ${ratio(mini.search.p50, ours.select.p50)} | ${ratio(mini.conversation?.p50, ours.select.p50)} | ${ratio(mini.pipeline?.p50, ours.select.p50)} | ${ratio(mini.build, ours.build)} | ${ratio(mini.load?.p50, ours.load?.p50)} | ${ms(ours.select.p50)} | ${ms(ours.select.p99)} | ${ms(ours.long.p50)} |`);
}
const start = coldStart();
const wasm = readFileSync(join(here, "..", "..", "dist", "skillpick.wasm"));
print();
print(`From start to the first answer (import included): skillpick ${ms(start.ours)} ms, MiniSearch ${ms(start.mini)} ms. The wasm has ${wasm.length.toLocaleString("en")} bytes, ${gzipSync(wasm, { level: 9 }).length.toLocaleString("en")} gzipped.`);
if (values.write) {
  const [head] = readFileSync(values.write, "utf8").split("<!-- table -->");
  writeFileSync(values.write, `${head}<!-- table -->\n\n${out.join("\n")}\n`);
}
