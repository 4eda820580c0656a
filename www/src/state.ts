import type { CatalogInfo, Question, Settings, Turn } from "./engine/protocol.js";
import { defaults, presets } from "./presets.js";

/** Everything that the page shows follows from this and the worker's answers. */
export interface State {
  catalog: CatalogInfo | undefined;
  turns: Turn[];
  files: string;
  settings: Settings;
  /** The place of the example that the conversation still is, or -1. */
  preset: number;
}

export function startState(): State {
  const [first] = presets;
  return { catalog: undefined, turns: first?.turns.map((turn) => ({ ...turn })) ?? [], files: first?.files.join(", ") ?? "", settings: { ...defaults }, preset: 0 };
}

export function questionOf({ turns, files, settings }: State): Question {
  return {
    turns: turns.filter(({ text }) => text.trim() !== "").map((turn) => ({ ...turn })),
    files: files.split(",").map((file) => file.trim()).filter((file) => file !== ""),
    settings: { ...settings },
  };
}

/** What a person would want for the example, as far as the catalog has it; nothing for other conversations. */
export function needsOf({ preset, catalog }: State): string[] {
  const known = new Set(catalog?.ids);
  return (presets[preset]?.needs ?? []).filter((id) => known.has(id));
}
