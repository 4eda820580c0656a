/**
 * `skillpick/lint`: what an author should mend in a set of skills before a model sees it.
 */
import { Catalog, estimateTokens } from "skillpick";
import { findHidden } from "./lint/hidden.js";
import { findImitations } from "./lint/imitation.js";
import { findSimilar } from "./lint/similar.js";
import { saysWhen } from "./lint/trigger.js";
import { nameFault } from "./skill-md/strict.js";
import type { CountTokens, Diagnostic, Skill } from "./types.js";

export type { CountTokens, Diagnostic, Skill } from "./types.js";

/** Options of {@link lintSkills}. */
export interface LintOptions {
  /** Budget in tokens that the listing will have; skills that can't be shown with it are reported. Default: not checked. */
  budget?: number;
  /** Descriptions that share this much of their word pairs are near-duplicates, 0 to 1. Default 0.7. */
  similarity?: number;
  /** A description that costs more tokens is reported. Default 250. */
  descriptionTokens?: number;
  /** A body that costs more tokens is reported. Default 5000, what the specification recommends. */
  bodyTokens?: number;
  /** The host's own counter. Default: the built-in estimate. */
  countTokens?: CountTokens;
}

/** All codes that {@link lintSkills} gives, with what they mean. */
export const LINT_CODES = {
  name_invalid: "the name breaks the Agent Skills specification",
  name_differs_from_folder: "the name is not the folder's",
  description_missing: "there is no description",
  description_too_long: "the description is longer than 1,024 characters",
  compatibility_invalid: "`compatibility` is longer than 500 characters",
  hidden_text: "there are characters that a person does not see",
  imitates_host: "the text has tags with which hosts talk to the model",
  near_duplicate_description: "two descriptions say nearly the same",
  no_trigger: "the description does not say when to use the skill",
  costly_description: "the description is expensive",
  costly_body: "the body is expensive",
  never_shown: "the budget is too small to show the skill at all",
  never_described: "the budget is too small for the description",
  never_invocable: "neither the model nor a user may start the skill",
} as const;

/** Looks at every skill, and at all of them together. The result is in the order of the skills. */
export function lintSkills(skills: readonly Skill[], options: LintOptions = {}): Diagnostic[] {
  const found: Diagnostic[] = [];
  skills.forEach((skill, index) => {
    if (skill.kind === "rule") {
      checkTexts(new Notes(skill, index, found), skill);
      return;
    }
    const notes = new Notes(skill, index, found);
    checkSpecification(notes, skill);
    checkTexts(notes, skill);
    checkUse(notes, skill);
    checkCost(notes, skill, options);
    if (options.budget !== undefined) checkBudget(notes, skill, options.budget, options.countTokens);
  });
  checkDuplicates(skills, options.similarity ?? 0.7, found);
  const place = (one: Diagnostic) => Number(/^skills\[(\d+)\]/.exec(one.path ?? "")?.[1]);
  return found.sort((a, b) => place(a) - place(b));
}

/** Reports about one skill. */
class Notes {
  constructor(
    private readonly skill: Skill,
    private readonly index: number,
    private readonly found: Diagnostic[],
  ) {}

  add(severity: Diagnostic["severity"], code: keyof typeof LINT_CODES, field: string, message: string): void {
    this.found.push({
      code,
      severity,
      message,
      skill: this.skill.id ?? this.skill.name,
      path: `skills[${this.index}].${field}`,
      ...(this.skill.location === undefined ? {} : { file: this.skill.location }),
    });
  }
}

function checkSpecification(notes: Notes, skill: Skill): void {
  const folder = skill.location?.split(/[\\/]/).filter((part) => part !== "" && !/^skill\.md$/i.test(part)).at(-1);
  const fault = nameFault(skill.name, folder);
  if (fault !== null) notes.add("info", fault.code as "name_invalid", "name", fault.message);
  const length = [...(skill.description ?? "").trim()].length;
  if (length === 0) notes.add("error", "description_missing", "description", "There is no description: the model can't tell when to use the skill.");
  if (length > 1024) notes.add("warning", "description_too_long", "description", `The description has ${length} characters; the specification allows 1,024, and some hosts refuse more.`);
  const compatibility = [...(skill.compatibility ?? "")].length;
  if (compatibility > 500) notes.add("warning", "compatibility_invalid", "compatibility", `\`compatibility\` has ${compatibility} characters; the specification allows 500.`);
}

