// A complete agent loop: catalog in, block into the prompt, tool calls out, bodies back. Only the model is a fake; see model.mjs.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Catalog } from "skillpick";
import { loadSkills } from "skillpick/loader";
import { fakeModel } from "./model.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OPTIONS = { budget: 600 };
const PERSONA = "You are the assistant of a rowing club's office. Load a skill before you do what it describes.";

/** Answers one message of the user; `conversation` keeps what the next turn needs. */
async function turn(catalog, conversation, text, say) {
  const { messages } = conversation;
  messages.push({ role: "user", content: text });
  say(`user       ${text}`);

  // One choice for each message of the user. It is based on the turn before, so that the listing changes only where that is worth it.
  const pick = catalog.select(
    { messages, files: conversation.files, active: conversation.active, previous: conversation.previous },
    OPTIONS,
  );
  conversation.previous = pick.state;
  say(`skillpick  ${describe(pick)}`);

  for (let step = 0; step < 8; step++) {
    const reply = await fakeModel({ system: `${PERSONA}\n\n${pick.xml}`, messages, tools: catalog.tools(OPTIONS) });
    messages.push({ role: "assistant", content: reply.content });
    const calls = reply.content.filter((part) => part.type === "tool-call");
    for (const part of reply.content) if (part.type === "text") say(`assistant  ${part.text}`);
    if (calls.length === 0) return;
    messages.push({ role: "tool", content: calls.map((call) => answer(catalog, conversation, call, say)) });
  }
  throw new Error("the model called tools eight times without an answer");
}

/** Runs one tool call. What goes wrong is a text for the model, never an exception. */
function answer(catalog, conversation, { id, name, input }, say) {
  const result = catalog.load(input.id, { arguments: input.arguments });
  say(`tool       ${name}(${JSON.stringify(input.id)}) → ${result.ok ? `${result.tokens} tokens` : result.code}`);
  if (result.ok && !conversation.active.includes(result.id)) conversation.active.push(result.id);
  return { type: "tool-result", id, output: result.text };
}

function describe({ tokens, budget, counts, skills }) {
  const described = skills.filter((skill) => skill.detail !== "name").map((skill) => skill.id);
  const parts = [`${tokens} of ${budget} tokens`, `${described.length} described (${described.slice(0, 3).join(", ")}, …)`];
  if (counts.name) parts.push(`${counts.name} by name`);
  if (counts.budget) parts.push(`${counts.budget} left out`);
  return parts.join(", ");
}

/** The whole conversation; the answer is its transcript. */
export async function run(say = console.log) {
  const { skills, diagnostics } = await loadSkills(here("../catalog"));
  for (const { message, file } of diagnostics) say(`loader     ${file}: ${message}`);
  const catalog = Catalog.from(skills);
  const { messages, files } = JSON.parse(await readFile(here("../catalog/conversation.json"), "utf8"));

  const conversation = { messages: [], files, active: [], previous: undefined };
  for (const { role, content } of messages) if (role === "user") await turn(catalog, conversation, content, say);
  return conversation;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
