// skillpick/ai on the real SDK, with its own mock model: run once with AI SDK 7, once with 6.
import assert from "node:assert/strict";
import * as runner from "node:test";
import * as ai from "ai";
import * as mocks from "ai/test";
import { Catalog } from "skillpick";
import { skills } from "skillpick/ai";
import { OPTIONS, SKILLS, catalog, remote, texts } from "./catalog.mjs";

const seven = "MockLanguageModelV4" in mocks;
const test = (name, body) => runner.test(`AI SDK ${seven ? 7 : 6}: ${name}`, body);
const Mock = seven ? mocks.MockLanguageModelV4 : mocks.MockLanguageModelV3;
const { ToolLoopAgent, generateText, jsonSchema, streamText, tool } = ai;
const steps = ai.isStepCount ?? ai.stepCountIs;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const reply = (...content) => {
  const unified = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
  return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
};
const say = (text) => reply({ type: "text", text });
let calls = 0;
const call = (toolName, input) => reply({ type: "tool-call", toolCallId: `call-${++calls}`, toolName, input: JSON.stringify(input) });
const load = (id) => call("load_skill", { id, arguments: "" });

/** A model that gives these replies; `seen` is what it was asked with. */
function scripted(...replies) {
  const seen = [];
  const next = (options) => {
    seen.push(structuredClone({ prompt: options.prompt, tools: options.tools?.map(({ name }) => name) ?? [] }));
    return replies.shift() ?? say("nothing left to say");
  };
  const doStream = async (options) => {
    const { content, finishReason } = next(options);
    const parts = content.flatMap((part) => {
      if (part.type !== "text") return [part];
      return [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: part.text }, { type: "text-end", id: "t" }];
    });
    return { stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }]) };
  };
  return { model: new Mock({ doGenerate: async (options) => next(options), doStream }), seen };
}

const ran = [];
const run_sql = tool({
  description: "Runs SQL.",
  inputSchema: jsonSchema({ type: "object", properties: { sql: { type: "string" } }, required: ["sql"], additionalProperties: false }),
  execute: async ({ sql }) => (ran.push(sql), "Seq Scan on orders"),
});
const clock = tool({ description: "Tells the time.", inputSchema: jsonSchema({ type: "object", properties: {} }), execute: async () => "noon" });

const SYSTEM = "You are the assistant of a warehouse.";
const system = ({ prompt }) => prompt.filter(({ role }) => role === "system");
const stable = (step) => system(step).at(-1).content;
const users = ({ prompt }) => prompt.filter(({ role }) => role === "user").map(({ content }) => content.map(({ text }) => text));
const said = (step) => texts(step).replace(/\n+/g, "\n");
const make = (more = {}) => skills(catalog, { ...OPTIONS, instructions: SYSTEM, tools: { clock }, skillTools: { run_sql }, ...more });

/** Asks, and gives the conversation as a host stores it. */
async function ask(model, kit, messages, more = {}) {
  const result = await generateText({ model, messages, tools: kit.tools, prepareStep: kit.prepareStep, stopWhen: steps(6), ...more });
  return [...messages, ...(seven ? result.responseMessages : result.response.messages)];
}

test("a conversation: listing, load, its tool, and a second turn with the same stable part", async () => {
  const kit = make();
  const { model, seen } = scripted(load("sql-tuning"), call("run_sql", { sql: "EXPLAIN" }), say("An index is missing."), load("release-notes"), say("Done."));
  const first = await ask(model, kit, [{ role: "user", content: "Why is the query of the monthly report so slow?" }]);
  await ask(model, kit, [...first, { role: "user", content: "Good. Now the notes for the release, please." }]);

  assert.equal(seen.length, 5);
  assert.equal(system(seen[0])[0].content, SYSTEM);
  assert.match(stable(seen[0]), /^<available-skills>[^]*<\/available-skills>$/);
  assert.match(stable(seen[0]), /sql-tuning/);
  assert.match(users(seen[0])[0][1], /id="sql-tuning"/);
  assert.doesNotMatch(texts(seen[0].prompt), /wipe-disk/);
  // The body arrives as the result of the tool, and with it the tool that it brings.
  assert.deepEqual(seen[0].tools, ["clock", "load_skill"]);
  assert.match(texts(seen[1].prompt.at(-1)), /Never guess an index/);
  assert.deepEqual(seen[1].tools, ["clock", "load_skill", "run_sql"]);
  assert.deepEqual(ran, ["EXPLAIN"]);
  // Byte for byte: the stable part, and everything that came before.
  for (const step of seen) assert.equal(stable(step), stable(seen[0]));
  for (const [at, step] of seen.entries()) {
    if (at > 0) assert.deepEqual(step.prompt.slice(0, seen[at - 1].prompt.length), seen[at - 1].prompt);
  }
  assert.match(users(seen[3])[1][1], /id="release-notes"/);
  assert.doesNotMatch(users(seen[3])[1][1], /id="sql-tuning"/);
});

