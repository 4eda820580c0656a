import type { EvaluationCase, SkillExample } from "../types.js";
import { fold } from "./names.js";
import type { Value } from "./value.js";

/** Examples of a header or a pack: mappings with `user_input`, or plain texts; `null` if it is neither. */
export function readExamples(value: Value): SkillExample[] | null {
  return readRecords(value, (item) => {
    if (item.kind === "text") return { userInput: item.text.trim() };
    const get = reader(item);
    const userInput = get("userinput") ?? get("input") ?? get("user") ?? get("query");
    if (userInput === undefined) return null;
    return withDefined({ userInput }, { title: get("title"), assistantOutput: get("assistantoutput") ?? get("output"), notes: get("notes") });
  });
}

/** Evaluation cases: mappings with `input`; a missing id is its number. */
export function readCases(value: Value): EvaluationCase[] | null {
  return readRecords(value, (item, index) => {
    if (item.kind === "text") return { caseId: String(index + 1), input: item.text.trim() };
    const get = reader(item);
    const input = get("input") ?? get("userinput") ?? get("query");
    if (input === undefined) return null;
    const record: EvaluationCase = { caseId: get("caseid") ?? get("id") ?? String(index + 1), input };
    const lists = { requiredTools: list(item, "requiredtools"), tags: list(item, "tags") };
    return withDefined(record, { title: get("title"), expectedBehavior: get("expectedbehavior"), ...lists });
  });
}

function readRecords<T>(value: Value, read: (item: Value, index: number) => T | null): T[] | null {
  if (value.kind === "null") return [];
  if (value.kind !== "list") return null;
  const records = value.items.map(read);
  return records.every((record) => record !== null) ? (records as T[]) : null;
}

function reader(item: Value): (key: string) => string | undefined {
  return (key) => {
    const found = item.kind === "map" ? item.entries.find(([name]) => fold(name) === key)?.[1] : undefined;
    return found?.kind === "text" && found.text.trim() !== "" ? found.text : undefined;
  };
}

function list(item: Value, key: string): string[] | undefined {
  const found = item.kind === "map" ? item.entries.find(([name]) => fold(name) === key)?.[1] : undefined;
  const items = found?.kind === "list" ? found.items.flatMap((one) => (one.kind === "text" ? [one.text] : [])) : [];
  return items.length > 0 ? items : undefined;
}

function withDefined<T extends object>(record: T, fields: Record<string, unknown>): T {
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) (record as Record<string, unknown>)[key] = value;
  return record;
}
