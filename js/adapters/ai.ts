/** `skillpick/ai`: skills for the AI SDK, 6 and 7. @packageDocumentation */
import { type ModelMessage, type SystemModelMessage, type Tool, type ToolSet, jsonSchema } from "ai";
import { type Catalog, type ToolPolicy, placeBlock } from "skillpick";
import { Conversations, type Found, type SkillOptions, isBlock } from "./conversation.js";

export type { SkillOptions } from "./conversation.js";

type SystemPrompt = string | SystemModelMessage | SystemModelMessage[];

/** Options of {@link skills}. */
export interface AiOptions<OWN extends ToolSet, BROUGHT extends ToolSet> extends SkillOptions {
  /** The system prompt. Default: what the call says; needed with AI SDK 6, whose steps don't tell it. `{{skills}}` marks the block's place. */
  instructions?: SystemPrompt;
  /** Tools that are always there. */
  tools?: OWN;
  /** Tools that come with a skill that names them under `tools`. */
  skillTools?: BROUGHT;
  /** How the stable part is marked for the provider's cache; `false` for not at all. Default: for Anthropic, directly and on Bedrock. */
  cache?: SystemModelMessage["providerOptions"] | false;
}

/** The tool that is always there, by its usual name. */
export type LoadTool = { load_skill: Tool<{ id: string; arguments: string }, string> };

/** What {@link skills} gives: pass `tools` and `prepareStep` to `generateText`, `streamText` or an agent. Serves any number of conversations. */
export interface AiSkills<TOOLS extends ToolSet> {
  /** All tools: yours, those of the skills, and those that load and find skills. */
  tools: TOOLS;
  /** Puts the block into the prompt and offers the tools of the skills that are active. */
  prepareStep(step: {
    messages: ModelMessage[];
    initialInstructions?: SystemPrompt | undefined;
  }): { messages: ModelMessage[]; activeTools: (string & keyof TOOLS)[]; system?: SystemPrompt };
  /** What the skills that are active in these messages ask for, such as tools that need no approval. */
  policy(messages: readonly ModelMessage[]): ToolPolicy;
}

const CACHE = { anthropic: { cacheControl: { type: "ephemeral" } }, bedrock: { cachePoint: { type: "default" } } };

/** Skills of a catalog as system prompt and tools of the AI SDK. */
export function skills<OWN extends ToolSet = {}, BROUGHT extends ToolSet = {}>(
  catalog: Catalog,
  { instructions, tools: own, skillTools, cache = CACHE, ...select }: AiOptions<OWN, BROUGHT> = {},
): AiSkills<OWN & BROUGHT & LoadTool> {
  const conversations = new Conversations(catalog, select, Object.keys(own ?? {}), skillTools && Object.keys(skillTools));
  const ours = conversations.tools.map(({ name, description, parameters }) => {
    const execute: Tool["execute"] = (input, call) => conversations.answer(name, input, find(call.messages), call.abortSignal);
    return [name, { description, inputSchema: jsonSchema(parameters), execute }] as const;
  });
  // What comes and goes stands last, so that the tools before it stay in the provider's cache.
  const tools = { ...own, ...Object.fromEntries(ours), ...skillTools } as OWN & BROUGHT & LoadTool;

  return {
    tools,
    policy: (messages) => conversations.policy(find(messages)),
    prepareStep({ messages, ...step }) {
      const found = find(messages);
      const prompt = conversations.prompt(found);
      const withTurns = (found.messages as ModelMessage[]).map((message, at) => {
        const [text, content] = [prompt.turns.get(at), message.content as object[]];
        return text === undefined ? message : { ...message, content: [...content, { type: "text", text }] };
      }) as ModelMessage[];
      const block: SystemModelMessage = { role: "system", content: prompt.stable, ...(cache && { providerOptions: cache }) };
      const brought = Object.keys(skillTools ?? {}).filter((name) => !prompt.tools.includes(name));
      const activeTools = Object.keys(tools).filter((name) => !brought.includes(name));
      const given = instructions ?? step.initialInstructions;
      const first = prompt.stable === "" ? [] : [block];
      if (given === undefined && !("initialInstructions" in step)) return { messages: [...first, ...withTurns], activeTools };
      const system = [given ?? []].flat().map((one) => (typeof one === "string" ? ({ role: "system", content: one } as const) : one));
      const placed = system.some(({ content }) => content.includes("{{skills}}")) ? placeBlock(system, prompt.stable) : [...system, ...first];
      return { messages: withTurns, activeTools, system: placed };
    },
  };
}

/** Reads messages of the SDK; what an earlier step put there is taken out again. */
function find(messages: readonly ModelMessage[]): Found {
  const found: Found = { messages: messages.map(bare), users: [], results: [] };
  const inputs = new Map<string, unknown>();
  for (const [at, { role, content }] of messages.entries()) {
    if (role === "user") found.users.push(at);
    for (const part of typeof content === "string" ? [] : content) {
      if (part.type === "tool-call") inputs.set(part.toolCallId, part.input);
      if (part.type !== "tool-result" || part.output.type !== "text") continue;
      found.results.push({ at, name: part.toolName, input: inputs.get(part.toolCallId), text: part.output.value });
    }
  }
  return found;
}

function bare(message: ModelMessage): ModelMessage {
  if (message.role !== "user") return message;
  const parts = typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  return { ...message, content: parts.filter((part) => !(part.type === "text" && isBlock(part.text))) };
}
