// An agent of Cloudflare's SDK with skills; only its model is a fake.
import { AIChatAgent } from "@cloudflare/ai-chat";
import { getAgentByName } from "agents";
import { ContextBlocks } from "agents/context";
import { SkillSourceError, r2 } from "agents/skills";
import { convertToModelMessages, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as adapter from "skillpick/cloudflare-agents";
import { OPTIONS, catalog } from "../catalog.mjs";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const run_sql = tool({ description: "Runs SQL.", inputSchema: jsonSchema({ type: "object", properties: { sql: { type: "string" } } }), execute: async () => "Seq Scan" });
// One kit for all agents that run in this isolate.
const { tools, prepareStep } = adapter.skills(catalog, { ...OPTIONS, skillTools: { run_sql } });

export class ChatAgent extends AIChatAgent {
  replies = [];
  seen = [];

  async onChatMessage(_onFinish, options) {
    const model = new MockLanguageModelV4({
      doStream: async ({ prompt, tools }) => {
        this.seen.push({ prompt: JSON.parse(JSON.stringify(prompt)), tools: tools.map(({ name }) => name) });
        const reply = this.replies.shift();
        const parts = reply.type === "text" ? [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: reply.text }, { type: "text-end", id: "t" }] : [reply];
        const unified = reply.type === "text" ? "stop" : "tool-calls";
        return { stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason: { unified }, usage }]) };
      },
    });
    const messages = await convertToModelMessages(this.messages);
    const result = streamText({ model, instructions: "Be brief.", messages, tools, prepareStep, stopWhen: stepCountIs(5), abortSignal: options?.abortSignal });
    return result.toUIMessageStreamResponse();
  }

  /** One turn of a user, and all that the model was asked with. */
  async turn(text, replies) {
    this.replies = replies;
    this.seen = [];
    const { status } = await this.saveMessages((messages) => [...messages, { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] }]);
    return { status, seen: this.seen, stored: this.messages };
  }
}

const FILES = {
  "skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets somebody.\nwhen_to_use: When somebody says hello.\nid: other\nallowed-tools: wave\n---\nSay hello.\n",
  "skills/greet/references/tone.md": "Warm.\n",
  "skills/secret/SKILL.md": "---\nname: secret\ndescription: A secret.\ndisable-model-invocation: true\n---\nHidden.\n",
};

/** A bucket of skills, and a source that can't be read. */
async function sources(bucket) {
  for (const [key, text] of Object.entries(FILES)) await bucket.put(key, text);
  const broken = { id: "workspace", list: async () => ({ ok: false, error: new SkillSourceError("workspace", "list", new Error("unreachable")) }), readResource: async () => undefined };
  const { catalog, diagnostics } = await adapter.fromSources([broken, r2(bucket, { prefix: "skills/" })]);
  const context = new ContextBlocks([adapter.contextBlock(catalog, OPTIONS)]);
  const skills = catalog.ids().map((id) => catalog.get(id));
  return { skills, diagnostics, loaded: catalog.load("greet").text, prompt: await context.freezeSystemPrompt() };
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/names") return Response.json(Object.keys(adapter).sort());
    if (pathname === "/sources") return Response.json(await sources(env.SKILLS));
    const { text, replies } = await request.json();
    const agent = await getAgentByName(env.ChatAgent, pathname.slice(1));
    return Response.json(await agent.turn(text, replies));
  },
};
