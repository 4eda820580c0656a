// That skillpick/mcp fits the SDK's types.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { Catalog } from "skillpick";
import { mcpSkills } from "skillpick/mcp";

declare const client: Client;

export async function asked(): Promise<Catalog> {
  const { skills, loadInstructions, diagnostics } = await mcpSkills(client, { prefix: "docs:", onChange: ({ catalog }) => void catalog.size });
  for (const { message } of diagnostics) message satisfies string;
  return Catalog.from(skills, { loadInstructions, defaults: { budget: 800 } });
}
