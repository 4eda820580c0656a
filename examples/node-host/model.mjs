// Stands in for a language model: it sees only what a model sees (system prompt, messages, tools) and decides by plain rules.

const unescape = (text) =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&" })[name]);
const EMPTY = new Set(["each", "from", "have", "that", "them", "they", "this", "when", "with", "without"]);
const words = (text) => new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !EMPTY.has(word)));
const textOf = ({ content }) => (typeof content === "string" ? content : content.map((part) => part.text ?? part.output ?? "").join("\n"));

/** Skills that the prompt describes, front and messages. */
function listed(prompt) {
  return Array.from(prompt.matchAll(/<skill id="([^"]*)" name="[^"]*" description="([^"]*)"/g), ([, id, description]) => ({
    id: unescape(id),
    description: unescape(description),
  }));
}

/** The skill whose description has most in common with the message, if it has three words in common at least. */
function wanted(prompt, message) {
  const asked = words(message.split("\n\n<")[0]);
  const inCommon = ({ description }) => [...words(description)].filter((word) => asked.has(word)).length;
  const [best] = listed(prompt).map((skill) => ({ ...skill, hits: inCommon(skill) })).sort((a, b) => b.hits - a.hits);
  return best && best.hits >= 3 ? best.id : undefined;
}

const says = (text) => ({ content: [{ type: "text", text }] });
const calls = (name, input, number) => ({ content: [{ type: "tool-call", id: `call-${number}`, name, input }] });
const headings = (text) => [...text.matchAll(/^#+ (?!#)(.+)$/gm)].map(([, heading]) => heading.trim()).join(" · ");

export async function fakeModel({ system, messages, tools }) {
  const last = messages.at(-1);
  const text = textOf(last);
  const path = /\S+\/\S+\.ts/.exec(textOf(messages.findLast((message) => message.role === "user")))?.[0];
  if (last.role === "tool") {
    if (text.startsWith("Not done yet.")) return calls("edit_file", { path }, messages.length);
    if (text === "Done.") return says("The file is changed, by the rules that hold there.");
    if (text.includes("already")) return says("I have the instructions and go on by them.");
    return says(text.includes("<skill") ? `I go by the skill: ${headings(text)}.` : text);
  }
  if (text.includes("<skill-instruction>")) return says(`You have started it: ${headings(text)}.`);
  if (path && tools.some((tool) => tool.name === "edit_file")) return calls("edit_file", { path }, messages.length);
  const id = wanted([system, ...messages.map(textOf)].join("\n"), text);
  return id ? calls("load_skill", { id }, messages.length) : says("Tell me more.");
}
