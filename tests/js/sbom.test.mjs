// The list of what is linked into the package: made anew it is the same, and it names what the lock files name.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");

test("dist/sbom.json is what the lock files give, every time", () => {
  const folder = mkdtempSync(join(tmpdir(), "sbom-"));
  try {
    const file = join(folder, "sbom.json");
    execFileSync("node", [join(root, "scripts", "sbom.mjs"), file]);
    const text = readFileSync(file, "utf8");
    assert.equal(text, readFileSync(join(root, "dist", "sbom.json"), "utf8"));
    const names = JSON.parse(text).components.map(({ name }) => name);
    for (const name of ["fflate", "libm", "wasm-bindgen", "xxhash-rust", "yaml"]) assert.ok(names.includes(name), name);
    assert.ok(!names.includes("proptest") && !names.includes("quick-xml"), "tests are not part of the package");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
