// skillpick/openai-agents on the real SDK, with a model that plays a script.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, MemorySession, RunState, Runner, Usage, setTracingDisabled, tool } from "@openai/agents";
import { skills } from "skillpick/openai-agents";
import { OPTIONS, catalog, remote, texts } from "./catalog.mjs";

setTracingDisabled(true);

let calls = 0;
const say = (text) => [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] }];
const call = (name, input) => [{ type: "function_call", callId: `call-${++calls}`, name, status: "completed", arguments: JSON.stringify(input) }];
const load = (id) => call("load_skill", { id, arguments: "" });

/** A model that gives these replies; `seen` is what it was asked with. */
function scripted(...replies) {
  const seen = [];
  const next = (request) => {
    const { systemInstructions: system, input, tools } = request;
    seen.push(structuredClone({ system, input, tools: tools.map(({ name }) => name) }));
    return replies.shift() ?? say("nothing left to say");
  };
  const getResponse = async (request) => ({ usage: new Usage(), output: next(request) });
  async function* getStreamedResponse(request) {
    yield { type: "response_started" };
    yield { type: "response_done", response: { id: "r", usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, output: next(request) } };
  }
  return { model: { getResponse, getStreamedResponse }, seen };
}

const ran = [];
const run_sql = tool({
  name: "run_sql",
  description: "Runs SQL.",
  parameters: { type: "object", properties: { sql: { type: "string" } }, required: ["sql"], additionalProperties: false },
  execute: async ({ sql }) => (ran.push(sql), "Seq Scan on orders"),
});
const clock = tool({ name: "clock", description: "Tells the time.", parameters: { type: "object", properties: {}, required: [], additionalProperties: false }, execute: async () => "noon" });

const SYSTEM = "You are the assistant of a warehouse.";
const users = ({ input }) => input.filter(({ role }) => role === "user").map(({ content }) => content.map(({ text }) => text));
const outputs = ({ input }) => input.filter(({ type }) => type === "function_call_result").map(texts);

function make(model, more = {}, source = catalog) {
  const skilled = skills(source, { ...OPTIONS, skillTools: [run_sql], ...more });
  const agent = skilled.equip(new Agent({ name: "Assistant", instructions: SYSTEM, model, tools: [clock] }));
  const runner = new Runner({ callModelInputFilter: skilled.callModelInputFilter });
  return { skilled, agent, run: (input, options) => runner.run(agent, input, options) };
}

for (const [kind, next] of [
  ["a memory", () => { const session = new MemorySession(); return (run, content) => run([{ role: "user", content }], { session }); }],
  ["the history", () => {
    let history = [];
    return async (run, content) => {
      const result = await run([...history, { role: "user", content }]);
      history = result.history;
      return result;
    };
  }],
]) {
  test(`a conversation kept in ${kind}: listing, load, its tool, and a second turn with the same stable part`, async () => {
    ran.length = 0;
    const { model, seen } = scripted(load("sql-tuning"), call("run_sql", { sql: "EXPLAIN" }), say("An index is missing."), load("release-notes"), say("Done."));
    const { run } = make(model);
    const ask = next();
    const first = await ask(run, "Why is the query of the monthly report so slow?");
    assert.equal(first.finalOutput, "An index is missing.");
    await ask(run, "Good. Now the notes for the release, please.");

    assert.equal(seen.length, 5);
    assert.match(seen[0].system, /^You are the assistant of a warehouse\.\n\n<available-skills>[^]*sql-tuning[^]*<\/available-skills>$/);
    assert.match(users(seen[0])[0][1], /id="sql-tuning"/);
    assert.doesNotMatch(texts(seen[0]), /wipe-disk/);
    assert.deepEqual(seen[0].tools, ["clock", "load_skill"]);
    assert.match(outputs(seen[1])[0], /Never guess an index/);
    for (const step of seen.slice(1)) assert.deepEqual(step.tools, ["clock", "load_skill", "run_sql"]);
    assert.deepEqual(ran, ["EXPLAIN"]);
    for (const [at, step] of seen.entries()) {
      assert.equal(step.system, seen[0].system);
      // Byte for byte, but for ids and the like that the SDK gives its own items.
      if (at > 0) assert.deepEqual(step.input.slice(0, seen[at - 1].input.length).map(texts), seen[at - 1].input.map(texts));
    }
    assert.deepEqual(users(seen[3]).map(({ length }) => length), [2, 2]);
    assert.match(users(seen[3])[1][1], /id="release-notes"/);
  });
}

