// The cases that concern files, collisions and visibility, against the built package. A case is a folder of inputs with the right
// answers in expect.json; the names there are neutral, and this file maps them to ours.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Catalog } from "skillpick";
import { loadSkills } from "skillpick/loader";
import { parseSkill } from "skillpick/skill-md";

const cases = join(import.meta.dirname, "..", "cases");
const scratch = mkdtempSync(join(tmpdir(), "skillpick-cases-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Fields that the cases keep elsewhere than we do. */
const FIELDS = { "extra.version": "version" };
/** Codes of the cases that we spell otherwise. */
const CODES = { model_invocation_disabled: "not_model_invocable" };

const json = (path) => JSON.parse(readFileSync(path, "utf8"));

for (const name of readdirSync(cases).filter((name) => /^(yaml|coll|pol)-/.test(name))) {
  const folder = join(cases, name);
  const options = json(join(folder, "options.json"));
  const expected = json(join(folder, "expect.json"));
  test(name, async () => {
    const run = await prepare(folder, name, options);
    for (const one of expected) await check(one, run);
  });
}

/** What a case gives: parsed files, a scanned folder, or a catalog. */
async function prepare(folder, name, options) {
  if (options.op === "parse" || options.op.startsWith("parse+")) {
    const run = { kind: "parse", folder, options, parse: (file, text) => parseSkill(text ?? readFileSync(join(folder, file)), { file: `${name}/${file}` }) };
    run.variants = options.eachVariant ? variants(folder) : null;
    if (options.op !== "parse") run.catalog = Catalog.from([run.parse("SKILL.md").skill]);
    return run;
  }
  if (options.op.startsWith("scan")) {
    const copy = join(scratch, name);
    cpSync(folder, copy, { recursive: true });
    for (const [link, target] of options.makeLinks ?? []) symlinkSync(join(copy, target), join(copy, link));
    const scan = await loadSkills(join(copy, options.root));
    return { kind: "scan", folder, options, scan, catalog: Catalog.from(scan.skills), root: join(copy, options.root) };
  }
  const skills = json(join(folder, "catalog.json")).skills.map(ours);
  const context = readdirSync(folder).includes("context.json") ? json(join(folder, "context.json")) : {};
  const catalog = Catalog.from(skills);
  const select = { format: "agentskills", budget: options.tokenBudget ?? null, rules: options.policy ?? [] };
  return { kind: "catalog", folder, options, skills, catalog, context, select };
}

function ours({ body, path, realPath, files, positional, reattach, disableModelInvocation, ...skill }) {
  return {
    ...skill,
    ...(body === undefined ? {} : { instructions: body }),
    ...(path === undefined ? {} : { location: realPath ?? path }),
    ...(disableModelInvocation === undefined ? {} : { modelInvocable: !disableModelInvocation }),
  };
}

/** A template with its variants: each one text, with what is expected of it. */
function variants(folder) {
  const template = readFileSync(join(folder, "template.SKILL.md"), "utf8");
  return json(join(folder, "variants.json")).map((variant) => ({
    ...variant,
    text: template.replace(/\{\{(\w+)\}\}/, (_, key) => variant[key]),
  }));
}

const parsed = (run, one) => run.parse(one.file ?? "SKILL.md");
const diagnosticsOf = (run, one) =>
  run.kind === "parse" ? parsed(run, one).diagnostics : [...(run.scan?.diagnostics ?? []), ...run.catalog.diagnostics];
const field = (skill, path) => (FIELDS[path] ?? path).split(".").reduce((value, key) => value?.[key], skill);
const listing = (run) => run.catalog.select(run.context ?? {}, run.select ?? { format: "agentskills", budget: 600 });
const names = (pick) => pick.skills.map((skill) => skill.name);

function matches(diagnostic, one) {
  return (
    (one.code === undefined || diagnostic.code === one.code) &&
    (one.severity === undefined || diagnostic.severity === one.severity) &&
    (one.line === undefined || diagnostic.line === one.line) &&
    (one.file === undefined || diagnostic.file === undefined || diagnostic.file.endsWith(one.file))
  );
}

const ASSERTIONS = {
  "parse.ok": (run, one) => assert.ok(parsed(run, one).skill),
  "parse.field"(run, one) {
    const value = field(parsed(run, one).skill, one.field);
    if ("equals" in one) assert.deepEqual(value, one.equals);
    if ("equalsTrimmed" in one) assert.equal(value?.trim(), one.equalsTrimmed);
  },
  "parse.field.absent": (run, one) => assert.equal(field(parsed(run, one).skill, one.field), undefined),
  "parse.same"(run, one) {
    const pick = (file) => one.fields.map((path) => field(run.parse(file).skill, path));
    for (const file of one.files) assert.deepEqual(pick(file), pick(one.files[0]), file);
  },
  "parse.body.equals": (run, one) => assert.equal(parsed(run, one).skill.instructions, one.value),
  "parse.body.notContains": (run, one) => assert.ok(!parsed(run, one).skill.instructions.includes(one.value)),
  "render.notContains"(run, one) {
    for (const file of readdirSync(run.folder).filter((file) => file.endsWith("SKILL.md"))) {
      const { xml } = Catalog.from([run.parse(file).skill]).select({}, { format: "agentskills", budget: null });
      for (const part of one.anyOf) assert.ok(!xml.includes(part), `${file}: ${part}`);
    }
  },
  diagnostic(run, one) {
    if (one.eachVariant) {
      for (const variant of run.variants) {
        const { diagnostics } = run.parse("SKILL.md", variant.text);
        assert.ok(diagnostics.some((diagnostic) => matches(diagnostic, one)), variant.line);
      }
      return;
    }
    const found = diagnosticsOf(run, one).filter((diagnostic) => matches(diagnostic, one));
    assert.ok(one.count === undefined ? found.length > 0 : found.length === one.count, `${JSON.stringify(one)}: ${found.length}`);
  },
  "diagnostic.none": (run, one) => assert.deepEqual(diagnosticsOf(run, one).filter((diagnostic) => matches(diagnostic, one)), []),
  variants(run, one) {
    for (const variant of run.variants) {
      const file = `${variant.folder ?? "odd"}/SKILL.md`;
      const { skill } = parseSkill(variant.text, { file });
      const wanted = "expectName" in variant ? (variant.expectName ?? variant.folder) : variant.expect;
      assert.deepEqual(skill?.[one.field ?? variant.field], wanted, variant.text);
    }
  },
  noThrow() {},
  js: (run, one) => {
    for (const file of ["SKILL.md"]) run.parse(file);
    // eslint-disable-next-line no-eval -- the case gives an expression
    assert.ok((0, eval)(one.expr));
  },
  "scan.skill"(run, one) {
    const found = run.scan.skills.find((skill) => `${skill.location}/SKILL.md`.endsWith(`/${one.path}`) || skill.location.endsWith(`/${one.path}`));
    assert.equal(found?.name, one.name);
  },
  "scan.names"(run, one) {
    const found = run.scan.skills.map((skill) => skill.name);
    for (const name of one.includes ?? []) assert.ok(found.includes(name), `${name} in ${found}`);
    for (const name of one.excludes ?? []) assert.ok(!found.includes(name), `${name} not in ${found}`);
  },
  async oneOf(run, one) {
    const failures = [];
    for (const option of one.of) {
      try {
        return await check(option, run);
      } catch (error) {
        failures.push(error.message);
      }
    }
    assert.fail(failures.join("; "));
  },
  "xml.skills": (run, one) => assert.equal(listing(run).skills.length, one.n),
  "xml.names"(run, one) {
    if (one.equals) assert.deepEqual(names(listing(run)).toSorted(), one.equals.toSorted());
    if (one.equalsSet) assert.deepEqual(new Set(names(listing(run))), new Set(one.equalsSet));
  },
  "xml.text"(run, one) {
    const xml = listing(run).xml.replace(/\s*(<\/?[a-z]+>)\s*/g, "$1");
    assert.ok(xml.includes(`<name>${one.skill}</name>`) && xml.includes(one.equals), xml);
  },
  "xml.notListed"(run, one) {
    const listed = names(listing(run)).includes(one.name);
    assert.ok(!listed || (one.unless === "diagnostic" && run.scan.diagnostics.length > 0));
    // Stricter than the case: what its author hid stays hidden.
    if (run.scan) assert.equal(run.scan.skills.find((skill) => skill.name === one.name)?.modelInvocable, false);
  },
  "report.shadowed"(run, one) {
    const states = run.catalog.report(listing(run));
    assert.ok(states.some((state) => state.reason === "shadowed" && state.id === one.name && state.source === one.source));
  },
  "load.ok": (run, one) => assert.ok(["ok", "instructions_not_loaded"].includes(codeOf(run, one.name))),
  "load.error"(run, one) {
    const result = run.catalog.load(one.name, { rules: run.select?.rules, actor: run.options.actor ?? "model" });
    assert.equal(result.ok, false);
    if (one.code) assert.equal(result.code, CODES[one.code] ?? one.code);
    if (one.notMentions) assert.ok(!`${result.text} `.replace(/[`'",.]/g, " ").includes(one.notMentions), result.text);
  },
  "load.errorAll"(run, one) {
    for (const name of one.names) assert.equal(run.catalog.load(name).ok, false, name);
  },
  "resource.errorAll"(run) {
    for (const [name, path] of run.options.resources) assert.throws(() => run.catalog.resource(name, path), { code: "resource_not_listed" });
  },
  truthTable(run, one) {
    for (const actor of ["model", "user"]) {
      for (const [name, allowed] of Object.entries(one[actor])) {
        assert.equal(run.catalog.load(name, { actor }).ok, allowed, `${actor} ${name}`);
      }
    }
  },
};

function codeOf(run, name) {
  const result = run.catalog.load(name);
  return result.ok ? "ok" : result.code;
}

async function check(one, run) {
  assert.ok(one.assert in ASSERTIONS, `no such assertion: ${one.assert}`);
  await ASSERTIONS[one.assert](run, one);
}
