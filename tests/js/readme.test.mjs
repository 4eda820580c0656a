// What the documentation shows is true: its JavaScript runs, and prints what stands below it.
// After an intended change, SKILLPICK_BLESS=1 node --test tests/js/readme.test.mjs writes the output into the files; read it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");
const bless = process.env.SKILLPICK_BLESS !== undefined;

/** Blocks of code, each with its language and place. */
function fences(markdown) {
  const found = markdown.matchAll(/^```(\S*)\n([^]*?)^```$/gm);
  return [...found].map(({ 0: whole, 1: language, 2: code, index }) => ({
    language,
    code,
    line: markdown.slice(0, index).split("\n").length,
    start: index + whole.indexOf("\n") + 1,
  }));
}

/** Programs of a file with the block that shows their output. */
function programs(markdown) {
  const blocks = fences(markdown);
  return blocks.flatMap((block, at) => (block.language === "js" ? [{ ...block, output: blocks[at + 1] }] : []));
}

const run = (code) => execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: root, encoding: "utf8" }).trimEnd();

/** Compares the output with the block that shows it, or writes it there. */
function same(file, { start, code }, printed) {
  if (!bless) return assert.equal(printed, code.trimEnd());
  const text = readFileSync(join(root, file), "utf8");
  writeFileSync(join(root, file), `${text.slice(0, start)}${printed}\n${text.slice(start + code.length)}`);
}

for (const file of ["README.md"]) {
  const found = programs(readFileSync(join(root, file), "utf8"));
  test(`${file} has programs`, () => assert.ok(found.length >= 2));
  // From the end, so that writing moves no block that is still to come.
  for (const { code, line, output } of found.reverse()) {
    test(`the program in ${file}, line ${line}, prints what is shown`, () => {
      const printed = run(code);
      if (printed !== "") same(file, output, printed);
    });
  }
}

test("examples/node-host prints the transcript that its README shows", () => {
  const file = "examples/node-host/README.md";
  const shown = fences(readFileSync(join(root, file), "utf8")).find(({ language }) => language === "text");
  same(file, shown, execFileSync(process.execPath, [join(root, "examples/node-host/host.mjs")], { encoding: "utf8" }).trimEnd());
});
