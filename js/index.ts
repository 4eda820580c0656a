/**
 * `skillpick`: pick the agent skills that matter for a conversation within a token budget, and render them for the prompt.
 *
 * @packageDocumentation
 * @module skillpick
 */
export { Catalog } from "./api.js";
export { decodeLoad } from "./decode.js";
export { SkillpickError } from "./errors.js";
export type { SkillpickErrorDetails } from "./errors.js";
export { estimateTokens } from "./estimate.js";
export { toPromethea } from "./promethea.js";
export { resolveOptions, skillsInstructionProvider } from "./provider.js";
export { fillTemplate, placeBlock } from "./template.js";
export type * from "./types.js";
export { init, memoryBytes, reset } from "./wasm/instance.js";
