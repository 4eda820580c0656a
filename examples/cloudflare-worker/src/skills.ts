import type { Context } from "hono";
import { toPromethea, type Catalog, type LoadResult, type Skill, type UserConfig } from "skillpick";
import { instructionsOf } from "./catalog.js";
import { ApiError, asErrorCode } from "./errors.js";
import type { App } from "./index.js";
import { ActivateRequest, InstallRequest, LoadRequest, SearchRequest } from "./openapi.js";
import { ownSkill } from "./own.js";
import { readBody, validator } from "./request.js";
import { QUOTA } from "./user-state.js";
import { view, type View } from "./view.js";

const loading = validator(LoadRequest);
const searching = validator(SearchRequest);
const installing = validator(InstallRequest);
const activating = validator(ActivateRequest);
const BODY = 128 << 10;

type LoadBody = { skill_id: string; arguments?: string | string[]; conversation_id?: string; format?: "agentpool"; max_tokens?: number; offset?: number; actor?: "model" | "user" };

/** POST /api/skills/load */
export async function load(c: Context<App>): Promise<Response> {
  const { skill_id: id, conversation_id: conversation, max_tokens: maxTokens, ...rest } = await readBody<LoadBody>(c.req.raw, loading, BODY);
  const { own, shared, user, store } = await view(c);
  const options = { ...rest, user, ...(maxTokens === undefined ? {} : { maxTokens }) };
  const mine = own.load(id, options);
  const result = mine.ok || mine.code !== "unknown_skill" ? mine : await shared.loadAsync(id, options);
  if (!result.ok) throw refused(result, mine);
  if (conversation !== undefined) await store.loaded(conversation, result.id);
  const { text, tokens, truncated, hash, tools, resources, asked } = result;
  const policy = (mine.ok ? own : shared).policy([result.id], { allowlist: [] });
  return c.json({ skill_id: result.id, asked, text, tokens, truncated, next_offset: result.nextOffset, total_tokens: result.totalTokens, hash, tools, resources, policy });
}

function refused(result: LoadResult & { ok: false }, mine: LoadResult): ApiError {
  const suggestions = [...(mine.ok ? [] : mine.suggestions), ...result.suggestions];
  return new ApiError(asErrorCode(result.code), result.text, { suggestions: [...new Set(suggestions)].slice(0, 5) });
}

/** POST /api/skills/search */
export async function search(c: Context<App>): Promise<Response> {
  const { query, limit = 10 } = await readBody<{ query: string; limit?: number }>(c.req.raw, searching, BODY);
  const { own, shared, user } = await view(c);
  const hits = [...own.search(query, { limit, user }), ...shared.search(query, { limit, user })];
  hits.sort((one, other) => other.score - one.score);
  return c.json({ hits: hits.slice(0, limit).map(({ id, ...hit }) => ({ skill_id: id, ...hit })) });
}

/** GET /api/skills/catalog */
export async function catalog(c: Context<App>): Promise<Response> {
  const number = (name: string, otherwise: number, most: number): number => {
    const given = c.req.query(name) ?? String(otherwise);
    if (!/^\d{1,7}$/.test(given) || Number(given) > most) throw new ApiError("invalid_request", `a whole number up to ${most} is needed`, { path: name });
    return Number(given);
  };
  const [offset, limit] = [number("offset", 0, 1_000_000), Math.max(1, number("limit", 100, 500))];
  const { own, shared, user } = await view(c);
  const [mine, theirs] = [own.ids(), shared.ids()];
  const total = mine.length + theirs.length;
  const skills = [...mine, ...theirs].slice(offset, offset + limit).map((id, at) => listed((offset + at < mine.length ? own : shared).get(id) as Skill, user));
  return c.json({ skills, total, next: offset + limit < total ? offset + limit : null });
}

/** GET /api/skills/{skill_id} */
export async function detail(c: Context<App>): Promise<Response> {
  const { skill, user } = find(await view(c), c.req.param("id") ?? "");
  return c.json(await detailed(c, skill, user));
}

/** POST /api/skills/install */
export async function install(c: Context<App>): Promise<Response> {
  const body = await readBody<{ skill_id: string } | { skill: Record<string, unknown> }>(c.req.raw, installing, BODY);
  const seen = await view(c);
  if ("skill_id" in body) {
    const { skill, owner } = find(seen, body.skill_id);
    if (skill.enabled === false) throw new ApiError("not_available", "the skill is switched off for everybody");
    if (owner === seen.shared) await seen.store.switch(body.skill_id, true);
    return c.json({ skill: await detailed(c, skill, {}) }, 201);
  }
  const record = ownSkill(body.skill);
  const outcome = seen.shared.get(record.id) ? "exists" : await seen.store.add(record.id, JSON.stringify(record));
  if (outcome === "exists") throw new ApiError("skill_exists", "there is a skill with this id", { path: "skill.skill_id" });
  if (outcome === "quota") throw new ApiError("quota_exceeded", `a user may have ${QUOTA.skills} skills of ${QUOTA.bytes} bytes together`);
  return c.json({ skill: await detailed(c, record, {}) }, 201);
}

/** DELETE /api/skills/{skill_id} */
export async function remove(c: Context<App>): Promise<Response> {
  const seen = await view(c);
  const id = c.req.param("id") ?? "";
  const { owner } = find(seen, id);
  if (owner === seen.own) await seen.store.remove(id);
  else await seen.store.switch(id, false);
  return c.json({ skill_id: id, removed: owner === seen.own ? "deleted" : "disabled" });
}

/** POST /api/skills/activate */
export async function activate(c: Context<App>): Promise<Response> {
  const { skill_id: id, mode, allowlist = [] } = await readBody<{ skill_id: string | null; mode?: string; allowlist?: string[] }>(c.req.raw, activating, BODY);
  const seen = await view(c);
  const { skill, owner } = id === null ? { skill: null, owner: seen.shared } : find(seen, id);
  if (skill && !effective(skill, seen.user)) throw new ApiError("not_available", "the skill is switched off");
  if (skill?.userInvocable === false) throw new ApiError("not_user_invocable", "users can't start this skill");
  await seen.store.activate(id);
  const policy = owner.policy(id === null ? [] : [id], { allowlist, ...(mode === undefined ? {} : { mode }) });
  return c.json({ active: id, policy });
}

function find({ own, shared, user }: View, id: string): { skill: Skill; owner: Catalog; user: UserConfig } {
  for (const owner of [own, shared]) {
    const skill = owner.get(id);
    if (skill) return { skill, owner, user };
  }
  throw new ApiError("unknown_skill", "there is no such skill");
}

/** Enabled for this user: by Promethea's order, what is disabled first. */
function effective(skill: Skill, user: UserConfig): boolean {
  return skill.enabled !== false && !user.disabled?.includes(skill.id ?? skill.name);
}

function listed(skill: Skill, user: UserConfig): Record<string, unknown> {
  const { system_instruction: _body, examples: _examples, evaluation_cases: _cases, ...record } = toPromethea(skill);
  const on = effective(skill, user);
  return { ...record, effective: on, visible: on && skill.modelInvocable !== false };
}

async function detailed(c: Context<App>, skill: Skill, user: UserConfig): Promise<Record<string, unknown>> {
  const { examples, evaluation_cases } = toPromethea(skill);
  return { ...listed(skill, user), system_instruction: await instructionsOf(c.env, skill), examples, evaluation_cases };
}
