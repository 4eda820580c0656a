import { readFileSync } from "node:fs";
import { COMMANDS } from "./commands.js";
import { type Command, EXIT, helpOf, readArguments, UsageError } from "./command.js";
import { nearName } from "../names.js";
import { paint, processTerminal, type Terminal } from "./terminal.js";

/** Runs the command line and gives the exit code. */
async function main(args: string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    terminal.out(rest[0] === undefined ? overview(terminal) : helpOf(commandOf(rest[0])));
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === "--version" || name === "-v") {
    terminal.out(`${version()}\n`);
    return EXIT.ok;
  }
  const command = commandOf(name);
  const { positionals, values } = readArguments(command, rest);
  if (values["help"] === true) {
    terminal.out(helpOf(command));
    return EXIT.ok;
  }
  return command.run({ positionals, values, terminal });
}

function commandOf(name: string): Command {
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) return command;
  const meant = nearName(name, COMMANDS.map((one) => one.name));
  throw new UsageError(`there is no command "${name}"${meant === undefined ? "" : `; did you mean ${meant}?`}; see skillpick help`);
}

function messageOf(error: unknown): string {
  const { code, path, message = String(error) } = error as NodeJS.ErrnoException;
  return code === "ENOENT" && path !== undefined ? `${path}: there is no such file, or no such folder to write it to` : message;
}

function overview(terminal: Terminal): string {
  const rows = COMMANDS.map((command) => `  ${paint(terminal, "bold", command.name.padEnd(8))} ${command.summary}`);
  return [
    "skillpick: pick agent skills within a token budget",
    "",
    "Usage: skillpick <command> [options]",
    "",
    ...rows,
    "",
    "Exit codes: 0 all is well, 1 something to mend, 2 wrong command line, 3 nothing to read.",
    "skillpick help <command> tells more.",
    "",
  ].join("\n");
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}

const terminal = processTerminal();
// A reader such as `head` that has had enough is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.findings));
main(process.argv.slice(2), terminal).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    terminal.err(`skillpick: ${messageOf(error)}\n`);
    process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.nothing;
  },
);
