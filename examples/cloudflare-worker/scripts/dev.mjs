// wrangler dev, with a key for this machine alone: the word "local" is the key of the user "local".
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = join(import.meta.dirname, "..");
const secrets = join(here, ".dev.vars");
if (!existsSync(secrets)) writeFileSync(secrets, `KEYS='${JSON.stringify({ [createHash("sha256").update("local").digest("hex")]: "local" })}'\n`);
const child = spawn(join(here, "node_modules", ".bin", "wrangler"), ["dev", "--ip", "127.0.0.1", "--port", process.env.PORT ?? "8787", ...process.argv.slice(2)], {
  cwd: here, stdio: "inherit", env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 0));
