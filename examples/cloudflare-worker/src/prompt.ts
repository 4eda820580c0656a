import type { Context } from "hono";
import { estimateTokens, type Pick, type PickState, type SelectOptions } from "skillpick";
import type { App } from "./index.js";
import { PromptRequest } from "./openapi.js";
import { bothPolicies } from "./own.js";
import { readBody, validator } from "./request.js";
import { view } from "./view.js";

const schema = validator(PromptRequest);
const BODY = 1 << 20;
/** Of the budget, for the user's own skills; what they leave goes to the shared ones. */
const OWN_SHARE = 0.4;
/** Tokens for the line breaks between the blocks. */
const JOINTS = 4;

/** Characters of a pick that are kept for the next turn; a row of SQLite holds 2 MB. Beyond it the next turn chooses afresh. */
const KEPT_STATE = 500_000;

interface Body {
  conversation_id?: string;
  messages?: object[];
  query?: string;
  files?: string[];
  tools?: string[];
  budget?: number;
  max_skills?: number;
  mode?: SelectOptions["mode"];
  format?: SelectOptions["format"];
  placement?: SelectOptions["placement"];
  order?: SelectOptions["order"];
}

/** POST /api/prompt */
export async function prompt(c: Context<App>): Promise<Response> {
  const body = await readBody<Body>(c.req.raw, schema, BODY);
  const { conversation_id: conversation = null, budget = 2000, max_skills: maxSkills, mode, format, placement, order, ...asked } = body;
  const { store, shared, own, user, settings, conversation: talk } = await view(c, conversation);
  const active = [...new Set([...(settings.active === null ? [] : [settings.active]), ...talk.active])];
  const kept: { shared?: PickState; own?: PickState } = JSON.parse(talk.previous ?? "{}");
  const options = { user, mode, format, placement, order, maxSkills } as SelectOptions;

  const mine = own.size === 0 ? null : await own.selectAsync(
    { ...asked, active: active.filter((id) => own.get(id)), ...(kept.own ? { previous: kept.own } : {}) },
    { ...options, budget: Math.floor(budget * OWN_SHARE) },
  );
  const left = mine?.xml ? Math.max(0, budget - mine.tokens - JOINTS) : budget;
  const pick = await shared.selectAsync(
    { ...asked, active: active.filter((id) => shared.get(id)), ...(kept.shared ? { previous: kept.shared } : {}) },
    { ...options, budget: left, ...(maxSkills === undefined ? {} : { maxSkills: Math.max(0, maxSkills - (mine?.skills.length ?? 0)) }) },
  );
  if (conversation !== null) {
    const state = JSON.stringify({ shared: pick.state, ...(mine ? { own: mine.state } : {}) });
    if (state.length <= KEPT_STATE) await store.picked(conversation, state);
  }
  return c.json(joined(mine, pick, budget, active));
}

function joined(mine: Pick | null, pick: Pick, budget: number, active: string[]): object {
  const { xml, stable, turn, fingerprint, confident, skills, omitted, counts, policy, diagnostics } = pick;
  if (!mine) return { block: xml, stable, turn, tokens: pick.tokens, budget, fingerprint, confident, skills, omitted, counts, policy, active, diagnostics };
  const lines = (...parts: (string | undefined)[]): string => parts.filter((part) => part).join("\n");
  // With a stable part, all that is stable comes first.
  const split = stable === undefined ? {} : { stable: lines(mine.stable, stable), turn: lines(mine.turn, turn) };
  const block = stable === undefined ? lines(mine.xml, xml) : lines(split.stable, split.turn);
  const total: Record<string, number> = { ...counts };
  for (const [name, count] of Object.entries(mine.counts)) total[name] = (total[name] ?? 0) + count;
  return {
    block, ...split, tokens: estimateTokens(block), budget,
    fingerprint: `${mine.fingerprint}.${fingerprint}`,
    confident: mine.confident || confident,
    skills: [...mine.skills, ...skills],
    omitted: [...mine.omitted, ...omitted],
    counts: total,
    policy: bothPolicies(policy, mine.policy),
    active,
    diagnostics: [...mine.diagnostics, ...diagnostics],
  };
}
