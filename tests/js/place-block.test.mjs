// The case life-11: a block in prompts of every shape, once, whatever stands beside it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Catalog, placeBlock } from "skillpick";

const folder = join(import.meta.dirname, "..", "cases", "life-11-prompt-merge");
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const catalog = Catalog.from(read("catalog.json").skills);
const { xml } = catalog.select({}, { budget: 300 });
const other = catalog.select({}, { budget: 300, maxSkills: 1 }).xml;
const count = (value, part) => JSON.stringify(value).split(JSON.stringify(part).slice(1, -1)).length - 1;

for (const [index, variant] of read("variants.json").entries()) {
  test(`life-11-prompt-merge, variant ${index}`, () => {
    const system = "messages" in variant ? variant.messages : variant.system;
    const before = structuredClone(system);
    const once = placeBlock(system, xml);
    assert.deepEqual(system, before, "the given value is not changed");
    assert.equal(count(once, xml), 1);
    assert.deepEqual(placeBlock(once, xml), once, "twice is once");
    const newer = placeBlock(once, other);
    assert.equal(count(newer, xml), other === xml ? 1 : 0);
    assert.equal(JSON.stringify(newer).replace(JSON.stringify(other).slice(1, -1), ""), JSON.stringify(once).replace(JSON.stringify(xml).slice(1, -1), ""));
    for (const kept of ["House rules.", "keep", "AAAA", "Before", "After", "One.", "Two.", "hi"]) {
      assert.equal(count(once, kept), count(before ?? "", kept), kept);
    }
  });
}

test("a block of two elements is replaced whole, and an empty one takes it out", () => {
  const two = `${xml}\n${other}`;
  const system = placeBlock("Rules & $& {x}", two);
  assert.equal(placeBlock(system, xml), `Rules & $& {x}\n\n${xml}`);
  assert.equal(placeBlock(system, ""), "Rules & $& {x}\n\n");
  assert.deepEqual(placeBlock([{ role: "user", content: "hi" }], xml), [{ role: "system", content: xml }, { role: "user", content: "hi" }]);
});
