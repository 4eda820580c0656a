import type { Detail, Diagnostic, Evidence, Format, Mode, OmitReason, Pick, SelectOptions, Skill } from "skillpick";

/** One message of the conversation, as it is edited. */
export interface Turn {
  role: "user" | "assistant";
  text: string;
}

/** The options that the page offers. */
export interface Settings {
  budget: number;
  mode: Mode;
  format: Format;
  placement: NonNullable<SelectOptions["placement"]>;
  order: NonNullable<SelectOptions["order"]>;
  /** Whether each turn keeps to the choice of the one before. */
  sticky: boolean;
}

/** What a pick is asked for. */
export interface Question {
  turns: Turn[];
  files: string[];
  settings: Settings;
}

/** Where a catalog comes from. */
export type Source =
  | { kind: "example" }
  | { kind: "generated" }
  | { kind: "json"; text: string }
  | { kind: "files"; files: SourceFile[] };

export interface SourceFile {
  path: string;
  file: Blob;
}

/** What is known of a catalog once it is read. */
export interface CatalogInfo {
  kind: Source["kind"];
  /** Entries, the hidden ones included. */
  size: number;
  /** Ids that a model may see, by alphabet. */
  ids: string[];
  diagnostics: Diagnostic[];
  diagnosticCount: number;
  /** Dropped files that hold no skill. */
  ignored: number;
  ms: number;
}

/** A list that is cut by alphabet, in the same format and at the same budget. */
export interface Cut {
  text: string;
  tokens: number;
  ids: string[];
}

/** What an earlier message of the user brought along under `placement: "split"`; it stays in the conversation. */
export interface Given {
  /** The place of the message, from 1. */
  message: number;
  turn: string;
  skills: { id: string; detail: Detail }[];
}

export interface PickAnswer {
  pick: Pick;
  earlier: Given[];
  cut: Cut;
  /** Milliseconds of the one call of `select`. */
  ms: number;
}

/** A skill outside the block. */
export interface LeftOut {
  id: string;
  reason: OmitReason;
  score?: number;
}

/** One prompt of the conversation under one way of placing the block. */
export interface PromptShare {
  /** Tokens at the start that the prompt before began with, too. */
  kept: number;
  total: number;
}

/** How the prompts of all turns share their beginnings. */
export interface CacheTurn {
  text: string;
  fresh: PromptShare;
  sticky: PromptShare;
  split: PromptShare;
}

export interface Details {
  leftOut: LeftOut[];
  /** Of the same call of `select` once more, when nothing else was to do. */
  ms: number;
  cache: CacheTurn[];
}

export type SkillCard = Omit<Skill, "instructions"> & { instructionTokens: number };

/** Calls of the worker. */
export interface Calls {
  catalog(source: Source, question: Question): CatalogInfo;
  pick(question: Question): PickAnswer;
  /** `null` if a newer question has come meanwhile. */
  details(question: Question): Details | null;
  skill(id: string): SkillCard | null;
  json(): string;
}

export interface Failure {
  code: string;
  message: string;
  path?: string;
}

export type { Diagnostic, Evidence, Format, Mode, OmitReason, Pick };
