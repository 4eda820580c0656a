/** `skillpick/mastra`: skills as an input processor of Mastra's agents. @packageDocumentation */
import type { MastraDBMessage } from "@mastra/core/agent";
import { MessageList } from "@mastra/core/agent/message-list";
import type { ProcessInputStepArgs, ProcessInputStepResult, ProcessLLMRequestArgs, ProcessLLMRequestResult, Processor } from "@mastra/core/processors";
import { type Tool, createTool } from "@mastra/core/tools";
import type { Catalog, ToolPolicy } from "skillpick";
import { Conversations, type SkillOptions } from "./conversation.js";
import { CACHE, type Message, find, splitSystem, withBlock, withTurns } from "./model-messages.js";

export type { SkillOptions } from "./conversation.js";

/** Options of {@link skillsProcessor}. */
export interface MastraOptions extends SkillOptions {
  /** Tools that come with a skill that names them under `tools`, by name. */
  skillTools?: Record<string, Tool<any, any, any, any, any, any, any>>;
  /** How the stable part is marked for the provider's cache; `false` for not at all. Default: for Anthropic, directly and on Bedrock. */
  cache?: Record<string, Record<string, unknown>> | false;
}

/** A processor of skills, for an agent's `inputProcessors`. Serves any number of agents and threads. */
export interface SkillsProcessor extends Processor<"skillpick"> {
  processInputStep(args: ProcessInputStepArgs): ProcessInputStepResult;
  processLLMRequest(args: ProcessLLMRequestArgs): ProcessLLMRequestResult;
  /** What the skills that are active in these messages ask for, such as tools that need no approval. */
  policy(messages: MastraDBMessage[]): ToolPolicy;
}

/** Skills of a catalog in the system prompt (as a message of their own, or at `{{skills}}`), with the tools that load and find them. */
export function skillsProcessor(catalog: Catalog, { skillTools = {}, cache = CACHE, ...select }: MastraOptions = {}): SkillsProcessor {
  // The agent's own tools are known to the step only, so skills are not asked which they need.
  const conversations = new Conversations(catalog, select);
  return {
    id: "skillpick",
    name: "Skills",
    /** The tools of this step: the agent's, ours, those of active skills. What comes and goes stands last, for the provider's cache. */
    processInputStep({ messageList, tools, activeTools }) {
      const found = find(messageList.get.all.aiV5.model());
      const ours = conversations.tools.map(({ name, description, parameters }) => {
        const execute = async (input: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) => conversations.answer(name, input, found, abortSignal);
        return [name, createTool({ id: name, description, inputSchema: parameters as never, execute: execute as never })] as const;
      });
      const active = conversations.prompt(found).tools.flatMap((name) => (skillTools[name] ? [[name, skillTools[name]] as const] : []));
      const added = Object.fromEntries<unknown>([...ours, ...active]);
      return { tools: { ...tools, ...added }, ...(activeTools && { activeTools: [...activeTools, ...Object.keys(added)] }) };
    },
    /** The prompt of this step; nothing of it gets into the thread. */
    processLLMRequest({ prompt }) {
      const found = find(prompt);
      const block = conversations.prompt(found);
      const [system, messages] = splitSystem(withTurns<Message>(found, block));
      return { prompt: [...withBlock(system, block, cache), ...messages] as typeof prompt };
    },
    policy: (messages) => conversations.policy(find(new MessageList().add(messages, "memory").get.all.aiV5.model())),
  };
}
