// The crate as its users get it: what `cargo package` packs builds by itself, and its public items are those in tests/public-api.txt.
// After an intended change, SKILLPICK_BLESS=1 node scripts/crate.mjs writes the list; read it: a line that goes is a breaking change.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicItems } from "./public-items.mjs";

process.chdir(join(import.meta.dirname, ".."));
const LIST = "tests/public-api.txt";
const PACKED = /^(src\/[\w/]+\.(rs|bin)|examples\/\w+\.rs|README\.md|CHANGELOG\.md|LICENSE-(MIT|APACHE)|Cargo\.(toml|toml\.orig|lock)|\.cargo_vcs_info\.json)$/;
let [passed, failed] = [0, 0];

function check(name, work) {
  try {
    work();
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${error.stderr ?? ""}${error.stderr ? "" : error.message}`);
  }
}
const cargo = (args, env = {}) => execFileSync("cargo", args, { encoding: "utf8", env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 26 });
// Everything has been fetched by the builds before.
const QUIET = ["--allow-dirty", "--offline", "--locked"];

check("only sources, examples and what a reader needs are packed", () => {
  const odd = cargo(["package", "--list", ...QUIET]).split("\n").filter((file) => file !== "" && !PACKED.test(file));
  if (odd.length > 0) throw new Error(`these are packed too: ${odd.slice(0, 20).join(", ")}; see \`include\` in Cargo.toml`);
});

check("the packed crate builds by itself", () => void cargo(["package", ...QUIET]));

check("the public items are those that are written down", () => {
  // The description of a crate as JSON is not stable yet; the variable lets a stable compiler write it.
  cargo(["rustdoc", "--lib", "--locked", "--", "-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"], { RUSTC_BOOTSTRAP: "1" });
  const items = publicItems(JSON.parse(readFileSync("target/doc/skillpick.json", "utf8")));
  if (items.length < 100) throw new Error(`only ${items.length} items were found; the compiler writes another form of JSON now`);
  if (process.env.SKILLPICK_BLESS !== undefined) return writeFileSync(LIST, `${items.join("\n")}\n`);
  const before = existsSync(LIST) ? readFileSync(LIST, "utf8").split("\n").filter(Boolean) : [];
  const gone = before.filter((line) => !items.includes(line)).map((line) => `- ${line}`);
  const added = items.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  if (gone.length + added.length === 0) return;
  throw new Error(
    [...gone, ...added].join("\n") +
      `\n${gone.length > 0 ? "what is gone or changed breaks users of the crate: it needs a new minor version before 1.0, a new major one after" : "new items are no break"}` +
      "\nif it is meant so: SKILLPICK_BLESS=1 node scripts/crate.mjs, and a line in CHANGELOG.md",
  );
});

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
