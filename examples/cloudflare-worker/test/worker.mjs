// The Worker as wrangler bundles it, in workerd.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";

export const here = join(import.meta.dirname, "..");

/** What `wrangler deploy` would upload, in dist/NAME. */
export function bundle(main = "src/index.ts", name = "index") {
  // wrangler asks for the folder of assets, which the build of a catalog makes.
  mkdirSync(join(here, "public"), { recursive: true });
  execFileSync(join(here, "node_modules", ".bin", "wrangler"), ["deploy", main, "--dry-run", "--outdir", join("dist", name)], {
    cwd: here, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1" },
  });
}

export const keyOf = (user) => `sk_test_${user}_0123456789abcdef`;
export const keys = (users) => JSON.stringify(Object.fromEntries(users.map((user) => [createHash("sha256").update(keyOf(user)).digest("hex"), user])));
export const temporary = () => mkdtempSync(join(tmpdir(), "skillpick-worker-"));

/** Starts workerd; `state` is the folder of what persists. */
export async function start({ state, users = [], limit = 1_000_000, vars = {}, r2 = false, assets = join(here, "public"), log = [], name = "index" } = {}) {
  const out = join(here, "dist", name);
  const wasm = readdirSync(out).find((name) => name.endsWith(".wasm"));
  const runtime = new Miniflare({
    modules: [
      { type: "ESModule", path: join(out, `${name}.js`) },
      { type: "CompiledWasm", path: join(out, wasm) },
    ],
    modulesRoot: out,
    compatibilityDate: "2026-01-01",
    durableObjects: { USERS: { className: "UserState", useSQLite: true } },
    ...(state ? { durableObjectsPersist: state } : {}),
    assets: { directory: assets, binding: "ASSETS", routerConfig: { invoke_user_worker_ahead_of_assets: true, has_user_worker: true } },
    ...(r2 ? { r2Buckets: ["CATALOG"] } : {}),
    ratelimits: { LIMIT: { simple: { limit, period: 60 } } },
    bindings: { KEYS: keys(users), CORS_ORIGINS: "", ...vars },
    handleRuntimeStdio: (stdout, stderr) => {
      for (const stream of [stdout, stderr]) stream.on("data", (data) => log.push(String(data)));
    },
  });
  const url = await runtime.ready;
  /** One request: status, headers, and the JSON of the answer. */
  const call = async (user, method, path, body, headers = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...(user === null ? {} : { authorization: `Bearer ${keyOf(user)}` }), ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      body: body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text === "" ? null : JSON.parse(text), method, path };
  };
  return { runtime, url, call, stop: () => runtime.dispose() };
}
