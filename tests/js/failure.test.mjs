// What a host sees if the core fails after all. No input is known to do that, so the module is given a fault.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import binaryen from "binaryen";
import { Catalog, SkillpickError, init } from "skillpick";

const require = createRequire(import.meta.url);

/** The module, with a trap in the place of one exported function. */
function faulty(name) {
  const module = binaryen.readBinary(readFileSync(require.resolve("skillpick/skillpick.wasm")));
  // Only what the build has: others change how imports are written.
  const { BulkMemory, Multivalue, MutableGlobals, NontrappingFPToInt, ReferenceTypes, SignExt } = binaryen.Features;
  module.setFeatures(BulkMemory | Multivalue | MutableGlobals | NontrappingFPToInt | ReferenceTypes | SignExt);
  const { value } = binaryen.getExportInfo(module.getExport(name));
  binaryen.Function(module.getFunction(value)).setBody(module.unreachable());
  return new WebAssembly.Module(module.emitBinary());
}

test("a trap is an error of ours, takes only the catalogs with it, and the next ones work", () => {
  init(faulty("handle_select"));
  const catalog = Catalog.from([{ name: "berth-plan", description: "Plans berths." }]);
  assert.throws(
    () => catalog.select({ query: "berth" }),
    (error) => {
      assert.ok(error instanceof SkillpickError && error.code === "internal_error" && error.cause instanceof WebAssembly.RuntimeError);
      return /report|fault of the package/.test(error.message);
    },
  );
  assert.throws(() => catalog.size, { code: "stale_catalog" });
  catalog.dispose();
  const next = Catalog.from([{ name: "berth-plan", description: "Plans berths." }]);
  assert.equal(next.search("berths")[0].id, "berth-plan");
  assert.equal(next.load("berth-plan").code, "instructions_not_loaded");
});
test("a trap inside a host's counter fails the outer call too, and all is well afterwards", () => {
  const inner = Catalog.from([{ name: "tug-order", description: "Books tugs." }]);
  const countTokens = () => (inner.select(), 1);
  const outer = Catalog.from([{ name: "tug-order", description: "Books tugs.", instructions: "Ask the pilot." }], { countTokens });
  assert.throws(() => outer.load("tug-order"), (error) => error.code === "count_failed" && error.cause.code === "internal_error");
  assert.throws(() => outer.size, { code: "stale_catalog" });
  assert.equal(Catalog.from([{ name: "tug-order" }]).size, 1);
});