test("the stable part is marked for the provider's cache, or not, as the host says", async () => {
  for (const [cache, mark] of [[undefined, { cacheControl: { type: "ephemeral" } }], [{ anthropic: { cacheControl: { type: "ephemeral", ttl: "1h" } } }, { cacheControl: { type: "ephemeral", ttl: "1h" } }], [false, undefined]]) {
    const { model, seen } = scripted(say("Hello."));
    await ask(model, make(cache === undefined ? {} : { cache }), [{ role: "user", content: "Hi" }]);
    assert.deepEqual(system(seen[0]).map(({ providerOptions }) => providerOptions?.anthropic), [undefined, mark]);
  }
});

test("the system prompt of the call stays where the adapter isn't given one", async () => {
  const { model, seen } = scripted(load("sql-tuning"), say("Hello."));
  const kit = make({ instructions: undefined });
  await ask(model, kit, [{ role: "user", content: "Hi" }], seven ? { instructions: SYSTEM } : { system: SYSTEM, allowSystemInMessages: true });
  for (const step of seen) {
    assert.deepEqual(system(step).map(({ content }) => content.slice(0, 18)), ["You are the assist", "<available-skills>"]);
  }
});

test("a template's placeholder is the block's place", async () => {
  const { model, seen } = scripted(say("Hello."));
  await ask(model, make({ instructions: "Skills:\n{{skills}}\nBe brief; $& stays." }), [{ role: "user", content: "Hi" }]);
  assert.equal(system(seen[0]).length, 1);
  assert.match(stable(seen[0]), /^Skills:\n<available-skills>[^]*<\/available-skills>\nBe brief; \$& stays\.$/);
});

test("streams, through an agent that many conversations share", async () => {
  const kit = make();
  const { model, seen } = scripted(load("sql-tuning"), say("One."), say("Two."));
  const agent = new ToolLoopAgent({ model, tools: kit.tools, prepareStep: kit.prepareStep, stopWhen: steps(4) });
  const text = async (content) => {
    const result = await agent.stream({ messages: [{ role: "user", content }] });
    return result.text;
  };
  assert.equal(await text("Why is my query slow?"), "One.");
  assert.equal(await text("Hello."), "Two.");
  assert.ok(seen[1].tools.includes("run_sql"));
  // The other conversation has loaded nothing, and was told nothing of the first.
  assert.ok(!seen[2].tools.includes("run_sql"));
  assert.deepEqual(seen[2].prompt.map(({ role }) => role), ["system", "system", "user"]);
  const alone = scripted(say("Two."));
  await ask(alone.model, make(), [{ role: "user", content: "Hello." }]);
  assert.deepEqual(seen[2].prompt, alone.seen[0].prompt);
});

test("streamText, a prompt without messages", async () => {
  const kit = make();
  const { model, seen } = scripted(load("sql-tuning"), say("Done."));
  const result = streamText({ model, prompt: "Why is my query slow?", tools: kit.tools, prepareStep: kit.prepareStep, stopWhen: steps(4) });
  assert.equal(await result.text, "Done.");
  assert.match(texts(seen[1].prompt.at(-1)), /Never guess an index/);
});

test("as a middleware: for what takes a model and nothing else", async () => {
  const kit = make();
  const { model, seen } = scripted(load("sql-tuning"), say("Ready."), say("Again."));
  const wrapped = ai.wrapLanguageModel({ model, middleware: kit.middleware });
  const asked = (messages) => ask(wrapped, { tools: kit.tools }, messages, seven ? { instructions: SYSTEM } : { system: SYSTEM });
  const first = await asked([{ role: "user", content: "Why is my query slow?" }]);
  await asked([...first, { role: "user", content: "And now?" }]);
  const same = scripted(load("sql-tuning"), say("Ready."));
  await ask(same.model, kit, [{ role: "user", content: "Why is my query slow?" }]);
  assert.deepEqual(said(seen[0]), said(same.seen[0]));
  assert.deepEqual(seen.map(({ tools }) => tools.includes("run_sql")), [false, true, true]);
  assert.deepEqual(seen[2].prompt.slice(0, seen[1].prompt.length), seen[1].prompt);
  // Both at once put the block there once.
  const both = scripted(say("Ready."));
  await ask(ai.wrapLanguageModel({ model: both.model, middleware: kit.middleware }), kit, [{ role: "user", content: "Why is my query slow?" }]);
  assert.deepEqual(said(both.seen[0]), said(same.seen[0]));
});

test("another process goes on from the messages alone", async () => {
  const { model, seen } = scripted(load("sql-tuning"), say("Ready."), say("Again."));
  const first = await ask(model, make(), [{ role: "user", content: "Why is my query slow?" }]);
  const stored = JSON.parse(JSON.stringify(first));
  await ask(model, make(), [...stored, { role: "user", content: "And now?" }]);
  assert.ok(seen[2].tools.includes("run_sql"));
  assert.deepEqual(seen[2].prompt.slice(0, seen[1].prompt.length), seen[1].prompt);
});

