// skillpick/cloudflare-agents on the real SDK, in workerd: a chat agent in a Durable Object, skills in an R2 bucket.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { texts } from "./catalog.mjs";

const here = import.meta.dirname;
let miniflare;

before(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(here, "cloudflare", "worker.mjs")],
    bundle: true, write: false, format: "esm", platform: "neutral", target: "es2022", logLevel: "error",
    conditions: ["workerd", "worker", "browser", "import"], mainFields: ["module", "main"],
    external: ["cloudflare:*", "node:*", "*.wasm"],
    // Names of builtins without the prefix; the flag nodejs_compat gives both.
    plugins: [{ name: "builtins", setup: ({ onResolve }) => onResolve({ filter: /^(async_hooks|buffer|crypto|events|fs|os|path|process|stream|url|util)$/ }, ({ path }) => ({ path: `node:${path}`, external: true })) }],
  });
  miniflare = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
      { type: "CompiledWasm", path: "skillpick.wasm", contents: readFileSync(join(here, "node_modules/skillpick/dist/skillpick.wasm")) },
    ],
    compatibilityDate: "2026-01-01", compatibilityFlags: ["nodejs_compat"],
    durableObjects: { ChatAgent: { className: "ChatAgent", useSQLite: true } },
    r2Buckets: ["SKILLS"],
  });
  await miniflare.ready;
});
after(() => miniflare?.dispose());

async function ask(path, body) {
  const response = await miniflare.dispatchFetch(`http://agent/${path}`, body && { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

let calls = 0;
const say = (text) => ({ type: "text", text });
const call = (toolName, input) => ({ type: "tool-call", toolCallId: `call-${++calls}`, toolName, input: JSON.stringify(input) });
const load = (id) => call("load_skill", { id, arguments: "" });
const system = ({ prompt }) => prompt.filter(({ role }) => role === "system");

test("the adapter exports what is documented", async () => {
  assert.deepEqual(await ask("names"), ["contextBlock", "fromSources", "skills"]);
});

test("a chat agent: listing, load, its tool, and a second turn with the same stable part", async () => {
  const first = await ask("ada", { text: "Why is the query of the monthly report so slow?", replies: [load("sql-tuning"), call("run_sql", { sql: "EXPLAIN" }), say("An index is missing.")] });
  assert.equal(first.status, "completed");
  const second = await ask("ada", { text: "Good. Now the notes for the release, please.", replies: [load("release-notes"), say("Done.")] });
  const seen = [...first.seen, ...second.seen];
  assert.equal(seen.length, 5);
  assert.equal(system(seen[0])[0].content, "Be brief.");
  assert.match(system(seen[0])[1].content, /^<available-skills>[^]*sql-tuning[^]*<\/available-skills>$/);
  assert.deepEqual(seen[0].tools, ["load_skill"]);
  assert.match(texts(seen[1].prompt.at(-1)), /Never guess an index/);
  for (const step of seen.slice(1)) assert.deepEqual(step.tools, ["load_skill", "run_sql"]);
  for (const [at, step] of seen.entries()) {
    assert.deepEqual(system(step), system(seen[0]));
    if (at > 0) assert.deepEqual(step.prompt.slice(0, seen[at - 1].prompt.length), seen[at - 1].prompt);
  }
  // What the adapter adds is for the model alone; the agent's messages are the host's.
  assert.doesNotMatch(texts(second.stored.filter(({ role }) => role === "user")), /available-skills/);
  // Another agent of the same isolate knows nothing of it.
  const other = await ask("bob", { text: "Hello.", replies: [say("Hi.")] });
  assert.deepEqual(other.seen[0].tools, ["load_skill"]);
  assert.doesNotMatch(texts(other.seen[0].prompt.at(-1)), /sql-tuning/);
});

test("a bucket of skills becomes a catalog; a source that can't be read is a diagnostic", async () => {
  const { skills, diagnostics, loaded, prompt } = await ask("sources");
  assert.equal(skills.length, 1);
  const [{ id, whenToUse, allowedTools, resources, source }] = skills;
  assert.deepEqual({ id, whenToUse, allowedTools, resources, source }, { id: "greet", whenToUse: "When somebody says hello.", allowedTools: ["wave"], resources: ["references/tone.md"], source: "r2:skills/" });
  assert.match(loaded, /Say hello\./);
  assert.match(prompt, /<available-skills>[^]*id="greet"/);
  assert.deepEqual(diagnostics.map(({ severity }) => severity), ["error"]);
  assert.match(diagnostics[0].message, /workspace/);
});
