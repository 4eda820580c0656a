import { SkillpickError } from "./errors.js";
import { text } from "./inputs.js";

/**
 * Puts a block into a prompt of the host's own, in the place of its one placeholder. Nothing else is read: braces, `$` and the
 * like stay, in the template and in the block.
 *
 * @param placeholder Default `{{skills}}`.
 * @throws SkillpickError `template_placeholder` if the placeholder isn't there exactly once
 */
export function fillTemplate(template: string, block: string, placeholder = "{{skills}}"): string {
  const parts = text(template, "template").split(text(placeholder, "placeholder"));
  const [before, after] = parts;
  if (placeholder === "" || parts.length !== 2 || before === undefined || after === undefined) {
    const message = `the template has ${JSON.stringify(placeholder)} ${parts.length - 1} times, it has to have it once`;
    throw new SkillpickError("template_placeholder", message, { path: "template" });
  }
  return before + text(block, "block") + after;
}
