import type { Catalog, Detail, Evidence, OmitReason, Picked } from "skillpick";
import { UsageError } from "../command.js";
import { REASONS, selected, type Result } from "./result.js";

/** Why one skill is where it is. */
export interface Explanation {
  id: string;
  name: string;
  description: string;
  source?: string;
  location?: string;
  /** How much is shown, or why nothing is. */
  detail?: Detail;
  reason?: OmitReason;
  /** For skills that are left out: what the reason means, and what to do about it. */
  meaning?: string;
  mend?: string;
  tokens: number;
  budget: number | null;
  score?: number;
  /** Its place by relevance, from 1, among all that may be shown. */
  place?: number;
  of?: number;
  pinned: boolean;
  evidence: Evidence[];
  /** The next level of detail, and its price. */
  next?: { detail: Detail; tokens: number };
  /** The least budget of the whole block at which it is shown so, with this request. */
  from: { detail: Detail; budget: number }[];
}

const LEVELS: readonly Detail[] = ["name", "summary", "description", "instructions"];

/** Explains a skill of the catalog. */
export function explanation(catalog: Catalog, result: Result, id: string): Explanation {
  const { ask, settings, pick } = result;
  const state = catalog.report(pick).find((one) => one.id === id);
  if (state === undefined) throw new UsageError(`--explain ${id}: the catalog has no such skill${near(catalog, id)}`);
  const skill = catalog.get(id);
  // Without a limit every skill that may be shown is there, with its evidence.
  const { maxSkills: _most, ...rest } = settings;
  const all = selected(catalog, ask, { ...rest, budget: null });
  const free = all.skills.find((one) => one.id === id);
  const reason = state.state === "omitted" ? state.reason : undefined;
  const shown = state.state === "shown" ? state : undefined;
  return {
    id,
    name: skill?.name ?? id,
    description: skill?.description ?? "",
    ...(skill?.source === undefined ? {} : { source: skill.source }),
    ...(skill?.location === undefined ? {} : { location: skill.location }),
    ...(shown === undefined ? {} : { detail: shown.detail, ...(shown.next === undefined ? {} : { next: shown.next }) }),
    ...(reason === undefined ? {} : { reason, ...REASONS[reason] }),
    tokens: shown?.tokens ?? 0,
    budget: pick.budget,
    ...(free === undefined ? {} : { score: free.score, ...placeOf(free, all.skills) }),
    pinned: free?.pinned ?? false,
    evidence: free?.evidence ?? [],
    from: free === undefined ? [] : budgets(catalog, result, free, all.tokens),
  };
}

function near(catalog: Catalog, id: string): string {
  const result = catalog.load(id, { actor: "user" });
  const ids = result.ok ? [result.id] : result.suggestions;
  return ids.length === 0 ? "; skillpick stats lists all" : `; did you mean ${ids.join(", ")}?`;
}

function placeOf({ score }: Picked, all: readonly Picked[]): { place: number; of: number } {
  return { place: all.filter((one) => one.score > score).length + 1, of: all.length };
}

/** Looks for the least budget by halves: more budget never takes detail from the same skill, but for a token or two. */
function budgets(catalog: Catalog, { ask, settings }: Result, { id, detail }: Picked, most: number): Explanation["from"] {
  const levelAt = (budget: number) => {
    if (settings.required?.length) settings = { ...settings, pinned: [...(settings.pinned ?? []), ...settings.required], required: [] };
    const found = selected(catalog, ask, { ...settings, budget }).skills.find((one) => one.id === id);
    return found === undefined ? -1 : LEVELS.indexOf(found.detail);
  };
  const found: Explanation["from"] = [];
  for (const [level, name] of LEVELS.entries()) {
    if (level > LEVELS.indexOf(detail)) break;
    let [low, high] = [found.at(-1)?.budget ?? 0, most];
    if (levelAt(high) < level) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (levelAt(middle) >= level) high = middle;
      else low = middle;
    }
    found.push({ detail: name, budget: high });
  }
  // A level that a higher one takes the place of at once is never seen.
  return found.filter(({ budget }, index) => budget !== found[index + 1]?.budget);
}
