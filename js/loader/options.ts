/** Options of {@link loadSkills}. */
export interface LoadSkillsOptions {
  /** Accept only files that keep to the Agent Skills specification. Default `false`. */
  strict?: boolean;
  /** Keep the bodies. `false` reads the head of each file only and prices the body by its size. Default `true`. */
  instructions?: boolean;
  /** `source` of every skill: `project`, `user`, `plugin:<id>`, … */
  source?: string;
  /** Called after each file. */
  onProgress?: (done: number, total: number) => void;
  /** How many folders below a root are looked into. Default 8. */
  depth?: number;
  /** Names of folders that are left out, besides hidden ones and {@link IGNORED_FOLDERS}. */
  ignore?: readonly string[];
  /** Look for more skills below a folder that is a skill. Default `false`: what is there are its samples and parts. */
  nested?: boolean;
  /** Whether links to folders outside the roots are followed. Default `false`. */
  outsideLinks?: boolean;
  /** Files read at once. Default 16. */
  concurrency?: number;
  /** The most skills. Default 100,000. */
  limit?: number;
  /** Stops the reading. */
  signal?: { readonly aborted: boolean; readonly reason?: unknown };
}

/** Folders that hold other people's code, builds, or an environment. */
export const IGNORED_FOLDERS: readonly string[] = [
  "node_modules",
  "bower_components",
  "__pycache__",
  "site-packages",
  "venv",
  "env",
  "virtualenv",
  "target",
  "dist-packages",
];

/** Hidden folders that hosts keep skills in. Other hidden folders are left out. */
export const SKILL_HOMES: readonly string[] = [".agents", ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".github", ".opencode", ".skills"];
