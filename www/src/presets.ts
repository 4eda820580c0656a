import first from "../../examples/catalog/conversation.json";
import others from "../../examples/catalog/conversations.json";
import type { Settings, Turn } from "./engine/protocol.js";

/** A conversation to try, with the skills that a person would want for it. */
export interface Preset {
  title: string;
  turns: Turn[];
  files: string[];
  needs: string[];
}

interface Written {
  title?: string;
  messages: { role: string; content: string | { text: string }[] }[];
  files?: string[];
}

/** Written by hand, not taken from the ranking. */
const NEEDS: Record<string, string[]> = {
  "Papers by Friday": ["pdf-forms", "spreadsheet-cleanup"],
  "Slow page, slow query": ["sql-tuning"],
  "Dienstreise abrechnen": ["reisekosten"],
  周五之前: ["周报撰写"],
  会議のあと: ["議事録作成"],
  "¿Qué cenamos?": ["recetas-de-temporada"],
  "Red build, green build": ["flaky-tests"],
};

export const presets: Preset[] = [{ ...first, title: "Papers by Friday" }, ...others].map((written: Written) => ({
  title: written.title ?? "",
  turns: written.messages.map(({ role, content }) => ({
    role: role === "assistant" ? "assistant" : "user",
    text: typeof content === "string" ? content : content.map(({ text }) => text).join("\n"),
  })),
  files: written.files ?? [],
  needs: NEEDS[written.title ?? ""] ?? [],
}));

export const defaults: Settings = { budget: 400, mode: "metadata", format: "agentpool", placement: "single", order: "relevance", sticky: false };

export const BUDGET = { least: 0, most: 16_000 };
