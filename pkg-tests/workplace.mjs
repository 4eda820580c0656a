// The packed tarball, installed in an empty folder outside the repository, with the consumers beside it.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { run } from "./command.mjs";
import { collect } from "./data.mjs";

const here = import.meta.dirname;
const repository = join(here, "..");

/** Packs, installs, copies; gives the folder. */
export async function workplace() {
  const work = mkdtempSync(join(tmpdir(), "skillpick-package-"));
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", work], { cwd: repository });
  writeFileSync(join(work, "package.json"), JSON.stringify({ name: "consumers", private: true, type: "module" }));
  await run("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", join(work, stdout.trim())], { cwd: work });
  cpSync(join(here, "consumers"), work, { recursive: true });
  for (const file of ["check.mjs", "parse-xml.mjs"]) cpSync(join(here, file), join(work, file));
  const { loadSkills } = await import(join(work, "node_modules", "skillpick", "dist", "loader.js"));
  const data = await collect(loadSkills);
  writeFileSync(join(work, "data.mjs"), `export default JSON.parse(${JSON.stringify(JSON.stringify(data))});\n`);
  // The same for places that take no ESM.
  writeFileSync(join(work, "data.json"), JSON.stringify(data));
  await build({ entryPoints: [join(work, "check.mjs")], outfile: join(work, "check.cjs"), format: "cjs", logLevel: "silent" });
  return work;
}

/** Takes the folder away. */
export function leave(work) {
  rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
