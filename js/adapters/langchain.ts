/** `skillpick/langchain`: skills as a middleware of LangChain 1, for `createAgent` and deepagents. @packageDocumentation */
import { type AgentMiddleware, type BaseMessage, HumanMessage, SystemMessage, ToolMessage, createMiddleware, tool } from "langchain";
import { type Catalog, type ToolPolicy, placeBlock } from "skillpick";
import { Conversations, type Found, type SkillOptions, isBlock } from "./conversation.js";

export type { SkillOptions } from "./conversation.js";

type Tools = NonNullable<AgentMiddleware["tools"]>;

/** Options of {@link skillsMiddleware}. */
export interface LangChainOptions extends SkillOptions {
  /** Tools that come with a skill that names them under `tools`. */
  skillTools?: Tools;
  /** How the stable part is marked for the provider's cache, as `cache_control`; `false` for not at all. Default: `ephemeral` for Anthropic's models. */
  cache?: Record<string, unknown> | false;
}

/** A middleware of skills. Serves any number of agents and threads. */
export type SkillsMiddleware = AgentMiddleware & {
  /** What the skills that are active in these messages ask for, such as tools that need no approval. */
  policy(messages: readonly BaseMessage[]): ToolPolicy;
};

/** Skills of a catalog in the system prompt (at its end, or at `{{skills}}`), with the tools that load and find them. */
export function skillsMiddleware(catalog: Catalog, { skillTools = [], cache, ...select }: LangChainOptions = {}): SkillsMiddleware {
  // Of the agent's own tools nothing is known here, so skills are not asked which they need.
  const conversations = new Conversations(catalog, select);
  const brought = skillTools.map((one) => String(one["name"]));
  const ours = conversations.tools.map(({ name, description, parameters }) =>
    tool((input: unknown, { state, signal }: { state?: { messages?: BaseMessage[] }; signal?: AbortSignal }) => conversations.answer(name, input, find(state?.messages ?? []), signal), {
      name,
      description,
      schema: parameters,
    }),
  );

  const middleware = createMiddleware({
    name: "Skills",
    // What comes and goes stands last, so that the tools before it stay in the provider's cache.
    tools: [...ours, ...skillTools] as Tools,
    wrapModelCall(request, handler) {
      const found = find(request.messages);
      const prompt = conversations.prompt(found);
      const messages = request.messages.map((message, at) => {
        const [text, { id, name, additional_kwargs, response_metadata }] = [prompt.turns.get(at), message];
        if (text === undefined) return message;
        const content = [...(found.messages[at] as { content: [] }).content, { type: "text" as const, text }];
        return new HumanMessage({ content, additional_kwargs, response_metadata, ...(id && { id }), ...(name && { name }) });
      });
      const anthropic = (request.model as { _llmType?(): string })._llmType?.() === "anthropic";
      const cache_control = cache ?? (anthropic && { type: "ephemeral" });
      const tools = request.tools.filter((one) => !brought.includes(String(one["name"])) || prompt.tools.includes(String(one["name"])));
      return handler({ ...request, messages, tools, systemMessage: withBlock(request.systemMessage, prompt.stable, cache_control) });
    },
    wrapToolCall(request, handler) {
      const { name, id = "" } = request.toolCall;
      if (!brought.includes(name) || conversations.prompt(find(request.state.messages)).tools.includes(name)) return handler(request);
      return new ToolMessage({ content: `Error: ${name} comes with a skill that isn't loaded.`, tool_call_id: id, name, status: "error" });
    },
  });
  return Object.assign(middleware as AgentMiddleware, { policy: (messages: readonly BaseMessage[]) => conversations.policy(find(messages)) });
}

function withBlock({ content }: SystemMessage, block: string, cache_control: object | false): SystemMessage {
  const parts = partsOf(content);
  if (block === "" || parts.some((part) => "text" in part && String(part.text).includes("{{skills}}"))) return new SystemMessage({ content: placeBlock(parts, block) });
  return new SystemMessage({ content: [...parts, { type: "text", text: block, ...(cache_control && { cache_control }) }] });
}

const partsOf = (content: BaseMessage["content"]): Exclude<BaseMessage["content"], string> =>
  typeof content !== "string" ? content : content === "" ? [] : [{ type: "text", text: content }];

const ROLES: Record<string, string> = { human: "user", ai: "assistant" };

/** Reads messages of a thread, in the shape of the others. */
function find(messages: readonly BaseMessage[]): Found {
  const found: Found = { messages: messages.map((message) => ({ role: ROLES[message.type] ?? message.type, content: bare(message) })), users: [], results: [] };
  const inputs = new Map<string, unknown>();
  for (const [at, message] of messages.entries()) {
    if (message.type === "human") found.users.push(at);
    for (const { id, args } of (message as { tool_calls?: { id?: string; args: unknown }[] }).tool_calls ?? []) inputs.set(id ?? "", args);
    if (!ToolMessage.isInstance(message)) continue;
    found.results.push({ at, name: message.name ?? "", input: inputs.get(message.tool_call_id), text: message.text });
  }
  return found;
}

function bare({ content }: BaseMessage): BaseMessage["content"] {
  return partsOf(content).filter((part) => !("text" in part && isBlock(part.text)));
}
