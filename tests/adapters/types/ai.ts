// That skillpick/ai fits the SDK's types: compiled with AI SDK 7 and with 6.
import { type LanguageModel, ToolLoopAgent, generateText, jsonSchema, streamText, tool, wrapLanguageModel } from "ai";
import type { Catalog } from "skillpick";
import { skills } from "skillpick/ai";

declare const catalog: Catalog;
declare const model: LanguageModel;

const clock = tool({ description: "Tells the time.", inputSchema: jsonSchema<{ zone: string }>({ type: "object" }), execute: async ({ zone }) => zone.length });
const run_sql = tool({ description: "Runs SQL.", inputSchema: jsonSchema<{ sql: string }>({ type: "object" }), execute: async ({ sql }) => sql });
const { tools, prepareStep, policy, middleware } = skills(catalog, { budget: 2000, instructions: "Be brief.", tools: { clock }, skillTools: { run_sql } });

export const streamed: AsyncIterable<string> = streamText({ model, prompt: "Hi", tools, prepareStep }).textStream;
export const agent: object = new ToolLoopAgent({ model, tools, prepareStep });
export const allowed: string[] | null = policy([{ role: "user", content: "Hi" }]).allowedTools;

export async function typed(): Promise<number | undefined> {
  const { toolResults, toolCalls } = await generateText({ model, prompt: "Hi", tools, prepareStep });
  for (const call of toolCalls) if (!call.dynamic && call.toolName === "load_skill") call.input.id satisfies string;
  for (const result of toolResults) if (!result.dynamic && result.toolName === "clock") return result.output;
  return undefined;
}

export async function composed(): Promise<string> {
  const result = await generateText({
    model,
    prompt: "Hi",
    tools: { ...tools, other: clock },
    prepareStep: (step) => ({ ...prepareStep(step), toolChoice: "auto" as const }),
  });
  return result.text;
}

export const wrapped = (inner: Parameters<typeof wrapLanguageModel>[0]["model"]): LanguageModel => wrapLanguageModel({ model: inner, middleware });

const alone = skills(catalog);
export const simple = async (): Promise<string> => (await generateText({ model, prompt: "Hi", tools: alone.tools, prepareStep: alone.prepareStep })).text;

// @ts-expect-error placement is the adapter's
skills(catalog, { placement: "single" });
