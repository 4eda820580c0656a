// That skillpick/langchain fits the types of LangChain and of deepagents.
import { createDeepAgent } from "deepagents";
import { type AgentMiddleware, type StructuredTool, createAgent } from "langchain";
import type { Catalog } from "skillpick";
import { skillsMiddleware } from "skillpick/langchain";

declare const catalog: Catalog;
declare const run_sql: StructuredTool;

const skills = skillsMiddleware(catalog, { budget: 2000, skillTools: [run_sql], cache: { type: "ephemeral", ttl: "1h" } });
export const middleware: AgentMiddleware = skills;
export const agent = createAgent({ model: "openai:gpt-5", tools: [], middleware: [skills] });
export const deep = createDeepAgent({ middleware: [skills] });

export async function asked(): Promise<string[] | null> {
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Hi" }] });
  return skills.policy(messages).allowedTools;
}
