import { GoogleGenAI } from "@google/genai";

export const requests = [];
const replies = [[{ functionCall: { id: "c1", name: "load_skill", args: { id: "sql-tuning", arguments: "" } } }], [{ text: "Show me the query plan." }], [{ text: "You are welcome." }]];
globalThis.fetch = async (_url, { body }) => {
  requests.push(JSON.parse(body));
  const candidates = [{ content: { role: "model", parts: replies.shift() }, finishReason: "STOP" }];
  return new Response(JSON.stringify({ candidates }), { headers: { "content-type": "application/json" } });
};
export const client = new GoogleGenAI({ apiKey: "none" });
