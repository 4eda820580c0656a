import { SkillpickError } from "./errors.js";
import { text } from "./inputs.js";

/**
 * Puts a block into a prompt of the host's own, in the place of its one placeholder. Nothing else is read: braces, `$` and the
 * like stay, in the template and in the block.
 *
 * @param placeholder Default `{{skills}}`.
 * @throws SkillpickError `template_placeholder` if the placeholder isn't there exactly once
 */
export function fillTemplate(template: string, block: string, placeholder = "{{skills}}"): string {
  const parts = text(template, "template").split(text(placeholder, "placeholder"));
  const [before, after] = parts;
  if (placeholder === "" || parts.length !== 2 || before === undefined || after === undefined) {
    const message = `the template has ${JSON.stringify(placeholder)} ${parts.length - 1} times, it has to have it once`;
    throw new SkillpickError("template_placeholder", message, { path: "template" });
  }
  return before + text(block, "block") + after;
}

/** A part of a message, or a message: what hosts' prompts are made of. */
type Piece = Record<string, unknown>;

/**
 * Puts a block into a system prompt of any shape, exactly once: a text, a list of parts, a list of messages, or nothing. A block that
 * an earlier call has put there is replaced where it stands, and an empty block takes it out; everything else keeps its bytes. Without
 * one, the block fills the placeholder `{{skills}}` where a text has it once, and goes to the end of the prompt otherwise.
 *
 * The given value is not changed. Of messages only those of the system are touched; where there are none, one is put first.
 */
export function placeBlock(system: string | null | undefined, block: string): string;
export function placeBlock<T extends object>(system: readonly T[], block: string): T[];
export function placeBlock(system: string | readonly object[] | null | undefined, block: string): string | object[] {
  text(block, "block");
  if (system === null || system === undefined) return block;
  if (typeof system === "string") return replaced(system, block) ?? appended(system, block);
  const pieces = system as readonly Piece[];
  return pieces.some((piece) => "role" in piece) ? inMessages(pieces, block) : inParts(pieces, block);
}

function inMessages(messages: readonly Piece[], block: string): Piece[] {
  const isSystem = ({ role }: Piece) => role === "system" || role === "developer";
  const at = messages.findIndex((message) => isSystem(message) && placed(message["content"], block) !== undefined);
  const last = messages.reduce((found, message, index) => (isSystem(message) ? index : found), -1);
  if (last < 0) return block === "" ? [...messages] : [{ role: "system", content: block }, ...messages];
  const target = at < 0 ? last : at;
  return messages.map((message, index) => {
    if (index !== target) return message;
    return { ...message, content: placeBlock(message["content"] as string, block) };
  });
}

function placed(content: unknown, block: string): unknown {
  if (typeof content === "string") return replaced(content, block);
  return Array.isArray(content) ? (content as Piece[]).find((part) => replaced(part["text"], block) !== undefined) : undefined;
}

function inParts(parts: readonly Piece[], block: string): Piece[] {
  const at = parts.findIndex((part) => replaced(part["text"], block) !== undefined);
  if (at < 0) return block === "" ? [...parts] : [...parts, { type: "text", text: block }];
  return parts.map((part, index) => (index === at ? { ...part, text: replaced(part["text"], block) } : part));
}

/** The text with its old block, or its one placeholder, replaced; nothing where it has neither. */
function replaced(source: unknown, block: string): string | undefined {
  if (typeof source !== "string") return undefined;
  const [start, end] = oldBlock(source);
  if (start >= 0) return source.slice(0, start) + block + source.slice(end);
  return source.split("{{skills}}").length === 2 ? fillTemplate(source, block) : undefined;
}

/** Where a block stands: its own tags, which no text inside it can close, and further elements on the next lines. */
function oldBlock(source: string): [start: number, end: number] {
  for (const tag of ["available-skills", "available_skills"]) {
    const [opening, closing] = [`<${tag}>\n`, `</${tag}>`];
    const start = source.indexOf(opening);
    if (start < 0) continue;
    let end = source.indexOf(closing, start);
    while (end >= 0 && source.startsWith(`\n${opening}`, end + closing.length)) end = source.indexOf(closing, end + closing.length);
    if (end >= 0) return [start, end + closing.length];
  }
  return [-1, -1];
}

const appended = (system: string, block: string): string => (block === "" || system === "" ? system + block : `${system}\n\n${block}`);
