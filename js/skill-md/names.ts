/** What a header key means: a field of `Skill`, and how its value is read. */
export type Reading = "name" | "prose" | "word" | "list" | "phrases" | "tools" | "flag" | "number" | "map" | "context" | "examples" | "cases";

/** A field that a header may set, and how. */
export interface Meaning {
  field: string;
  reading: Reading;
}

const meanings = new Map<string, Meaning>();

function means(field: string, reading: Reading, ...keys: string[]): void {
  for (const key of [field, ...keys]) meanings.set(fold(key), { field, reading });
}

// Keys of a file that must not decide are left out on purpose: `source`, `location`, `scope`, `kind` and `resources` come from
// where the file was found, and an author who could write `source: project` would choose his own rank.
means("id", "name", "skill_id");
means("name", "name", "skill_name", "名称", "名字", "名前", "이름", "nombre", "nom", "nome", "имя", "название");
means("description", "prose", "描述", "说明", "説明", "설명", "descripción", "descrição", "beschreibung", "описание", "açıklama");
means("whenToUse", "prose");
means("triggers", "phrases", "trigger_phrases");
means("notFor", "phrases", "do_not_use_for");
means("paths", "list", "globs");
means("tags", "list");
means("category", "word");
means("version", "word");
means("priority", "number");
means("license", "word", "licence");
means("compatibility", "word");
means("metadata", "map");
means("enabled", "flag");
means("disabled", "flag");
means("modelInvocable", "flag");
means("disableModelInvocation", "flag");
means("userInvocable", "flag", "用户可调用", "用户可调用性");
means("allowedTools", "tools", "tool_allowlist");
means("tools", "tools");
means("permissionProfile", "word");
means("defaultMode", "word");
means("executionContext", "context", "context");
means("modelOverride", "word", "model");
means("effortOverride", "word", "effort");
means("promptBlockPolicy", "map");
means("arguments", "list");
means("argumentHint", "prose");
means("examples", "examples");
means("evaluationCases", "cases");

/** Other hosts' keys that a person would recognise at the start of a header line, though they are no field of ours. */
const FAMILIAR = new Set(
  ("slug skill title summary tagline displayname shortdescription author homepage url repository repo source emoji icon " +
    "requires install dependencies env os lang language locale hooks agent mode role type keywords capabilities commands " +
    "options output config triggers readwhen primaryenv instructions scope kind id location date updated created lastupdated " +
    "maintainer owner website docs verification price baseurl apireference skillauthor tooltype primarytool")
    .split(" "),
);

/** Keys are compared without case, blanks, hyphens and underscores. */
export function fold(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, "");
}

/** The meaning of a key, if it has one. */
export function meaningOf(key: string): Meaning | undefined {
  return meanings.get(fold(key));
}

/** Whether a person would take this for a header key. */
export function isFamiliar(key: string): boolean {
  const folded = fold(key);
  return meanings.has(folded) || FAMILIAR.has(folded);
}

/** Keys in whose place another key may stand when it is missing, best first. */
export const STAND_INS = {
  description: ["summary", "tagline", "shortdescription", "desc", "about", "purpose", "简介", "摘要", "概要", "职责", "功能"],
  name: ["slug", "skill", "identifier", "displayname", "title"],
} as const;
