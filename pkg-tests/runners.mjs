// Test runners, pages with a policy, service workers, single files: places where packages with wasm are known to break.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browsers, serve } from "./browsers.mjs";
import { resultOf, run } from "./command.mjs";

const require = createRequire(import.meta.url);
const tool = (...path) => join(import.meta.dirname, "node_modules", ...path);

const bundle = (folder, entry, outfile, more = {}) =>
  require("esbuild").build({ absWorkingDir: folder, entryPoints: [entry], outfile, bundle: true, format: "esm", logLevel: "silent", ...more });

/** The result of a test runner that ends with 0 only if all is well. */
const good = { passed: 1, failures: [] };

export async function jest(work, environment) {
  const args = [tool("jest", "bin", "jest.js"), "--rootDir", join(work, "jest"), `--env=${require.resolve(`jest-environment-${environment}`)}`, "--testMatch", "**/*.test.cjs", "--no-cache", "--ci"];
  await run(process.execPath, args, { cwd: join(work, "jest") });
  return good;
}

export async function vitest(work, environment) {
  const args = [tool("vitest", "vitest.mjs"), "run", "--root", join(work, "vitest"), "--globals", `--environment=${environment}`];
  await run(process.execPath, args, { cwd: join(work, "vitest"), env: { CI: "true" } });
  return good;
}

/** The runtimes' own test runners take the consumer that Vitest takes. */
export async function bunTest(work, bun) {
  await run(bun, ["test", "./basic.test.mjs", "--timeout", "120000"], { cwd: join(work, "vitest") });
  return good;
}

export async function denoTest(work, deno) {
  await run(deno, ["test", "--no-lock", "--no-check", "--no-prompt", "--node-modules-dir=manual", "--allow-read", "deno/basic.test.mjs"], { cwd: work, env: { DENO_NO_UPDATE_CHECK: "1" } });
  return good;
}

/** A policy without 'wasm-unsafe-eval' gives an error that names it; with it all works, and nothing else is needed. */
export async function policy(work, browser) {
  const folder = join(work, "csp");
  for (const page of ["blocked", "allowed"]) await bundle(folder, `${page}.mjs`, `out/${page}.js`);
  const server = await serve(work, (path) => ({
    "content-security-policy": `default-src 'self'; script-src 'self'${path.endsWith("allowed.html") ? " 'wasm-unsafe-eval'" : ""}`,
  }));
  try {
    const blocked = await server.open(browser, "csp/blocked.html");
    const allowed = await server.open(browser, "csp/allowed.html");
    return { ...allowed, passed: blocked.passed + allowed.passed, failures: [...blocked.failures, ...allowed.failures] };
  } finally {
    server.close();
  }
}

export async function serviceWorker(work) {
  await bundle(join(work, "service-worker"), "worker.mjs", "worker.js", { format: "iife" });
  const server = await serve(work);
  try {
    return await server.open(browsers.chromium, "service-worker/");
  } finally {
    server.close();
  }
}

export async function bunCompile(work, bun) {
  const folder = join(work, "single-file");
  await run(bun, ["build", "--compile", "main.mjs", "--outfile", "with-bun"], { cwd: folder });
  return resultOf(await run(join(folder, "with-bun"), [], { cwd: "/" }));
}

/** Deno puts the script into `denort`, which it fetches from its maker; elsewhere $DENORT_BIN says where it is. */
export async function denoCompile(work, deno) {
  const folder = join(work, "single-file");
  const env = { DENO_NO_UPDATE_CHECK: "1" };
  await run(deno, ["compile", "--no-lock", "--no-check", "--node-modules-dir=manual", "--output", "with-deno", "main.mjs"], { cwd: folder, env });
  return resultOf(await run(join(folder, "with-deno"), [], { cwd: "/" }));
}

/** One script without its package, moved to an empty folder: nothing may have been left behind. */
export async function movedBundle(work) {
  await bundle(join(work, "single-file"), "main.cjs", "moved.cjs", { format: "cjs", platform: "node" });
  const elsewhere = mkdtempSync(join(tmpdir(), "skillpick-moved-"));
  try {
    copyFileSync(join(work, "single-file", "moved.cjs"), join(elsewhere, "moved.cjs"));
    return resultOf(await run(process.execPath, ["moved.cjs"], { cwd: elsewhere }));
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
}

/** Node's single executable application: one script, put into a copy of the binary. */
export async function nodeExecutable(work, node) {
  const folder = join(work, "single-file");
  await bundle(folder, "main.cjs", "sea.cjs", { format: "cjs", platform: "node" });
  writeFileSync(join(folder, "sea.json"), JSON.stringify({ main: "sea.cjs", output: "sea.blob", disableExperimentalSEAWarning: true }));
  await run(node, ["--experimental-sea-config", "sea.json"], { cwd: folder });
  const binary = join(folder, "with-node");
  copyFileSync(node, binary);
  chmodSync(binary, 0o755);
  await run(process.execPath, [tool("postject", "dist", "cli.js"), binary, "NODE_SEA_BLOB", "sea.blob", "--sentinel-fuse", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"], { cwd: folder });
  mkdirSync(join(folder, "elsewhere"), { recursive: true });
  return resultOf(await run(binary, [], { cwd: join(folder, "elsewhere") }));
}
