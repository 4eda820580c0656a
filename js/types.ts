/**
 * The public types of `skillpick`.
 *
 * Units: tokens are those of the counter in use (the built-in estimate, or the host's `countTokens`); scores are 0 to 1; times are
 * milliseconds since the epoch. Everything that the package returns is plain JSON, except `Catalog` and `Session` themselves.
 *
 * These types name nothing of the DOM or of Node, so that they check under any `lib`.
 */

// ── the platform, as far as the package needs it ─────────────────────────────────────────────────────────────

/** An `AbortSignal` of any platform. */
export interface AbortSignalLike {
  /** Whether the work is no longer wanted. */
  readonly aborted: boolean;
  /** What the aborted promise is rejected with. */
  readonly reason?: unknown;
  /** Calls `listener` when the signal is aborted. */
  addEventListener(type: "abort", listener: () => void): void;
  /** Takes the listener away again. */
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A `ReadableStream` of bytes of any platform. */
export interface ByteStreamLike {
  /** Locks the stream and returns what reads it. */
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<unknown>;
  };
}

/** A `WebAssembly.Module`, which this file can't name without the DOM's types. */
export type WasmModuleLike = object;

/** What {@link init} takes: a compiled module, or the bytes of `skillpick/skillpick.wasm`. */
export type WasmSource = WasmModuleLike | ArrayBuffer | Uint8Array;

// ── catalog ──────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * One skill of a catalog. Keys are accepted in camelCase, snake_case and kebab-case, and legacy keys are mapped; what
 * {@link Catalog.get} returns uses the names written here. Unknown keys are kept under `extra`.
 */
export interface Skill {
  /** Unique key in the catalog. Default: `name`. */
  id?: string;
  /** What the model calls the skill; the only field that a skill must have. */
  name: string;
  /** What the skill does, in a sentence or two. May be empty. */
  description?: string;
  /** When to use it, if that is not part of the description. */
  whenToUse?: string;
  /** Phrases that call for this skill when the user says them. */
  triggers?: string[];
  /** What it must not be used for; terms that occur only here give no credit. */
  notFor?: string[];
  /** The full body. Absent: it lives elsewhere and is fetched by `loadInstructions`. */
  instructions?: string;
  /** The price in tokens of an absent body. */
  instructionTokens?: number;
  /** `"rule"` for scoped project rules such as AGENTS.md, which never enter a listing. Default `"skill"`. */
  kind?: "skill" | "rule";
  /** For rules: the folder that they govern. */
  scope?: string;
  /** Globs; files of the conversation that match are evidence for the skill. */
  paths?: string[];
  /** The skill's folder, its file, or a URI. */
  location?: string;
  /** Where it comes from: `project`, `user`, `plugin:<id>`, `builtin`, … Decides which of two skills with one id wins. */
  source?: string;
  /** Files beside the skill, relative to its folder. */
  resources?: string[];
  /** Free labels, searched like the description. */
  tags?: string[];
  /** One label of a host's own grouping. */
  category?: string;
  /** The author's version of the skill. */
  version?: string;
  /** Higher comes first where nothing else decides. Default 0. */
  priority?: number;
  /** Licence, as the Agent Skills specification has it. */
  license?: string;
  /** Requirements on the host, as the Agent Skills specification has it. */
  compatibility?: string;
  /** The author's own data; never interpreted. */
  metadata?: Record<string, unknown>;
  /** `false`: nobody sees or loads it. Default `true`. */
  enabled?: boolean;
  /** `false`: the model neither sees nor loads it. Default `true`. */
  modelInvocable?: boolean;
  /** `false`: users can't start it. Default `true`. */
  userInvocable?: boolean;
  /** Tools that the skill pre-approves. Absent differs from empty. */
  allowedTools?: string[];
  /** Tools that become available with it. */
  tools?: string[];
  /** Policy hint: `restricted` asks for strict side effects, `open` for none. */
  permissionProfile?: "default" | "restricted" | "open" | (string & {});
  /** Policy hint: the host's mode where the request has none. */
  defaultMode?: string;
  /** Policy hint: run in the conversation or in one of its own. */
  executionContext?: "inline" | "fork";
  /** Policy hint: the model to run it with. */
  modelOverride?: string;
  /** Policy hint: the effort to run it with. */
  effortOverride?: string;
  /** Policy hint: how the host composes its prompt blocks. */
  promptBlockPolicy?: Record<string, unknown>;
  /** Names of declared arguments, in order. */
  arguments?: string[];
  /** Shown to users beside the skill's name. */
  argumentHint?: string;
  /** Example inputs; also evidence for relevance. */
  examples?: SkillExample[];
  /** Cases for `skillpick eval`. */
  evaluationCases?: EvaluationCase[];
  /** The skill's embedding, compared with {@link Context.vector}. */
  vector?: number[];
  /** Unknown keys, as they came. */
  extra?: Record<string, unknown>;
}

