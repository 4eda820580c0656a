import { base64 } from "#inlined";
import { compileBytes } from "./compile.js";

/** The value of each base64 character, by its code. */
const SEXTETS = new Uint8Array(128);
for (let i = 0; i < 64; i++) {
  SEXTETS["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(i)] = i;
}

/** A plain loop: `Uint8Array.from(atob(text), f)` takes twenty times as long. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let to = 0;
  for (let from = 0; from < text.length; from += 4) {
    const group =
      (SEXTETS[text.charCodeAt(from)]! << 18) |
      (SEXTETS[text.charCodeAt(from + 1)]! << 12) |
      (SEXTETS[text.charCodeAt(from + 2) & 127]! << 6) |
      SEXTETS[text.charCodeAt(from + 3) & 127]!;
    // Writes past the end, where padding stood, are ignored by typed arrays.
    bytes[to++] = group >> 16;
    bytes[to++] = group >> 8;
    bytes[to++] = group;
  }
  return bytes;
}

/** Compiles the inlined bytes, at once. */
export function compile(): WebAssembly.Module {
  return compileBytes(decodeBase64(base64));
}
