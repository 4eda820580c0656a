// What the instance's memory does over time: 20,000 calls, huge calls, a reset. tests/js/lifecycle.test.mjs asserts the same.
import { Catalog, memoryBytes, reset } from "skillpick";

const kb = () => `${Math.round(memoryBytes() / 1024).toLocaleString("en")} KiB`;
const skills = Array.from({ length: 1_000 }, (_, i) => ({ name: `skill-${i}`, description: `Does the thing number ${i} for harbour ${i % 37} when asked to.` }));
const ask = (content) => ({ messages: [{ role: "user", content }] });

let catalog = Catalog.from(skills);
console.log(`1,000 skills: ${kb()}`);
for (const calls of [100, 1_000, 20_000]) {
  for (let i = 0; i < calls; i++) {
    catalog.select(ask(`harbour ${i % 41}, thing number ${i % 1000}`), { budget: 100 + (i % 50) });
    if (i % 10 === 0) catalog.load(`skill-${i % 1000}`);
    if (i % 20 === 0) catalog.search(`thing ${i}`);
  }
  console.log(`after ${calls.toLocaleString("en")} calls: ${kb()}`);
}
for (const size of [200_000, 2_000_000, 20_000_000]) {
  catalog.select(ask("a long message about harbours. ".repeat(size / 31)));
  console.log(`after a message of ${(size / 1e6).toFixed(1)} MB: ${kb()}`);
}
catalog.select(ask("harbour 7"));
console.log(`and a short one: ${kb()} (memory of WebAssembly never shrinks)`);
reset();
catalog = Catalog.from(skills);
console.log(`after reset(), the catalog made again: ${kb()}`);