test("streams; conversations that share an agent know nothing of each other", async () => {
  const { model, seen } = scripted(load("sql-tuning"), say("One."), say("Two."));
  const { run } = make(model);
  const stream = await run("Why is my query slow?", { stream: true });
  await stream.completed;
  assert.equal(stream.finalOutput, "One.");
  assert.equal((await run("Hello.")).finalOutput, "Two.");
  assert.ok(seen[1].tools.includes("run_sql"));
  assert.ok(!seen[2].tools.includes("run_sql"));
  assert.deepEqual(seen[2].input.length, 1);
  const alone = scripted(say("Two."));
  await make(alone.model).run("Hello.");
  assert.deepEqual(seen[2], alone.seen[0]);
});

test("instructions of the agent may be a function, with a place for the block", async () => {
  const { model, seen } = scripted(say("Hello."));
  const skilled = skills(catalog, OPTIONS);
  const agent = skilled.equip(new Agent({ name: "A", model, instructions: (run) => `For ${run.context.user}:\n{{skills}}\nBe brief.` }));
  await new Runner().run(agent, "Hi", { context: { user: "Ada" } });
  assert.match(seen[0].system, /^For Ada:\n<available-skills>[^]*<\/available-skills>\nBe brief\.$/);
});

test("what goes wrong is a text for the model", async () => {
  const replies = [load("sql-tunning"), load("wipe-disk"), load("release-notes"), call("search_skills", { query: "zzz" }), say("Well.")];
  const { model, seen } = scripted(...replies);
  await make(model, { budget: 100 }, remote()).run("Go.");
  const results = outputs(seen.at(-1));
  assert.match(results[0], /Unknown skill 'sql-tunning'\. Did you mean 'sql-tuning'/);
  assert.doesNotMatch(results[1], /Never\./);
  assert.match(results[2], /could not be fetched/);
  assert.match(results[3], /No skill was found/);
});

test("a body in the conversation is not given again", async () => {
  const { model, seen } = scripted(load("sql-tuning"), load("sql-tuning"), say("Well."));
  await make(model).run("Why is my query slow?");
  assert.match(outputs(seen[2])[1], /in this conversation already/);
  assert.ok(seen[2].tools.includes("run_sql"));
});

test("a tool that no active skill brought can't be called", async () => {
  ran.length = 0;
  const { model } = scripted(call("run_sql", { sql: "DROP" }), say("Oh."));
  await assert.rejects(make(model).run("Hi"), /run_sql not found/);
  assert.deepEqual(ran, []);
});

test("a run that waits for an approval is stored, and goes on elsewhere", async () => {
  ran.length = 0;
  const asking = { ...run_sql, needsApproval: async () => true };
  const { model, seen } = scripted(load("sql-tuning"), call("run_sql", { sql: "EXPLAIN" }), say("Done."));
  const first = await make(model, { skillTools: [asking] }).run("Why is my query slow?");
  assert.equal(first.interruptions.length, 1);
  const stored = JSON.stringify(first.state);
  const { agent, run, skilled } = make(model, { skillTools: [asking] });
  const state = await RunState.fromString(agent, stored);
  state.approve(state.getInterruptions()[0]);
  assert.equal((await run(state)).finalOutput, "Done.");
  assert.deepEqual(ran, ["EXPLAIN"]);
  assert.ok(skilled.policy(seen.at(-1).input).allowedTools.includes("run_sql"));
});
