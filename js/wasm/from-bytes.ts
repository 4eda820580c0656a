import { deflated, size } from "#inlined";
import { inflateSync } from "fflate/browser";
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

/** The platform's own decoder where there is one that answers at once: Node, Deno and Bun have one, browsers none. */
interface Platform {
  process?: { getBuiltinModule?(name: "node:zlib"): { inflateRawSync(bytes: Uint8Array): Uint8Array<ArrayBuffer> } | undefined };
}

function inflate(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  try {
    const zlib = (globalThis as Platform).process?.getBuiltinModule?.("node:zlib");
    if (zlib) return zlib.inflateRawSync(bytes);
  } catch {
    // Next's edge runtime has a `process` of which every use throws.
  }
  return inflateSync(bytes, { out: new Uint8Array(size) });
}

/** Compiles the inlined bytes, at once. */
export function compile(): WebAssembly.Module {
  return compileBytes(inflate(decodeBase64(deflated)));
}
