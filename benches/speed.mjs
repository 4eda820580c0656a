// Speed through the package: start, reading, selecting. Prints the median of several runs; asserts nothing.
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { Catalog, memoryBytes } from "skillpick";
import { loadSkills } from "skillpick/loader";

const folder = join(import.meta.dirname, "..", "examples", "catalog");
const { skills } = await loadSkills(folder);
const conversation = JSON.parse(readFileSync(join(folder, "conversation.json"), "utf8"));

/** The example skills again and again under other ids, each a little different. */
function many(count) {
  return Array.from({ length: count }, (_, i) => {
    const skill = skills[i % skills.length];
    return i < skills.length ? skill : { ...skill, id: `${skill.name}-${i}`, description: `${skill.description} Variant ${i}.` };
  });
}

function median(runs, work) {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[runs >> 1];
}

const row = (what, ms) => console.log(`${what.padEnd(44)} ${ms.toFixed(2).padStart(9)} ms`);

const start = `const t = performance.now(); const { Catalog } = await import("skillpick"); const i = performance.now();
Catalog.from("[]").select(); console.log(JSON.stringify([i - t, performance.now() - i]))`;
const starts = Array.from({ length: 9 }, () => JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", start], { cwd: folder })));
row("import", starts.map(([ms]) => ms).sort((a, b) => a - b)[4]);
row("first call, compilation included", starts.map(([, ms]) => ms).sort((a, b) => a - b)[4]);

for (const count of [skills.length, 1_000, 10_000]) {
  const bytes = new TextEncoder().encode(JSON.stringify(many(count)));
  const kept = Catalog.from(bytes);
  const runs = count > 1_000 ? 5 : 15;
  row(`${count} skills: from bytes (${(bytes.length / 1e6).toFixed(1)} MB)`, median(runs, () => Catalog.from(bytes).dispose()));
  row(`${count} skills: select, 2,000 tokens`, median(runs, () => kept.select(conversation, { budget: 2000 })));
  row(`${count} skills: select, host's counter`, median(runs, () => kept.select(conversation, { countTokens: (text) => text.length / 4 })));
  kept.dispose();
}
console.log(`memory of the instance: ${(memoryBytes() / 1e6).toFixed(1)} MB`);
