// docs/codes.md has every code that the sources give, once, and no other.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");
const read = (file) => readFileSync(join(root, file), "utf8");
const files = (folder, end) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)).filter((name) => name.endsWith(end));

const CODE = '"([a-z]+(?:_[a-z]+)*)"';
/** The ways in which a code is written in Rust, outside tests. */
const RUST = [`(?:Error|Diagnostic)::(?:new|at)\\(\\s*${CODE}`, `with_code\\(${CODE}\\)`, `remark\\(\\s*${CODE}`, `${CODE},\\s*Severity::`, `Refused::new\\([^;]*?,\\s*${CODE}`];
/** In TypeScript, those for codes of one word, which are words like any other. */
const TYPESCRIPT = [`SkillpickError\\(\\s*${CODE}`, `\\bcode: ${CODE}`, `(?:error|warning|info|failed)\\(\\s*${CODE},`, `(?:report|add)\\("(?:error|warning|info)",\\s*${CODE}`];
/** Texts that look like codes. Everything else with an underscore is one, but for the words of the SDKs and of the command line. */
const OTHER = new Set(
  ("available_skills node_modules bower_components site_packages system_instruction tool_allowlist allowed_tools skill_id skill_name trigger_phrases " +
    "do_not_use_for when_to_use not_for permission_profile default_mode prompt_block_policy evaluation_cases").split(" "),
);

function used() {
  const found = new Map();
  const note = (file, text, patterns) => {
    for (const pattern of patterns) for (const [, code] of text.matchAll(new RegExp(pattern, "g"))) found.set(code, file);
  };
  for (const file of files("src", ".rs")) note(file, read(file).split("#[cfg(test)]")[0], RUST);
  for (const file of files("js", ".ts")) {
    if (/^js.cli./.test(file)) continue;
    note(file, read(file), TYPESCRIPT);
    // Adapters are full of the words of their SDKs.
    if (/^js.adapters./.test(file)) continue;
    for (const [, text] of read(file).matchAll(/"([a-z]+(?:_[a-z]+)+)"/g)) if (!OTHER.has(text)) found.set(text, file);
  }
  return found;
}

const reasons = () => /export type OmitReason =([^;]*);/.exec(read("js/types.ts"))[1].match(/[a-z]+/g);
/** Codes in the first column of the tables of a file. */
const listed = (text) => [...text.matchAll(/^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \|/gm)].flatMap(([, cell]) => cell.match(/[a-z_]+/g));

const page = read("docs/codes.md");
const sources = used();

test("docs/codes.md has every code of the sources", () => {
  assert.ok(sources.size > 80, `${sources.size} codes found: the patterns no longer fit the sources`);
  const missing = [...sources].filter(([code]) => !listed(page).includes(code)).map(([code, file]) => `${code} (${file})`);
  assert.deepEqual(missing, [], "add a row to docs/codes.md");
});
test("docs/codes.md has every reason for leaving a skill out, in the order of the type", () => {
  assert.deepEqual(listed(page.slice(page.indexOf("## Omission reasons"))), reasons());
});
test("docs/codes.md has no code that nothing gives, and none twice", () => {
  const rows = listed(page);
  assert.deepEqual(rows.filter((code) => !sources.has(code) && !reasons().includes(code)), []);
  assert.deepEqual(rows.filter((code, index) => rows.indexOf(code) !== index), []);
});
test("no other page lists codes", () => {
  for (const file of ["README.md", ...files("docs", ".md")]) {
    if (file.endsWith("codes.md") || file.includes("reference")) continue;
    const rows = listed(read(file)).filter((word) => word.includes("_") && sources.has(word));
    assert.deepEqual(rows, [], `${file} has codes in a table; link to docs/codes.md`);
  }
});
test("the command line explains every reason", () => {
  const text = read("js/cli/pick/result.ts");
  assert.deepEqual([...text.slice(text.indexOf("const REASONS")).matchAll(/^ {2}([a-z]+): \{ meaning/gm)].map(([, reason]) => reason), reasons());
});
