// The adapters with the SDKs that they are for: types of source and package, then real agents with scripted models. No network.
// node tests/adapters/run.mjs [NAME]...
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const here = import.meta.dirname;
const root = join(here, "..", "..");
const at = (...parts) => join(here, ...parts);
const work = at(".work");
const wanted = process.argv.slice(2);

/** npm writes what it installed to this file; it is older than the lock file after a change of that. */
const installed = at("node_modules", ".package-lock.json");
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(at("package-lock.json")).mtimeMs) {
  console.log("npm: installing the SDKs");
  execFileSync("npm", ["ci", "--ignore-scripts", "--loglevel=error"], { cwd: here, stdio: "inherit" });
  utimesSync(installed, new Date(), new Date());
}

/** The package as it is installed: a copy, so that its imports of SDKs are found from where it lies. */
function install(folder) {
  const target = join(folder, "node_modules", "skillpick");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const part of ["package.json", "dist"]) cpSync(join(root, part), join(target, part), { recursive: true });
  const command = join(folder, "node_modules", ".bin", "skillpick");
  mkdirSync(dirname(command), { recursive: true });
  rmSync(command, { force: true });
  symlinkSync(join("..", "skillpick", "dist", "cli.js"), command);
}

rmSync(work, { recursive: true, force: true });
install(here);
// The same tests again, in a folder where `ai` is AI SDK 6.
const six = join(work, "ai-6");
install(six);
symlinkSync(at("node_modules", "ai-6"), join(six, "node_modules", "ai"), "dir");
for (const file of ["catalog.mjs", "ai.test.mjs", "tsconfig.json"]) cpSync(at(file), join(six, file));
cpSync(at("types", "ai.ts"), join(six, "types", "ai.ts"));
cpSync(join(root, "js"), join(work, "js"), { recursive: true });

function types(name, folder, include, more = {}) {
  const config = join(folder, `tsconfig.${name}.json`);
  writeFileSync(config, JSON.stringify({ extends: at("tsconfig.json"), compilerOptions: more, include }));
  const { status, stdout } = spawnSync(process.execPath, [at("node_modules", "typescript", "bin", "tsc"), "-p", config], { encoding: "utf8" });
  if (status !== 0) {
    console.log(stdout);
    console.log(`the types of ${name} don't fit`);
    process.exit(1);
  }
  console.log(`types: ${name}`);
}

if (wanted.length === 0) {
  const paths = { "#glue": [join(work, "js/wasm/glue.d.ts")], skillpick: [join(work, "js/index.ts")], "skillpick/*": [join(work, "js/*.ts")] };
  types("source", work, ["js/adapters/*.ts", "js/wasm/*.d.ts"], { paths });
  types("package", at(), ["types/*.ts"]);
  types("package-ai-6", six, ["types/ai.ts"]);
}

const suites = readdirSync(here).filter((name) => name.endsWith(".test.mjs")).map((name) => at(name));
const files = [...suites, join(six, "ai.test.mjs")].filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
// Some SDKs need Node 22; the platform's own may be older.
const node = existsSync(at("node_modules/node-22/bin/node")) ? at("node_modules/node-22/bin/node") : process.execPath;
const { status } = spawnSync(node, ["--test", "--test-timeout=120000", "--test-reporter=spec", ...files], { stdio: "inherit", env: { ...process.env, SKILLPICK_SOURCE: root } });
process.exit(status ?? 1);
