import { MastraLanguageModelV2Mock } from "@mastra/core/test-utils/llm-mock";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const replies = [
  { type: "tool-call", toolCallId: "1", toolName: "load_skill", input: '{"id":"sql-tuning","arguments":""}' },
  { type: "tool-call", toolCallId: "2", toolName: "run_sql", input: '{"sql":"EXPLAIN"}' },
  { type: "text", text: "An index on orders.customer is missing." },
];
export const model = new MastraLanguageModelV2Mock({
  doGenerate: async () => {
    const reply = replies.shift();
    return { content: [reply], finishReason: reply.type === "text" ? "stop" : "tool-calls", usage, warnings: [] };
  },
});
export const run_sql = createTool({ id: "run_sql", description: "Runs SQL.", inputSchema: z.object({ sql: z.string() }), execute: async () => "Seq Scan on orders" });
