import { SkillpickError } from "../errors.js";

/** Compiles bytes, at once; says what to do where the platform refuses. */
export function compileBytes(bytes: BufferSource): WebAssembly.Module {
  if (typeof WebAssembly === "undefined") {
    throw new SkillpickError("wasm_unsupported", "this platform has no WebAssembly");
  }
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw refusal(cause);
  }
}

/** Names the reason why a platform did not compile or instantiate the module. */
export function refusal(cause: unknown): SkillpickError {
  const text = cause instanceof Error || typeof cause === "object" ? String((cause as Error).message) : String(cause);
  if (/embedder/i.test(text)) {
    return new SkillpickError(
      "wasm_bytes_blocked",
      "this platform compiles no WebAssembly from bytes: build with the export condition `workerd`, or import " +
        "`skillpick/skillpick.wasm` as a module and pass it to init()",
      { cause },
    );
  }
  if (/content.security|\bcsp\b|unsafe-eval|wasm-eval|refused to/i.test(text)) {
    return new SkillpickError(
      "csp_blocked",
      "the page's Content-Security-Policy blocks WebAssembly: add 'wasm-unsafe-eval' to its script-src directive",
      { cause },
    );
  }
  return new SkillpickError("wasm_failed", `the WebAssembly module can't be used: ${text}`, { cause });
}
