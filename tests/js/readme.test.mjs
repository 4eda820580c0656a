// What the documentation shows is true: its JavaScript runs and prints what stands below it, its TypeScript is well typed, its commands
// answer so, and its links lead somewhere.
// After an intended change, SKILLPICK_BLESS=1 node --test tests/js/readme.test.mjs writes the output into the files; read it.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..");
const bless = process.env.SKILLPICK_BLESS !== undefined;
const read = (file) => readFileSync(join(root, file), "utf8");

/** Pages of people's own: not the generated ones, nor skills, which are data. */
const PAGES = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !/^(examples\/catalog|www\/.*skills|.*node_modules|docs\/reference)\//.test(file) && !/(^|\/)(SKILL|AGENTS)\.md$/.test(file) && existsSync(join(root, file)));
/** Pages whose programs run here. Those of the adapters need the SDKs and run in tests/adapters. */
const RUN = PAGES.filter((file) => file === "README.md" || (file.startsWith("docs/") && !/^docs\/(adapters|recipes)\.md$/.test(file)));

/** Blocks of code, each with its language and place. */
function fences(markdown) {
  const found = markdown.matchAll(/^```(\S*)\n([^]*?)^```$/gm);
  return [...found].map(({ 0: whole, 1: language, 2: code, index }) => ({
    language,
    code,
    line: markdown.slice(0, index).split("\n").length,
    start: index + whole.indexOf("\n") + 1,
    end: index + whole.length,
  }));
}

/** Programs of a page, each with the block right below it, which shows its output. */
function programs(markdown) {
  const blocks = fences(markdown);
  return blocks.flatMap((block, at) => {
    if (block.language !== "js") return [];
    const next = blocks[at + 1];
    const isOutput = next !== undefined && next.language !== "js" && markdown.slice(block.end, next.start).split("\n").filter((line) => !line.startsWith("```")).join("").trim().length < 12;
    return [{ ...block, output: isOutput ? next : undefined }];
  });
}

const start = promisify(execFile);
const run = async (code) => (await start(process.execPath, ["--input-type=module", "-e", code], { cwd: root, encoding: "utf8" })).stdout.trimEnd();

/** What a command of a console block prints; `skillpick` is the package's own. */
function answer(command) {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare);
  assert.equal(words[0], "skillpick", `only skillpick's commands are tried: ${command}`);
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "dist", "cli.js"), ...words.slice(1)], { cwd: root, encoding: "utf8", env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "" } });
  return `${stdout}${stderr}`.trimEnd();
}

/** Compares the output with the block that shows it, or writes it there. */
function same(file, { start, code }, printed) {
  if (!bless) return assert.equal(printed, code.trimEnd());
  const text = read(file);
  writeFileSync(join(root, file), `${text.slice(0, start)}${printed}\n${text.slice(start + code.length)}`);
}

for (const file of RUN) {
  describe(file, { concurrency: bless ? 1 : 2 }, () => {
    const text = read(file);
    const consoles = fences(text).filter(({ language }) => language === "console").map((block) => ({ ...block, isConsole: true }));
    // From the end, so that writing moves no block that is still to come.
    for (const block of [...programs(text), ...consoles].sort((a, b) => b.start - a.start)) {
      if (block.isConsole) {
        test(`the command in line ${block.line} answers what is shown`, () => {
          const command = block.code.split("\n")[0];
          assert.match(command, /^\$ /);
          same(file, block, `${command}\n${answer(command.slice(2))}`);
        });
        continue;
      }
      test(`the program in line ${block.line} prints what is shown`, async () => {
        const printed = await run(block.code);
        if (block.output === undefined) assert.equal(printed, "", "nothing below it shows the output");
        else same(file, block.output, printed);
      });
    }
    for (const { language, line, code } of fences(text)) {
      if (language === "json") test(`the JSON in line ${line} is JSON`, () => void JSON.parse(code));
    }
    test("has only blocks of kinds that are tried, or that need no trial", () => {
      // Rust in the README is a doctest.
      const known = ["js", "ts", "text", "xml", "json", "console", "sh", "markdown", "yaml", "toml", ...(file === "README.md" ? ["rust"] : [])];
      assert.deepEqual(fences(text).map(({ language }) => language).filter((language) => !known.includes(language)), []);
      if (file === "README.md") assert.ok(programs(text).length >= 2);
    });
  });
}

// But for what needs an SDK: that runs in tests/adapters.
test("the TypeScript of the pages is well typed", () => {
  const blocks = RUN.flatMap((file) => fences(read(file)).filter(({ language, code }) => language === "ts" && !/from "ai"/.test(code)).map((block) => ({ ...block, file })));
  if (blocks.length === 0) return;
  const folder = mkdtempSync(join(root, "target-wasm", "snippets-"));
  try {
    blocks.forEach(({ code, file, line }, at) => writeFileSync(join(folder, `${at}.mts`), `// ${file}, line ${line}\n${code}\nexport {};\n`));
    const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext", "--types", "node", ...blocks.map((_, at) => join(folder, `${at}.mts`))], { cwd: root, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("examples/node-host prints the transcript that its README shows", () => {
  const file = "examples/node-host/README.md";
  const shown = fences(read(file)).find(({ language }) => language === "text");
  same(file, shown, execFileSync(process.execPath, [join(root, "examples/node-host/host.mjs")], { encoding: "utf8" }).trimEnd());
});

/** What GitHub makes of a heading. */
const anchor = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
const withoutCode = (text) => text.replace(/^```[^]*?^```$/gm, "").replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]]/g, "·"));

function anchors(file) {
  const seen = new Map();
  return [...read(file).replace(/^```[^]*?^```$/gm, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const name = anchor(heading);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
}

test("no link leads nowhere", () => {
  const dead = [];
  let links = 0;
  for (const file of PAGES) {
    for (const [, target] of withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      links++;
      const [path, fragment] = target.split("#");
      const other = path === "" ? file : normalize(join(dirname(file), decodeURIComponent(path)));
      if (!existsSync(join(root, other)) || relative(root, join(root, other)).startsWith("..")) dead.push(`${file}: ${target}`);
      else if (fragment !== undefined && statSync(join(root, other)).isFile() && !anchors(other).includes(fragment)) dead.push(`${file}: ${target} (no such heading)`);
    }
  }
  assert.ok(links > 20);
  assert.deepEqual(dead, []);
});

test("every page of docs is reached from docs/README.md or README.md", () => {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file) || !file.endsWith(".md") || !existsSync(join(root, file))) return;
    reached.add(file);
    for (const [, target] of withoutCode(read(file)).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) if (!/^[a-z]+:/.test(target)) visit(normalize(join(dirname(file), target)));
  };
  visit("README.md");
  assert.deepEqual(PAGES.filter((file) => file.startsWith("docs/") && !reached.has(file)), []);
});
