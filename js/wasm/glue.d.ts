/**
 * The boundary as src/wasm.rs exports it. wasm-bindgen writes the code behind it to target-wasm/skillpick/skillpick.js at build
 * time; this declaration is by hand, so that a change of the boundary shows up as a type error on this side.
 *
 * Every function throws a plain object `{ code, path?, message }`. Whatever else comes out is a trap.
 */
import type { Stepped } from "../session.js";
import type {
  Boundary,
  CatalogChanges,
  Diagnostic,
  Dropped,
  Entered,
  LoadResult,
  Pick, SearchHit,
  Rules,
  SessionState,
  Skill,
  SkillState,
  ToolDefinition,
  ToolPolicy,
  UnwrappedLoad,
} from "../types.js";

/** A value of JSON, as plain.ts makes it. */
type Plain = unknown;
type Count = (text: string) => number;

export class Handle {
  private constructor();
  static fromJson(catalog: Uint8Array, options: Plain): Handle;
  toBytes(instructions: boolean): Uint8Array<ArrayBuffer>;
  withSkills(catalog: Uint8Array): Handle;
  without(ids: string[]): Handle;
  merge(other: Handle): Handle;
  changed(newer: Handle): CatalogChanges;
  size(): number;
  ids(): string[];
  diagnostics(): Diagnostic[];
  get(id: string): Skill | undefined;
  select(context: Plain, options: Plain, countTokens?: Count): Pick;
  search(query: string, options: Plain): SearchHit[];
  report(pick: Plain): SkillState[];
  policy(active: string[], request: Plain, options: Plain): ToolPolicy;
  load(id: string, options: Plain, countTokens?: Count): LoadResult;
  resource(id: string, path: string, options: Plain): string;
  advise(tool: string, options: Plain): string | undefined;
  tools(options: Plain, countTokens?: Count): ToolDefinition[];
  sessionLoad(state: SessionState | undefined, id: string, options: Plain, countTokens?: Count): Stepped<LoadResult>;
  sessionBoundary(state: SessionState | undefined, options: Plain): Stepped<Boundary>;
  sessionSynchronize(state: SessionState | undefined, options: Plain): Stepped<Dropped>;
  sessionRules(state: SessionState | undefined, paths: string[], options: Plain, countTokens?: Count): Stepped<Rules>;
  sessionEnter(state: SessionState | undefined, paths: string[], options: Plain): Stepped<Entered>;
  reattach(state: SessionState | undefined, options: Plain, countTokens?: Count): Stepped<LoadResult[]>;
  free(): void;
}
/** A snapshot on its way into the instance's memory. */
export class Arriving {
  constructor(known?: number);
  push(piece: Uint8Array): void;
  /** Uses it up, also when it throws. */
  finish(options: Plain): Handle;
  free(): void;
}
export function decodeLoad(text: string): UnwrappedLoad | null | undefined;
export function estimateTokens(text: string): number;

/** Instantiates the module, unless there is an instance already; returns the exports of the present one. */
export function initSync(source?: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
/** Replaces the instance; handles of the old one are refused from then on. */
export function __wbg_reset_state(): void;
