import { lintSkills } from "skillpick/lint";
import type { Diagnostic } from "skillpick";
import { EXIT, READING, UsageError, wholeNumber, type Command } from "./command.js";
import { countFindings, printFindings } from "./findings.js";
import { readFolders } from "./read.js";
import { paint, thousands } from "./terminal.js";

/** `skillpick check`: what to mend. */
export const check: Command = {
  name: "check",
  summary: "Say what to mend in folders of skills",
  usage: "[folder…]",
  options: {
    budget: { type: "string", value: "TOKENS", help: "Report skills that can't be shown with this budget (default 2000)" },
    all: { type: "boolean", short: "a", help: "Also print remarks" },
    "fail-on": { type: "string", value: "LEVEL", help: "Exit with 1 from this level on: error (default), warning, info, never" },
    ...READING,
  },
  async run(invocation) {
    const { values, terminal } = invocation;
    const budget = wholeNumber(values["budget"], "budget") ?? 2000;
    const fails = failing(values["fail-on"]);
    const { skills, diagnostics } = await readFolders(invocation);
    const found = [...diagnostics, ...lintSkills(skills, { budget }).map((one) => atFile(one))].filter(isFirst);
    if (values["json"] === true) terminal.out(`${JSON.stringify({ skills: skills.length, diagnostics: found }, null, 2)}\n`);
    else {
      printFindings(terminal, found, values["all"] === true ? ["error", "warning", "info"] : ["error", "warning"]);
      const remarks = values["all"] === true || !found.some((one) => one.severity === "info") ? "" : paint(terminal, "dim", " (--all prints the remarks)");
      terminal.out(`\n${paint(terminal, "bold", `${thousands(skills.length)} skills`)}: ${countFindings(terminal, found)}${remarks}\n`);
    }
    if (skills.length === 0) {
      terminal.err("skillpick: no skills found\n");
      return EXIT.nothing;
    }
    return found.some((one) => fails.includes(one.severity)) ? EXIT.findings : EXIT.ok;
  },
};

function failing(level: unknown): Diagnostic["severity"][] {
  const levels = { error: ["error"], warning: ["error", "warning"], info: ["error", "warning", "info"], never: [] } as const;
  const name = (level ?? "error") as keyof typeof levels;
  if (!(name in levels)) throw new UsageError(`--fail-on takes ${Object.keys(levels).join(", ")}`);
  return [...levels[name]];
}

/** Findings about the skill and those about its file stand together. */
function atFile(one: Diagnostic): Diagnostic {
  return one.file === undefined || /\.md$/i.test(one.file) ? one : { ...one, file: `${one.file}/SKILL.md` };
}

/** The reader and the lint may say the same thing. */
function isFirst(one: Diagnostic, at: number, all: Diagnostic[]): boolean {
  return all.findIndex((other) => other.code === one.code && other.file === one.file && other.path?.split(".").pop() === one.path?.split(".").pop()) === at;
}

