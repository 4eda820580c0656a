import { text as string } from "./inputs.js";
import type { UnwrappedLoad } from "./types.js";
import { enter } from "./wasm/instance.js";

/**
 * Reads a tool result of {@link Catalog.load} back, in whichever format: the body byte for byte, with arguments where they were
 * inserted. `null` for any other text.
 */
export function decodeLoad(text: string): UnwrappedLoad | null {
  const checked = string(text, "text");
  return enter((boundary) => boundary.decodeLoad(checked)) ?? null;
}
