import { text as string } from "./inputs.js";
import { enter } from "./wasm/instance.js";

/** Tokens of a text by the built-in estimate for o200k, rounded up. */
export function estimateTokens(text: string): number {
  const checked = string(text, "text");
  return enter((boundary) => boundary.estimateTokens(checked));
}
