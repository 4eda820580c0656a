// What the adapters share. They keep no state: what a conversation has loaded, and what its turns were given, is read from its messages
// on every step, so that one adapter serves any number of conversations, in any process, and nothing gets from one into another.
import { type Catalog, type LoadOptions, type Pick, type PickState, type SelectOptions, type Session, SkillpickError, type ToolPolicy, decodeLoad } from "skillpick";

/** What an adapter has found in its SDK's messages. */
export interface Found {
  /** The conversation without what the adapter itself put there. */
  messages: readonly object[];
  /** Places of the user's messages. */
  users: number[];
  /** Results of tools, with what was asked. */
  results: { at: number; name: string; input: unknown; text: string }[];
}

/** What goes into the prompt of one step. */
export interface Prompt {
  /** For the system prompt; the same in every turn. */
  stable: string;
  /** Behind the user's messages, by their places. */
  turns: Map<number, string>;
  /** Tools that the active skills brought. */
  tools: string[];
}

/** Options of every adapter: those of `select`, without what the adapter itself decides. */
export interface SkillOptions extends Omit<SelectOptions, "placement" | "actor" | "format"> {
  /** The form of the block. Default `"agentpool"`. */
  format?: "agentpool" | "agentskills" | "compact";
}

/** Whether a part of a message is a block that an adapter has put there, which no host and no user writes. */
export function isBlock(text: unknown): boolean {
  return typeof text === "string" && /^<(available[-_]skills)>\n[^]*\n<\/\1>$/.test(text);
}

/** Picks that are kept, so that a step doesn't repeat those of the turns before. */
const KEPT = 512;
const PAGE = 500;

/** A catalog with the options of one adapter. */
export class Conversations {
  readonly #catalog: Catalog;
  readonly #options: SelectOptions;
  readonly #load: LoadOptions;
  readonly #tools: readonly string[] | undefined;
  readonly #picks = new Map<string, Pick>();
  /** The model's tools and what each is for. */
  readonly tools: { name: string; description: string; parameters: Record<string, unknown>; kind: "load" | "search" | "list" }[];

  /** @param hostTools tools that are always there; `skillTools` come with a skill. Absent: skills are not asked which tools they need. */
  constructor(catalog: Catalog, options: SkillOptions, hostTools?: readonly string[], skillTools?: readonly string[]) {
    this.#catalog = catalog;
    this.#options = { ...options, placement: "split" };
    this.tools = catalog.tools(this.#options).map((tool) => {
      const asked = tool.parameters["properties"] as object;
      return { ...tool, kind: "id" in asked ? "load" : "query" in asked ? "search" : "list" };
    });
    this.#tools = skillTools && [...(hostTools ?? []), ...skillTools];
    const { format, user, rules, exclude, toolNames, tokenizer, safety } = options;
    const ours = { format, user, rules, exclude, toolNames, tokenizer, safety, tools: this.#tools };
    const { stable = "" } = this.#pick("", { messages: [] });
    if (stable !== "" && !isBlock(stable)) {
      const message = "adapters take the formats agentpool, agentskills and compact: a text format has no element that could be found again";
      throw new SkillpickError("invalid_option", message, { path: "options.format" });
    }
    this.#load = { ...ours, hostTools: this.tools.map(({ name }) => name) } as LoadOptions;
  }

  /** What the model is to see, for the conversation as it is now. */
  prompt(found: Found): Prompt {
    const turns = new Map<number, string>();
    let previous: PickState | undefined;
    let [key, from] = ["", 0];
    let stable = found.users.length > 0 ? "" : (this.#pick("", { messages: [] }).stable ?? "");
    for (const at of found.users) {
      for (const message of found.messages.slice(from, at + 1)) key = hash(key + hashOf(message));
      from = at + 1;
      const active = found.results.flatMap((result) => (result.at < at && this.#loaded(result) ? [idOf(result.input)] : []));
      const pick = this.#pick(key, { messages: found.messages.slice(0, at + 1), active, ...(previous && { previous }) });
      previous = pick.state;
      stable = pick.stable ?? "";
      if (pick.turn) turns.set(at, pick.turn);
    }
    return { stable, turns, tools: this.#session(found).boundary({ hostTools: this.#load.hostTools ?? [] }).tools };
  }

  /** What the active skills ask of the host. */
  policy(found: Found): ToolPolicy {
    const session = this.#session(found);
    return this.#catalog.policy(session.boundary({ hostTools: this.#load.hostTools ?? [] }).active.map(({ id }) => id));
  }

  /** Answers a call of one of `tools`. What goes wrong is a text for the model; only an abort rejects. */
  async answer(tool: string, input: unknown, found: Found, signal?: AbortSignal): Promise<string> {
    const kind = this.tools.find(({ name }) => name === tool)?.kind;
    const given = (typeof input === "object" && input !== null ? input : {}) as { arguments?: unknown; query?: unknown; from?: unknown };
    if (kind === "load") {
      const args = typeof given.arguments === "string" && given.arguments !== "" ? { arguments: given.arguments } : {};
      const options = { ...this.#load, ...args, messages: found.messages, ...(signal && { signal }) };
      return (await this.#session(found).loadAsync(idOf(input), options)).text;
    }
    const all: SelectOptions = { ...this.#options, placement: "single", budget: null };
    if (kind === "search") {
      const pick = this.#catalog.select(this.#context({ query: String(given.query ?? "") }), { ...all, budget: 1000, maxSkills: 10 });
      return pick.confident ? pick.xml : "No skill was found for this.";
    }
    const ids = this.#catalog.select(this.#context({}), { ...all, order: "name" }).skills.map(({ id }) => id);
    const start = Math.max(0, Math.trunc(Number(given.from)) || 0);
    return JSON.stringify({ ids: ids.slice(start, start + PAGE), from: start, of: ids.length });
  }

  #context<T extends object>(context: T): T {
    return this.#tools ? { ...context, tools: this.#tools } : context;
  }

  #pick(key: string, context: object): Pick {
    const pick = this.#picks.get(key) ?? this.#catalog.select(this.#context(context), this.#options);
    // The newest stand last; the oldest goes.
    this.#picks.delete(key);
    this.#picks.set(key, pick);
    if (this.#picks.size > KEPT) this.#picks.delete(this.#picks.keys().next().value as string);
    return pick;
  }

  #loaded({ name, text }: Found["results"][number]): boolean {
    return this.tools.some((tool) => tool.kind === "load" && tool.name === name) && decodeLoad(text) !== undefined;
  }

  /** What the conversation has loaded so far. A call that failed or was refused has no body as its result. */
  #session(found: Found): Session {
    const session = this.#catalog.session();
    for (const result of found.results) {
      if (!this.#loaded(result)) continue;
      // The body is here; a catalog without bodies need not fetch it again.
      const instructions = decodeLoad(result.text)?.body;
      session.load(idOf(result.input), { ...this.#load, instructions } as LoadOptions);
    }
    return session;
  }
}

const idOf = (input: unknown): string => String((input as { id?: unknown } | null | undefined)?.id ?? "");

/** Arguments of a call as models write them; nothing where they are no JSON. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const hashes = new WeakMap<object, string>();

function hashOf(message: object): string {
  const known = hashes.get(message);
  if (known !== undefined) return known;
  const made = hash(JSON.stringify(message, (_, value: unknown) => (ArrayBuffer.isView(value) ? value.byteLength : value)) ?? "");
  hashes.set(message, made);
  return made;
}

/** 64 bits, to tell texts apart (cyrb53's mixing, both halves). */
function hash(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (a >>> 0).toString(36) + "." + (b >>> 0).toString(36);
}
