import type { Catalog } from "./api.js";
import type { Context, Mode, SelectOptions } from "./types.js";

/**
 * RFC-0008's configuration: defaults of a pool with overrides of one agent. Nothing is injected (`mode: "off"`) unless one of
 * them says so.
 */
export function resolveOptions(
  pool: { instruction?: SelectOptions | null } = {},
  agent: { injectionMode?: Mode | null; maxSkills?: number | null; budget?: number | null } = {},
): SelectOptions {
  const options: SelectOptions = { mode: "off", ...pool.instruction };
  if (agent.injectionMode != null) options.mode = agent.injectionMode;
  if (agent.maxSkills != null) options.maxSkills = agent.maxSkills;
  if (agent.budget != null) options.budget = agent.budget;
  return options;
}

/** RFC-0008's provider of instructions: an object whose functions are evaluated anew on every run. */
export function skillsInstructionProvider(
  catalog: Catalog,
  options: SelectOptions & { name?: string } = {},
): { name: string; getInstructions(): Promise<((context: Context) => Promise<string>)[]> } {
  const { name = "skills", ...select } = options;
  return {
    name,
    getInstructions: async () => [async (context) => catalog.select(context, select).xml],
  };
}
