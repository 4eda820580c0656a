// The catalog of the adapters' tests: more skills than the budget describes, so that a turn adds something to the stable part.
import { Catalog } from "skillpick";

const filler = Array.from({ length: 40 }, (_, at) => ({
  name: `handbook-${String(at).padStart(2, "0")}`,
  description: `Chapter ${at} of the handbook: who signs, where the form lies, which desk answers, and what to do when nobody is in.`,
}));

export const SKILLS = [
  ...filler,
  {
    name: "sql-tuning",
    description: "Find out why an SQL query is slow and make it fast. Use when somebody waits for a report or a database is busy.",
    instructions: "Ask run_sql for the plan first. Never guess an index.",
    tools: ["run_sql"],
    allowedTools: ["run_sql"],
  },
  {
    name: "release-notes",
    description: "Write release notes that users read. Use when a version is cut or somebody asks what has changed since the last one.",
    instructions: "Group the changes by what a user notices.",
  },
  { name: "wipe-disk", description: "Erase a disk.", instructions: "Never.", modelInvocable: false },
];

export const OPTIONS = { budget: 420 };

/** A catalog without bodies, and what was fetched of it. */
export function remote(fetched = []) {
  const skills = SKILLS.map(({ instructions, ...skill }) => skill);
  const loadInstructions = async (id, { signal } = {}) => {
    signal?.throwIfAborted?.();
    fetched.push(id);
    if (id === "release-notes") throw new Error("the store is down");
    return SKILLS.find(({ name }) => name === id).instructions;
  };
  return Catalog.from(skills, { loadInstructions });
}

export const catalog = Catalog.from(SKILLS);

/** Every text in a value of any shape, joined. */
export function texts(value) {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(texts).join("\n");
}
