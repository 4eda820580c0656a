// The tools' JSON Schemas by a real validator, and by the rules that providers' strict modes have beyond it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import Ajv from "ajv/dist/2020.js";
import { Catalog } from "skillpick";
import { loadSkills } from "skillpick/loader";

const { skills } = await loadSkills(join(import.meta.dirname, "..", "..", "examples", "catalog"));
const catalogs = {
  "the example catalog": Catalog.from(skills),
  "one skill without files": Catalog.from([{ name: "tide-table", description: "Reads tide tables.", instructions: "Look at the date first." }]),
  "a skill with files and arguments": Catalog.from([{ name: "berth-plan", description: "Plans berths.", instructions: "See $quay.", arguments: ["quay"], resources: ["quays.csv"] }]),
  "odd names": Catalog.from([{ name: 'a "quoted" name' }, { name: "日本語" }, { name: "a".repeat(64) }]),
  "2,000 skills": Catalog.from(Array.from({ length: 2000 }, (_, at) => ({ name: `tool-${at}`, description: `Does job number ${at} of many.` }))),
};

/** What OpenAI's strict mode, and with it most others, refuse although it is a valid schema. */
function complaints(schema, path = "parameters") {
  const found = [];
  const allowed = ["type", "properties", "required", "additionalProperties", "description", "enum", "items", "anyOf", "minimum", "maximum"];
  found.push(...Object.keys(schema).filter((key) => !allowed.includes(key)).map((key) => `${path}: ${key} is not in the subset`));
  if (schema.type === undefined && schema.anyOf === undefined) found.push(`${path}: no type`);
  if ([schema.type].flat().includes("object")) {
    const names = Object.keys(schema.properties ?? {});
    if (schema.additionalProperties !== false) found.push(`${path}: additionalProperties is not false`);
    if (JSON.stringify([...names].sort()) !== JSON.stringify([...(schema.required ?? [])].sort())) found.push(`${path}: not all properties are required`);
    for (const name of names) found.push(...complaints(schema.properties[name], `${path}.${name}`));
  }
  if (schema.items) found.push(...complaints(schema.items, `${path}[]`));
  return found;
}
const enumerations = (schema) => [...(schema.enum ?? []), ...Object.values(schema.properties ?? {}).flatMap(enumerations)];

for (const [name, catalog] of Object.entries(catalogs)) {
  for (const options of [{}, { budget: 100 }, { format: "promethea", toolNames: { load: "open_skill", search: "find_skill", list: "all_skills" } }]) {
    describe(`${name}, ${JSON.stringify(options)}`, () => {
      const tools = catalog.tools(options);
      test("schemas compile in strict mode, and say what they mean", () => {
        assert.ok(tools.length > 0);
        for (const { parameters } of tools) {
          // Strict: unknown keywords, ignored ones and types that don't fit are errors.
          const validate = new Ajv({ strict: true, allErrors: true }).compile(parameters);
          const good = Object.fromEntries(Object.entries(parameters.properties).map(([key, { type, enum: ids, minimum }]) => [key, ids?.[0] ?? (type === "integer" || type === "number" ? (minimum ?? 1) : "text")]));
          assert.ok(validate(good), JSON.stringify(validate.errors));
          assert.ok(!validate({ ...good, other: 1 }), "a property that is not there is refused");
          assert.ok(!validate({}), "nothing is optional");
        }
      });
      test("schemas are within the subset of strict modes and its limits", () => {
        for (const { name: tool, description, parameters } of tools) {
          assert.deepEqual(complaints(parameters), [], tool);
          assert.equal(parameters.type, "object");
          assert.match(tool, options.format === "promethea" ? /^\w+$/ : /^[a-z_]{1,64}$/);
          assert.ok(description.length > 0 && description.length <= 1024, `${tool} is described in ${description.length} characters`);
          const values = enumerations(parameters);
          assert.ok(values.length <= 1000, `${values.length} values`);
          assert.ok(values.length <= 250 || values.join("").length <= 15_000, `${values.join("").length} characters of values`);
        }
      });
      test("schemas don't depend on the conversation or on the order of the input, so that they stay in the cache", () => {
        const turned = Catalog.from(catalog.ids().reverse().map((id) => catalog.get(id)));
        assert.equal(JSON.stringify(turned.tools(options)), JSON.stringify(tools));
        catalog.select({ query: "plan a berth" }, options);
        assert.equal(JSON.stringify(catalog.tools(options)), JSON.stringify(tools));
      });
    });
  }
}

test("only tools that can be used are offered", () => {
  const names = (...given) => Catalog.from(...given).tools().map(({ name }) => name);
  assert.deepEqual(names([{ name: "tide-table", description: "Reads tide tables." }]), ["load_skill"]);
  assert.deepEqual(names([]), []);
  assert.deepEqual(names([{ name: "secret", modelInvocable: false }]), []);
});
test("ids that a load takes are those of the enumeration, and nobody hidden is in it", () => {
  const catalog = catalogs["the example catalog"];
  const { properties } = catalog.tools()[0].parameters;
  assert.ok(properties.id.enum.length > 30);
  for (const id of properties.id.enum) assert.ok(catalog.load(id).ok, id);
  assert.ok(!properties.id.enum.includes("production-rollback"));
});
