import * as glue from "#glue";
import { compile } from "#module";
import { SkillpickError } from "../errors.js";
import type { WasmSource } from "../types.js";
import { compileBytes, refusal } from "./compile.js";

/** The one instance: made inside the first call, replaced after a trap. */
let started = false;
/** Counts instances, so that a catalog knows whether its memory is still there. */
let generation = 0;
/** Calls into the instance that have not returned; more than one when a host's counter calls the package again. */
let depth = 0;
/** After a trap the instance's memory can't be trusted. */
let broken = false;
/** Handles to free when no call is running any more. */
const released: glue.Handle[] = [];

/**
 * Prepares the package before its first use. Never needed: the first call does the same. Calling it twice is harmless, and after a
 * failure it can be tried again.
 *
 * @param source A compiled `WebAssembly.Module` or the bytes of `skillpick/skillpick.wasm`. Default: the copy in the package.
 * @throws SkillpickError `csp_blocked`, `wasm_bytes_blocked`, `wasm_unsupported`, `wasm_failed`
 */
export function init(source?: WasmSource): void {
  if (started) return;
  const module = source === undefined ? compile() : moduleOf(source);
  try {
    glue.initSync({ module });
  } catch (cause) {
    throw refusal(cause);
  }
  started = true;
}

function moduleOf(source: WasmSource): WebAssembly.Module {
  const bytes = ArrayBuffer.isView(source) || Object.prototype.toString.call(source) === "[object ArrayBuffer]";
  return bytes ? compileBytes(source as BufferSource) : (source as WebAssembly.Module);
}

/**
 * Drops the instance and its memory, which otherwise only grows, and starts a new one. Catalogs made before answer every call with
 * `stale_catalog`.
 *
 * @throws SkillpickError `busy` inside a `countTokens` callback
 */
export function reset(): void {
  if (depth > 0) throw new SkillpickError("busy", "reset() was called inside a countTokens callback");
  if (started) replace();
}

function replace(): void {
  generation++;
  released.length = 0;
  glue.__wbg_reset_state();
  broken = false;
}

/** The number of the present instance. @internal */
export function currentGeneration(): number {
  return generation;
}

/** Bytes of memory that the instance holds; 0 before the first call. It never shrinks, see {@link reset}. */
export function memoryBytes(): number {
  return started ? glue.initSync().memory.buffer.byteLength : 0;
}

/** Runs `work` on the instance; everything that it throws becomes a {@link SkillpickError}. @internal */
export function enter<T>(work: (boundary: typeof glue) => T): T {
  init();
  if (broken && depth === 0) replace();
  if (broken) throw new SkillpickError("internal_error", "a call inside this one has failed; nothing works until it returns");
  depth++;
  try {
    return work(glue);
  } catch (thrown) {
    throw typed(thrown);
  } finally {
    depth--;
    if (depth === 0) settle();
  }
}

function typed(thrown: unknown): unknown {
  if (thrown instanceof SkillpickError) return thrown;
  if (isRefusal(thrown)) {
    const { code, message, path, cause } = thrown;
    return new SkillpickError(code, message, { path, ...(cause === undefined ? {} : { cause }) });
  }
  broken = true;
  return new SkillpickError(
    "internal_error",
    "the core has failed, which is a fault of the package; its instance was replaced, and catalogs have to be made again",
    { cause: thrown },
  );
}

/** What src/wasm.rs throws on purpose. */
function isRefusal(thrown: unknown): thrown is { code: string; message: string; path?: string; cause?: unknown } {
  return typeof thrown === "object" && thrown !== null && !(thrown instanceof Error) && "code" in thrown && "message" in thrown;
}

function settle(): void {
  if (broken) return replace();
  for (const handle of released.splice(0)) handle.free();
}

/** Frees a handle now, or as soon as no call is running. @internal */
export function release(handle: glue.Handle, born: number): void {
  if (born !== generation) return;
  if (depth > 0) released.push(handle);
  else handle.free();
}
