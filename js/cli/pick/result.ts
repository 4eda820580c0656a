import { SkillpickError, type Catalog, type Context, type Diagnostic, type OmitReason, type Pick, type Picked, type SelectOptions } from "skillpick";
import { UsageError } from "../command.js";
import type { Source } from "./source.js";

/** What was asked and what came of it; printed, or made into a page. */
export interface Result {
  ask: Context;
  settings: SelectOptions;
  pick: Pick;
  /** Skills with more than their name, and those with their name alone. */
  detailed: Picked[];
  named: Picked[];
  shares: Shares;
  /** All that were left out, by reason. */
  omitted: { reason: OmitReason; ids: string[] }[];
  diagnostics: Diagnostic[];
}

/** Where the budget went, in tokens. */
export interface Shares {
  skills: { id: string; tokens: number }[];
  /** Names of the others, together. */
  names: number;
  /** Tags and notes around them. */
  frame: number;
  /** What is left; `null` without a limit. */
  unused: number | null;
}

/** Picks. What the command line got wrong is said as such. */
export function resultOf({ catalog, diagnostics }: Source, ask: Context, settings: SelectOptions): Result {
  const pick = selected(catalog, ask, settings);
  const detailed = pick.skills.filter(({ detail }) => detail !== "name");
  const named = pick.skills.filter(({ detail }) => detail === "name");
  return { ask, settings, pick, detailed, named, shares: sharesOf(pick, detailed, named), omitted: omittedOf(catalog, pick), diagnostics: [...diagnostics, ...pick.diagnostics] };
}

/** `catalog.select`, whose complaints about options are complaints about flags here. */
export function selected(catalog: Catalog, ask: Context, settings: SelectOptions): Pick {
  try {
    return catalog.select(ask, settings);
  } catch (error) {
    if (!(error instanceof SkillpickError)) throw error;
    const hint = error.code === "required_too_large" ? "; give more --budget, or --require less" : "";
    throw new UsageError(`${error.message}${hint} (${error.code})`);
  }
}

function sharesOf(pick: Pick, detailed: readonly Picked[], named: readonly Picked[]): Shares {
  const skills = detailed.map(({ id, tokens }) => ({ id, tokens }));
  const detailedTokens = skills.reduce((sum, { tokens }) => sum + tokens, 0);
  // Prices of single skills are rounded up, so that together they can be some tokens above the whole.
  const names = Math.max(0, Math.min(named.reduce((sum, { tokens }) => sum + tokens, 0), pick.tokens - detailedTokens));
  const frame = Math.max(0, pick.tokens - detailedTokens - names);
  return { skills, names, frame, unused: pick.budget === null ? null : pick.budget - pick.tokens };
}

function omittedOf(catalog: Catalog, pick: Pick): Result["omitted"] {
  const byReason = new Map<OmitReason, string[]>();
  for (const state of catalog.report(pick)) {
    if (state.state === "omitted") byReason.set(state.reason, [...(byReason.get(state.reason) ?? []), state.id]);
  }
  return [...byReason].map(([reason, ids]) => ({ reason, ids }));
}

/** Why a skill stands where it stands, in a few words. */
export function because({ id, pinned, evidence }: Picked, { required, pinned: pins }: SelectOptions): string {
  const reasons = evidence.slice(0, 4).map(({ field, term }) => `${term} (${field})`);
  if (pinned) reasons.unshift(required?.includes(id) ? "required" : pins?.includes(id) ? "pinned" : "named by the user");
  return reasons.join(", ") || "no evidence: its turn in the prior order";
}

/** What each reason means, and what to do about it; docs/codes.md says the same at more length. */
export const REASONS: Record<OmitReason, { meaning: string; mend: string }> = {
  budget: { meaning: "There was no room, not even for its name.", mend: "Give more budget, a cheaper format (compact), or fewer skills." },
  limit: { meaning: "maxSkills was reached by skills that rank before it.", mend: "Raise maxSkills, or pin it." },
  off: { meaning: "Mode off shows nothing.", mend: "Choose another mode." },
  disabled: { meaning: "It is switched off, by its author or by the user's settings.", mend: "Set enabled in the skill, or change the user's settings." },
  denied: { meaning: "A rule denies it.", mend: "Change the rules; the last match wins." },
  hidden: { meaning: "It is not for this actor: its author keeps it from the model, or from users.", mend: "Set modelInvocable or userInvocable, or let the other side start it." },
  excluded: { meaning: "It was excluded for this call.", mend: "Take it out of exclude." },
  shadowed: { meaning: "Another skill with the same id comes from a nearer scope.", mend: "Give it an id of its own, or change scopes." },
  tools: { meaning: "It needs tools that the host does not have.", mend: "Give the host these tools, or name them in context.tools." },
  rule: { meaning: "It is a rule for a folder, and rules are no skills to choose.", mend: "session.rules(paths) renders rules." },
  invalid: { meaning: "The entry could not be read as a skill.", mend: "See the diagnostics: skillpick check names the line." },
};
