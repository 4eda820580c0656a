// Random and mutated files. FUZZ_RUNS sets how many (default 3,000 of each kind); FUZZ_SEED repeats a run.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { parseSkill, renderSkill } from "skillpick/skill-md";

const runs = Number(process.env.FUZZ_RUNS ?? 3000);
// The same inputs in every run, so that a red run can be trusted; FUZZ_SEED tries others.
const settings = { numRuns: runs, seed: Number(process.env.FUZZ_SEED ?? 1130) };
const catalog = join(import.meta.dirname, "..", "..", "examples", "catalog");
const cases = join(import.meta.dirname, "..", "cases");

/** Headers of the example catalog and of the cases. */
const headers = [catalog, cases]
  .flatMap((folder) => readdirSync(folder, { recursive: true }).filter((name) => /SKILL\.md$/i.test(name)).sort().map((name) => readFileSync(join(folder, name), "utf8").slice(0, 1500)))
  .concat([
    '---\nname: full\ndescription: >-\n  Folded\n  text\nwhen_to_use: "Quoted: text"\ntriggers: [a, "b, c"]\nnot-for: x\npaths:\n  - "**/*.ts"\nversion: 1.10\npriority: 3\nenabled: yes\ndisable-model-invocation: false\nuser-invocable: true\nallowed-tools: Bash(git add *) Read\nmetadata: {"a": {"b": [1, "2", null]}}\nexamples:\n  - title: t\n    user_input: hi\nevaluation_cases:\n  - case_id: c\n    input: x\n    tags: [y]\narguments: [a, b]\nargument-hint: "[a] [b]"\ncontext: fork\nmodel: m\nx-other: &anchor {k: *anchor}\n---\n\n# Body\n',
  ]);
const TOKENS = ["---", "\n---\n", "+++", "```", ": ", ":", "\n", "\r", "\t", '"', "'", "[", "]", "{", "}", "#", " #", "- ", "|", ">-", "&a ", "*a", "!t ", "%", "@", "`", "~", "null", "<!--", "-->", "**", "：", "名称：", "name: ", "description: ", "enabled: false", "disable-model-invocation: true", "\ufeff", "\u0000", "\ud800", "\u2028", "🚢", "\\", "\\ud83d", "__proto__: ", "  ", "...", "## ", "(", ","];

/** A real header with a few cuts, repeats and insertions. */
const mutated = fc
  .tuple(fc.constantFrom(...headers), fc.array(fc.tuple(fc.nat(1600), fc.nat(40), fc.oneof(fc.constantFrom(...TOKENS), fc.string({ maxLength: 8 }), fc.constantFrom(...headers).map((text) => text.slice(0, 60)))), { maxLength: 6 }))
  .map(([text, edits]) => edits.reduce((now, [at, cut, insert]) => now.slice(0, at) + insert + now.slice(at + (cut > 20 ? 0 : cut)), text));
const bytes = fc.uint8Array({ maxLength: 400 });
const soup = fc.array(fc.oneof(fc.constantFrom(...TOKENS), fc.string({ maxLength: 6 })), { maxLength: 60 }).map((parts) => parts.join(""));

/** Nothing throws; an unusable file says why; what was read can be written and read again. */
function holds(input, options) {
  const { skill, diagnostics } = parseSkill(input, options);
  for (const one of diagnostics) assert.ok(one.line >= 1 && one.message !== "" && one.code !== "", JSON.stringify(one));
  if (skill === null) return assert.ok(diagnostics.some((one) => one.severity === "error"));
  assert.ok(skill.name !== "" && skill.name.isWellFormed());
  const again = parseSkill(renderSkill(skill), options).skill;
  assert.deepEqual(again, skill);
  assert.deepEqual(JSON.parse(JSON.stringify(skill)), skill);
}

const kinds = { bytes, soup, "fenced soup": soup.map((text) => `---\nname: a\n${text}\n---\nBody`), "mutated headers": mutated };
for (const [kind, inputs] of Object.entries(kinds)) {
  test(`${kind}: no throw, and parse(render(parse(x))) = parse(x)`, () => {
    fc.assert(fc.property(inputs, fc.boolean(), (input, hasFile) => holds(input, hasFile ? { file: "folder/SKILL.md" } : {})), settings);
  });
}

test("strict reading never gives what lenient reading refuses", () => {
  fc.assert(
    fc.property(mutated, (input) => {
      const strict = parseSkill(input, { strict: true }).skill;
      if (strict !== null) assert.deepEqual(parseSkill(input).skill, strict);
    }),
    settings,
  );
});

test("a restriction in a header line survives any damage elsewhere", () => {
  const line = fc.constantFrom("disable-model-invocation: true", "user-invocable: false", "enabled: false");
  const noise = soup.map((text) => text.replace(/[\n\r]/g, " "));
  fc.assert(
    fc.property(line, noise, noise, (flag, before, after) => {
      const { skill } = parseSkill(`---\nname: a\ndescription: ${before}\n${flag}\nx: ${after}\n---\n`, { file: "a/SKILL.md" });
      if (skill === null) return;
      const field = { d: "modelInvocable", u: "userInvocable", e: "enabled" }[flag[0]];
      // A block scalar or a quote that swallows the line makes it text, in valid YAML only.
      assert.equal(skill[field], false, JSON.stringify(skill));
    }),
    settings,
  );
});
