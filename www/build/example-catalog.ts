import { join } from "node:path";
import type { Plugin } from "vite";

const NAME = "virtual:example-catalog";
const folder = join(import.meta.dirname, "..", "..", "examples");

/** The skills of examples/catalog as a module with one JSON text, read by the package's own loader. */
export function exampleCatalog(): Plugin {
  return {
    name: "skillpick-example-catalog",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null;
      const loader = join(import.meta.dirname, "..", "..", "dist", "loader.js");
      const { loadSkills } = await import(/* @vite-ignore */ loader);
      const { skills } = await loadSkills(join(folder, "catalog"));
      const here = skills.map((skill: { location: string }) => ({ ...skill, location: skill.location.slice(folder.length + 1) }));
      return `export default ${JSON.stringify(JSON.stringify(here))};`;
    },
  };
}
