/** `skillpick/ai`: skills for the AI SDK, 6 and 7. @packageDocumentation */
import { type LanguageModelMiddleware, type ModelMessage, type SystemModelMessage, type Tool, type ToolSet, jsonSchema } from "ai";
import type { Catalog, ToolPolicy } from "skillpick";
import { Conversations, type Prompt, type SkillOptions } from "./conversation.js";
import { CACHE, type Message, find, splitSystem, withBlock, withTurns } from "./model-messages.js";

export type { SkillOptions } from "./conversation.js";

type SystemPrompt = string | SystemModelMessage | SystemModelMessage[];

/** Options of {@link skills}. */
export interface AiOptions<OWN extends ToolSet, BROUGHT extends ToolSet> extends SkillOptions {
  /** The system prompt. Default: what the call says; needed with AI SDK 6, whose steps don't tell it. `{{skills}}` marks the block's place. */
  instructions?: SystemPrompt;
  /** Tools that are always there. With `skillTools`, those that are not named here are hidden. */
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
  }): { messages: ModelMessage[]; activeTools?: (string & keyof TOOLS)[]; system?: SystemPrompt };
  /** The same for what takes a model only: `wrapLanguageModel({ model, middleware })`, with `tools`. It hides tools, but can't refuse a call of one. */
  middleware: LanguageModelMiddleware;
  /** What the skills that are active in these messages ask for, such as tools that need no approval. */
  policy(messages: readonly ModelMessage[]): ToolPolicy;
}

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

  const asMessages = (system: SystemPrompt | undefined): SystemModelMessage[] =>
    [system ?? []].flat().map((one): SystemModelMessage => (typeof one === "string" ? { role: "system", content: one } : one));
  const isHidden = (name: string, { tools }: Prompt): boolean => name in (skillTools ?? {}) && !tools.includes(name);

  return {
    tools,
    middleware: {
      transformParams: async ({ params }: { params: { prompt: Message[]; tools?: { name: string }[] } }) => {
        const found = find(params.prompt);
        const prompt = conversations.prompt(found);
        const [system, messages] = splitSystem(withTurns<Message>(found, prompt));
        const placed = withBlock<Message>(system.length > 0 ? system : asMessages(instructions), prompt, cache);
        return { ...params, prompt: [...placed, ...messages], ...(params.tools && { tools: params.tools.filter(({ name }) => !isHidden(name, prompt)) }) };
      },
    } as object as LanguageModelMiddleware,
    policy: (messages) => conversations.policy(find(messages)),
    prepareStep({ messages, ...step }) {
      const found = find(messages);
      const prompt = conversations.prompt(found);
      const own = withTurns<ModelMessage>(found, prompt);
      // Tools that came from elsewhere aren't known here; where there is nothing to hide, they stay.
      const shown = skillTools && { activeTools: Object.keys(tools).filter((name) => !isHidden(name, prompt)) };
      const given = instructions ?? step.initialInstructions;
      if (given === undefined && !("initialInstructions" in step)) return { messages: [...withBlock<ModelMessage>([], prompt, cache), ...own], ...shown };
      return { messages: own, ...shown, system: withBlock(asMessages(given), prompt, cache) };
    },
  };
}
