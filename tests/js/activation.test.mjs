// Loading, sessions and prompts through the built package. What the core decides is tested natively; here: what JavaScript adds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Catalog, decodeLoad, fillTemplate, resolveOptions, skillsInstructionProvider } from "../../dist/index.js";

const skills = [
  { name: "alpha", description: "Measures.", instructions: "Measure $ARGUMENTS twice.", tools: ["ruler"], resources: ["ref/units.md"], location: "/s/alpha/SKILL.md" },
  { name: "beta", description: "Cuts.", instructionTokens: 900 },
  { name: "secret", description: "Ends.", instructions: "End it.", modelInvocable: false },
  { name: "house", kind: "rule", scope: "src", instructions: "Short lines." },
];
const bodies = { beta: "Cut once.", alpha: "never asked for" };
const asked = [];
const catalog = Catalog.from(skills, {
  loadInstructions: async (id, { signal }) => {
    asked.push(id);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (signal?.aborted) throw signal.reason;
    if (!(id in bodies)) throw new Error("disk is gone");
    return bodies[id];
  },
});
const code = (expected) => (thrown) => (assert.equal(thrown.code, expected), true);

test("load answers, and refuses with codes", () => {
  const loaded = catalog.load("alpha", { arguments: "$& and $1" });
  assert.ok(loaded.ok);
  assert.equal(decodeLoad(loaded.text).body, "Measure $& and $1 twice.");
  assert.deepEqual([loaded.tools, loaded.resources], [["ruler"], ["ref/units.md"]]);
  assert.equal(catalog.load("secret").code, "not_model_invocable");
  assert.ok(catalog.load("secret", { actor: "user" }).ok);
  assert.deepEqual(catalog.load("alpah").suggestions, ["alpha"]);
  assert.equal(catalog.load("beta").code, "instructions_not_loaded");
  assert.equal(decodeLoad("no load"), null);
  assert.throws(() => catalog.load("alpha", { maxTokens: -1 }), code("invalid_option"));
  assert.throws(() => catalog.load(3), code("invalid_argument"));
});

test("bodies that are elsewhere are fetched, in any spelling, unless the signal says no", async () => {
  const loaded = await catalog.loadAsync("/Beta");
  assert.equal(decodeLoad(loaded.text).body, "Cut once.");
  assert.equal(asked.at(-1), "beta");
  const before = asked.length;
  assert.ok((await catalog.loadAsync("alpha")).ok);
  assert.equal(asked.length, before, "the catalog has it");
  const stop = new AbortController();
  const pending = catalog.loadAsync("beta", { signal: stop.signal });
  stop.abort(new Error("enough"));
  await assert.rejects(pending, /enough/);
  await assert.rejects(catalog.loadAsync("alpha", { signal: stop.signal }), /enough/);
  const broken = Catalog.from([{ name: "far" }], { loadInstructions: async () => 3 });
  assert.equal((await broken.loadAsync("far")).code, "instructions_failed");
});

test("the catalog's defaults hold for loads, tools and policy", () => {
  const strict = Catalog.from(skills, {
    defaults: { format: "two-layer", rules: [{ match: "al*", action: "deny" }], toolNames: { load: "use" }, countTokens: (text) => text.length },
  });
  assert.equal(strict.load("alpha").code, "not_available");
  assert.throws(() => strict.resource("alpha", "ref/units.md"), code("not_available"));
  const secret = strict.load("secret", { actor: "user" });
  assert.equal(secret.text, '<skill name="secret">\nEnd it.\n</skill>');
  assert.equal(secret.tokens, secret.text.length);
  assert.deepEqual(strict.tools().map((tool) => tool.name), ["use"]);
  assert.deepEqual(strict.tools()[0].parameters.properties.id.enum, ["beta"]);
  assert.match(catalog.advise("alpha"), /load_skill/);
  assert.equal(catalog.advise("secret"), undefined);
});

test("only listed files are resources", () => {
  assert.equal(catalog.resource("alpha", "ref/units.md"), "/s/alpha/ref/units.md");
  for (const path of ["../x", "/etc/hostname", "ref/../ref/units.md", "ref\\units.md"]) {
    assert.throws(() => catalog.resource("alpha", path), code("resource_not_listed"));
  }
});

