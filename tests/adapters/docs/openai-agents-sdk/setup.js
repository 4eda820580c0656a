import { Usage, setTracingDisabled, tool } from "@openai/agents";

setTracingDisabled(true);
const call = (callId, name, input) => [{ type: "function_call", callId, name, status: "completed", arguments: input }];
const replies = [
  call("1", "load_skill", '{"id":"sql-tuning","arguments":""}'),
  call("2", "run_sql", '{"sql":"EXPLAIN"}'),
  [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "An index on orders.customer is missing." }] }],
];
export const model = { getResponse: async () => ({ usage: new Usage(), output: replies.shift() }) };
export const run_sql = tool({
  name: "run_sql", description: "Runs SQL.", execute: async () => "Seq Scan on orders",
  parameters: { type: "object", properties: { sql: { type: "string" } }, required: ["sql"], additionalProperties: false },
});
