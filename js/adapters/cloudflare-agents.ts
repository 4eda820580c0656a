/** `skillpick/cloudflare-agents`: skills for Cloudflare's Agents SDK, whose agents speak to models through the AI SDK. @packageDocumentation */
import { type ContextConfig } from "agents/context";
import { type SkillDiagnostic, type SkillSource, formatSkillDiagnostic, loadSkillCatalog } from "agents/skills";
import { Catalog, type CatalogOptions, type Diagnostic, type Skill } from "skillpick";
import { Conversations, type SkillOptions } from "./conversation.js";

export { type AiOptions, type AiSkills, type LoadTool, type SkillOptions, skills } from "skillpick/ai";

/** What {@link fromSources} gives. */
export interface FromSources {
  /** All skills of the sources that a model may use. */
  catalog: Catalog;
  /** What was odd about the sources and about the catalog. */
  diagnostics: Diagnostic[];
  /** The same catalog as the SDK has it: for `previous` of the next call, and to read files of skills. */
  skills: SkillCatalog;
}

type SkillCatalog = Awaited<ReturnType<typeof loadSkillCatalog>>;

/**
 * A catalog of the SDK's skill sources: an R2 bucket, a Workspace, a manifest. The first source that has a name wins. A source that
 * can't be read is a diagnostic; with `previous`, the skills that it had stay.
 */
export async function fromSources(sources: readonly SkillSource[], options: CatalogOptions & { previous?: SkillCatalog } = {}): Promise<FromSources> {
  const { previous, ...rest } = options;
  const skills = await loadSkillCatalog(sources, previous && { previous });
  const catalog = Catalog.from(skills.skills.map(asSkill), rest);
  return { catalog, diagnostics: [...skills.diagnostics.map(asDiagnostic), ...catalog.diagnostics], skills };
}

function asSkill({ skill, resources, location, sourceId }: SkillCatalog["skills"][number]): Skill {
  const { name, description, license, compatibility, metadata, allowedTools, extraFields, body } = skill;
  // Keys that the specification doesn't have, such as `when_to_use`, are for us to read; what a skill is and where it lies is for the source to say.
  const { id: _id, kind: _kind, scope: _scope, location: _location, ...more } = extraFields;
  return {
    ...more,
    name,
    description,
    instructions: body,
    metadata,
    source: sourceId,
    resources: resources.map(({ path }) => path),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowedTools.length > 0 && { allowedTools: [...allowedTools] }),
    ...(location !== undefined && { location }),
  };
}

function asDiagnostic(diagnostic: SkillDiagnostic): Diagnostic {
  const severity = diagnostic._tag === "InvalidSkill" || diagnostic._tag === "SourceFailed" ? "error" : "warning";
  return { code: "skill_source", severity, message: formatSkillDiagnostic(diagnostic) };
}

/** The stable part as a block of `ContextBlocks`, for hosts that assemble their prompt so; what a turn adds is not in it. */
export function contextBlock(catalog: Catalog, { label = "skills", ...options }: SkillOptions & { label?: string } = {}): ContextConfig {
  const conversations = new Conversations(catalog, options);
  const get = async (): Promise<string | null> => conversations.prompt({ messages: [], users: [], results: [] }).stable || null;
  return { label, description: "Skills that can be loaded", provider: { get } };
}
