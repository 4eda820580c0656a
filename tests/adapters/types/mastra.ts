// That skillpick/mastra fits the SDK's types.
import { Agent } from "@mastra/core/agent";
import type { Processor } from "@mastra/core/processors";
import { createTool } from "@mastra/core/tools";
import type { Catalog } from "skillpick";
import { skillsProcessor } from "skillpick/mastra";
import { z } from "zod";

declare const catalog: Catalog;

const run_sql = createTool({ id: "run_sql", description: "Runs SQL.", inputSchema: z.object({ sql: z.string() }), execute: async ({ sql }) => sql });
const skills = skillsProcessor(catalog, { budget: 2000, skillTools: { run_sql }, cache: { anthropic: { cacheControl: { type: "ephemeral", ttl: "1h" } } } });
export const processor: Processor = skills;
export const agent: Agent = new Agent({ id: "a", name: "A", instructions: "Be brief.", model: "openai/gpt-5", inputProcessors: [skills] });
export const allowed: string[] | null = skills.policy([]).allowedTools;
