import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const server = new McpServer({ name: "warehouse", version: "1" });
const uri = "skill://stock-count/SKILL.md";
const text = "---\nname: stock-count\ndescription: Counts stock.\n---\nCount each shelf twice.\n";
server.registerResource("stock-count", uri, { description: "Counts stock. Use before the year ends." }, async () => ({ contents: [{ uri, text }] }));
server.registerPrompt("reorder", { description: "Writes an order to a supplier.", argsSchema: { supplier: z.string() } }, ({ supplier }) => ({
  messages: [{ role: "user", content: { type: "text", text: `Write an order to ${supplier}.` } }],
}));
export const client = new Client({ name: "docs", version: "1" });
const [here, there] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(there), client.connect(here)]);
