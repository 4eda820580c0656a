import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import type { Context } from "skillpick";
import { UsageError, type Invocation } from "../command.js";
import { listOf } from "./flags.js";

/** The context that the command line tells of: a query, or a conversation from a file, with files and active skills. */
export async function askOf(values: Invocation["values"]): Promise<Context> {
  const { query, messages } = values;
  const told: Context = typeof messages === "string" ? await conversation(messages) : {};
  const [files, active] = [listOf(values, "file"), listOf(values, "active")];
  return {
    ...told,
    ...(typeof query === "string" ? { query } : {}),
    ...(files.length > 0 ? { files: [...(told.files ?? []), ...files] } : {}),
    ...(active.length > 0 ? { active: [...(told.active ?? []), ...active] } : {}),
  };
}

async function conversation(file: string): Promise<Context> {
  const name = file === "-" ? "standard input" : file;
  const text = (file === "-" ? await textOf(process.stdin) : await readText(file)).replace(/^\ufeff/, "");
  const data = parsed(text, name);
  if (Array.isArray(data)) return { messages: data };
  if (typeof data === "object" && data !== null && ("messages" in data || "query" in data)) return data as Context;
  throw new UsageError(`${name} has no conversation; it should be [{ "role": "user", "content": "…" }], or an object that has this under "messages"`);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : String(code);
    throw new UsageError(`--messages ${file}: ${why}; name a JSON file, or - for standard input`);
  }
}

/** One JSON value, or one a line. */
function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      // What is wrong with the text as a whole says more.
    }
    throw new UsageError(`${name} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
