// skillpick/vite with the real Vite: a build, and a development server while skills change.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Catalog } from "skillpick";
import { skillpick } from "skillpick/vite";
import { build, createServer } from "vite";

const root = mkdtempSync(join(import.meta.dirname, ".work", "vite-"));
after(() => rmSync(root, { recursive: true, force: true }));
const write = (path, text) => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};
const skill = (name, body) => write(`skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}\n`);

skill("greet", "Say hello, </script> & $1.");
write("skills/greet/references/tone.md", "Warm.");
write("entry.js", 'import skills from "virtual:skillpick/catalog";\nexport default skills;\n');

test("a build holds the skills, and nothing of the machine that made it", async () => {
  await build({ root, logLevel: "silent", plugins: [skillpick()], build: { ssr: "entry.js", outDir: "out" } });
  const [file] = readdirSync(join(root, "out")).filter((name) => /\.m?js$/.test(name));
  const { default: skills } = await import(pathToFileURL(join(root, "out", file)).href);
  const catalog = Catalog.from(skills);
  assert.match(catalog.load("greet").text, /Say hello, <\/script> & \$1\./);
  assert.equal(catalog.get("greet").location, "skills/greet");
  assert.deepEqual(catalog.get("greet").resources, ["references/tone.md"]);
  assert.ok(!readFileSync(join(root, "out", file), "utf8").includes(root));
});

test("bodies can be left out; a broken skill is a warning, or ends a strict build", async () => {
  write("broken/bad/SKILL.md", "no header, no heading");
  const warnings = [];
  const log = (level, { message }) => void warnings.push(message);
  const options = (more) => ({ root, logLevel: "silent", plugins: [skillpick({ folders: ["skills", "broken"], instructions: false, ...more })], build: { ssr: "entry.js", outDir: "out2", rollupOptions: { onLog: log } } });
  await build(options({}));
  assert.match(warnings.join("\n"), /broken\/bad\/SKILL\.md:\d+: /);
  const [file] = readdirSync(join(root, "out2"));
  assert.ok(!readFileSync(join(root, "out2", file), "utf8").includes("Say hello"));
  await assert.rejects(build(options({ strict: true })), /broken\/bad\/SKILL\.md/);
});

test("in development, a skill that is changed, added or removed is there at once", async () => {
  const server = await createServer({ root, logLevel: "silent", appType: "custom", server: { middlewareMode: true, ws: false }, plugins: [skillpick()] });
  try {
    const names = async () => (await server.ssrLoadModule("/entry.js")).default.map(({ name, instructions }) => `${name}: ${instructions.trim()}`);
    /** Changes a file, and asks again until the answer is another; the runner's time limit ends what never comes. */
    const changed = async (change) => {
      const before = JSON.stringify(await names());
      change();
      for (;;) {
        const now = await names();
        if (JSON.stringify(now) !== before) return now;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    assert.deepEqual(await names(), ["greet: Say hello, </script> & $1."]);
    assert.deepEqual(await changed(() => skill("greet", "Say hi.")), ["greet: Say hi."]);
    assert.deepEqual(await changed(() => skill("part", "Say goodbye.")), ["greet: Say hi.", "part: Say goodbye."]);
    assert.deepEqual(await changed(() => rmSync(join(root, "skills/part"), { recursive: true })), ["greet: Say hi."]);
  } finally {
    await server.close();
  }
});
