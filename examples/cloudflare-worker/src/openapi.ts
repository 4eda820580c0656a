// The description of the interface. Requests are validated against the same schemas that /openapi.json shows.
import { ERRORS } from "./errors.js";

type Schema = Record<string, unknown>;
const text = (maxLength?: number): Schema => ({ type: "string", ...(maxLength === undefined ? {} : { maxLength }) });
const list = (items: Schema, maxItems?: number): Schema => ({ type: "array", items, ...(maxItems === undefined ? {} : { maxItems }) });
const whole = (minimum: number, maximum: number): Schema => ({ type: "integer", minimum, maximum });
const oneOf = (...values: string[]): Schema => ({ type: "string", enum: values });
const flag: Schema = { type: "boolean" };
const number: Schema = { type: "number" };
const any: Schema = { type: "object" };
const orNull = (type: string): Schema => ({ type: [type, "null"] });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** An object with exactly these members; those whose names end in `?` may be absent. */
const shape = (members: Record<string, Schema>): Schema => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace("?", ""), schema])),
  required: Object.keys(members).filter((name) => !name.endsWith("?")),
  additionalProperties: false,
});

const id = { type: "string", minLength: 1, maxLength: 256 };
const conversation = { type: "string", pattern: "^[A-Za-z0-9._:-]{1,100}$" };
const format = oneOf("agentpool", "agentskills", "compact", "two-layer", "promethea");

export const PromptRequest = shape({
  "conversation_id?": conversation,
  "messages?": list(any, 1000),
  "query?": text(20_000),
  "files?": list(text(1000), 200),
  "tools?": list(text(200), 500),
  "budget?": whole(0, 200_000),
  "mode?": oneOf("off", "metadata", "full", "auto"),
  "format?": format,
  "placement?": oneOf("single", "split"),
  "order?": oneOf("relevance", "name", "catalog"),
  "max_skills?": whole(0, 100_000),
});
export const LoadRequest = shape({
  skill_id: id,
  "arguments?": { anyOf: [text(20_000), list(text(20_000), 50)] },
  "conversation_id?": conversation,
  "format?": format,
  "max_tokens?": whole(1, 1_000_000),
  "offset?": whole(0, 100_000_000),
  "actor?": oneOf("model", "user"),
});
export const SearchRequest = shape({ query: text(20_000), "limit?": whole(1, 100) });
const example = shape({ "title?": text(200), user_input: text(4000), "assistant_output?": text(8000), "notes?": { type: ["string", "null"], maxLength: 2000 } });
const evaluationCase = shape({ case_id: text(200), "title?": text(200), input: text(4000), "expected_behavior?": text(4000), "required_tools?": list(text(128), 50), "tags?": list(text(64), 50) });
const OwnSkill = shape({
  skill_id: { type: "string", pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" },
  name: { type: "string", minLength: 1, maxLength: 64 },
  "description?": text(1024),
  "when_to_use?": text(1024),
  "category?": text(64),
  "version?": text(32),
  "model_invocable?": flag,
  "execution_context?": oneOf("inline", "fork"),
  "system_instruction?": text(32_768),
  "allowed_tools?": list(text(128), 64),
  "model_override?": text(128),
  "effort_override?": text(32),
  "permission_profile?": oneOf("default", "restricted", "open"),
  "default_mode?": text(32),
  "examples?": list(example, 20),
  "evaluation_cases?": list(evaluationCase, 50),
});
export const InstallRequest = { oneOf: [shape({ skill_id: id }), shape({ skill: OwnSkill })] };
export const ActivateRequest = shape({ skill_id: { anyOf: [id, { type: "null" }] }, "mode?": text(64), "allowlist?": list(text(128), 500) });

const record = {
  skill_id: text(), name: text(), description: text(), when_to_use: text(), category: text(), model_invocable: flag,
  execution_context: oneOf("inline", "fork"), allowed_tools: list(text()), tool_allowlist: list(text()), model_override: text(),
  effort_override: text(), permission_profile: text(), prompt_block_policy: any, default_mode: text(), version: text(), enabled: flag,
  source: text(), effective: flag, visible: flag,
};
const schemas: Record<string, Schema> = {
  Error: shape({ error: shape({ code: oneOf(...Object.keys(ERRORS)), message: text(), "path?": text(), "suggestions?": list(text()) }) }),
  Policy: shape({ allowedTools: { type: ["array", "null"], items: text() }, strictSideEffects: orNull("boolean"), defaultMode: orNull("string"), promptBlockPolicy: orNull("object"), modelOverride: orNull("string"), effortOverride: orNull("string"), executionContext: orNull("string"), bySkill: any, "diagnostics?": list(any) }),
  Prompt: shape({ block: text(), "stable?": text(), "turn?": text(), tokens: number, budget: number, fingerprint: text(), confident: flag, skills: list(any), omitted: list(any), counts: any, policy: ref("Policy"), active: list(text()), diagnostics: list(any) }),
  Loaded: shape({ skill_id: text(), "asked?": text(), text: text(), tokens: number, truncated: flag, "next_offset?": number, total_tokens: number, hash: text(), tools: list(text()), resources: list(text()), policy: ref("Policy") }),
  Hits: shape({ hits: list(shape({ skill_id: text(), name: text(), description: text(), score: number, evidence: list(any) })) }),
  Skill: shape(record),
  SkillDetail: shape({ ...record, system_instruction: text(), examples: list(any), evaluation_cases: list(any) }),
  Catalog: shape({ skills: list(ref("Skill")), total: number, next: orNull("integer") }),
  Settings: shape({ disabled: list(text()), overrides: any, active: orNull("string") }),
  Installed: shape({ skill: ref("SkillDetail") }),
  Activated: shape({ active: orNull("string"), policy: ref("Policy") }),
  Removed: shape({ skill_id: text(), removed: oneOf("deleted", "disabled") }),
};

const reply = (name: string, status = 200): Schema => ({ responses: { [status]: { description: name, content: json(ref(name)) }, default: { description: "An error with a code", content: json(ref("Error")) } } });
const json = (schema: Schema): Schema => ({ "application/json": { schema } });
const post = (summary: string, request: Schema, name: string, status?: number): Schema => ({ post: { summary, requestBody: { required: true, content: json(request) }, ...reply(name, status) } });
const inPath = { name: "skill_id", in: "path", required: true, schema: text() };

export const openapi = {
  openapi: "3.1.0",
  info: { title: "skillpick at the edge", version: "0.1.0" },
  security: [{ key: [] }],
  paths: {
    "/api/prompt": post("The block for the prompt, the state of every skill in it, and what active skills ask for", PromptRequest, "Prompt"),
    "/api/skills/load": post("The instructions of a skill, as the result of the tool skill.run", LoadRequest, "Loaded"),
    "/api/skills/search": post("Skills by words", SearchRequest, "Hits"),
    "/api/skills/catalog": { get: { summary: "The skills that this user may have", parameters: [{ name: "offset", in: "query", schema: whole(0, 1_000_000) }, { name: "limit", in: "query", schema: whole(1, 500) }], ...reply("Catalog") } },
    "/api/skills/{skill_id}": {
      get: { summary: "One skill with instructions, examples and cases", parameters: [inPath], ...reply("SkillDetail") },
      delete: { summary: "Delete a skill of one's own, or switch one of the catalog off", parameters: [inPath], ...reply("Removed") },
    },
    "/api/skills/install": post("Add a skill of one's own, or switch one of the catalog on", InstallRequest, "Installed", 201),
    "/api/skills/activate": post("Make a skill the active one; null for none", ActivateRequest, "Activated"),
  },
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" } }, schemas },
};
