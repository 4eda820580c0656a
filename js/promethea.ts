import type { Skill } from "./types.js";

/**
 * Promethea's record of a skill (its SkillSpec), with its defaults: category `general`, version `0.1.0`, mode `fast`, source
 * `official`.
 */
export function toPromethea(skill: Skill): Record<string, unknown> {
  const tools = [...(skill.allowedTools ?? [])];
  return {
    skill_id: skill.id ?? skill.name,
    name: skill.name,
    description: skill.description ?? "",
    when_to_use: skill.whenToUse ?? "",
    category: skill.category ?? "general",
    model_invocable: skill.modelInvocable ?? true,
    execution_context: skill.executionContext ?? "inline",
    system_instruction: skill.instructions ?? "",
    allowed_tools: tools,
    tool_allowlist: [...tools],
    model_override: skill.modelOverride ?? "",
    effort_override: skill.effortOverride ?? "",
    permission_profile: skill.permissionProfile ?? "default",
    prompt_block_policy: skill.promptBlockPolicy ?? {},
    default_mode: skill.defaultMode ?? "fast",
    examples: (skill.examples ?? []).map((example) => ({
      title: example.title ?? "",
      user_input: example.userInput,
      assistant_output: example.assistantOutput ?? "",
      notes: example.notes ?? null,
    })),
    evaluation_cases: (skill.evaluationCases ?? []).map((one) => ({
      case_id: one.caseId,
      title: one.title ?? "",
      input: one.input,
      expected_behavior: one.expectedBehavior ?? "",
      required_tools: one.requiredTools ?? [],
      tags: one.tags ?? [],
    })),
    version: skill.version ?? "0.1.0",
    enabled: skill.enabled ?? true,
    source: skill.source ?? "official",
  };
}
