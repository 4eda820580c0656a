/**
 * The boundary as src/wasm.rs exports it. wasm-bindgen writes the code behind it to target-wasm/skillpick/skillpick.js at build
 * time; this declaration is by hand, so that a change of the boundary shows up as a type error on this side.
 *
 * Every function throws a plain object `{ code, path?, message }`. Whatever else comes out is a trap.
 */
import type { LoadResult, Pick, SearchHit, Skill, SkillState, ToolDefinition, ToolPolicy, Diagnostic } from "../types.js";

type Plain = unknown;
type Count = (text: string) => number;

export class Handle {
  private constructor();
  static fromJson(catalog: Uint8Array, options: Plain): Handle;
  static fromBytes(snapshot: Uint8Array, options: Plain): Handle;
  select(context: Plain, options: Plain, countTokens?: Count): Pick;
  search(query: string, options: Plain): SearchHit[];
  get(id: string): Skill | null | undefined;
  ids(): string[];
  size(): number;
  diagnostics(): Diagnostic[];
  report(pick: Plain): SkillState[];
  load(id: string, options: Plain, countTokens?: Count): LoadResult;
  tools(options: Plain): ToolDefinition[];
  policy(active: Plain, request: Plain): ToolPolicy;
  toBytes(options: Plain): Uint8Array;
  free(): void;
}
export function estimateTokens(text: string): number;

/** Instantiates the module, unless there is an instance already; returns the exports of the present one. */
export function initSync(source?: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
/** Replaces the instance; handles of the old one are refused from then on. */
export function __wbg_reset_state(): void;