/** An example use of a skill. */
export interface SkillExample {
  /** A heading for people. */
  title?: string;
  /** What a user would write. */
  userInput: string;
  /** What a good answer looks like. */
  assistantOutput?: string;
  /** Remarks for people. */
  notes?: string;
}

/** A case that a skill should be picked for. */
export interface EvaluationCase {
  /** Unique within the skill. */
  caseId: string;
  /** A heading for people. */
  title?: string;
  /** What the user writes. */
  input: string;
  /** What should come of it. */
  expectedBehavior?: string;
  /** Tools that a good run uses. */
  requiredTools?: string[];
  /** Free labels. */
  tags?: string[];
}

/**
 * What a catalog is made from: JSON text, its UTF-8 bytes (the fastest way in), an array of skills, or an object that has one
 * under `skills`.
 */
export type CatalogSource =
  | string
  | Uint8Array
  | ArrayBuffer
  | readonly Skill[]
  | { readonly skills: readonly Skill[] };

/** Counts the tokens of a text; must give the same number for the same text. */
export type CountTokens = (text: string) => number;

/** Options of {@link Catalog.toBytes}. */
export interface SnapshotOptions {
  /** `false` leaves the bodies out; they still count for relevance, and `loadInstructions` supplies them. Default `true`. */
  instructions?: boolean;
}

