import { EXIT, READING, UsageError, type Command, type Invocation } from "./command.js";
import { outputFile } from "./read.js";
import { askOf } from "./pick/ask.js";
import { explanation } from "./pick/explain.js";
import { OPTIONS, settingsOf } from "./pick/flags.js";
import { page } from "./pick/page.js";
import { printExplanation, printPick } from "./pick/print.js";
import { resultOf, type Result } from "./pick/result.js";
import { sourceOf } from "./pick/source.js";
import { watch } from "./pick/watch.js";
import { writeFile } from "node:fs/promises";

/** `skillpick pick`: the block for a request, what each skill takes of the budget, and why. */
export const pick: Command = {
  name: "pick",
  summary: "Show the block for a request: who gets what of the budget, and why",
  usage: "[folder, catalog or snapshot…] [--query TEXT | --messages FILE]",
  options: { ...OPTIONS, ...READING },
  async run(invocation) {
    const once = () => pickOnce(invocation);
    check(invocation);
    return invocation.values["watch"] === true ? watch(invocation, once) : once();
  },
};

/** What can be said of the command line before anything is read. */
function check({ values }: Invocation): void {
  if (values["query"] !== undefined && values["messages"] !== undefined) throw new UsageError("--query and --messages say the same thing; give one of them");
  if (values["watch"] === true && values["messages"] === "-") throw new UsageError("--watch can't read standard input again; give --messages a file");
  const ways = ["json", "block"].filter((name) => values[name] === true);
  if (ways.length > 1) throw new UsageError("--json and --block both say what to print; give one of them");
  if (values["html"] === "-" && (ways.length > 0 || values["watch"] === true)) throw new UsageError("--html - takes standard output for itself; give it a file");
  outputFile(values["html"], "html");
  settingsOf(values);
}

/** Reads everything, picks, and prints; the exit code. */
async function pickOnce(invocation: Invocation): Promise<number> {
  const { values, terminal } = invocation;
  const source = await sourceOf(invocation);
  if (source.catalog.size === 0) {
    for (const { message, file } of source.diagnostics) terminal.err(`skillpick: ${file === undefined ? "" : `${file}: `}${message}\n`);
    terminal.err("skillpick: no skills found; name a folder that has SKILL.md files in it, or a catalog that `skillpick build` has written\n");
    return EXIT.nothing;
  }
  try {
    const result = resultOf(source, await askOf(values), settingsOf(values));
    const told = typeof values["explain"] === "string" ? explanation(source.catalog, result, values["explain"]) : undefined;
    if (typeof values["html"] === "string") await writePage(invocation, values["html"], page(result));
    if (values["html"] === "-") return codeOf(result);
    if (values["json"] === true) terminal.out(`${JSON.stringify({ ...result.pick, shares: result.shares, diagnostics: result.diagnostics, ...(told === undefined ? {} : { explained: told }) }, null, values["watch"] === true ? 0 : 2)}\n`);
    else if (values["block"] === true) terminal.out(result.pick.xml === "" ? "" : `${result.pick.xml}\n`);
    else if (told !== undefined) printExplanation(terminal, told);
    else printPick(terminal, result);
    return codeOf(result);
  } finally {
    source.catalog.dispose();
  }
}

const codeOf = ({ diagnostics }: Result): number => (diagnostics.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.ok);

async function writePage({ terminal }: Invocation, file: string, text: string): Promise<void> {
  if (file === "-") return terminal.out(text);
  await writeFile(file, text);
  terminal.err(`skillpick: wrote ${file}\n`);
}
