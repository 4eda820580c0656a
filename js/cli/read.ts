import { loadSkills, type LoadedSkills, type LoadSkillsOptions } from "skillpick/loader";
import { UsageError, wholeNumber, type Invocation } from "./command.js";
import { progressBar } from "./terminal.js";

/** Reads the folders of a command line, the current one if none is named. */
export async function readFolders(invocation: Invocation, more: LoadSkillsOptions = {}): Promise<LoadedSkills> {
  const { positionals, values, terminal } = invocation;
  const depth = wholeNumber(values["depth"], "depth");
  const ignore = values["ignore"];
  const progress = progressBar(terminal, "Reading");
  try {
    return await loadSkills(positionals.length === 0 ? ["."] : positionals, {
      strict: values["strict"] === true,
      nested: values["nested"] === true,
      ...(depth === undefined ? {} : { depth }),
      ...(Array.isArray(ignore) ? { ignore: ignore.map(String) } : {}),
      ...more,
      onProgress: progress.step,
    });
  } finally {
    progress.end();
  }
}

/** A file that was named for output. */
export function outputFile(value: unknown, option = "output"): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "") throw new UsageError(`--${option} takes the name of a file`);
  return value;
}
