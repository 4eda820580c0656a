// skillpick/mastra on the real SDK, with its own mock model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core";
import { MockMemory } from "@mastra/core/memory";
import { InMemoryStore } from "@mastra/core/storage";
import { MastraLanguageModelV2Mock } from "@mastra/core/test-utils/llm-mock";
import { createTool } from "@mastra/core/tools";
import { skillsProcessor } from "skillpick/mastra";
import { z } from "zod";
import { OPTIONS, catalog, remote, texts } from "./catalog.mjs";

const SYSTEM = "You are the assistant of a warehouse.";
let calls = 0;
const call = (toolName, input) => ({ type: "tool-call", toolCallId: `call-${++calls}`, toolName, input: JSON.stringify(input) });
const load = (id) => call("load_skill", { id, arguments: "" });
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model that gives these replies; `seen` is what it was asked with. */
function scripted(...replies) {
  const seen = [];
  const next = (options) => {
    seen.push(structuredClone({ prompt: options.prompt, tools: options.tools?.map(({ name }) => name) ?? [] }));
    const reply = replies.shift() ?? "nothing left to say";
    return typeof reply === "string" ? { type: "text", text: reply } : reply;
  };
  const finishReason = ({ type }) => (type === "text" ? "stop" : "tool-calls");
  const model = new MastraLanguageModelV2Mock({
    doGenerate: async (options) => {
      const part = next(options);
      return { content: [part], finishReason: finishReason(part), usage, warnings: [] };
    },
    doStream: async (options) => {
      const part = next(options);
      const parts = part.type === "text" ? [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: part.text }, { type: "text-end", id: "t" }] : [part];
      return { stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason: finishReason(part), usage }]) };
    },
  });
  return { model, seen };
}

const ran = [];
const run_sql = createTool({ id: "run_sql", description: "Runs SQL.", inputSchema: z.object({ sql: z.string() }), execute: async ({ sql }) => (ran.push(sql), "Seq Scan on orders") });
const clock = createTool({ id: "clock", description: "Tells the time.", inputSchema: z.object({}), execute: async () => "noon" });

function make(model, more = {}, source = catalog, agent = {}) {
  const processor = skillsProcessor(source, { ...OPTIONS, skillTools: { run_sql }, ...more });
  const made = new Agent({ id: "assistant", name: "Assistant", instructions: SYSTEM, model, tools: { clock }, memory: new MockMemory(), inputProcessors: [processor], ...agent });
  return Object.assign(made, { processor });
}
const thread = (name) => ({ memory: { thread: name, resource: "ada" } });
const system = ({ prompt }) => prompt.filter(({ role }) => role === "system");
const stable = (step) => system(step).at(-1).content;
const users = ({ prompt }) => prompt.filter(({ role }) => role === "user").map(({ content }) => content.map(({ text }) => text));
const results = ({ prompt }) => prompt.filter(({ role }) => role === "tool").map((message) => texts(message));

test("a thread: listing, load, its tool, and a second turn with the same stable part", async () => {
  const { model, seen } = scripted(load("sql-tuning"), call("run_sql", { sql: "EXPLAIN" }), "An index is missing.", load("release-notes"), "Done.");
  const agent = make(model);
  const first = await agent.generate("Why is the query of the monthly report so slow?", thread("1"));
  assert.equal(first.text, "An index is missing.");
  await agent.generate("Good. Now the notes for the release, please.", thread("1"));

  assert.equal(seen.length, 5);
  assert.equal(system(seen[0])[0].content, SYSTEM);
  assert.match(stable(seen[0]), /^<available-skills>[^]*sql-tuning[^]*<\/available-skills>$/);
  assert.deepEqual(system(seen[0]).at(-1).providerOptions.anthropic, { cacheControl: { type: "ephemeral" } });
  assert.match(users(seen[0])[0][1], /id="sql-tuning"/);
  assert.doesNotMatch(texts(seen[0].prompt), /wipe-disk/);
  assert.deepEqual(seen[0].tools, ["clock", "load_skill"]);
  assert.match(results(seen[1])[0], /Never guess an index/);
  for (const step of seen.slice(1)) assert.deepEqual(step.tools, ["clock", "load_skill", "run_sql"]);
  assert.deepEqual(ran, ["EXPLAIN"]);
  for (const [at, step] of seen.entries()) {
    assert.equal(stable(step), stable(seen[0]));
    if (at > 0) assert.deepEqual(step.prompt.slice(0, seen[at - 1].prompt.length).map(texts), seen[at - 1].prompt.map(texts));
  }
  assert.match(users(seen[3])[1][1], /id="release-notes"/);
  // What the adapter adds is for the model alone; the thread is the host's.
  const memory = await agent.getMemory();
  const { messages } = await memory.recall({ threadId: "1", resourceId: "ada" });
  assert.doesNotMatch(texts(messages.filter(({ role }) => role === "user")), /available-skills/);
  assert.ok(agent.processor.policy(messages).allowedTools.includes("run_sql"));
});

