// What an MCP server has of skills: https://github.com/modelcontextprotocol/ext-skills says how they lie under skill://.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Diagnostic, Skill } from "skillpick";
import { parseSkill } from "skillpick/skill-md";

/** Skills by id, each with the way to its body. */
export type Entries = Map<string, { skill: Skill; body: (signal?: AbortSignal) => Promise<string> }>;

/** More pages than any server has; one that never ends is not followed further. */
const MAX_PAGES = 10_000;

/** Lists all skills. What can't be listed is a diagnostic; what came before it stays. */
export async function readServer(client: Client, prompts: boolean, signal?: AbortSignal): Promise<{ entries: Entries; failures: Diagnostic[] }> {
  const [entries, failures]: [Entries, Diagnostic[]] = [new Map(), []];
  const request = signal && { signal };
  const has = client.getServerCapabilities() ?? {};
  if (has.resources) {
    const listed = await readIndex(client, signal);
    await eachPage("resources", failures, signal, (cursor) => client.listResources(cursor, request), (page) => void listed.push(...page.resources));
    addResources(client, entries, listed);
  }
  if (has.prompts && prompts) {
    await eachPage("prompts", failures, signal, (cursor) => client.listPrompts(cursor, request), (page) => {
      for (const { name, description, arguments: declared = [] } of page.prompts) {
        const names = declared.map((one) => one.name);
        const skill: Skill = { name, arguments: names, ...(description !== undefined && { description }) };
        if (!entries.has(name)) entries.set(name, { skill, body: (signal) => promptText(client, name, names, signal) });
      }
    });
  }
  return { entries, failures };
}

async function eachPage<PAGE extends { nextCursor?: string | undefined }>(
  what: string,
  failures: Diagnostic[],
  signal: AbortSignal | undefined,
  fetch: (cursor: { cursor: string } | undefined) => Promise<PAGE>,
  use: (page: PAGE) => void,
): Promise<void> {
  const fail = (message: string): void => void failures.push({ code: "mcp_list_failed", severity: "error", message: `${what}: ${message}` });
  const seen = new Set<string>();
  try {
    for (let cursor: string | undefined; seen.size < MAX_PAGES; ) {
      const page = await fetch(cursor === undefined ? undefined : { cursor });
      use(page);
      cursor = page.nextCursor;
      if (cursor === undefined) return;
      if (seen.has(cursor)) return fail("the server gives the same page again and again");
      seen.add(cursor);
    }
    fail(`more than ${MAX_PAGES} pages`);
  } catch (cause) {
    signal?.throwIfAborted();
    fail(cause instanceof Error ? cause.message : String(cause));
  }
}

interface Listed {
  uri: string;
  description?: string | undefined;
}

/** The index of skills that a server may have; a list of resources need not name them all. */
async function readIndex(client: Client, signal?: AbortSignal): Promise<Listed[]> {
  try {
    const { skills } = JSON.parse(await textOf(client, "skill://index.json", signal)) as { skills: { type?: string; url: string; description?: string }[] };
    return skills.filter(({ type, url }) => typeof url === "string" && (type ?? "skill-md") === "skill-md").map(({ url, description }) => ({ uri: url, description }));
  } catch {
    signal?.throwIfAborted();
    return [];
  }
}

/** `SKILL.md` files are skills, and what lies beside them is theirs; where a server has no such files, `skill://name` is one. */
function addResources(client: Client, entries: Entries, listed: readonly Listed[]): void {
  const add = (path: string, { uri, description }: Listed): void => {
    const name = path.split("/").at(-1);
    if (!name || entries.has(path)) return;
    const skill: Skill = { name, location: uri, ...(typeof description === "string" && { description }) };
    entries.set(path, { skill, body: async (signal) => instructionsOf(await textOf(client, uri, signal)) });
  };
  const under = listed.map((one) => ({ ...one, path: pathOf(one.uri) }));
  for (const one of under) if (one.path.endsWith("/SKILL.md")) add(one.path.slice(0, -"/SKILL.md".length), one);
  for (const one of under) {
    if (!one.uri.startsWith("skill://") || one.path.endsWith("/SKILL.md") || one.path === "index.json") continue;
    const folders = one.path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
    const folder = folders.reverse().find((folder) => entries.has(folder));
    const owner = folder === undefined ? undefined : entries.get(folder)?.skill;
    if (folder !== undefined && owner) (owner.resources ??= []).push(one.path.slice(folder.length + 1));
    else if (!/\.\w+$/.test(one.path)) add(one.path, one);
  }
}

/** A URI's path without scheme and outer slashes; what is encoded wrongly stays as it is. */
function pathOf(uri: string): string {
  const path = uri.replace(/^[\w+.-]+:\/\//, "").replace(/^\/+|\/+$/g, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function textOf(client: Client, uri: string, signal?: AbortSignal): Promise<string> {
  const { contents } = await client.readResource({ uri }, signal && { signal });
  const texts = contents.flatMap((one) => ("text" in one && typeof one.text === "string" ? [one.text] : []));
  if (texts.length === 0) throw new Error(`${uri} has no text`);
  return texts.join("\n\n");
}

/** The body of a SKILL.md. A restriction that only its header has holds too. */
function instructionsOf(text: string): string {
  if (!text.trimStart().startsWith("---")) return text;
  const { skill } = parseSkill(text);
  if (skill?.enabled === false || skill?.modelInvocable === false) throw new Error("the skill's header says that the model may not load it");
  return skill?.instructions ?? text;
}

/** A prompt's text with places where its arguments go: they are known only when the skill is loaded. */
async function promptText(client: Client, name: string, names: string[], signal?: AbortSignal): Promise<string> {
  const places = names.map((name, at) => [name, /^[A-Za-z_]\w*$/.test(name) ? `$${name}` : `$ARGUMENTS[${at}]`]);
  const { messages } = await client.getPrompt({ name, arguments: Object.fromEntries(places) as Record<string, string> }, signal && { signal });
  const texts = messages.flatMap(({ content }) => {
    if (content.type === "text") return [content.text];
    return content.type === "resource" && "text" in content.resource ? [String(content.resource.text)] : [];
  });
  return texts.join("\n\n");
}
