// skillpick/langchain on the real SDKs: LangChain's agents and deepagents, with LangChain's own fake model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { AIMessage, SystemMessage, createAgent, fakeModel, tool } from "langchain";
import { skillsMiddleware } from "skillpick/langchain";
import { OPTIONS, catalog, remote, texts } from "./catalog.mjs";

const SYSTEM = "You are the assistant of a warehouse.";

/** A model that gives these replies; `seen` is what it was asked with. */
function scripted(...replies) {
  const model = fakeModel();
  for (const reply of replies) typeof reply === "string" ? model.respond(new AIMessage(reply)) : model.respondWithTools([reply]);
  const offered = [];
  const bind = model.bindTools.bind(model);
  model.bindTools = (tools) => (offered.push(tools.map(({ name }) => name)), bind(tools));
  const seen = () => model.calls.map(({ messages }, at) => ({
    system: messages.filter(({ type }) => type === "system").map(({ content }) => content),
    messages: messages.filter(({ type }) => type !== "system").map(({ type, content, tool_calls }) => ({ type, content, tool_calls })),
    tools: offered[at],
  }));
  return { model, seen };
}
let calls = 0;
const call = (name, args) => ({ name, args, id: `call-${++calls}` });
const load = (id) => call("load_skill", { id, arguments: "" });

const ran = [];
const run_sql = tool(async ({ sql }) => (ran.push(sql), "Seq Scan on orders"), {
  name: "run_sql",
  description: "Runs SQL.",
  schema: { type: "object", properties: { sql: { type: "string" } }, required: ["sql"], additionalProperties: false },
});
const clock = tool(async () => "noon", { name: "clock", description: "Tells the time.", schema: { type: "object", properties: {} } });

const users = ({ messages }) => messages.filter(({ type }) => type === "human").map(({ content }) => content.map(({ text }) => text));
const results = ({ messages }) => messages.filter(({ type }) => type === "tool").map(texts);
const make = (model, more = {}, source = catalog) =>
  createAgent({ model, systemPrompt: SYSTEM, tools: [clock], checkpointer: new MemorySaver(), middleware: [skillsMiddleware(source, { ...OPTIONS, skillTools: [run_sql], ...more })] });
const ask = (agent, content, thread_id = "1") => agent.invoke({ messages: [{ role: "user", content }] }, { configurable: { thread_id } });

test("a thread: listing, load, its tool, and a second turn with the same stable part", async () => {
  const { model, seen } = scripted(load("sql-tuning"), call("run_sql", { sql: "EXPLAIN" }), "An index is missing.", load("release-notes"), "Done.");
  const agent = make(model);
  const first = await ask(agent, "Why is the query of the monthly report so slow?");
  assert.equal(first.messages.at(-1).text, "An index is missing.");
  // What the adapter adds is for the model alone; the thread is the host's.
  assert.equal(first.messages[0].content, "Why is the query of the monthly report so slow?");
  await ask(agent, "Good. Now the notes for the release, please.");

  const steps = seen();
  assert.equal(steps.length, 5);
  assert.match(texts(steps[0].system[0].map(({ text }) => text)), /^You are the assistant of a warehouse\.\n<available-skills>[^]*sql-tuning[^]*<\/available-skills>$/);
  assert.match(users(steps[0])[0][1], /id="sql-tuning"/);
  assert.doesNotMatch(texts(steps[0]), /wipe-disk/);
  assert.deepEqual(steps[0].tools, ["clock", "load_skill"]);
  assert.match(results(steps[1])[0], /Never guess an index/);
  for (const step of steps.slice(1)) assert.deepEqual(step.tools, ["clock", "load_skill", "run_sql"]);
  assert.deepEqual(ran, ["EXPLAIN"]);
  for (const [at, step] of steps.entries()) {
    assert.deepEqual(step.system, steps[0].system);
    if (at > 0) assert.deepEqual(step.messages.slice(0, steps[at - 1].messages.length), steps[at - 1].messages);
  }
  assert.match(users(steps[3])[1][1], /id="release-notes"/);
});

