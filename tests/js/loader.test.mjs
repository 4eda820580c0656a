import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, describe, test } from "node:test";
import { toPromethea } from "skillpick";
import { loadSkills } from "skillpick/loader";

const scratch = mkdtempSync(join(tmpdir(), "skillpick-loader-"));
after(() => rmSync(scratch, { recursive: true, force: true }));
let trees = 0;

/** A folder with these files. */
function tree(files) {
  const root = join(scratch, String(trees++));
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const skill = (name, body = "Body\n") => `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}`;
const names = ({ skills }) => skills.map((one) => one.name);
const codes = ({ diagnostics }) => diagnostics.map((one) => one.code);

test("skills come in the order of their paths, with place, source and resources", async () => {
  const root = tree({ "b/SKILL.md": skill("b"), "a/SKILL.md": skill("a"), "a/scripts/run.py": "x", "a/notes.md": "x", "a/.hidden": "x" });
  const loaded = await loadSkills(root, { source: "project" });
  assert.deepEqual(loaded, {
    skills: [
      { name: "a", description: "Does a.", instructions: "Body\n", location: join(root, "a"), source: "project", resources: ["notes.md", "scripts/run.py"] },
      { name: "b", description: "Does b.", instructions: "Body\n", location: join(root, "b"), source: "project" },
    ],
    diagnostics: [],
  });
});

test("one bad file never stops the rest", async () => {
  const root = tree({ "a/SKILL.md": skill("a"), "b/SKILL.md": "", "c/SKILL.md": "---js\n{}\n---\n", "d/SKILL.md": skill("d") });
  symlinkSync(join(root, "nowhere"), join(root, "gone"));
  mkdirSync(join(root, "e"));
  symlinkSync(join(root, "nowhere"), join(root, "e", "SKILL.md"));
  const loaded = await loadSkills(root);
  assert.deepEqual(names(loaded), ["a", "d"]);
  assert.deepEqual(codes(loaded), ["link_broken", "file_empty", "frontmatter_language", "file_unreadable"]);
  assert.ok(loaded.diagnostics.every((one) => one.file.startsWith(root) && one.line >= 1));
});

test("a folder that is not there is reported", async () => {
  const loaded = await loadSkills([join(scratch, "none"), tree({ "a/SKILL.md": skill("a") })]);
  assert.deepEqual([names(loaded), codes(loaded)], [["a"], ["folder_unreadable"]]);
});

describe("links and repeated folders", () => {
  test("a file reached by several paths is read once", async () => {
    const root = tree({ "real/a/SKILL.md": skill("a") });
    symlinkSync(join(root, "real", "a"), join(root, "again"));
    symlinkSync(root, join(root, "real", "loop"));
    const loaded = await loadSkills([root, join(root, "real"), root]);
    assert.deepEqual([names(loaded), codes(loaded)], [["a"], []]);
    assert.equal(relative(root, loaded.skills[0].location), join("real", "a"));
  });

  test("links out of the folder are followed on request only", async () => {
    const outside = tree({ "x/SKILL.md": skill("x") });
    const root = tree({ "a/SKILL.md": skill("a") });
    symlinkSync(join(outside, "x"), join(root, "x"));
    const loaded = await loadSkills(root);
    assert.deepEqual([names(loaded), codes(loaded)], [["a"], ["link_outside"]]);
    assert.deepEqual(names(await loadSkills(root, { outsideLinks: true })), ["a", "x"]);
  });
});

describe("what is looked into", () => {
  const files = {
    "SKILLS.md": "no",
    "node_modules/p/SKILL.md": skill("p"),
    ".git/SKILL.md": skill("git"),
    ".claude/skills/c/SKILL.md": skill("c"),
    "a/SKILL.md": skill("a"),
    "a/parts/inner/SKILL.md": skill("inner"),
    "1/2/3/4/5/6/7/8/9/SKILL.md": skill("deep"),
    "lower/skill.md": skill("lower"),
    "build/SKILL.md": skill("build"),
  };
  test("by default", async () => {
    const loaded = await loadSkills(tree(files));
    assert.deepEqual(names(loaded), ["c", "a", "build", "lower"]);
    assert.deepEqual(codes(loaded).sort(), ["depth_reached", "file_name_case"]);
  });
  test("as asked", async () => {
    const loaded = await loadSkills(tree(files), { nested: true, depth: 20, ignore: ["build"] });
    assert.deepEqual(names(loaded), ["c", "deep", "a", "inner", "lower"]);
  });
  test("up to a limit, which is reported", async () => {
    const loaded = await loadSkills(tree(files), { limit: 2 });
    assert.equal(loaded.skills.length, 2);
    assert.ok(codes(loaded).includes("limit_reached"));
  });
  test("a single file", async () => {
    assert.deepEqual(names(await loadSkills(join(tree(files), "a", "SKILL.md"))), ["a"]);
  });
});

test("header-only reading gives the same fields, and prices the body", async () => {
  const body = `# Long\n\n${"word ".repeat(20_000)}\n`;
  const header = `---\nname: wide\ndescription: "${"Ships ".repeat(2500)}"\nlicense: MIT\n---\n`;
  const root = tree({ "a/SKILL.md": skill("a", body), "wide/SKILL.md": header + body, "none/SKILL.md": `# T\n\nFirst words.\n\n${body}` });
  const { skills } = await loadSkills(root);
  const heads = await loadSkills(root, { instructions: false });
  assert.deepEqual(heads.skills.map(({ instructionTokens, ...rest }) => rest), skills.map(({ instructions, ...rest }) => rest));
  for (const { instructionTokens } of heads.skills) assert.ok(Math.abs(instructionTokens - body.length / 4) < 30, String(instructionTokens));
});

test("progress is told for every file, and an aborted signal stops", async () => {
  const root = tree({ "a/SKILL.md": skill("a"), "b/SKILL.md": skill("b"), "c/SKILL.md": skill("c") });
  const steps = [];
  await loadSkills(root, { onProgress: (done, total) => steps.push([done, total]) });
  assert.deepEqual(steps, [[1, 3], [2, 3], [3, 3]]);
  await assert.rejects(loadSkills(root, { signal: AbortSignal.abort(new Error("enough")) }), /enough/);
});

test("AGENTS.md becomes a rule with its folder as scope, except inside a skill", async () => {
  const root = tree({ "AGENTS.md": "# Rules\r\n", "src/api/AGENTS.md": "---\ndescription: API rules.\n---\nUse JSON.\n", "s/SKILL.md": skill("s"), "s/AGENTS.md": "part" });
  const loaded = await loadSkills(root);
  assert.deepEqual(
    loaded.skills.map(({ location, ...rest }) => rest),
    [
      { name: "AGENTS.md", kind: "rule", scope: ".", instructions: "# Rules\n" },
      { name: "s", description: "Does s.", instructions: "Body\n", resources: ["AGENTS.md"] },
      { name: "src/api/AGENTS.md", description: "API rules.", kind: "rule", scope: "src/api", instructions: "Use JSON.\n" },
    ],
  );
  assert.deepEqual(loaded.diagnostics, []);
});

test("strict loading leaves out what breaks the specification, and says why", async () => {
  const loaded = await loadSkills(tree({ "a/SKILL.md": skill("a"), "b/SKILL.md": skill("B") }), { strict: true });
  assert.deepEqual(names(loaded), ["a"]);
  assert.deepEqual(loaded.diagnostics.map((one) => [one.code, one.severity, one.line]), [["name_invalid", "error", 2]]);
});

describe("Promethea packs", () => {
  const packs = JSON.parse(readFileSync(join(import.meta.dirname, "..", "vectors", "promethea-packs.json"), "utf8"));
  for (const { name, folder, files, skill: expected } of packs) {
    test(name, async () => {
      const root = tree(Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text])));
      const loaded = await loadSkills(root);
      assert.deepEqual(loaded.skills.map(toPromethea), [expected]);
      assert.deepEqual(loaded.diagnostics.filter((one) => one.severity !== "info"), []);
    });
  }

  test("a broken part is reported, the rest is read", async () => {
    const root = tree({ "p/skill.yaml": "name: P\ndescription: a: b\nenabled: false\n", "p/examples.json": "{", "p/system_instruction.md": "Do.", "p/extra.txt": "" });
    const { skills, diagnostics } = await loadSkills(root);
    assert.deepEqual(skills, [{ id: "p", name: "P", description: "a: b", enabled: false, instructions: "Do.", location: join(root, "p"), resources: ["extra.txt"] }]);
    assert.deepEqual(diagnostics.map((one) => one.code), ["plain_colon", "records_unreadable"]);
  });
});
