import { SkillpickError } from "./errors.js";
import { messageOf } from "./inputs.js";
import type { CountTokens } from "./types.js";

/** The host's counter, checked; what went wrong in it is kept beside, since the core only learns that something did. */
export function guard(count: CountTokens): { count: CountTokens; readonly failure: SkillpickError | undefined } {
  if (typeof count !== "function") {
    throw new SkillpickError("invalid_option", "countTokens is no function", { path: "options.countTokens" });
  }
  let failure: SkillpickError | undefined;
  return {
    count(text) {
      const tokens = attempt(() => count(text));
      if (typeof tokens === "number" && Number.isFinite(tokens) && tokens >= 0) return Math.ceil(tokens);
      failure = new SkillpickError("count_failed", `countTokens has to answer a number of at least 0, not ${messageOf(tokens)}`, {
        path: "options.countTokens",
      });
      throw failure;
    },
    get failure() {
      return failure;
    },
  };

  function attempt(work: () => number): number {
    try {
      return work();
    } catch (cause) {
      failure = new SkillpickError("count_failed", `countTokens has thrown: ${messageOf(cause)}`, { path: "options.countTokens", cause });
      throw failure;
    }
  }
}
