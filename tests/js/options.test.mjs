// docs/options.md has a table for each kind of options, with exactly the names that the types have, and no other page has one; and what is mistyped is told.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Catalog } from "skillpick";

const root = join(import.meta.dirname, "..", "..");
const read = (file) => readFileSync(join(root, file), "utf8");

/** Names of the properties of an interface: those at its first level. */
function properties(file, name) {
  const text = read(file);
  const start = text.search(new RegExp(`^export interface ${name} \\{`, "m"));
  assert.ok(start >= 0, `${file} has no interface ${name}`);
  const body = text.slice(start, text.indexOf("\n}", start));
  return [...body.matchAll(/^ {2}(?:readonly )?([a-zA-Z]+)\??[:(]/gm)].map(([, property]) => property);
}

const page = read("docs/options.md");
/** The names in the first column of the tables behind a text, up to the next heading or the next such text. */
function table(after) {
  const start = page.indexOf(after);
  assert.ok(start >= 0, `docs/options.md no longer has: ${after}`);
  const rows = page.slice(start + after.length).match(/\n\|[^]*?\n(?!\|)/)[0];
  return [...rows.matchAll(/^\| `([a-zA-Z]+)` \|/gm)].map(([, name]) => name);
}

const TYPES = "js/types.ts";
const TABLES = [
  ["## The choice\n", TYPES, "SelectOptions"],
  ["## The conversation\n", TYPES, "Context"],
  ["## A catalog\n", TYPES, "CatalogOptions"],
  ["`catalog.toBytes(options)`", TYPES, "SnapshotOptions"],
  ["## A user's settings\n", TYPES, "UserConfig"],
  ["## Searching\n", TYPES, "SearchOptions"],
  ["## Loading a skill\n", TYPES, "LoadOptions"],
  ["`session.boundary(options)`", TYPES, "BoundaryOptions"],
  ["`session.reattach(options)`", TYPES, "ReattachOptions"],
  ["## Policy\n", TYPES, "PolicyRequest"],
  ["## Reading folders\n", "js/loader/options.ts", "LoadSkillsOptions"],
  ["`parseSkill(text, options)`", "js/skill-md.ts", "ParseOptions"],
  ["## Lint\n", "js/lint.ts", "LintOptions"],
];

for (const [after, file, name] of TABLES) {
  test(`docs/options.md has every option of ${name}, and no other`, () => {
    assert.deepEqual(table(after).sort(), properties(file, name).sort());
  });
}

test("docs/skills.md has every field of a skill, and no other", () => {
  const rows = read("docs/skills.md").match(/\n## Fields\n[^]*?\n## /)[0];
  assert.deepEqual([...rows.matchAll(/^\| `([a-zA-Z]+)` \|/gm)].map(([, name]) => name).sort(), properties(TYPES, "Skill").sort());
});

test("every interface of options in the types has its table", () => {
  const named = [...read(TYPES).matchAll(/^export interface (\w*Options|Context|UserConfig|PolicyRequest) /gm)].map(([, name]) => name);
  assert.deepEqual(named.filter((name) => !TABLES.some(([, , documented]) => documented === name)), []);
});

test("no other page has a table of options", () => {
  const choice = properties(TYPES, "SelectOptions");
  const pages = ["README.md", ...readdirSync(join(root, "docs"), { recursive: true }).filter((name) => name.endsWith(".md") && name !== "options.md" && !name.startsWith("reference")).map((name) => join("docs", name))];
  for (const file of pages) {
    const rows = [...read(file).matchAll(/^\| `([a-zA-Z]+)` \|/gm)].map(([, name]) => name).filter((name) => choice.includes(name));
    assert.ok(rows.length < 3, `${file} has a table of options (${rows.join(", ")}); link to docs/options.md`);
  }
});

test("a mistyped name is an error that says what was meant; any other is the host's business", () => {
  const catalog = Catalog.from([{ name: "tides", description: "Tide times." }]);
  const refused = (work, path, meant) =>
    assert.throws(work, (error) => error.code === "invalid_option" && error.path === path && error.message.endsWith(`did you mean ${meant}?`));
  refused(() => catalog.select({ query: "tides" }, { budgt: 20 }), "options.budgt", "budget");
  refused(() => catalog.select({ query: "tides" }, { max_skills: 1 }), "options.max_skills", "maxSkills");
  refused(() => catalog.select({ message: [] }), "context.message", "messages");
  refused(() => catalog.search("tides", { limt: 3 }), "options.limt", "limit");
  refused(() => catalog.load("tides", { argument: "now" }), "options.argument", "arguments");
  refused(() => catalog.session().reattach({ perSkil: 1 }), "options.perSkil", "perSkill");
  refused(() => Catalog.from([], { scope: ["user"] }), "options.scope", "scopes");
  refused(() => Catalog.from([], { defaults: { bugdet: 1 } }), "options.defaults.bugdet", "budget");
  for (const own of [{ model: "m", maxTokens: 1, stream: true }, { budget: 50, budgets: [1] }, { ["x".repeat(1_000)]: 1 }]) {
    assert.equal(catalog.select({ query: "tides", user: "u", body: {} }, own).skills.length, 1);
  }
});

test("what somebody forgot to await is told", async () => {
  const catalog = Catalog.from([{ name: "tides" }]);
  assert.throws(() => Catalog.from(Promise.resolve([])), { code: "invalid_catalog", message: /await it first/ });
  assert.throws(() => catalog.select(Promise.resolve({})), { code: "invalid_option", message: /await it first/ });
  const trap = { get signal() { throw new Error("a getter"); } };
  await assert.rejects(catalog.selectAsync({}, trap), { code: "unreadable" });
  await assert.rejects(catalog.loadAsync("tides", trap), { code: "unreadable" });
});

test("many catalogs merge as if their entries stood one after the other", () => {
  const parts = Array.from({ length: 7 }, (_, i) => [
    { name: `own-${i}`, description: `Part ${i}.` },
    { name: "shared", description: `Of part ${i}.`, location: `/p${6 - i}`, source: i === 3 ? "project" : "user" },
  ]);
  const merged = Catalog.merge(...parts.map((skills) => Catalog.from(skills)));
  const whole = Catalog.from(parts.flat());
  assert.deepEqual(merged.ids(), whole.ids());
  assert.equal(merged.get("shared").description, whole.get("shared").description);
  assert.deepEqual(merged.select().counts, whole.select().counts);
  assert.equal(merged.select({}, { order: "catalog" }).xml, whole.select({}, { order: "catalog" }).xml);
});
