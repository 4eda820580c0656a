// The pattern of docs/adapters.md for wrangler: a catalog that is built before the Worker, and again when a skill changes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

Object.assign(process.env, { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false", CI: "1", NO_UPDATE_NOTIFIER: "1" });
const root = mkdtempSync(join(import.meta.dirname, ".work", "wrangler-"));
after(() => rmSync(root, { recursive: true, force: true }));
cpSync(join(import.meta.dirname, "wrangler"), root, { recursive: true });
// The build command runs where wrangler is started.
process.chdir(root);

test("a deployment holds the skills", () => {
  const wrangler = join(import.meta.dirname, "node_modules", "wrangler", "bin", "wrangler.js");
  execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", "out"], { cwd: root, stdio: "pipe" });
  assert.match(readFileSync(join(root, "out", "index.js"), "utf8"), /Greets somebody warmly/);
});

test("in development, the Worker answers from the skills, and again when one has changed", async () => {
  const { unstable_startWorker: startWorker } = await import("wrangler");
  const worker = await startWorker({ config: join(root, "wrangler.toml"), dev: { logLevel: "none", server: { port: 0 }, inspector: false, watch: true } });
  try {
    const ask = async () => (await worker.fetch("http://worker/?q=hello")).text();
    assert.match(await ask(), /^<available-skills>\n {2}<skill id="greet" name="greet" description="Greets somebody warmly\." \/>/);
    const file = join(root, "skills/greet/SKILL.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("warmly", "coolly"));
    // Until the new one is there; the runner's time limit ends what never comes.
    while (!(await ask()).includes("coolly")) await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    await worker.dispose();
  }
});
