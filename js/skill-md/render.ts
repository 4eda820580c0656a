import type { Skill } from "../types.js";
import { isNull } from "./value.js";

const ORDER = [
  ["id", "id"],
  ["name", "name"],
  ["description", "description"],
  ["whenToUse", "when_to_use"],
  ["triggers", "triggers"],
  ["notFor", "not_for"],
  ["paths", "paths"],
  ["tags", "tags"],
  ["category", "category"],
  ["version", "version"],
  ["priority", "priority"],
  ["license", "license"],
  ["compatibility", "compatibility"],
  ["allowedTools", "allowed-tools"],
  ["tools", "tools"],
  ["permissionProfile", "permission_profile"],
  ["defaultMode", "default_mode"],
  ["executionContext", "context"],
  ["modelOverride", "model"],
  ["effortOverride", "effort"],
  ["promptBlockPolicy", "prompt_block_policy"],
  ["arguments", "arguments"],
  ["argumentHint", "argument-hint"],
  ["examples", "examples"],
  ["evaluationCases", "evaluation_cases"],
  ["metadata", "metadata"],
] as const satisfies readonly (readonly [keyof Skill, string])[];

/**
 * Writes a skill as a SKILL.md that every YAML reader takes. `parseSkill` of it gives the skill again; what a file can't say of
 * itself (`location`, `source`, `scope`, `kind`, `resources`, `vector`, `instructionTokens`) is left out.
 */
export function renderSkill(skill: Skill): string {
  const lines: string[] = [];
  for (const [field, key] of ORDER) {
    // Without a description, an empty one keeps the reader from taking the first paragraph for it.
    const value = field === "description" ? (skill[field] ?? "") : skill[field];
    if (value !== undefined) lines.push(`${key}: ${written(value)}`);
  }
  if (skill.enabled === false) lines.push("enabled: false");
  if (skill.modelInvocable === false) lines.push("disable-model-invocation: true");
  if (skill.userInvocable === false) lines.push("user-invocable: false");
  for (const [key, value] of Object.entries(skill.extra ?? {})) lines.push(`${plain(key) ? key : JSON.stringify(key)}: ${written(value)}`);
  return `---\n${lines.join("\n")}\n---\n${skill.instructions ?? ""}`;
}

function written(value: unknown): string {
  return typeof value === "string" && plain(value) ? value : JSON.stringify(value);
}

/** Whether a text means itself in YAML without quotes, to every reader. */
function plain(text: string): boolean {
  if (!/^[\p{L}][^\n\t\r"\\[\]{}]*$/u.test(text) || text.endsWith(" ") || text.endsWith(":")) return false;
  if (text.includes(": ") || text.includes(" #") || isNull(text) || text.startsWith("---")) return false;
  return !/^(true|false|yes|no|on|off|y|n)$/i.test(text);
}
