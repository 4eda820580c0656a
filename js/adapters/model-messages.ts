// Messages in the AI SDK's shape, as it and the SDKs that build on it have them: roles, and parts with `type`.
import { placeBlock } from "skillpick";
import { type Found, type Prompt, isBlock } from "./conversation.js";

interface Part {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: { type: string; value?: unknown };
}

/** What of a message is read here. */
export interface Message {
  role: string;
  content: string | readonly object[];
}

/** How the end of the stable part is marked for the providers' caches: Anthropic's, directly and on Bedrock. Others skip it. */
export const CACHE: { anthropic: { cacheControl: { type: string } }; bedrock: { cachePoint: { type: string } } } = {
  anthropic: { cacheControl: { type: "ephemeral" } },
  bedrock: { cachePoint: { type: "default" } },
};

/** Reads messages; what an earlier step put there is taken out again. */
export function find(messages: readonly Message[]): Found {
  const found: Found = { messages: messages.map(bare), users: [], results: [] };
  const inputs = new Map<string | undefined, unknown>();
  for (const [at, { role, content }] of messages.entries()) {
    if (role === "user") found.users.push(at);
    for (const { type, toolCallId, toolName = "", input, output } of typeof content === "string" ? [] : (content as Part[])) {
      if (type === "tool-call") inputs.set(toolCallId, input);
      if (type === "tool-result" && typeof output?.value === "string") {
        found.results.push({ at, name: toolName, input: inputs.get(toolCallId), text: output.value });
      }
    }
  }
  return found;
}

function bare(message: Message): Message {
  if (message.role !== "user") return message;
  const parts: readonly Part[] = typeof message.content === "string" ? [{ type: "text", text: message.content }] : (message.content as Part[]);
  return { ...message, content: parts.filter(({ type, text }) => !(type === "text" && isBlock(text))) };
}

/** The messages, with what each turn adds as a part of its own behind the user's. */
export function withTurns<MESSAGE>({ messages }: Found, { turns }: Prompt): MESSAGE[] {
  return (messages as Message[]).map((message, at) => {
    const text = turns.get(at);
    return text === undefined ? message : { ...message, content: [...message.content, { type: "text", text }] };
  }) as MESSAGE[];
}

/** The system's messages at the start, without a block of an earlier step, and the rest. */
export function splitSystem(messages: readonly Message[]): [system: Message[], rest: Message[]] {
  const at = messages.findIndex(({ role }) => role !== "system");
  const end = at < 0 ? messages.length : at;
  return [messages.slice(0, end).filter(({ content }) => !isBlock(content)), messages.slice(end)];
}

/** The system's messages with the block: at `{{skills}}`, or as a message of its own, marked for the cache. */
export function withBlock<MESSAGE extends Message>(system: MESSAGE[], { stable }: Prompt, cache: object | false | undefined): MESSAGE[] {
  if (stable === "") return system;
  if (system.some(({ content }) => content.includes("{{skills}}" as never))) return placeBlock(system, stable);
  return [...system, { role: "system", content: stable, ...(cache && { providerOptions: cache }) } as unknown as MESSAGE];
}
