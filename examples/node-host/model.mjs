// Stands in for a language model: it sees only what a model sees (system prompt, messages, tools) and decides by plain rules.

const unescape = (text) =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&" })[name]);
const EMPTY = new Set(["each", "from", "have", "that", "them", "they", "this", "when", "with", "without"]);
const words = (text) => new Set((text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => !EMPTY.has(word)));

/** Skills that the block describes, in its order. */
function listed(system) {
  return Array.from(system.matchAll(/<skill id="([^"]*)" name="[^"]*" description="([^"]*)"/g), ([, id, description]) => ({
    id: unescape(id),
    description: unescape(description),
  }));
}

/** The skill whose description has most in common with the message, if it has three words in common at least. */
function wanted(system, message) {
  const asked = words(message);
  const inCommon = ({ description }) => [...words(description)].filter((word) => asked.has(word)).length;
  const [best] = listed(system).map((skill) => ({ ...skill, hits: inCommon(skill) })).sort((a, b) => b.hits - a.hits);
  return best && best.hits >= 3 ? best.id : undefined;
}

export async function fakeModel({ system, messages, tools }) {
  const last = messages.at(-1);
  if (last.role === "tool") {
    const steps = last.content.flatMap(({ output }) => [...output.matchAll(/^#+ (?!#)(.+)$/gm)].map(([, heading]) => heading.trim()));
    return { content: [{ type: "text", text: `I have read the skill and will go by it: ${steps.join(" · ")}.` }] };
  }
  const id = wanted(system, last.content);
  const load = tools.find((tool) => tool.name === "load_skill");
  const called = messages.some((message) => Array.isArray(message.content) && message.content.some((part) => part.input?.id === id));
  if (!id || !load || called) return { content: [{ type: "text", text: "Tell me more." }] };
  return { content: [{ type: "tool-call", id: `call-${messages.length}`, name: load.name, input: { id } }] };
}
