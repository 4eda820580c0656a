// `skillpick eval`: prompts from examples, cases and evals files; who is found, who steals; exit codes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "skillpick-eval-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js");

function skill(name, description, evals) {
  mkdirSync(join(folder, name, "evals"), { recursive: true });
  writeFileSync(join(folder, name, "SKILL.md"), `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n`);
  if (evals) writeFileSync(join(folder, name, "evals", "evals.json"), JSON.stringify(evals));
}
skill("ink-test", "Test inks on paper. Use when an ink has to be tried.", {
  evals: [
    { query: "try this ink on the new paper", should_trigger: true },
    { query: "glue two boards together", should_trigger: true },
    { query: "cut the boards", should_trigger: false },
  ],
});
skill("glue-up", "Glue boards together. Use when wood is joined.", [{ prompt: "join these two boards with glue" }]);

const run = (...args) => spawnSync(process.execPath, [cli, "eval", folder, ...args], { encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });

test("counts who is found and who takes the others", () => {
  const { status, stdout } = run("--json");
  assert.equal(status, 0);
  const { prompts, skills, confusions } = JSON.parse(stdout);
  assert.equal(prompts, 3);
  const ink = skills.find((row) => row.skill === "ink-test");
  assert.deepEqual([ink.prompts, ink.first, ink.refusals, ink.wrong], [2, 1, 1, 0]);
  assert.deepEqual(confusions, [{ skill: "ink-test", takenBy: "glue-up", prompts: ["glue two boards together"] }]);
});

test("the table names the thief, and the threshold decides the exit code", () => {
  const { status, stdout } = run("--threshold", "0.9");
  assert.equal(status, 1);
  assert.match(stdout, /ink-test → glue-up/);
  assert.match(stdout, /3 prompts, 67 % find their skill first/);
  assert.equal(run("--threshold", "2").status, 2);
  assert.equal(spawnSync(process.execPath, [cli, "eval", join(folder, "glue-up", "evals")], { encoding: "utf8" }).status, 3);
});
