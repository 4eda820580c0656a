/** `skillpick/mcp`: skills of an MCP server: its `skill://` resources and its prompts. @packageDocumentation */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { PromptListChangedNotificationSchema, ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Catalog, type CatalogOptions, type Diagnostic, type Skill } from "skillpick";
import { type Entries, readServer } from "./mcp-server.js";

/** Options of {@link mcpSkills}. */
export interface McpOptions extends Omit<CatalogOptions, "loadInstructions"> {
  /** Where the skills come from, as their `source`. Default: `mcp:` and the server's name. */
  source?: string;
  /** Put before each id, such as `docs:`; for more than one server in a catalog. Default: nothing. */
  prefix?: string;
  /** Whether prompts become skills too. Default `true`. */
  prompts?: boolean;
  /** Called with a new catalog when the server says that its lists have changed. Takes over the client's handlers of these notifications. */
  onChange?: (skills: McpSkills) => void;
  /** Ends the listing. */
  signal?: AbortSignal;
}

/** What {@link mcpSkills} gives. */
export interface McpSkills {
  /** The server's skills, without bodies. */
  catalog: Catalog;
  /** The same as entries, to be put into one catalog with others. */
  skills: Skill[];
  /** Fetches a body from the server. */
  loadInstructions: NonNullable<CatalogOptions["loadInstructions"]>;
  /** What could not be listed, and what was odd about the catalog. */
  diagnostics: Diagnostic[];
}

/** Lists a server's skills. Bodies are fetched when they are loaded. A list that fails half-way gives what came, and a diagnostic. */
export async function mcpSkills(client: Client, options: McpOptions = {}): Promise<McpSkills> {
  const { source = `mcp:${client.getServerVersion()?.name ?? "server"}`, prefix = "", prompts = true, onChange, signal, ...rest } = options;
  let known: Entries = new Map();

  async function list(signal?: AbortSignal): Promise<McpSkills> {
    const { entries, failures } = await readServer(client, prompts, signal);
    // What a failing server has had a moment ago, it has most likely still.
    if (failures.length > 0) for (const [id, entry] of known) if (!entries.has(id)) entries.set(id, entry);
    known = entries;
    const skills = [...entries].map(([id, { skill }]) => ({ ...skill, id: prefix + id, source }));
    const loadInstructions: McpSkills["loadInstructions"] = async (id, { signal } = {}) => {
      const entry = entries.get(id.slice(prefix.length));
      if (!entry) throw new Error(`${source} has no skill ${id}`);
      return entry.body(signal as AbortSignal | undefined);
    };
    const catalog = Catalog.from(skills, { ...rest, loadInstructions });
    return { catalog, skills, loadInstructions, diagnostics: [...failures, ...catalog.diagnostics] };
  }

  if (onChange) {
    let [running, again] = [false, false];
    const changed = async (): Promise<void> => {
      again = true;
      if (running) return;
      running = true;
      try {
        while (again) {
          again = false;
          onChange(await list());
        }
      } finally {
        running = false;
      }
    };
    client.setNotificationHandler(ResourceListChangedNotificationSchema, changed);
    client.setNotificationHandler(PromptListChangedNotificationSchema, changed);
  }
  return list(signal);
}
