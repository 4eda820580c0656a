/** `skillpick/openai-agents`: skills for the OpenAI Agents SDK. @packageDocumentation */
import { type Agent, type AgentInputItem, type CallModelInputFilter, type FunctionTool, type RunContext, tool } from "@openai/agents";
import { type Catalog, type ToolPolicy, placeBlock } from "skillpick";
import { Conversations, type Found, type SkillOptions, isBlock, parsed } from "./conversation.js";

export type { SkillOptions } from "./conversation.js";

/** Options of {@link skills}. */
export interface OpenAiAgentsOptions extends SkillOptions {
  /** Tools that come with a skill that names them under `tools`. */
  skillTools?: readonly FunctionTool<any, any, any>[];
}

/** What {@link skills} gives. Serves any number of agents and conversations. */
export interface OpenAiAgentsSkills {
  /** A copy of the agent with the listing behind its instructions (or at their `{{skills}}`), and the tools that load and find skills. */
  equip<AGENT extends Agent<any, any>>(agent: AGENT): AGENT;
  /** Puts what a turn adds behind the user's message: for `run(agent, input, { callModelInputFilter })` or a `Runner`. */
  callModelInputFilter: CallModelInputFilter<any>;
  /** What the skills that are active in these items ask for, such as tools that need no approval. */
  policy(items: readonly AgentInputItem[]): ToolPolicy;
}

/** Skills of a catalog as instructions and tools of the OpenAI Agents SDK. */
export function skills(catalog: Catalog, { skillTools = [], ...select }: OpenAiAgentsOptions = {}): OpenAiAgentsSkills {
  const brought = skillTools.map(({ name }) => name);
  // Of a run's own tools nothing is known here, so skills are not asked which they need.
  const conversations = new Conversations(catalog, select);
  /** What each run has seen; a tool is asked whether it is enabled without being shown the conversation. */
  const runs = new WeakMap<RunContext<any>, AgentInputItem[]>();
  const ours = conversations.tools.map(({ name, description, parameters }) =>
    tool({
      name,
      description,
      parameters: parameters as never,
      execute: async (input: unknown, context?: RunContext<any>, details?: { signal?: AbortSignal; toolCall?: { callId: string } }) => {
        const items = (context && runs.get(context)) ?? [];
        const text = await conversations.answer(name, input, find(items), details?.signal);
        const callId = details?.toolCall?.callId ?? `skillpick-${items.length}`;
        items.push({ type: "function_call", callId, name, arguments: JSON.stringify(input) });
        items.push({ type: "function_call_result", callId, name, status: "completed", output: { type: "text", text } });
        return text;
      },
    }),
  );
  const theirs = skillTools.map((one) => ({
    ...one,
    isEnabled: async (context: RunContext<any>, agent: Agent<any, any>) => {
      const items = runs.get(context);
      // A run that was stored and is resumed elsewhere: a tool too many is better than one that it waits for.
      return (!items || conversations.prompt(find(items)).tools.includes(one.name)) && one.isEnabled(context, agent);
    },
  }));

  return {
    policy: (items) => conversations.policy(find(items)),
    callModelInputFilter: ({ modelData }) => {
      const found = find(modelData.input);
      const { turns } = conversations.prompt(found);
      const input = (found.messages as AgentInputItem[]).map((item, at) => {
        const [text, content] = [turns.get(at), (item as { content?: unknown }).content as object[]];
        return text === undefined ? item : ({ ...item, content: [...content, { type: "input_text", text }] } as AgentInputItem);
      });
      return { ...modelData, input };
    },
    equip(agent) {
      const { instructions: own, tools } = agent;
      const others = tools.filter(({ name }) => !brought.includes(name));
      const instructions = async (context: RunContext<any>, self: Agent<any, any>): Promise<string> =>
        placeBlock(typeof own === "function" ? await own(context, self) : own, conversations.prompt(find([])).stable);
      const equipped = agent.clone({ instructions, tools: [...others, ...ours, ...theirs] }) as typeof agent;
      equipped.on("agent_start", (context, _agent, items) => void runs.set(context, [...(items ?? [])]));
      return equipped;
    },
  };
}

/** Reads items of a run; what an earlier call put there is taken out again. */
function find(items: readonly AgentInputItem[]): Found {
  const found: Found = { messages: items.map(bare), users: [], results: [] };
  const inputs = new Map<string, unknown>();
  for (const [at, item] of items.entries()) {
    if ("role" in item && item.role === "user") found.users.push(at);
    if (item.type === "function_call") inputs.set(item.callId, parsed(item.arguments));
    if (item.type !== "function_call_result") continue;
    const text = typeof item.output === "string" ? item.output : "text" in item.output ? item.output.text : "";
    found.results.push({ at, name: item.name, input: inputs.get(item.callId), text });
  }
  return found;
}

function bare(item: AgentInputItem): AgentInputItem {
  if (!("role" in item) || item.role !== "user") return item;
  const parts = typeof item.content === "string" ? [{ type: "input_text" as const, text: item.content }] : item.content;
  return { ...item, content: parts.filter((part) => !(part.type === "input_text" && isBlock(part.text))) };
}
