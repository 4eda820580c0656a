import { AIMessage, fakeModel, tool } from "langchain";

export const model = fakeModel()
  .respondWithTools([{ id: "1", name: "load_skill", args: { id: "sql-tuning", arguments: "" } }])
  .respondWithTools([{ id: "2", name: "run_sql", args: { sql: "EXPLAIN" } }])
  .respond(new AIMessage("An index on orders.customer is missing."));
export const run_sql = tool(async () => "Seq Scan on orders", { name: "run_sql", description: "Runs SQL.", schema: { type: "object", properties: { sql: { type: "string" } } } });
