/** `skillpick/vite`: a folder of skills as the module `virtual:skillpick/catalog`, for Vite 6 and newer. @packageDocumentation */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { SkillpickError } from "skillpick";
import { type LoadSkillsOptions, loadSkills } from "skillpick/loader";
import type { Plugin } from "vite";

/** Options of {@link skillpick}: those of `loadSkills`, and the folders. */
export interface VitePluginOptions extends Omit<LoadSkillsOptions, "onProgress" | "signal"> {
  /** Folders of skills, from the project's root. Default `"skills"`. */
  folders?: string | readonly string[];
}

const ID = "virtual:skillpick/catalog";

/** The plugin. The module's default export is the list of skills for `Catalog.from`; it is made anew when a file in the folders changes. */
export function skillpick(options: VitePluginOptions = {}): Plugin {
  const { folders = "skills", ...load } = options;
  let root = "";
  const places = (): string[] => [folders].flat().map((folder) => resolve(root, folder));
  const isOurs = (file: string): boolean => places().some((place) => file === place || !/^\.\.|^\//.test(relative(place, file).replaceAll("\\", "/")));
  const fromRoot = (path: string): string => relative(root, path).replaceAll("\\", "/");

  return {
    name: "skillpick",
    configResolved(config) {
      root = config.root;
    },
    configureServer(server) {
      // They may lie outside of the root, which is watched already.
      server.watcher.add(places());
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return undefined;
      const { skills, diagnostics } = await loadSkills(places(), load);
      for (const { severity, message, file, line } of diagnostics) {
        const text = `${file === undefined ? "" : `${fromRoot(file)}:${line ?? 1}: `}${message}`;
        if (severity === "error" && load.strict) throw new SkillpickError("invalid_skill", text);
        if (severity !== "info") this.warn(text);
      }
      // The model is not to see, and a bundle not to tell, where the project lies on this machine.
      const listed = skills.map((skill) => ({ ...skill, ...(skill.location !== undefined && { location: fromRoot(skill.location) }) }));
      for (const { location = "" } of listed) {
        for (const file of ["SKILL.md", "AGENTS.md"]) if (existsSync(resolve(root, location, file))) this.addWatchFile(resolve(root, location, file));
      }
      // Text that is parsed once is quicker than a literal of this size.
      return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(listed))});`, map: null };
    },
    hotUpdate({ file, modules }) {
      if (!isOurs(file)) return undefined;
      const ours = this.environment.moduleGraph.getModuleById(`\0${ID}`);
      return ours ? [...modules, ours] : undefined;
    },
  };
}
