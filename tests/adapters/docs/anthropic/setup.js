import Anthropic from "@anthropic-ai/sdk";

export const requests = [];
const replies = [
  { stop_reason: "tool_use", content: [{ type: "tool_use", id: "t1", name: "load_skill", input: { id: "sql-tuning", arguments: "" } }] },
  { stop_reason: "end_turn", content: [{ type: "text", text: "Show me the query plan." }] },
  { stop_reason: "end_turn", content: [{ type: "text", text: "You are welcome." }] },
];
const fetch = async (_url, { body }) => {
  requests.push(JSON.parse(body));
  const reply = { id: "m", type: "message", role: "assistant", model: "m", usage: { input_tokens: 1, output_tokens: 1 }, ...replies.shift() };
  return new Response(JSON.stringify(reply), { headers: { "content-type": "application/json" } });
};
export const client = new Anthropic({ apiKey: "none", fetch });
