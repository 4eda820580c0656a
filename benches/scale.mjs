// Many skills: 100,000 names and descriptions, and 10,000 with bodies, from a snapshot. Prints sizes, times and memory; asserts nothing.
// The skills are real ones from $SKILLPICK_SHARED/corpus (default ../shared/corpus), varied by seed, or else made from the example catalog.
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Catalog, memoryBytes, reset } from "skillpick";
import { loadSkills } from "skillpick/loader";
import { inWorkerd } from "./scale/workerd.mjs";

const corpus = join(process.env.SKILLPICK_SHARED ?? join(import.meta.dirname, "..", "..", "shared"), "corpus");

/** Numbers that are the same on every run. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function real(bodies) {
  const file = join(corpus, bodies ? "skills-10k-with-bodies.jsonl.gz" : "skills-36k.jsonl.gz");
  if (existsSync(file)) return gunzipSync(readFileSync(file)).toString("utf8").trim().split("\n").map((line) => JSON.parse(line));
  console.log(`${file} is not there: skills are made from examples/catalog`);
  const { skills } = await loadSkills(join(import.meta.dirname, "..", "examples", "catalog"), { instructions: bodies });
  return skills.map(({ name, description, instructions }) => ({ id: name, name, description, ...(bodies ? { instructions } : {}) }));
}

/** `count` skills: the real ones, then variants of them in which a fifth of the words is from another. */
function many(skills, count) {
  const next = random(7);
  const words = skills.map(({ description }) => description.split(" "));
  return Array.from({ length: count }, (_, i) => {
    if (i < skills.length) return skills[i];
    const at = next(skills.length);
    const other = words[next(skills.length)];
    const description = words[at].map((word) => (next(5) === 0 ? other[next(other.length)] : word)).join(" ");
    return { ...skills[at], id: `${skills[at].id}-${i}`, name: `${skills[at].name}-${i}`, description };
  });
}

/** Requests in the words of skills, none of which is quoted whole. */
function requests(skills, count) {
  const next = random(11);
  return Array.from({ length: count }, () => {
    const words = skills[next(skills.length)].description.split(" ");
    const start = next(Math.max(1, words.length - 12));
    return `Please help: ${words.slice(start, start + 4 + next(9)).join(" ")}`;
  });
}

async function build(count, bodies, file) {
  const skills = many(await real(bodies), count);
  const start = performance.now();
  const catalog = Catalog.from(skills);
  const built = performance.now() - start;
  writeFileSync(file, catalog.toBytes({ instructions: !process.argv.includes("--no-bodies") }));
  const header = new DataView(readFileSync(file).buffer, 0, 64);
  const sizes = ["texts", "records", "postings", "starts", "shapes", "norms"].map((name, i) => `${name} ${mb(header.getUint32(24 + 4 * i, true))}`);
  writeFileSync(`${file}.requests`, JSON.stringify(requests(skills, 400)));
  console.log(`${catalog.size} skills${bodies ? " with bodies" : ""}: read and indexed in ${built.toFixed(0)} ms, snapshot ${mb(statSync(file).size)} (${sizes.join(", ")})`);
}

const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const at = (times, share) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2);

async function measure(file) {
  const queries = JSON.parse(readFileSync(`${file}.requests`, "utf8"));
  Catalog.from([]).select();
  const from = performance.now();
  const streamed = await Catalog.fromStream(Readable.toWeb(createReadStream(file)));
  console.log(`  from a stream: ${(performance.now() - from).toFixed(0)} ms, memory ${mb(memoryBytes())}`);
  streamed.dispose();
  reset();
  Catalog.from([]).select();
  const bytes = readFileSync(file);
  const start = performance.now();
  const catalog = Catalog.fromBytes(bytes);
  console.log(`  from bytes: ${(performance.now() - start).toFixed(0)} ms, memory ${mb(memoryBytes())}`);
  for (const format of ["agentpool", "compact"]) {
    const times = [];
    const work = process.cpuUsage();
    for (const query of queries) {
      const begin = performance.now();
      catalog.select({ messages: [{ role: "user", content: query }] }, { format });
      times.push(performance.now() - begin);
    }
    const { user, system } = process.cpuUsage(work);
    console.log(`  select, ${format}: ${spread(times.slice(queries.length / 4))}, ${((user + system) / 1000 / queries.length).toFixed(2)} ms of processor; memory ${mb(memoryBytes())}`);
  }
  catalog.select({ messages: [{ role: "user", content: "one huge message about forms and tables. ".repeat(50_000) }] });
  console.log(`  after a message of 2 MB: memory ${mb(memoryBytes())}`);
  const worker = await inWorkerd(file, queries);
  if (!worker) return console.log("  workerd: not measured; bash scripts/bootstrap.sh test installs it");
  console.log(`  workerd: from a stream ${worker.loaded.time.toFixed(0)} ms, memory ${mb(worker.loaded.memory)}`);
  console.log(`  workerd, select over HTTP: ${spread(worker.picked.map(({ time }) => time))}; memory ${mb(worker.picked.at(-1).memory)}`);
}

const spread = (times) => `p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms`;

const self = fileURLToPath(import.meta.url);
const [mode, ...rest] = process.argv.slice(2);
if (mode === "build") await build(Number(rest[0]), rest[1] === "bodies", rest[2]);
else if (mode === "measure") await measure(rest[0]);
else {
  const folder = mkdtempSync(join(tmpdir(), "skillpick-scale-"));
  const run = (...args) => execFileSync(process.execPath, [self, ...args], { stdio: "inherit", cwd: join(import.meta.dirname, "..") });
  try {
    for (const [count, bodies] of [[100_000, ""], [10_000, "bodies"]]) {
      const file = join(folder, `${count}`);
      // In processes of their own, since the memory of an instance never shrinks.
      run("build", `${count}`, bodies, file);
      run("measure", file);
      if (bodies) {
        run("build", `${count}`, bodies, file, "--no-bodies");
        run("measure", file);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