test("streams; threads that share an agent know nothing of each other", async () => {
  const { model, seen } = scripted(load("sql-tuning"), "One.", "Two.");
  const agent = make(model);
  assert.equal(await (await agent.stream("Why is my query slow?", thread("1"))).text, "One.");
  assert.equal(await (await agent.stream("Hello.", thread("2"))).text, "Two.");
  assert.ok(seen[1].tools.includes("run_sql"));
  const alone = scripted("Two.");
  await (await make(alone.model).stream("Hello.", thread("3"))).text;
  // But for the time, which Mastra notes on each part.
  assert.deepEqual(seen[2].prompt.map(texts), alone.seen[0].prompt.map(texts));
  assert.deepEqual(seen[2].tools, alone.seen[0].tools);
});

test("a placeholder is the block's place; the mark for the cache can be left away", async () => {
  const { model, seen } = scripted("Hello.", "Hello.");
  await make(model, {}, catalog, { instructions: "Skills:\n{{skills}}\nBe brief; $& stays." }).generate("Hi", thread("1"));
  assert.match(stable(seen[0]), /^Skills:\n<available-skills>[^]*<\/available-skills>\nBe brief; \$& stays\.$/);
  await make(model, { cache: false }).generate("Hi", thread("1"));
  assert.equal(system(seen[1]).at(-1).providerOptions, undefined);
});

test("what goes wrong is a text for the model", async () => {
  ran.length = 0;
  const { model, seen } = scripted(load("sql-tunning"), load("wipe-disk"), load("release-notes"), call("search_skills", { query: "zzz" }), call("run_sql", { sql: "DROP" }), "Well.");
  await make(model, { budget: 100 }, remote()).generate("Go.", { ...thread("1"), maxSteps: 9 });
  const said = results(seen.at(-1));
  assert.match(said[0], /sql-tunning/);
  assert.doesNotMatch(said[1], /Never\./);
  assert.match(said[2], /could not be fetched/);
  assert.match(said[3], /No skill was found/);
  assert.match(said[4], /run_sql.* not found/);
  assert.deepEqual(ran, []);
});

test("a tool of a skill that waits for approval goes on when it has it", async () => {
  ran.length = 0;
  const asking = createTool({ id: "run_sql", description: "Runs SQL.", inputSchema: z.object({ sql: z.string() }), requireApproval: true, execute: async ({ sql }) => (ran.push(sql), "Seq Scan") });
  const { model } = scripted(load("sql-tuning"), call("run_sql", { sql: "EXPLAIN" }), "Done.");
  const agent = make(model, { skillTools: { run_sql: asking } });
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const stream = await agent.stream("Why is my query slow?", thread("1"));
  let asked;
  for await (const chunk of stream.fullStream) if (chunk.type === "tool-call-approval") asked = chunk;
  assert.deepEqual(ran, []);
  const rest = await agent.approveToolCall({ runId: stream.runId, toolCallId: asked.payload.toolCallId });
  assert.equal(await rest.text, "Done.");
  assert.deepEqual(ran, ["EXPLAIN"]);
});
