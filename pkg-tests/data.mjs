import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

const repository = join(import.meta.dirname, "..");
const folder = join(repository, "tests", "vectors");
const read = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));
const json = (path) => readdirSync(path).filter((name) => name.endsWith(".json"));

/**
 * What check.mjs works on: the vectors, the catalogs that they name, and the example catalog for the sweep of budgets.
 * Files of other kinds that lie among the vectors (their cases have no `context`) are left to the native tests.
 */
export async function collect(loadSkills) {
  const files = json(folder).map((name) => [basename(name, ".json"), read(folder, name)]);
  const vectors = Object.fromEntries(files.filter(([, cases]) => Array.isArray(cases) && cases[0]?.context));
  const catalogs = Object.fromEntries(json(join(folder, "catalogs")).map((name) => [`catalogs/${name}`, read(folder, "catalogs", name)]));
  const { skills } = await loadSkills(join(repository, "examples", "catalog"));
  const context = read(repository, "examples", "catalog", "conversation.json");
  return { vectors, catalogs, sweep: { catalog: skills, context } };
}
