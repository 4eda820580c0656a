// Instructions at n, 2n and 4n for the cases of benches/complexity, counted by callgrind: node scripts/complexity.mjs [--check] [CASE]...
// Instructions and not time: the same on every machine, however busy. --check fails where they grow faster than n log n could.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.chdir(join(import.meta.dirname, ".."));
const words = process.argv.slice(2);
const check = words.includes("--check");
const only = words.filter((word) => !word.startsWith("--"));
/** Twice the input may take this much more; n log n stays under it at these sizes, n² doesn't. */
const MOST = 2.6;

if (spawnSync("valgrind", ["--version"]).status !== 0) {
  console.log("skipped: valgrind is not installed (Debian: apt-get install --no-install-recommends valgrind)");
  process.exit(0);
}
const built = execFileSync("cargo", ["bench", "--bench", "complexity", "--no-run", "--message-format=json", "--quiet"], { encoding: "utf8", maxBuffer: 1 << 28 });
const artifact = built.split("\n").filter(Boolean).map((line) => JSON.parse(line)).find((one) => one.executable && one.target?.name === "complexity");
const folder = mkdtempSync(join(tmpdir(), "complexity-"));
try {
  // Each call of `measured` is a dump of its own, counted from nought.
  const flags = ["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=complexity::measured", "--dump-after=complexity::measured", `--callgrind-out-file=${folder}/out`];
  const run = spawnSync("valgrind", [...flags, artifact.executable, ...only], { encoding: "utf8", maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(run.stderr.slice(-2000));
  const sizes = run.stdout.trim().split("\n").map((line) => line.split(" "));
  const counts = sizes.map((_, at) => Number(/^(?:totals|summary): (\d+)/m.exec(readFileSync(join(folder, `out.${at + 1}`), "utf8"))[1]));
  print(sizes, counts);
} finally {
  rmSync(folder, { recursive: true });
}

function print(sizes, counts) {
  const rows = [];
  for (let at = 0; at < sizes.length; at += 3) {
    const [one, two, four] = counts.slice(at, at + 3);
    rows.push({ name: sizes[at][0], n: sizes[at][1], one, two, four, growth: Math.max(two / one, four / two) });
  }
  const millions = (count) => (count / 1e6).toFixed(2).padStart(9);
  console.log(`${"case".padEnd(26)}${"n".padStart(7)}  ${"n".padStart(9)}${"2n".padStart(9)}${"4n".padStart(9)}   worst doubling  (millions of instructions)`);
  for (const { name, n, one, two, four, growth } of rows) {
    console.log(`${name.padEnd(26)}${n.padStart(7)}  ${millions(one)}${millions(two)}${millions(four)}   × ${growth.toFixed(2)}${growth > MOST ? "  ← grows too fast" : ""}`);
  }
  const bad = rows.filter(({ growth }) => growth > MOST).length;
  console.log(`${rows.length - bad} passed, ${bad} failed`);
  if (check && bad > 0) process.exitCode = 1;
}
