// That skillpick/openai-agents fits the SDK's types.
import { Agent, type FunctionTool, Runner, run } from "@openai/agents";
import type { Catalog } from "skillpick";
import { skills } from "skillpick/openai-agents";

declare const catalog: Catalog;
declare const run_sql: FunctionTool<{ user: string }, undefined, string>;

const { equip, callModelInputFilter, policy } = skills(catalog, { budget: 2000, skillTools: [run_sql] });
const agent = equip(new Agent<{ user: string }>({ name: "Assistant", instructions: "Be brief." }));

export const ran = async (): Promise<string | undefined> => (await run(agent, "Hi", { callModelInputFilter, context: { user: "Ada" } })).finalOutput;
export const runner: Runner = new Runner({ callModelInputFilter });
export const allowed: string[] | null = policy([{ role: "user", content: "Hi" }]).allowedTools;

// @ts-expect-error text formats have no element that could be found again
skills(catalog, { format: "two-layer" });
