import type { SelectOptions } from "skillpick";
import { UsageError, wholeNumber, type Invocation, type Option } from "../command.js";

type Values = Invocation["values"];

/** What an option of select may be on the command line. */
const CHOICES = {
  mode: ["off", "metadata", "full", "auto"],
  format: ["agentpool", "agentskills", "compact", "two-layer", "promethea"],
  order: ["relevance", "name", "catalog"],
  placement: ["single", "split"],
  tokenizer: ["o200k", "cl100k"],
} as const;

const choice = (name: keyof typeof CHOICES, help: string): Option => ({ type: "string", value: name.toUpperCase(), help: `${help}: ${CHOICES[name].join(", ")}` });

/** The options of the command, in the order of the help. */
export const OPTIONS: Record<string, Option> = {
  query: { type: "string", short: "q", value: "TEXT", help: "What the user asks" },
  messages: { type: "string", short: "m", value: "FILE", help: "The conversation: JSON messages, a whole context, or JSON lines; - is standard input" },
  file: { type: "string", multiple: true, value: "PATH", help: "A file in play; may be repeated" },
  active: { type: "string", multiple: true, value: "ID", help: "A skill that is loaded already; may be repeated" },
  budget: { type: "string", short: "b", value: "TOKENS", help: "Tokens of the whole block, or none (default 2000)" },
  mode: choice("mode", "The most detail"),
  format: choice("format", "The form of the block"),
  placement: choice("placement", "One block, or a stable part and one for this turn"),
  order: choice("order", "The order in the block"),
  tokenizer: choice("tokenizer", "Whose tokens"),
  "max-skills": { type: "string", value: "N", help: "The most skills, names included" },
  pin: { type: "string", multiple: true, value: "ID", help: "Comes first; may be repeated" },
  require: { type: "string", multiple: true, value: "ID", help: "Has to be shown; may be repeated" },
  exclude: { type: "string", multiple: true, value: "ID", help: "Is left out; may be repeated" },
  explain: { type: "string", short: "e", value: "ID", help: "Why this skill is where it is, and what would change it" },
  watch: { type: "boolean", short: "w", help: "Do it again whenever a file changes" },
  html: { type: "string", value: "FILE", help: "Also write it as one page that needs nothing else; - is standard output" },
  block: { type: "boolean", help: "Print the block and nothing else" },
};

/** The options for select. */
export function settingsOf(values: Values): SelectOptions {
  const maxSkills = wholeNumber(values["max-skills"], "max-skills");
  const [pinned, required, exclude] = [listOf(values, "pin"), listOf(values, "require"), listOf(values, "exclude")];
  const chosen = Object.fromEntries((Object.keys(CHOICES) as (keyof typeof CHOICES)[]).flatMap((name) => chosenOf(values, name)));
  return {
    ...chosen,
    ...(values["budget"] === undefined ? {} : { budget: budgetOf(values["budget"]) }),
    ...(maxSkills === undefined ? {} : { maxSkills }),
    ...(pinned.length > 0 ? { pinned } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(exclude.length > 0 ? { exclude } : {}),
  };
}

/** The values of an option that may be repeated. */
export function listOf(values: Values, name: string): string[] {
  const found = values[name];
  return Array.isArray(found) ? found.map(String) : [];
}

function chosenOf(values: Values, name: keyof typeof CHOICES): [string, string][] {
  const value = values[name];
  if (value === undefined) return [];
  if (!(CHOICES[name] as readonly unknown[]).includes(value)) throw new UsageError(`--${name} takes ${CHOICES[name].join(", ")}, not "${String(value)}"`);
  return [[name, String(value)]];
}

function budgetOf(value: unknown): number | null {
  if (value === "none") return null;
  if (typeof value !== "string" || !/^\d{1,9}$/.test(value)) throw new UsageError(`--budget takes a number of tokens such as 2000, or none, not "${String(value)}"`);
  return Number(value);
}
