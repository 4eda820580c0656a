import { jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replies = [
  { type: "tool-call", toolCallId: "1", toolName: "load_skill", input: '{"id":"sql-tuning","arguments":""}' },
  { type: "tool-call", toolCallId: "2", toolName: "run_sql", input: '{"sql":"EXPLAIN"}' },
  { type: "text", text: "An index on orders.customer is missing." },
];
export const model = new MockLanguageModelV4({
  doGenerate: async () => {
    const reply = replies.shift();
    const unified = reply.type === "text" ? "stop" : "tool-calls";
    return { content: [reply], finishReason: { unified }, usage, warnings: [] };
  },
});
export const run_sql = tool({ description: "Runs SQL.", inputSchema: jsonSchema({ type: "object", properties: { sql: { type: "string" } } }), execute: async () => "Seq Scan on orders" });
