// Bodies that live elsewhere: fetched only for what is shown in full, priced again, within the budget.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Catalog, SkillpickError } from "skillpick";

const SKILLS = [
  { name: "ink-test", description: "Test inks on paper. Use when an ink has to be tried.", instructionTokens: 60 },
  { name: "paper-cut", description: "Cut paper to size. Use when sheets have to be cut.", instructionTokens: 60 },
  { name: "glue-up", description: "Glue boards together.", instructions: "Spread, press, wait." },
];
const BODY = "Draw a line. Wait a minute. Look at it from the back. ".repeat(5);

test("only the bodies that are shown are fetched, and the block keeps its budget", async () => {
  const asked = [];
  const catalog = Catalog.from(SKILLS, { loadInstructions: async (id) => (asked.push(id), BODY) });
  const pick = await catalog.selectAsync({ query: "try this ink: ink-test" }, { mode: "auto", budget: 400 });
  assert.deepEqual(asked, ["ink-test"]);
  assert.equal(pick.skills[0].detail, "instructions");
  assert.ok(pick.xml.includes("Draw a line."));
  assert.ok(pick.tokens <= 400);
});

test("a body that is dearer than announced does not break the budget", async () => {
  const catalog = Catalog.from(SKILLS, { loadInstructions: async () => BODY.repeat(40) });
  for (const budget of [60, 150, 400]) {
    const pick = await catalog.selectAsync({ query: "ink-test" }, { mode: "full", budget });
    assert.ok(pick.tokens <= budget);
    assert.ok(!pick.xml.includes("Draw a line."));
  }
});

test("a failed fetch leaves the description; a required one fails the call", async () => {
  const catalog = Catalog.from(SKILLS, { loadInstructions: async () => Promise.reject(new Error("the shelf is empty")) });
  const pick = await catalog.selectAsync({ query: "ink-test" }, { mode: "full", budget: 600 });
  assert.ok(pick.diagnostics.some(({ code, skill }) => code === "instructions_failed" && skill === "ink-test"));
  assert.equal(pick.skills.find(({ id }) => id === "ink-test").detail, "description");
  await assert.rejects(
    catalog.selectAsync({ query: "ink-test" }, { mode: "full", budget: 600, required: ["ink-test"] }),
    (error) => error instanceof SkillpickError && error.code === "required_failed",
  );
});

test("without bodies elsewhere, or in mode metadata, nothing is fetched", async () => {
  const catalog = Catalog.from(SKILLS, { loadInstructions: async () => assert.fail("not to be asked") });
  const plain = await catalog.selectAsync({ query: "ink-test" }, { budget: 300 });
  assert.equal(plain.xml, catalog.select({ query: "ink-test" }, { budget: 300 }).xml);
});

test("an aborted call rejects with the signal's reason", async () => {
  const catalog = Catalog.from(SKILLS, { loadInstructions: () => new Promise(() => {}) });
  const controller = new AbortController();
  const call = catalog.selectAsync({ query: "ink-test" }, { mode: "full", signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(call, /enough/);
});