/** A stream of bytes, as much of `ReadableStream<Uint8Array>` as is used of it. */
export interface ByteStream {
  /** Locks the stream and gives what reads it. */
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** Options of {@link Catalog.from}, {@link Catalog.fromBytes} and {@link Catalog.fromStream}. */
export interface CatalogOptions {
  /**
   * Precedence of `source`, strongest first. Default `["project", "user", "plugin", "builtin"]`. A snapshot has its own, which can
   * be named again but not changed.
   */
  scopes?: readonly string[];
  /** The host's own token counter, for every call on the catalog. Default: the built-in estimate. */
  countTokens?: CountTokens;
  /** Fetches a body that is not in the catalog; used by the async calls only. */
  loadInstructions?: (id: string, options: { signal?: AbortSignalLike }) => Promise<string>;
  /** Defaults for {@link SelectOptions} of every call on the catalog. */
  defaults?: SelectOptions;
}

/** What {@link Catalog.changed} answers. */
export interface CatalogChanges {
  /** Ids that only the newer catalog has. */
  added: string[];
  /** Ids that only the older catalog has. */
  removed: string[];
  /** Ids that both have, with different content. */
  changed: string[];
}

// ── selection ────────────────────────────────────────────────────────────────────────────────────────────────

/** What is known of the conversation. Everything is optional; with nothing, the documented prior order holds. */
export interface Context {
  /** The conversation, oldest first, in any provider's shape: `{ role, content }` with a string or parts. */
  messages?: readonly unknown[];
  /** Replaces what would be read from the messages. */
  query?: string;
  /** Paths in play, matched against `paths` of the skills. */
  files?: readonly string[];
  /** The user's language as a BCP 47 tag. */
  locale?: string;
  /** Ids of skills that are loaded already. */
  active?: readonly string[];
  /** How often, and when last, each skill was used. */
  usage?: Readonly<Record<string, { count: number; lastUsed?: number }>>;
  /** The present time, for the decay of usage; without it usage doesn't decay. */
  now?: number;
  /** The host's own relevance by id, 0 to 1, fused with ours. */
  scores?: Readonly<Record<string, number>>;
  /** The host's embedding of the request, compared with `vector` of the skills. */
  vector?: readonly number[];
  /** Tools that the host has. */
  tools?: readonly string[];
  /** The pick of the turn before, or its `state`: keeps the listing stable. */
  previous?: Pick | PickState;
}

/** How much a skill may be given: `off` nothing, `metadata` up to its description, `full` up to its body, `auto` bodies only on strong evidence. */
export type Mode = "off" | "metadata" | "full" | "auto";

/** The form of the block. The first three are XML. */
export type Format = "agentpool" | "agentskills" | "compact" | "two-layer" | "promethea";

/** How much of a skill the block shows, cheapest first. */
export type Detail = "name" | "summary" | "description" | "instructions";

/** Options of {@link Catalog.select}. */
export interface SelectOptions {
  /** Ceiling of detail. Default `"metadata"`. */
  mode?: Mode;
  /**
   * Tokens that the whole block may cost. Default 2000; `null` or `Infinity` is no limit, 0 gives the empty block; a negative
   * number, `NaN` or a string is an error. `{ window, share }` is that share (0 to 1) of a context window.
   */
  budget?: number | null | { window: number; share: number };
  /** Whose tokens the built-in estimate gives. Default `"o200k"`. */
  tokenizer?: "o200k" | "cl100k";
  /** Factor on the built-in estimate, for tokenizers without public tables. Default 1, at least 0.1, at most 10. */
  safety?: number;
  /** `placement: "split"`: the share of the budget that the stable part may take. Default 0.6. */
  stableShare?: number;
  /** What the host calls the tools that load, search and list skills. */
  toolNames?: { load?: string; search?: string; list?: string };
  /** The most that one description may cost. Default: no limit of its own. */
  maxDescriptionTokens?: number;
  /** Whether the location is printed. Default: as the format has it. */
  location?: boolean;
  /** Puts the bodies of active skills into the block. Default `false`: they are in the conversation. */
  activeBodies?: boolean;
  /** Globs on ids; the last match wins. */
  rules?: readonly { match: string; action: "allow" | "ask" | "deny" }[];
  /** Format `promethea` only: characters of the whole listing. */
  maxChars?: number;
  /** Format `promethea` only: characters of one description. */
  descriptionChars?: number;
  /** The most skills to list, names included. Default `null`: no limit. */
  maxSkills?: number | null;
  /** The form of the block. Default `"agentpool"`. */
  format?: Format;
  /** The order in the block. Default `"relevance"`. */
  order?: "relevance" | "name" | "catalog";
  /** `"split"` gives a stable part for the prompt cache and a part for this turn. Default `"single"`. */
  placement?: "single" | "split";
  /** Ids that come first, whatever the conversation says. */
  pinned?: readonly string[];
  /** Ids that must be shown; an error if they can't be. */
  required?: readonly string[];
  /** Ids that are left out. */
  exclude?: readonly string[];
  /** The host's own token counter, for this call. */
  countTokens?: CountTokens;
  /** The user's settings. */
  user?: UserConfig;
  /** On whose behalf. Default `"model"`. */
  actor?: "model" | "user";
}

/** A user's settings: `disabled` beats the `enabled` list, that beats `overrides`, those beat `plugins`. */
export interface UserConfig {
  /** The same settings, nested. */
  skills?: UserConfig;
  /** If present, only these are on. */
  enabled?: readonly string[];
  /** These are off. */
  disabled?: readonly string[];
  /** By id. */
  overrides?: Readonly<Record<string, { enabled?: boolean }>>;
  /** Legacy settings by plugin. */
  plugins?: Readonly<Record<string, { enabled?: boolean }>>;
  /** The id of the skill that the user switched on. */
  active?: string;
}

/** What {@link Catalog.select} answers. */
export interface Pick {
  /** The whole block; with `placement: "split"` it is `stable`, a line break, and `turn`. Empty if nothing is listed. */
  xml: string;
  /** `placement: "split"`: the part that doesn't depend on the conversation. */
  stable?: string;
  /** `placement: "split"`: the part that this turn adds. */
  turn?: string;
  /** Tokens of `xml`, by the counter in use; never more than `budget`. */
  tokens: number;
  /** The budget in tokens; `null` if there was no limit. */
  budget: number | null;
  /** Changes when the stable part of the block changes. */
  fingerprint: string;
  /** Whether some skill has evidence; if not, the prior order was used. */
  confident: boolean;
  /** The skills of the block, in its order. */
  skills: Picked[];
  /** The 100 best-ranked of those that were left out. */
  omitted: Omitted[];
  /** Skills of the whole catalog, counted by detail and by reason. */
  counts: Record<string, number>;
  /** How far the value of the choice can be from the optimum, 0 to 1. */
  gap: number;
  /** What the active skills ask of the host. */
  policy: ToolPolicy;
  /** What was odd about the request. */
  diagnostics: Diagnostic[];
  /** For `previous` of the next turn. */
  state: PickState;
}

/** A skill in the block. */
export interface Picked {
  /** The skill. */
  id: string;
  /** Its name. */
  name: string;
  /** How much of it is shown. */
  detail: Detail;
  /** What it costs in the block. */
  tokens: number;
  /** The next level of detail, and what it would cost there; absent at the highest that the mode allows. */
  next?: { detail: Detail; tokens: number };
  /** Its relevance, 0 to 1. */
  score: number;
  /** Whether it was pinned, required, or named by the user. */
  pinned: boolean;
  /** Why it was scored so, strongest first. */
  evidence: Evidence[];
}

/** One reason for a score. */
export interface Evidence {
  /** Where the term was found: `name`, `description`, `triggers`, `instructions`, `scores`, … */
  field: string;
  /** What was found. */
  term: string;
  /** Its part of the score. */
  weight: number;
}

/** Why a skill is not in the block. */
export type OmitReason =
  | "budget"
  | "limit"
  | "off"
  | "disabled"
  | "denied"
  | "hidden"
  | "excluded"
  | "shadowed"
  | "tools"
  | "rule"
  | "invalid";

/** A skill that is not in the block. */
export interface Omitted {
  /** The skill. */
  id: string;
  /** Why. */
  reason: OmitReason;
  /** Its relevance, if it was ranked. */
  score?: number;
  /** For shadowed and invalid entries: where the entry comes from. */
  source?: string;
  /** For shadowed and invalid entries: its location. */
  location?: string;
  /** For shadowed entries: the source of the winner. */
  by?: string;
  /** For shadowed and invalid entries: the place in the input. */
  index?: number;
}

/** The one state of a skill. */
export type SkillState = ({ state: "shown" } & Picked) | ({ state: "omitted" } & Omitted);

/** What the next turn needs to know of this one; plain JSON for the host to keep. */
export interface PickState {
  /** What was shown. */
  shown: { id: string; detail: Detail }[];
  /** Of the stable part. */
  fingerprint: string;
  [key: string]: unknown;
}

/** Options of {@link Catalog.search}. */
export interface SearchOptions {
  /** The most hits. Default 10. */
  limit?: number;
  /** The user's settings. */
  user?: UserConfig;
}

/** A hit of {@link Catalog.search}. */
export interface SearchHit {
  /** The skill. */
  id: string;
  /** Its name. */
  name: string;
  /** Its description. */
  description: string;
  /** Its relevance, 0 to 1. */
  score: number;
  /** Why. */
  evidence: Evidence[];
}

// ── loading and activation ───────────────────────────────────────────────────────────────────────────────────

/** Options of {@link Catalog.load}. */
export interface LoadOptions {
  /** Inserted into the body in one literal pass. */
  arguments?: string | readonly string[] | Readonly<Record<string, string>>;
  /** Who asks. Default `"model"`. */
  actor?: "model" | "user";
  /** The form of the wrapper. Default `"agentpool"`. */
  format?: Format | "skill-content";
  /** Cuts the text there and says so. Default: no limit. */
  maxTokens?: number;
  /** Characters of the body to leave out at its start: the `nextOffset` of the part before. Default 0. */
  offset?: number;
  /** The user's settings. */
  user?: UserConfig;
  /** The conversation; a body that is in it already gives a short note. */
  messages?: readonly unknown[];
  /** Gives the body even if it is in the conversation. Default `false`. */
  force?: boolean;
  /** Globs on ids; the last match wins. Default: those of the catalog's `defaults`. */
  rules?: SelectOptions["rules"];
  /** Ids that can't be loaded. Default: those of the catalog's `defaults`. */
  exclude?: readonly string[];
  /** Tools that the host has; a skill that brings other ones is not available. Default: not asked. */
  tools?: readonly string[];
  /** In a session: tools of the host, without those that skills brought; a skill that brings one of them is refused. */
  hostTools?: readonly string[];
}

/** What {@link Catalog.load} answers: the tool result, also when it failed. */
export type LoadResult =
  | {
      ok: true;
      /** The skill. */
      id: string;
      /** What was asked for, if it was spelled another way. */
      asked?: string;
      /** The tool result for the model. */
      text: string;
      /** Tokens of `text`. */
      tokens: number;
      /** Whether the body goes on behind this part. */
      truncated: boolean;
      /** The `offset` of the next part, if there is one. */
      nextOffset?: number;
      /** Tokens of the whole body in its wrapper. */
      totalTokens: number;
      /** Of the body. */
      hash: string;
      /** Tools that become available. */
      tools: string[];
      /** Files beside the skill. */
      resources: string[];
      /** The body is in the conversation already. */
      repeated?: boolean;
    }
  | {
      ok: false;
      /** What was asked for. */
      id: string;
      /** Why it failed, for the host: `unknown_skill`, `not_model_invocable`, `not_available`, … */
      code: string;
      /** The id that was meant, with `instructions_not_loaded`. */
      resolved?: string;
      /** Why it failed, for the model. */
      text: string;
      /** The nearest ids that can be loaded. */
      suggestions: string[];
    };

/** Skills that a conversation has loaded; see {@link Catalog.session}. */
export interface Session {
  /** Plain JSON for the host to keep. */
  readonly state: SessionState;
  /** Goes on with another catalog; drops what it no longer has as it was. */
  synchronize(catalog: import("./api.js").Catalog): Dropped;
  /** Stages a skill; it is active from the next boundary on. */
  load(id: string, options?: LoadOptions): LoadResult;
  /** As `load`, fetching a body that is not in the catalog. */
  loadAsync(id: string, options?: LoadOptions & { signal?: AbortSignalLike }): Promise<LoadResult>;
  /** The next model request is about to be made: staged skills become active. */
  boundary(options?: BoundaryOptions): Boundary;
  /** As `boundary`, fetching bodies of required skills that are not in the catalog. */
  boundaryAsync(options?: BoundaryOptions & { signal?: AbortSignalLike }): Promise<Boundary>;
  /** The rules that govern these paths, nearest last. */
  rules(paths: readonly string[], options?: { budget?: number | null }): Rules;
  /** Which rules these paths would newly reveal, and whether to defer the batch until the model has seen them. */
  enter(paths: readonly string[]): Entered;
  /** {@link Catalog.select} with the active skills of this session. */
  select(context?: Context, options?: SelectOptions): Pick;
  /** Which bodies to put back after a compaction, newest first. */
  reattach(options?: ReattachOptions): LoadResult[];
  /** A session on the same catalog with fresh activation. */
  copy(): Session;
}

/** Options of {@link Session.boundary}. */
export interface BoundaryOptions {
  /** Tools of the host, without those that skills brought. Default: as before. */
  hostTools?: readonly string[];
  /** Ids that have to be active; loaded now, and a failure throws `required_failed`. */
  required?: readonly string[];
}

/** What {@link Session.synchronize} dropped. */
export interface Dropped {
  /** Ids that are gone or no longer allowed. */
  removed: string[];
  /** Ids that stand for another entry now. */
  changed: string[];
}

/** Rules of folders, see {@link Session.rules}. */
export interface Rules {
  /** One element with the rules, the nearest last; empty for none. */
  xml: string;
  /** Their ids, in that order. */
  ids: string[];
  /** Tokens of `xml`. */
  tokens: number;
  /** Ids of rules that had no room. */
  omitted?: string[];
}

/** What {@link Session.enter} answers. */
export interface Entered {
  /** Ids of rules that govern the paths and that the model has not been shown as they are now. */
  reveals: string[];
  /** Whether to put the batch off until the model has seen them. */
  defer: boolean;
}

/** Options of {@link Session.reattach}. */
export interface ReattachOptions {
  /** Tokens of all bodies together. Default 25,000; `null` or `Infinity` is no limit. */
  budget?: number | null;
  /** Tokens of each body. Default 5,000. */
  perSkill?: number;
  /** The conversation as it is now: what it still holds is not put back. */
  messages?: readonly unknown[];
  /** The form of the wrapper. Default: that of the catalog's `defaults`, else `"agentpool"`. */
  format?: LoadOptions["format"];
}

/** A tool result of {@link Catalog.load}, read back by `decodeLoad`. */
export interface UnwrappedLoad {
  /** What the wrapper calls the skill. */
  name: string;
  /** The body, byte for byte. */
  body: string;
  /** Whether it is a part of the body. */
  partial: boolean;
}

/** What is active for a model request. */
export interface Boundary {
  /** Each active skill with its text and tools. */
  active: { id: string; text: string; tools: string[] }[];
  /** All tools that became available. */
  tools: string[];
}

/** The state of a {@link Session}. */
export interface SessionState {
  /** Of this form; another one is refused with `state_version`. */
  version: 1;
  /** Active skills in the order of their loading. */
  active: { id: string; hash: string; text: string; tools: string[]; turn: number; arguments?: string }[];
  /** Staged for the next boundary. */
  staged: string[];
  /** Boundaries so far. */
  turn: number;
  [key: string]: unknown;
}

// ── policy, tools, diagnostics ───────────────────────────────────────────────────────────────────────────────

/** What the active skills ask of the host; reported, never enforced. `null` means that none says anything. */
export interface ToolPolicy {
  /** Union of pre-approved tools. */
  allowedTools: string[] | null;
  /** `restricted` gives true, `open` false. */
  strictSideEffects: boolean | null;
  /** Where the request has none. */
  defaultMode: string | null;
  /** How to compose prompt blocks. */
  promptBlockPolicy: Record<string, unknown> | null;
  /** The model to use. */
  modelOverride: string | null;
  /** The effort to use. */
  effortOverride: string | null;
  /** Inline or fork. */
  executionContext: "inline" | "fork" | null;
  /** The same by skill. */
  bySkill: Record<string, { allowedTools: string[] | null }>;
  /** Where active skills differ, and the last one won. */
  diagnostics?: Diagnostic[];
}

/** What the host's request says already, for {@link Catalog.policy}. */
export interface PolicyRequest {
  /** The mode that was asked for; a skill's default fills it only if it is absent or blank. */
  mode?: string;
  /** Tools that are allowed already; they come first. */
  allowlist?: readonly string[];
  /** A policy on prompt blocks that is set already; a skill's applies only if there is none. */
  promptBlockPolicy?: Readonly<Record<string, unknown>>;
}

/** A tool for the model; `parameters` is JSON Schema in the subset that strict modes accept. */
export interface ToolDefinition {
  /** The tool's name. */
  name: string;
  /** What it does, for the model. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
}

/** Something that the author or the host should know; never thrown. */
export interface Diagnostic {
  /** Stable, for programs. */
  code: string;
  /** How bad it is. */
  severity: "error" | "warning" | "info";
  /** For people, with the place and the numbers. */
  message: string;
  /** The skill, if it is about one. */
  skill?: string;
  /** The place in the input, such as `skills[3].name`. */
  path?: string;
  /** The line of the file, from 1. */
  line?: number;
  /** The file. */
  file?: string;
}
