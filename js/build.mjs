// Builds dist/ from js/ and the wasm in target-wasm/skillpick/: ESM and CJS by esbuild, types by tsc.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { deflateRawSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import ts from "typescript";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const built = at("target-wasm", "skillpick");
process.chdir(root);

/** Entries that people import; each is one file in each module system. */
const LIBRARY = ["index", "skill-md", "loader", "lint"];

/** Entries for other people's SDKs, which are neither bundled nor needed here. */
const ADAPTERS = ["ai", "cloudflare-agents", "langchain", "mastra", "mcp", "openai-agents", "vite"].map((name) => `adapters/${name}`);

/** A module that holds the wasm, deflated: half of the text that its bytes would be. */
function inlined(wasm) {
  return `export const size = ${wasm.length}, deflated = "${deflateRawSync(wasm, { level: 9 }).toString("base64")}";`;
}

/** Puts the pieces in place that only exist after the Rust side was built, and picks how the entry gets its module. */
function boundary(module) {
  return {
    name: "boundary",
    setup(build) {
      build.onResolve({ filter: /^#glue$/ }, () => ({ path: join(built, "skillpick.js"), namespace: "glue" }));
      build.onLoad({ filter: /.*/, namespace: "glue" }, async ({ path }) => {
        const { code } = await transform(readFileSync(path, "utf8"), { minifyIdentifiers: true });
        return { contents: code };
      });
      build.onResolve({ filter: /^#module$/ }, () => ({ path: at("js", "wasm", `${module}.ts`) }));
      build.onResolve({ filter: /^#inlined$/ }, () => ({ path: "inlined", namespace: "inlined" }));
      build.onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /.*/, namespace: "inlined" }, () => ({
        contents: inlined(readFileSync(join(built, "skillpick.wasm"))),
      }));
    },
  };
}

const common = {
  bundle: true,
  platform: "neutral",
  target: "es2022",
  mainFields: ["module", "main"],
  // Entries find each other, and the copy of the core, through the package's own name.
  external: ["skillpick", "skillpick/*", "yaml", "node:*"],
  legalComments: "none",
  // Names stay, so that the stack of an error can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
};

/** Parts of several entries, each a file of its own. */
const SHARED = ["skill-md/reading", "adapters/conversation"];

/** Makes an entry import the shared parts instead of having a copy. */
function shared(entry, suffix) {
  return {
    name: "shared",
    setup(build) {
      build.onResolve({ filter: /\/(reading|conversation)\.js$/ }, ({ path, resolveDir }) => {
        const part = relative(at("js"), join(resolveDir, path)).replace(/\.js$/, "");
        if (part === entry || !SHARED.includes(part)) return undefined;
        const file = relative(dirname(entry), part);
        return { path: `${file.startsWith(".") ? "" : "./"}${file}${suffix}`, external: true };
      });
    },
  };
}

async function bundle(entry, { format = "esm", module = "from-bytes", ...more } = {}) {
  const suffix = format === "cjs" ? ".cjs" : ".js";
  const { warnings } = await build({
    ...common,
    entryPoints: [at("js", `${entry}.ts`)],
    outfile: at("dist", `${entry}${suffix}`),
    format,
    inject: [at("js", "wasm", "text-codec.ts")],
    plugins: [boundary(module), shared(entry, suffix)],
    ...more,
  });
  if (warnings.length > 0) throw new Error(`esbuild warns about js/${entry}.ts`);
}

/** Declarations of the adapters, file by file: the SDKs whose types they name are not here. tests/adapters checks them with those. */
function declareAdapters() {
  const compilerOptions = { ...ts.readConfigFile("tsconfig.json", ts.sys.readFile).config.compilerOptions, isolatedDeclarations: true };
  const { options, errors } = ts.convertCompilerOptionsFromJson(compilerOptions, root);
  mkdirSync("dist/adapters", { recursive: true });
  for (const name of readdirSync("js/adapters")) {
    const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(join("js/adapters", name), "utf8"), { fileName: name, compilerOptions: options });
    const [problem] = [...errors, ...(diagnostics ?? [])];
    if (problem) throw new Error(`js/adapters/${name}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`);
    writeFileSync(join("dist/adapters", name.replace(/\.ts$/, ".d.ts")), outputText);
  }
}

/** tsc writes a declaration for every source; only those that an entry reaches are part of the package. */
function pruneDeclarations(entries) {
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const [, target] of readFileSync(path, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]*)\.js"/g)) {
      visit(join(dirname(path), `${target}.d.ts`));
    }
  };
  for (const entry of entries) visit(join("dist", `${entry}.d.ts`));
  for (const name of readdirSync("dist", { recursive: true })) {
    const path = join("dist", name);
    if (name.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
  }
}

/** Declarations for `require` say the same as those for `import`, about files that end in .cjs. */
function copyDeclarations(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) copyDeclarations(path);
    else if (entry.name.endsWith(".d.ts")) {
      const text = readFileSync(path, "utf8").replace(/((?:from|import)\s*\(?\s*"\.[^"]*)\.js"/g, '$1.cjs"');
      writeFileSync(path.replace(/\.d\.ts$/, ".d.cts"), text);
    }
  }
}

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
copyFileSync(join(built, "skillpick.wasm"), "dist/skillpick.wasm");
const entries = LIBRARY.filter((entry) => existsSync(at("js", `${entry}.ts`)));
for (const entry of entries) {
  await bundle(entry);
  await bundle(entry, { format: "cjs" });
}
await bundle("skill-md/reading");
await bundle("skill-md/reading", { format: "cjs" });
for (const entry of [...ADAPTERS, "adapters/conversation"]) {
  await bundle(entry, { packages: "external", inject: [] });
  // Cloudflare's SDK runs in workerd alone, where nothing is required.
  if (entry !== "adapters/cloudflare-agents") await bundle(entry, { packages: "external", inject: [], format: "cjs" });
}
await bundle("workerd", { module: "from-import" });
if (existsSync(at("js", "cli", "main.ts"))) {
  await bundle("cli/main", { outfile: at("dist", "cli.js"), platform: "node", banner: { js: "#!/usr/bin/env node" }, inject: [] });
  chmodSync("dist/cli.js", 0o755);
}
execFileSync(process.execPath, [at("node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"], { stdio: "inherit" });
declareAdapters();
pruneDeclarations([...entries, ...ADAPTERS, "workerd"]);
copyDeclarations("dist");
writeFileSync("target-wasm/dist.built", "");
console.log(`[skillpick] dist: ${readdirSync("dist").filter((name) => /\.(js|cjs|wasm)$/.test(name)).join(", ")}`);
