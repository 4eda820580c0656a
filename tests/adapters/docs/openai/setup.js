import OpenAI from "openai";

export const requests = [];
const text = (text) => [{ type: "message", id: "m", role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] }];
const replies = [
  [{ type: "function_call", id: "f", call_id: "c1", name: "load_skill", arguments: '{"id":"sql-tuning","arguments":""}', status: "completed" }],
  text("Show me the query plan."),
  text("You are welcome."),
];
const fetch = async (_url, { body }) => {
  requests.push(JSON.parse(body));
  return new Response(JSON.stringify({ id: "r", object: "response", status: "completed", output: replies.shift() }), { headers: { "content-type": "application/json" } });
};
export const client = new OpenAI({ apiKey: "none", fetch });
