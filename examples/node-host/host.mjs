// A complete agent loop: listing, loading, rules, a compaction, a state that is stored. Only the model is a fake; see model.mjs.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Catalog } from "skillpick";
import { loadSkills } from "skillpick/loader";
import { fakeModel } from "./model.mjs";
import { talk } from "./talk.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PERSONA = "You are the assistant of a rowing club's office. Load a skill before you do what it describes.";
// `split`: the front of the prompt never changes, so that the provider's cache keeps it; what a turn adds goes with its message.
const OPTIONS = { budget: 900, placement: "split" };
const EDIT = {
  name: "edit_file",
  description: "Changes a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false },
};

class Agent {
  constructor(catalog, { messages = [], files = [], previous, state } = {}, say) {
    Object.assign(this, { catalog, messages, files, previous, say, session: catalog.session(state) });
  }

  /** All that has to be stored to go on later. */
  get stored() {
    return { messages: this.messages, files: this.files, previous: this.previous, state: this.session.state };
  }

  /** Answers one message of the user. */
  async answer(text) {
    this.say(`user       ${text}`);
    this.messages.push({ role: "user", content: text });
    const pick = this.session.select({ messages: this.messages, files: this.files, previous: this.previous }, OPTIONS);
    this.previous = pick.state;
    const added = pick.skills.filter((skill) => pick.turn.includes(`id="${skill.id}"`)).map((skill) => skill.id);
    this.say(`skillpick  ${pick.fingerprint.slice(0, 4)}…, ${pick.tokens} tokens${added.length ? `; new: ${added.join(", ")}` : ""}`);
    this.messages.at(-1).content = [text, this.commanded(text), pick.turn].filter(Boolean).join("\n\n");

    for (let step = 0; step < 8; step++) {
      const { tools } = this.session.boundary({ hostTools: [EDIT.name] });
      const offered = [...this.catalog.tools(OPTIONS), EDIT, ...tools.map((name) => ({ name }))];
      const reply = await fakeModel({ system: `${PERSONA}\n\n${pick.stable}`, messages: this.messages, tools: offered });
      this.messages.push({ role: "assistant", content: reply.content });
      for (const part of reply.content) if (part.type === "text") this.say(`assistant  ${part.text}`);
      const calls = reply.content.filter((part) => part.type === "tool-call");
      if (calls.length === 0) return;
      this.messages.push({ role: "tool", content: calls.map((call) => ({ type: "tool-result", id: call.id, output: this.run(call) })) });
    }
    throw new Error("the model called tools eight times without an answer");
  }

  /** A skill that the user starts with a slash, also one that the model may not start. */
  commanded(text) {
    if (!text.startsWith("/")) return "";
    const result = this.session.load(text, { actor: "user", messages: this.messages });
    this.tell("user", text.split(" ")[0], result);
    return result.text;
  }

  /** Runs one tool call. What goes wrong is a text for the model, never an exception. */
  run({ name, input }) {
    if (name === EDIT.name) return this.edit(input.path);
    if (name !== "load_skill") return this.catalog.advise(name) ?? `Error: There is no tool ${name}.`;
    const result = this.session.load(input.id, { arguments: input.arguments, messages: this.messages });
    this.tell(name, input.id, result);
    return result.text;
  }

  /** Where rules hold that the model has not seen, it sees them first. */
  edit(path) {
    const { reveals, defer } = this.session.enter([path]);
    this.say(`tool       edit_file("${path}") → ${defer ? `deferred, rules: ${reveals.join(", ")}` : "done"}`);
    return defer ? `Not done yet. These rules hold there; read them and call again.\n${this.session.rules([path]).xml}` : "Done.";
  }

  /** The conversation has grown too long: a summary takes its place, and the bodies that are still needed go back. */
  compact(summary) {
    this.messages = [{ role: "user", content: `[What was said before: ${summary}]` }];
    const back = this.session.reattach({ messages: this.messages, budget: 1400, perSkill: 420 });
    for (const result of back.filter((result) => result.ok)) this.messages.push({ role: "user", content: result.text });
    // What earlier turns had added went with their messages.
    this.previous = undefined;
    const size = ({ tokens, truncated, totalTokens }) => (truncated ? `${tokens} of ${totalTokens}` : tokens);
    const sizes = back.map((result) => `${result.id} ${result.ok ? size(result) : result.code}`);
    this.say(`compacted  back in the conversation, in tokens: ${sizes.join(", ")}`);
  }

  tell(who, id, result) {
    const what = !result.ok ? result.code : result.repeated ? "is in the conversation already" : `${result.tokens} tokens`;
    this.say(`${who === "user" ? "user       starts" : `tool       ${who}`}("${id}") → ${what}`);
  }
}

/** The whole conversation; the answer is what would be stored after it. */
export async function run(say = console.log) {
  const root = here("../..");
  const { skills, diagnostics } = await loadSkills(here("../catalog"));
  // The model sees folders as a user's project has them, not as this machine does.
  for (const skill of skills) skill.location = relative(root, skill.location).replaceAll("\\", "/");
  for (const { message, file } of diagnostics) say(`loader     ${file}: ${message}`);
  let agent = new Agent(Catalog.from(skills), { files: talk.files }, say);
  for (const { text, before } of talk.turns) {
    if (before?.compact) agent.compact(before.compact);
    if (before?.restart) {
      const stored = JSON.stringify(agent.stored);
      agent = new Agent(Catalog.from(skills), JSON.parse(stored), say);
      const { active, turn } = agent.session.state;
      say(`restarted  from ${stored.length} characters of JSON: request ${turn}, active: ${active.map((one) => one.id).join(", ")}`);
    }
    await agent.answer(text);
  }
  return agent.stored;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
