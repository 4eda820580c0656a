// Writes dist/sbom.json: what is linked into the wasm, bundled, or installed by npm with the package, as CycloneDX 1.5. Deterministic: no
// date, no serial number, sorted.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

process.chdir(join(import.meta.dirname, ".."));
const own = JSON.parse(readFileSync("package.json", "utf8"));
const metadata = JSON.parse(execFileSync("cargo", ["metadata", "--format-version=1", "--locked", "--filter-platform", "wasm32-unknown-unknown"], { encoding: "utf8", maxBuffer: 1 << 27 }));
const packages = new Map(metadata.packages.map((one) => [one.id, one]));
const nodes = new Map(metadata.resolve.nodes.map((one) => [one.id, one]));

/** Crates that the core needs to run or to be built, those of tests and benches left out. */
const linked = new Set();
const open = [metadata.resolve.root];
while (open.length > 0) {
  const id = open.pop();
  for (const { pkg, dep_kinds } of nodes.get(id).deps) {
    if (linked.has(pkg) || !dep_kinds.some(({ kind }) => kind !== "dev")) continue;
    linked.add(pkg);
    open.push(pkg);
  }
}
const licenses = (license) => (license ? { licenses: [{ expression: license.replaceAll("/", " OR ") }] } : {});
const crates = [...linked].map((id) => packages.get(id)).map(({ name, version, license }) => ({
  type: "library", name, version, "bom-ref": `pkg:cargo/${name}@${version}`, purl: `pkg:cargo/${name}@${version}`, ...licenses(license),
}));
const lock = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
/** Written into dist/index.js and dist/index.cjs by the bundler. */
const BUNDLED = ["fflate"];
const installed = [...Object.keys(own.dependencies ?? {}), ...BUNDLED].map((name) => {
  const { version, license } = lock[`node_modules/${name}`];
  return { type: "library", name, version, "bom-ref": `pkg:npm/${name}@${version}`, purl: `pkg:npm/${name}@${version}`, ...licenses(license) };
});
const components = [...crates, ...installed].sort((a, b) => (a.purl < b.purl ? -1 : 1));
const component = { type: "library", name: own.name, version: own.version, "bom-ref": `pkg:npm/${own.name}@${own.version}`, purl: `pkg:npm/${own.name}@${own.version}`, ...licenses(own.license.replace(/[()]/g, "")) };
const bom = { bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata: { component }, components };
writeFileSync(process.argv[2] ?? "dist/sbom.json", `${JSON.stringify(bom, null, 1)}\n`);
