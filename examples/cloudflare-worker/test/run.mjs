// Installs, builds the catalog, checks types and runs the tests in workerd. `make worker-test`.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

const here = join(import.meta.dirname, "..");
const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: here, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};
const lock = join(here, "package-lock.json");
const installed = join(here, "node_modules", ".package-lock.json");
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) run("npm", "ci", "--no-audit", "--no-fund");
if (process.argv.includes("--install")) process.exit(0);
run("node", "scripts/catalog.mjs");
run(join("node_modules", ".bin", "tsc"), "-p", ".");
run("node", "--test", "--test-reporter=spec", "test/worker.test.mjs");
