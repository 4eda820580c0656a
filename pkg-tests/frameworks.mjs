// Frameworks and bundlers beyond a plain build: development servers, rendering on a server, Next, the conditions of `exports`.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { browsers, serve } from "./browsers.mjs";
import { resultOf, run } from "./command.mjs";

const require = createRequire(import.meta.url);
const tool = (...path) => join(import.meta.dirname, "node_modules", ...path);
const counted = (checks) => ({ passed: checks.filter(([, right]) => right).length, failures: checks.flatMap(([name, right]) => (right ? [] : [name])) });

/** Vite's development server, behind the one that takes the page's answer. */
export async function viteServer(work) {
  const { createServer } = await import("vite");
  const server = await serve(work);
  const proxy = { "/result": `http://127.0.0.1:${server.port}` };
  const vite = await createServer({ root: work, configFile: false, logLevel: "error", cacheDir: join(work, ".vite"), optimizeDeps: { entries: ["vite/index.html"] }, server: { port: 0, host: "127.0.0.1", proxy } });
  try {
    await vite.listen();
    const { port } = vite.httpServer.address();
    return await server.open((url, profile) => browsers.chromium(url, profile), "vite/", 90, `http://127.0.0.1:${port}`);
  } finally {
    server.close();
    await vite.close();
  }
}

export async function viteOnServer(work) {
  const folder = join(work, "ssr");
  await run(process.execPath, [tool("vite", "bin", "vite.js"), "build", "--ssr", "main.mjs", "--logLevel", "warn"], { cwd: folder });
  return resultOf(await run(process.execPath, ["dist/main.js"], { cwd: folder }));
}

/** One script as pages have had it before modules. */
export async function classicScript(work) {
  const folder = join(work, "classic");
  await require("esbuild").build({ absWorkingDir: folder, entryPoints: ["main.mjs"], outfile: "out.js", bundle: true, format: "iife", target: "es2020", logLevel: "silent" });
  const server = await serve(work);
  try {
    return await server.open(browsers.chromium, "classic/");
  } finally {
    server.close();
  }
}

/** Pages rendered on the server, with a part for the browser, and routes in both of Next's runtimes, without any configuration. */
export async function next(work) {
  // Its bundler follows no link out of the project, and takes a folder with another lock file above for the project.
  const folder = mkdtempSync(join(tmpdir(), "skillpick-next-"));
  cpSync(join(work, "next"), folder, { recursive: true });
  for (const name of needed(["next", "react", "react-dom"])) cpSync(tool(name), join(folder, "node_modules", name), { recursive: true });
  for (const name of ["skillpick", "yaml"]) cpSync(join(work, "node_modules", name), join(folder, "node_modules", name), { recursive: true });
  const env = { NEXT_TELEMETRY_DISABLED: "1", CI: "1", NODE_ENV: "production" };
  const command = join(folder, "node_modules", "next", "dist", "bin", "next");
  try {
    await run(process.execPath, [command, "build"], { cwd: folder, env, seconds: 300 });
    return await answers(folder, command, env);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Packages with all that they depend on, as far as it is installed. */
function needed(names) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name) || !existsSync(tool(name))) return;
    found.add(name);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(tool(name, "package.json"), "utf8"));
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) visit(one);
  };
  names.forEach(visit);
  return found;
}

async function answers(folder, command, env) {
  const child = spawn(process.execPath, [command, "start", "--port", "0", "--hostname", "127.0.0.1"], { cwd: folder, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  try {
    const base = await new Promise((resolve, reject) => {
      let output = "";
      const read = (chunk) => {
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec((output += chunk));
        if (found && /Ready/.test(output)) resolve(found[0]);
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.on("exit", (code) => reject(new Error(`next ended with ${code}\n${output}`)));
    });
    const checks = [];
    for (const [path, text] of [["", "ink-test"], ["", "pen-test"], ["api/node", "ink-test"], ["api/edge", "ink-test"]]) {
      const response = await fetch(`${base}/${path}`);
      const body = await response.text();
      checks.push([`/${path} answers ${response.status} without ${text}: ${body.slice(0, 300)}`, response.ok && body.includes(text)]);
    }
    return counted(checks);
  } finally {
    child.kill("SIGKILL");
  }
}

/** What each set of conditions resolves to, by esbuild's resolver; and the subpaths that have to be there. */
export async function conditions(work) {
  const folder = join(work, "node_modules", "skillpick");
  const resolved = async (conditions, kind) => {
    const { metafile } = await require("esbuild").build({
      stdin: { contents: kind === "require" ? 'require("skillpick")' : 'import "skillpick"; import * as all from "skillpick"; console.log(all)', resolveDir: work },
      bundle: true, write: false, metafile: true, format: "esm", conditions, external: ["*.wasm"], logLevel: "silent", platform: "neutral",
    });
    return Object.keys(metafile.inputs).map((input) => relative(join(folder, "dist"), join(process.cwd(), input))).find((input) => /^[a-z]+\.c?js$/.test(input));
  };
  const wanted = [
    [["workerd", "worker", "browser"], "workerd.js"],
    [["worker", "browser"], "index.js"],
    [["edge-light"], "index.js"],
    [["node"], "index.js"],
    [["node"], "index.cjs", "require"],
    [["bun", "node"], "index.js"],
    [["deno", "node"], "index.js"],
    [["react-native"], "index.js"],
  ];
  const checks = [];
  for (const [conditions, file, kind = "import"] of wanted) {
    const got = await resolved(conditions, kind);
    checks.push([`${kind} with ${conditions.join(", ")} gives ${got}, not ${file}`, got === file]);
  }
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const here = createRequire(join(work, "package.json"));
  for (const subpath of ["skillpick/package.json", "skillpick/skillpick.wasm"]) checks.push([`${subpath} is not there`, existsSync(here.resolve(subpath))]);
  const targets = JSON.stringify(manifest.exports).match(/\.\/[\w./-]+/g).filter((path) => /\.(js|cjs|wasm|d\.ts|d\.cts|json)$/.test(path));
  for (const path of new Set(targets)) if (path !== "./package.json" && !path.startsWith("./skillpick.wasm")) checks.push([`${path} is not in the tarball`, existsSync(join(folder, path))]);
  return counted(checks);
}
