// A user's own skills: a small catalog of their own beside the shared one, so that installing one doesn't index thousands again.
import { Catalog, type Skill, type ToolPolicy } from "skillpick";
import { DEFAULTS } from "./catalog.js";
import { ApiError } from "./errors.js";

/** Users whose catalogs an isolate keeps. */
const KEPT = 200;
const kept = new Map<string, { revision: number; catalog: Catalog }>();

export const knownRevision = (user: string): number => kept.get(user)?.revision ?? -1;

/** The catalog of a user's own skills at a revision; `records` is absent where the isolate has it. */
export function ownCatalog(user: string, revision: number, records: string[] | undefined): Catalog {
  const found = kept.get(user);
  const catalog = records === undefined && found ? found.catalog : Catalog.from(`[${(records ?? []).join()}]`, { defaults: DEFAULTS });
  kept.delete(user);
  kept.set(user, { revision, catalog });
  // Not disposed of: another request may be using it. It is freed when nobody does.
  for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
  return catalog;
}

/** After the instance was replaced, every catalog in it is stale. */
export const forgetOwn = (): void => kept.clear();

/** The skill as it is stored: checked by the same door as any catalog, and marked as the user's. */
export function ownSkill(input: Record<string, unknown>): Skill & { id: string } {
  const { skill_id: id, system_instruction: instructions, ...rest } = input;
  const catalog = Catalog.from([{ ...rest, id, instructions, source: "user" } as unknown as Skill]);
  const skill = catalog.size === 1 ? catalog.get(String(id)) : undefined;
  const refusal = catalog.diagnostics.find(({ severity }) => severity === "error");
  catalog.dispose();
  // A name of invisible characters alone would list nothing that anybody sees.
  if (!skill || refusal || !/[\p{L}\p{N}]/u.test(skill.name)) throw new ApiError("invalid_skill", refusal?.message ?? "the skill can't be used", { path: "skill" });
  return { ...skill, id: String(id) };
}

/** What two sets of active skills ask for together: tools are united, the stricter side effects win, otherwise the second. */
export function bothPolicies(first: ToolPolicy, second: ToolPolicy): ToolPolicy {
  const tools = [first.allowedTools, second.allowedTools].filter((list) => list !== null);
  const strict = [first.strictSideEffects, second.strictSideEffects];
  return {
    allowedTools: tools.length === 0 ? null : [...new Set(tools.flat())],
    strictSideEffects: strict.includes(true) ? true : strict.includes(false) ? false : null,
    defaultMode: second.defaultMode ?? first.defaultMode,
    promptBlockPolicy: second.promptBlockPolicy ?? first.promptBlockPolicy,
    modelOverride: second.modelOverride ?? first.modelOverride,
    effortOverride: second.effortOverride ?? first.effortOverride,
    executionContext: second.executionContext ?? first.executionContext,
    bySkill: { ...first.bySkill, ...second.bySkill },
  };
}