test("a session is a state that survives being kept", async () => {
  const session = catalog.session();
  assert.deepEqual(session.state, { version: 1, active: [], staged: [], turn: 0 });
  session.load("alpha", { arguments: "wood", hostTools: ["hammer"] });
  await session.loadAsync("beta");
  assert.deepEqual(session.state.staged, ["alpha", "beta"]);
  const restored = catalog.session(JSON.parse(JSON.stringify(session.state)));
  assert.deepEqual(restored.state, session.state);
  const boundary = restored.boundary();
  assert.deepEqual(boundary.active.map((one) => one.text), ["Measure wood twice.", "Cut once."]);
  assert.deepEqual(boundary.tools, ["ruler"]);
  assert.deepEqual(session.state.active, [], "two sessions share nothing");
  assert.deepEqual(restored.copy().state.active, []);
  restored.state.active.length = 0;
  assert.equal(restored.state.active.length, 2, "what is handed out is a copy");
  assert.equal(restored.select({ active: ["secret"] }).policy.bySkill.alpha.allowedTools, null);
  assert.deepEqual(restored.reattach({ budget: Infinity }).map((one) => one.id), ["beta", "alpha"]);
  const dropped = restored.synchronize(catalog.without(["beta"]));
  assert.deepEqual(dropped, { removed: ["beta"], changed: [] });
  for (const [bad, expected] of [[{}, "invalid_state"], [{ version: 9 }, "state_version"], [{ version: 1, active: 3 }, "invalid_state"]]) {
    assert.throws(() => catalog.session(bad), code(expected));
  }
});

test("required skills are fetched before every request, or the run stops", async () => {
  const session = catalog.session();
  assert.throws(() => session.boundary({ required: ["beta"] }), code("required_failed"));
  const first = await session.boundaryAsync({ required: ["beta"] });
  assert.equal(first.active[0].text, "Cut once.");
  bodies.beta = "Cut slowly.";
  const second = await session.boundaryAsync({ required: ["beta"] });
  assert.equal(second.active[0].text, "Cut slowly.");
  delete bodies.beta;
  const before = session.state;
  await assert.rejects(session.boundaryAsync({ required: ["beta"] }), (error) => error.code === "required_failed" && error.cause.message === "disk is gone");
  assert.deepEqual(session.state, before);
});

test("rules are revealed once", () => {
  const session = catalog.session();
  assert.deepEqual(session.enter(["src/a.ts"]), { reveals: ["house"], defer: true });
  assert.match(session.rules(["src/a.ts"], { budget: null }).xml, /Short lines\./);
  assert.deepEqual(session.enter(["src/b.ts"]), { reveals: [], defer: false });
});

test("life-07: one placeholder is filled, literally", () => {
  const of = (file) => JSON.parse(readFileSync(new URL(`../cases/life-07-custom-template/${file}`, import.meta.url), "utf8"));
  const { xml } = Catalog.from(of("catalog.json")).select(of("context.json"), { budget: 300 });
  assert.ok(xml.includes("{braces}, $&amp; and {0} and {{skills}}."));
  for (const { template, expect } of of("variants.json")) {
    if (expect === "error") assert.throws(() => fillTemplate(template, xml), code("template_placeholder"));
    else assert.equal(fillTemplate(template, xml), `Rules {"a":1}\n${xml}\nEnd $1`);
  }
});

test("RFC-0008: pool and agent options, and the provider", async () => {
  assert.deepEqual(resolveOptions(), { mode: "off" });
  assert.deepEqual(resolveOptions({ instruction: null }, { injectionMode: null, maxSkills: null, budget: null }), { mode: "off" });
  assert.deepEqual(resolveOptions({ instruction: { mode: "metadata", maxSkills: 10 } }), { mode: "metadata", maxSkills: 10 });
  assert.deepEqual(resolveOptions({ instruction: { mode: "metadata", maxSkills: 10 } }, { injectionMode: "full", maxSkills: 5 }), { mode: "full", maxSkills: 5 });
  assert.deepEqual(resolveOptions({ instruction: { mode: "metadata" } }, { injectionMode: "off" }), { mode: "off" });
  const provider = skillsInstructionProvider(catalog, { name: "house", maxSkills: 1 });
  const [instruction] = await provider.getInstructions();
  assert.equal(provider.name, "house");
  assert.match(await instruction({ messages: [{ role: "user", content: "cuts" }] }), /id="beta"/);
  assert.match(await instruction({ messages: [{ role: "user", content: "measures" }] }), /id="alpha"/);
  const off = skillsInstructionProvider(catalog, resolveOptions());
  assert.equal(await (await off.getInstructions())[0]({}), "");
});