function checkTexts(notes: Notes, skill: Skill): void {
  const texts: [string, string | undefined, boolean][] = [
    ["name", skill.name, true],
    ["description", skill.description, true],
    ["whenToUse", skill.whenToUse, true],
    ["instructions", skill.instructions, false],
  ];
  for (const [field, text, isListed] of texts) {
    if (text === undefined) continue;
    for (const hidden of findHidden(text)) {
      const what = { tags: `text in invisible tag characters: "${hidden.decoded}"`, bidi: `direction controls (${hidden.decoded}) that can show another text than the model reads`, invisible: `invisible characters (${hidden.decoded})` };
      const severity = hidden.kind === "tags" || (hidden.kind === "bidi" && isListed) ? "error" : "warning";
      notes.add(severity, "hidden_text", field, `\`${field}\` has ${hidden.count} hidden characters: ${what[hidden.kind]}. Remove them.`);
    }
    const imitations = findImitations(text, isListed);
    if (imitations.length > 0) {
      notes.add(isListed ? "error" : "warning", "imitates_host", field, `\`${field}\` imitates the host with ${imitations.map((one) => `\`${one}\``).join(", ")}. Write it without angle brackets.`);
    }
  }
}

function checkUse(notes: Notes, skill: Skill): void {
  if (skill.modelInvocable === false && skill.userInvocable === false) {
    notes.add("info", "never_invocable", "userInvocable", "Neither the model nor a user may start this skill.");
  }
  const description = (skill.description ?? "").trim();
  const isTold = (skill.whenToUse ?? "") !== "" || (skill.triggers ?? []).length > 0 || saysWhen(description);
  if (description !== "" && !isTold) {
    notes.add("warning", "no_trigger", "description", "The description says what the skill does, not when to use it. Add a sentence such as \"Use when …\" with the user's words.");
  }
}

function checkCost(notes: Notes, skill: Skill, options: LintOptions): void {
  const count = options.countTokens ?? estimateTokens;
  const description = count(`${skill.description ?? ""} ${skill.whenToUse ?? ""}`.trim());
  const limit = options.descriptionTokens ?? 250;
  if (description > limit) notes.add("warning", "costly_description", "description", `The description costs ${description} tokens in every request that lists it; ${limit} should do.`);
  const body = skill.instructions === undefined ? (skill.instructionTokens ?? 0) : count(skill.instructions);
  const bodyLimit = options.bodyTokens ?? 5000;
  if (body > bodyLimit) notes.add("warning", "costly_body", "instructions", `The body costs ${body} tokens whenever it is loaded; more than ${bodyLimit} belong into files beside it.`);
}

/** What the budget does to a skill that has it for itself: with others beside it, it can only be less. */
function checkBudget(notes: Notes, skill: Skill, budget: number, countTokens: CountTokens | undefined): void {
  if (skill.enabled === false || skill.modelInvocable === false) return;
  const catalog = Catalog.from([{ ...skill, instructions: "" }]);
  try {
    const pick = catalog.select({}, { budget, ...(countTokens === undefined ? {} : { countTokens }) });
    const detail = pick.skills[0]?.detail;
    if (detail === undefined) notes.add("error", "never_shown", "name", `A budget of ${budget} tokens can't show this skill, even alone.`);
    else if (detail !== "description" && (skill.description ?? "") !== "") {
      notes.add("warning", "never_described", "description", `A budget of ${budget} tokens can't show the whole description, even alone.`);
    }
  } finally {
    catalog.dispose();
  }
}

function checkDuplicates(skills: readonly Skill[], threshold: number, found: Diagnostic[]): void {
  const texts = skills.map((skill) => (skill.kind === "rule" ? "" : `${skill.description ?? ""} ${skill.whenToUse ?? ""}`));
  for (const { first, second, similarity } of findSimilar(texts, threshold)) {
    const [one, other] = [skills[first] as Skill, skills[second] as Skill];
    if ((one.id ?? one.name) === (other.id ?? other.name)) continue;
    const share = Math.round(similarity * 100);
    new Notes(other, second, found).add("warning", "near_duplicate_description", "description", `The description is ${share} % the same as that of \`${one.id ?? one.name}\`: the model can't tell them apart. Say what sets this one apart.`);
  }
}
