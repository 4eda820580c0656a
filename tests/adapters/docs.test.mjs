// docs/adapters.md, docs/recipes.md and the README's adapter example: the programs run with the real SDKs and print what is shown, the
// TypeScript is well typed, the files are those that other tests use. SKILLPICK_BLESS=1 writes the output into the pages; read it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;
const root = process.env.SKILLPICK_SOURCE ?? join(here, "..", "..");
const bless = process.env.SKILLPICK_BLESS !== undefined;
const read = (page) => readFileSync(join(root, page), "utf8");
const slug = (heading) => heading.toLowerCase().replace(/[^\w -]/g, "").replaceAll(" ", "-");

/** Blocks of code with the heading that they stand under. */
function fences(markdown) {
  return [...markdown.matchAll(/^```(\S*)\n([^]*?)^```$/gm)].map(({ 0: whole, 1: language, 2: code, index }) => {
    const heading = [...markdown.slice(0, index).matchAll(/^#+ (.+)$/gm)].at(-1)?.[1] ?? "";
    return { language, code, section: slug(heading), start: index + whole.indexOf("\n") + 1 };
  });
}

const typed = [];
for (const page of ["docs/adapters.md", "docs/recipes.md"].filter((page) => existsSync(join(root, page)))) {
  const blocks = fences(read(page));
  // From the end, so that writing moves no block that is still to come.
  for (const [at, { language, code, section }] of [...blocks.entries()].reverse()) {
    if (language === "ts") typed.push({ page, code });
    if (language !== "js") continue;
    test(`${page}, ${section}: the program prints what is shown`, () => {
      const folder = join(here, ".work", "docs", `${section}-${at}`);
      mkdirSync(folder, { recursive: true });
      cpSync(join(here, "docs", "catalog.js"), join(folder, "catalog.js"));
      if (existsSync(join(here, "docs", section))) cpSync(join(here, "docs", section), folder, { recursive: true });
      writeFileSync(join(folder, "program.js"), code);
      const printed = execFileSync(process.execPath, [join(folder, "program.js")], { encoding: "utf8", cwd: folder }).trimEnd();
      const shown = blocks[at + 1];
      assert.equal(shown?.language, "text", "nothing below it shows the output");
      if (!bless) return assert.equal(printed, shown.code.trimEnd());
      const text = read(page);
      writeFileSync(join(root, page), `${text.slice(0, shown.start)}${printed}\n${text.slice(shown.start + shown.code.length)}`);
    });
  }
}

const [example] = fences(read("README.md")).filter(({ language, code }) => language === "ts" && /from "ai"/.test(code));
typed.push({ page: "README.md", code: example.code });

test("README.md: the AI SDK example runs as it is, with a folder of skills", () => {
  const folder = join(here, ".work", "docs", "readme");
  cpSync(join(here, "wrangler", "skills"), join(folder, "skills"), { recursive: true });
  cpSync(join(here, "docs", "provider.js"), join(folder, "provider.js"));
  writeFileSync(join(folder, "program.js"), example.code);
  assert.equal(execFileSync(process.execPath, ["--import", "./provider.js", "program.js"], { encoding: "utf8", cwd: folder }), "load_skill: Say hello.\n");
});

test("the TypeScript of the pages is well typed", () => {
  const folder = join(here, ".work", "docs", "types");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const files = typed.map(({ page, code }, at) => {
    const file = join(folder, `${at}.${/^declare module/.test(code) ? "d.ts" : "ts"}`);
    writeFileSync(file, `// ${page}\n${code}`);
    return file;
  });
  writeFileSync(join(folder, "use.ts"), 'import { Catalog } from "skillpick";\nimport skills from "virtual:skillpick/catalog";\n\nexport const catalog: Catalog = Catalog.from(skills);\n');
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ extends: join(here, "tsconfig.json"), compilerOptions: { types: ["@cloudflare/workers-types"], lib: ["ES2023", "ESNext.Disposable"] }, files: [...files, join(folder, "use.ts")] }));
  const { status, stdout } = spawnSync(process.execPath, [join(here, "node_modules", "typescript", "bin", "tsc"), "-p", config], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("the pattern for wrangler is the one that is tried", () => {
  const shown = fences(read("docs/adapters.md")).filter(({ section }) => section === "wrangler").map(({ code }) => code);
  assert.deepEqual(shown, ["wrangler.toml", "src/index.mjs"].map((file) => readFileSync(join(here, "wrangler", file), "utf8")));
});
