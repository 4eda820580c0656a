// The names of all options, so that a mistyped one is told from one that is the host's own.
import { SkillpickError } from "./errors.js";
import type * as types from "./types.js";

/** The names that one kind of options has; the types see to it that none is missing. */
export type Names = Readonly<Record<string, 1>>;

export const CATALOG = {
  scopes: 1, countTokens: 1, loadInstructions: 1, defaults: 1,
} satisfies Record<keyof types.CatalogOptions, 1>;

export const CONTEXT = {
  messages: 1, query: 1, files: 1, locale: 1, active: 1, usage: 1, now: 1, scores: 1, vector: 1, tools: 1, previous: 1,
} satisfies Record<keyof types.Context, 1>;

export const SELECT = {
  mode: 1, budget: 1, tokenizer: 1, safety: 1, stableShare: 1, toolNames: 1, maxDescriptionTokens: 1, location: 1,
  activeBodies: 1, rules: 1, maxChars: 1, descriptionChars: 1, maxSkills: 1, format: 1, order: 1, placement: 1, pinned: 1,
  required: 1, exclude: 1, countTokens: 1, user: 1, actor: 1,
} satisfies Record<keyof types.SelectOptions, 1>;

export const SEARCH = {
  limit: 1, user: 1,
} satisfies Record<keyof types.SearchOptions, 1>;

export const LOAD = {
  arguments: 1, actor: 1, format: 1, maxTokens: 1, offset: 1, user: 1, messages: 1, force: 1, rules: 1, exclude: 1, tools: 1,
  hostTools: 1,
} satisfies Record<keyof types.LoadOptions, 1>;

export const BOUNDARY = {
  hostTools: 1, required: 1,
} satisfies Record<keyof types.BoundaryOptions, 1>;

export const REATTACH = {
  budget: 1, perSkill: 1, messages: 1, format: 1,
} satisfies Record<keyof types.ReattachOptions, 1>;

export const SNAPSHOT = {
  instructions: 1,
} satisfies Record<keyof types.SnapshotOptions, 1>;

/** Longest name that is compared by its spelling. */
const LONGEST = 40;

/**
 * Refuses a name that is nearly one of `names`, where that one is not given as well. Any other name is the host's business: options
 * are often part of a larger object.
 *
 * @param path What the options are called in errors, such as `options`.
 */
export function checkNames(given: object, names: Names, path: string): void {
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(names, key)) continue;
    const meant = nearName(key, Object.keys(names).filter((name) => !Object.hasOwn(given, name)));
    if (meant) throw new SkillpickError("invalid_option", `there is no ${key}; did you mean ${meant}?`, { path: `${path}.${key}` });
  }
}

/** The name that somebody who wrote `key` may have meant. */
export function nearName(key: string, names: readonly string[]): string | undefined {
  return key.length > LONGEST ? undefined : names.find((name) => isNear(fold(key), fold(name)));
}

/** `max_skills` and `maxskills` mean `maxSkills`. */
function fold(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

/**
 * Whether one letter of a short name, or two of a longer one, are wrong, missing, too many or swapped. Of four letters none may be:
 * a host's `model` is no `mode`.
 */
function isNear(a: string, b: string): boolean {
  const most = b.length > 5 ? 2 : b.length > 4 ? 1 : 0;
  if (Math.abs(a.length - b.length) > most) return false;
  let [older, above]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(above![j]! + 1, row[j - 1]! + 1, above![j - 1]! + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (older![j - 2] ?? Infinity) + 1);
      row.push(least);
    }
    [older, above] = [above, row];
  }
  return above![b.length]! <= most;
}
