import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearName } from "../names.js";
import type { Terminal } from "./terminal.js";

/** Exit codes of every command. */
export const EXIT = {
  /** All is well. */
  ok: 0,
  /** The command worked, and found something to mend. */
  findings: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Nothing could be read: no such folder, or no skill in it. */
  nothing: 3,
} as const;

/** A command line that makes no sense; the message is shown, and the exit code is {@link EXIT.usage}. */
export class UsageError extends Error {}

/** An option of a command. */
export interface Option {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  /** What a value stands for, in the help. */
  value?: string;
  /** One line of help. */
  help: string;
}

/** What a command gets. */
export interface Invocation {
  /** What is no option: folders, mostly. */
  positionals: string[];
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  terminal: Terminal;
}

/** One command; commands.ts lists them all. */
export interface Command {
  name: string;
  /** One line for the overview. */
  summary: string;
  /** What comes after the name. */
  usage: string;
  options: Record<string, Option>;
  /** Gives the exit code. */
  run(invocation: Invocation): Promise<number>;
}

/** Options that every command has. */
export const COMMON: Record<string, Option> = {
  json: { type: "boolean", help: "Print JSON, for programs" },
  help: { type: "boolean", short: "h", help: "Print this help" },
};

/** Options of commands that read folders of skills. */
export const READING: Record<string, Option> = {
  strict: { type: "boolean", help: "Accept only what the Agent Skills specification allows" },
  depth: { type: "string", value: "N", help: "Look N folders deep (default 8)" },
  ignore: { type: "string", multiple: true, value: "NAME", help: "Leave out folders of this name; may be repeated" },
  nested: { type: "boolean", help: "Also read skills inside skills" },
};

/** Reads the arguments of a command. */
export function readArguments(command: Command, args: string[]): Pick<Invocation, "positionals" | "values"> {
  const options = { ...command.options, ...COMMON };
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options: config as NonNullable<ParseArgsConfig["options"]>, allowPositionals: true });
    return { values, positionals };
  } catch (error) {
    throw new UsageError(whatIsWrong(error, Object.keys(options)));
  }
}

/** What Node says of a command line, with a way to mend it. */
function whatIsWrong(error: unknown, names: string[]): string {
  const { code, message = String(error) } = error as { code?: string; message?: string };
  const option = /--?[^\s'",=]+/.exec(/'([^']*)'/.exec(message)?.[1]?.replace(/^-\w, /, "") ?? "")?.[0] ?? "";
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const meant = nearName(option.replace(/^-+/, ""), names);
    return `there is no option ${option}${meant === undefined ? "" : `; did you mean --${meant}?`}`;
  }
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE" && /ambiguous|missing/.test(message)) {
    const long = /--[\w-]+(?==-XYZ)/.exec(message)?.[0] ?? option;
    return `${option} needs a value; one that begins with a dash is written as ${long}=-x`;
  }
  return message.replaceAll("\n", " ");
}

/** A whole number from an option. */
export function wholeNumber(value: unknown, option: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || !/^\d{1,9}$/.test(value)) throw new UsageError(`--${option} takes a whole number, not "${String(value)}"`);
  return Number(value);
}

/** The help text of a command. */
export function helpOf(command: Command): string {
  const rows = Object.entries({ ...command.options, ...COMMON }).map(([name, option]) => {
    const short = option.short === undefined ? "    " : `-${option.short}, `;
    return `  ${`${short}--${name}${option.value === undefined ? "" : ` ${option.value}`}`.padEnd(26)} ${option.help}`;
  });
  return `${command.summary}\n\nUsage: skillpick ${command.name} ${command.usage}\n\n${rows.join("\n")}\n`;
}
