// The vectors, the sweep of budgets and the lifecycle on the built wasm, in this Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as skillpick from "skillpick";
import { check } from "../../pkg-tests/check.mjs";
import { collect } from "../../pkg-tests/data.mjs";
import { loadSkills } from "skillpick/loader";

const data = await collect(loadSkills);

test("the built wasm answers as the vectors say", () => {
  const { passed, failures } = check(skillpick, data);
  assert.deepEqual(failures, []);
  assert.ok(passed > 100, `only ${passed} checks ran`);
});

const hasXmllint = (() => {
  try {
    execFileSync("xmllint", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

test("every block is XML to libxml2", { skip: hasXmllint ? false : "needs xmllint (Debian: libxml2-utils)" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "skillpick-xml-"));
  try {
    const files = blocks(data).map((xml, index) => {
      const file = join(folder, `${index}.xml`);
      writeFileSync(file, xml);
      return file;
    });
    assert.ok(files.length > 400, `only ${files.length} blocks`);
    // Throws, with the file and the line, at the first that is none.
    execFileSync("xmllint", ["--noout", "--nonet", ...files], { stdio: ["ignore", "ignore", "pipe"] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The blocks of all vectors and of every budget from 0 to 300 on the example catalog, each once. */
function blocks({ vectors, catalogs, sweep }) {
  const found = new Set();
  const add = (source, context, options) => {
    try {
      const catalog = skillpick.Catalog.from(source);
      found.add(catalog.select(context, options).xml);
      catalog.dispose();
    } catch (error) {
      assert.ok(error instanceof skillpick.SkillpickError, error);
    }
  };
  for (const format of ["agentpool", "agentskills", "compact"]) {
    for (const { catalog, catalog_text: text, context, options } of Object.values(vectors).flat()) {
      add(text ?? (typeof catalog === "string" ? catalogs[catalog] : catalog), context, { ...options, format });
    }
    for (let budget = 0; budget <= 300; budget++) add(sweep.catalog, sweep.context, { budget, format });
  }
  found.delete("");
  return [...found];
}
