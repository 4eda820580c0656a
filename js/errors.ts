/** What {@link SkillpickError} can carry beside its code and message. */
export interface SkillpickErrorDetails {
  /** The place in the input, such as `skills[3].name`. */
  path?: string | undefined;
  /** What was thrown underneath. */
  cause?: unknown;
}

/**
 * The one error that the package throws. Switch on `code`, not on the class: a program may hold two copies of the package (one
 * loaded by `import`, one by `require`), and then `instanceof` tells them apart although nobody wants it to.
 */
export class SkillpickError extends Error {
  /** Stable, for programs; all codes are listed in the documentation. */
  readonly code: string;
  /** The place in the input, such as `skills[3].name`. */
  readonly path?: string;

  constructor(code: string, message: string, details: SkillpickErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.path !== undefined) this.path = details.path;
  }

  /** `"SkillpickError"`, also in minified bundles. */
  override get name(): string {
    return "SkillpickError";
  }
}
