// The names that the adapters export, the same for import and require where both are offered.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { exports, peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(require.resolve("skillpick/package.json"), "utf8"));
const paths = Object.keys(exports).filter((path) => JSON.stringify(exports[path]).includes("/adapters/"));

const NAMES = {
  "./ai": ["skills"],
  "./cloudflare-agents": ["contextBlock", "fromSources", "skills"],
  "./langchain": ["skillsMiddleware"],
  "./mastra": ["skillsProcessor"],
  "./mcp": ["mcpSkills"],
  "./openai-agents": ["skills"],
  "./vite": ["skillpick"],
};

test("every adapter has its names written down here", () => assert.deepEqual(paths.sort(), Object.keys(NAMES).sort()));

for (const path of paths) {
  const name = path.replace(".", "skillpick");
  // Loads in workerd alone; its test asks there.
  if (path === "./cloudflare-agents") continue;
  test(`${name} exports what is documented`, async () => {
    const names = (module) => Object.keys(module).filter((key) => key !== "default" && key !== "module.exports").sort();
    assert.deepEqual(names(await import(name)), NAMES[path]);
    if (exports[path].require) assert.deepEqual(names(require(name)), NAMES[path]);
  });
}

test("every SDK is an optional peer", () => {
  for (const name of Object.keys(peerDependencies)) assert.equal(peerDependenciesMeta[name].optional, true, name);
});

test("an adapter has less than a hundred lines", { skip: !process.env.SKILLPICK_SOURCE && "no source beside the package" }, () => {
  for (const path of paths) {
    const lines = readFileSync(`${process.env.SKILLPICK_SOURCE}/js/adapters/${path.slice(2)}.ts`, "utf8").trimEnd().split("\n").length;
    assert.ok(lines < 100, `${path} has ${lines}`);
  }
});
