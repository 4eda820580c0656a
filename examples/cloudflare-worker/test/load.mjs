// What the Worker costs, measured on loopback: `make worker-load`. Figures of this machine, not of Cloudflare's.
import { mkdirSync, readFileSync, rmSync, writeFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Agent, request } from "node:http";
import { Catalog } from "../../../dist/index.js";
import { writeBodies } from "../scripts/bodies.mjs";
import { bundle, here, keyOf, start, temporary } from "./worker.mjs";

const SECONDS = 5;
const CONNECTIONS = 8;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
bundle("test/measured.ts", "measured");

/** Skills with Zipf-like words, so that a query meets some of them and not all. */
function skills(count) {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const words = (many) => Array.from({ length: many }, () => `w${Math.floor(20_000 ** random()).toString(36)}`).join(" ");
  return Array.from({ length: count }, (_, at) => ({ name: `skill-${at}`, description: words(25), instructions: words(300) }));
}

const send = (url, path, body) => new Promise((resolve, reject) => {
  const started = performance.now();
  const sent = request(new URL(path, url), { agent, method: body ? "POST" : "GET", headers: { authorization: `Bearer ${keyOf("ada")}`, ...(body ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) } : {}) } }, (answer) => {
    answer.resume();
    answer.on("end", () => (answer.statusCode === 200 ? resolve(performance.now() - started) : reject(new Error(`${path}: ${answer.statusCode}`))));
  });
  sent.on("error", reject);
  sent.end(body);
});

async function load(url, path, bodies) {
  const times = [];
  const end = performance.now() + SECONDS * 1000;
  await Promise.all(Array.from({ length: CONNECTIONS }, async (_, at) => {
    for (let turn = at; performance.now() < end; turn++) times.push(await send(url, path, bodies?.[turn % bodies.length]));
  }));
  times.sort((one, other) => one - other);
  const at = (share) => `${times[Math.floor(times.length * share)].toFixed(1)} ms`;
  return `${(times.length / SECONDS).toFixed(0).padStart(6)} req/s   p50 ${at(0.5)}   p99 ${at(0.99)}`;
}

/** User and system time, and resident memory, of the workerd that this process started. */
function workerd() {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [, , ...fields] = stat.slice(stat.lastIndexOf(")")).split(" ");
      if (!stat.includes("(workerd)") || Number(fields[0]) !== process.pid) continue;
      const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
      return { cpu: (Number(fields[10]) + Number(fields[11])) * 10, rss };
    } catch { /* gone meanwhile */ }
  }
  return { cpu: NaN, rss: NaN };
}

const constant = await start({ name: "measured", users: ["ada"] });
console.log(`a constant                      ${await load(constant.url, "/constant")}`);
await constant.stop();

for (const count of [1000, 10_000]) {
  const assets = temporary();
  mkdirSync(join(assets, "bodies"));
  const source = skills(count);
  const catalog = Catalog.from(source);
  const bytes = catalog.toBytes({ instructions: false });
  catalog.dispose();
  writeFileSync(join(assets, "catalog.snapshot"), bytes);
  writeBodies(assets, source.slice(0, 100));
  const worker = await start({ name: "measured", users: ["ada"], assets });
  const queries = source.slice(0, 200).map(({ description }) => JSON.stringify({ messages: [{ role: "user", content: description.split(" ").slice(0, 8).join(" ") }], budget: 2000 }));
  await send(worker.url, "/constant");
  const before = workerd();
  const first = await send(worker.url, "/api/prompt", queries[0]);
  const after = workerd();
  console.log(`\n${count} skills, snapshot of ${(bytes.length / 1e6).toFixed(1)} MB`);
  console.log(`  first request, which reads it   ${first.toFixed(0)} ms, CPU ${after.cpu - before.cpu} ms; resident ${before.rss.toFixed(0)} → ${after.rss.toFixed(0)} MB`);
  const single = [];
  for (const query of queries) single.push(await send(worker.url, "/api/prompt", query));
  single.sort((one, other) => one - other);
  console.log(`  /api/prompt, one at a time      p50 ${single[100].toFixed(1)} ms   p99 ${single[197].toFixed(1)} ms`);
  console.log(`  /api/prompt                     ${await load(worker.url, "/api/prompt", queries)}`);
  console.log(`  /api/skills/search              ${await load(worker.url, "/api/skills/search", source.slice(0, 50).map(({ description }) => JSON.stringify({ query: description.slice(0, 40) })))}`);
  const memory = Number(await (await fetch(new URL("/memory", worker.url))).text());
  console.log(`  memory                          wasm ${(memory / 2 ** 20).toFixed(0)} MiB; workerd resident ${workerd().rss.toFixed(0)} MB, ${before.rss.toFixed(0)} MB before the catalog`);
  await worker.stop();
  rmSync(assets, { recursive: true });
}