test("what goes wrong is a text for the model", async () => {
  const kit = skills(remote(), { budget: 100, instructions: SYSTEM });
  const replies = [load("sql-tunning"), load("wipe-disk"), load("release-notes"), call("search_skills", { query: "zzz" }), say("Well.")];
  const { model, seen } = scripted(...replies);
  await ask(model, kit, [{ role: "user", content: "Go." }]);
  const results = seen.at(-1).prompt.filter(({ role }) => role === "tool").map((message) => texts(message));
  assert.match(results[0], /Unknown skill 'sql-tunning'\. Did you mean 'sql-tuning'/);
  assert.doesNotMatch(results[1], /Never\./);
  assert.match(results[2], /could not be fetched/);
  assert.match(results[3], /No skill was found/);
});

test("bodies that live elsewhere are fetched once, and searched skills can be loaded", async () => {
  const fetched = [];
  const kit = skills(remote(fetched), { budget: 100, instructions: SYSTEM, skillTools: { run_sql } });
  const { model, seen } = scripted(call("search_skills", { query: "slow database" }), call("list_skills", { from: 38 }), load("sql-tuning"), say("a"), say("b"));
  const first = await ask(model, kit, [{ role: "user", content: "Go." }]);
  await ask(model, kit, [...first, { role: "user", content: "On." }]);
  const results = seen.at(-1).prompt.filter(({ role }) => role === "tool").map((message) => texts(message));
  assert.match(results[0], /id="sql-tuning"/);
  assert.match(results[1], /"ids":\["handbook-38","handbook-39","release-notes","sql-tuning"\],"from":38,"of":42/);
  assert.deepEqual(fetched, ["sql-tuning"]);
  assert.ok(seen.at(-1).tools.includes("run_sql"));
});

test("a load that the user refused brings nothing", async () => {
  const kit = make();
  if (!seven) kit.tools.load_skill.needsApproval = true;
  const more = seven ? { toolApproval: { load_skill: "user-approval" } } : {};
  const { model, seen } = scripted(load("sql-tuning"), say("Then not."), load("sql-tuning"), say("Now."));
  const answered = async (messages, approved) => {
    const asked = await ask(model, kit, messages, more);
    const { approvalId } = asked.at(-1).content.find(({ type }) => type === "tool-approval-request");
    return ask(model, kit, [...asked, { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] }], more);
  };
  const refused = await answered([{ role: "user", content: "Why is my query slow?" }], false);
  assert.ok(!seen[1].tools.includes("run_sql"));
  await answered([...refused, { role: "user", content: "Well, do." }], true);
  assert.ok(seen[3].tools.includes("run_sql"));
});

test("the policy of what is active tells which tools need no approval", async () => {
  const kit = make();
  const { model } = scripted(load("sql-tuning"), say("Ready."));
  const start = [{ role: "user", content: "Why is my query slow?" }];
  assert.equal(kit.policy(start).allowedTools, null);
  const messages = await ask(model, kit, start);
  assert.ok(kit.policy(messages).allowedTools.includes("run_sql"));
});

test("a tool that no active skill brought can't be called", async () => {
  ran.length = 0;
  const { model, seen } = scripted(call("run_sql", { sql: "DROP" }), say("Oh."));
  await ask(model, make(), [{ role: "user", content: "Hi" }]);
  assert.deepEqual(ran, []);
  assert.match(texts(seen[1].prompt.at(-1)), /unavailable tool 'run_sql'/);
});

test("without tools of skills, a host's own stay as they are", async () => {
  const kit = skills(catalog, OPTIONS);
  const { model, seen } = scripted(say("Hi."));
  await ask(model, { ...kit, tools: { clock, ...kit.tools } }, [{ role: "user", content: "Hi" }], seven ? {} : { allowSystemInMessages: true });
  assert.deepEqual(seen[0].tools, ["clock", "load_skill"]);
});

test("each format that an adapter takes works to the second turn; the text formats are refused", async () => {
  for (const format of ["agentpool", "agentskills", "compact"]) {
    const { model, seen } = scripted(load("sql-tuning"), say("Ready."), say("Again."));
    const first = await ask(model, make({ format }), [{ role: "user", content: "Why is my query slow?" }]);
    await ask(model, make({ format }), [...first, { role: "user", content: "And now?" }]);
    assert.ok(seen[2].tools.includes("run_sql"), format);
    assert.deepEqual(seen[2].prompt.slice(0, seen[1].prompt.length), seen[1].prompt);
  }
  const texty = Catalog.from(SKILLS, { defaults: { format: "two-layer" } });
  assert.throws(() => skills(texty, OPTIONS), { code: "invalid_option" });
});

test("an abort ends the load", async () => {
  const kit = skills(remote(), OPTIONS);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(async () => kit.tools.load_skill.execute({ id: "sql-tuning" }, { messages: [], toolCallId: "1", abortSignal: signal }), /enough/);
});