test("threads that share an agent know nothing of each other", async () => {
  const { model, seen } = scripted(load("sql-tuning"), "One.", "Two.");
  const agent = make(model);
  await ask(agent, "Why is my query slow?");
  await ask(agent, "Hello.", "2");
  const alone = scripted("Two.");
  await ask(make(alone.model), "Hello.");
  assert.deepEqual(seen()[2], alone.seen()[0]);
});

test("streams", async () => {
  const { model, seen } = scripted(load("sql-tuning"), "Done.");
  const nodes = [];
  for await (const chunk of await make(model).stream({ messages: [{ role: "user", content: "Why is my query slow?" }] }, { streamMode: "updates", configurable: { thread_id: "1" } })) nodes.push(...Object.keys(chunk));
  assert.deepEqual(nodes, ["model_request", "tools", "model_request"]);
  assert.match(results(seen()[1])[0], /Never guess an index/);
});

test("Anthropic's models get the stable part marked for their cache, others as the host says", async () => {
  const mark = { type: "ephemeral", ttl: "1h" };
  for (const [type, cache, expected] of [["anthropic", undefined, { type: "ephemeral" }], ["openai", mark, mark], ["anthropic", false, undefined], ["openai", undefined, undefined]]) {
    const { model, seen } = scripted("Hello.");
    model._llmType = () => type;
    await ask(make(model, cache === undefined ? {} : { cache }), "Hi");
    const [content] = seen()[0].system;
    assert.deepEqual(content.map(({ cache_control }) => cache_control), [undefined, expected]);
  }
});

test("a placeholder is the block's place, in a text and in parts", async () => {
  const template = "Skills:\n{{skills}}\nBe brief; $& stays.";
  for (const systemPrompt of [template, new SystemMessage({ content: [{ type: "text", text: template }] })]) {
    const { model, seen } = scripted("Hello.");
    const agent = createAgent({ model, systemPrompt, middleware: [skillsMiddleware(catalog, OPTIONS)] });
    await agent.invoke({ messages: [{ role: "user", content: "Hi" }] });
    assert.match(texts(seen()[0].system), /^(text\n)?Skills:\n<available-skills>[^]*<\/available-skills>\nBe brief; \$& stays\.$/);
  }
});

test("what goes wrong is a text for the model", async () => {
  const { model, seen } = scripted(load("sql-tunning"), load("wipe-disk"), load("release-notes"), call("search_skills", { query: "zzz" }), call("run_sql", { sql: "DROP" }), "Well.");
  ran.length = 0;
  await ask(make(model, { budget: 100 }, remote()), "Go.");
  const said = results(seen().at(-1));
  assert.match(said[0], /sql-tunning/);
  assert.doesNotMatch(said[1], /Never\./);
  assert.match(said[2], /could not be fetched/);
  assert.match(said[3], /No skill was found/);
  assert.match(said[4], /comes with a skill that isn't loaded/);
  assert.deepEqual(ran, []);
});

test("a deep agent: beside its own middleware", async () => {
  const { model, seen } = scripted(load("sql-tuning"), call("run_sql", { sql: "EXPLAIN" }), "Done.");
  ran.length = 0;
  const skills = skillsMiddleware(catalog, { ...OPTIONS, skillTools: [run_sql] });
  const agent = createDeepAgent({ model, systemPrompt: SYSTEM, middleware: [skills] });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Why is my query slow?" }] });
  const steps = seen();
  assert.match(texts(steps[0].system), /<available-skills>[^]*<\/available-skills>/);
  assert.ok(steps[0].tools.includes("read_file") && !steps[0].tools.includes("run_sql"));
  assert.ok(steps[1].tools.includes("run_sql"));
  assert.deepEqual(ran, ["EXPLAIN"]);
  assert.deepEqual(steps[2].system, steps[0].system);
  assert.ok(skills.policy(messages).allowedTools.includes("run_sql"));
});
