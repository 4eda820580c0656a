// A snapshot in Cloudflare's runtime: started here, driven over HTTP, and stopped. Times are those of a caller beside it, since clocks
// stand still inside a worker that computes.
import { spawn } from "node:child_process";
import { cpSync, createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const tools = join(root, "pkg-tests", "node_modules");
const binary = ["64", "arm64"].map((arch) => join(tools, "@cloudflare", `workerd-linux-${arch}`, "bin", "workerd")).find(existsSync);

/** Loads the snapshot and sends the requests; undefined where there is no workerd. */
export async function inWorkerd(file, requests) {
  if (!binary) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "skillpick-workerd-"));
  try {
    await bundle(folder);
    return await served(folder, (address) => drive(address, file, requests));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundle(folder) {
  await createRequire(join(tools, "x.js"))("esbuild").build({
    entryPoints: [join(import.meta.dirname, "worker.mjs")],
    outfile: join(folder, "out", "worker.js"),
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    external: ["*.wasm"],
    logLevel: "silent",
  });
  mkdirSync(join(folder, "out"), { recursive: true });
  cpSync(join(root, "dist", "skillpick.wasm"), join(folder, "out", "skillpick.wasm"));
  cpSync(join(import.meta.dirname, "config.capnp"), join(folder, "config.capnp"));
}

async function served(folder, work) {
  const child = spawn(binary, ["serve", "config.capnp", "--control-fd=3"], { cwd: folder, stdio: ["ignore", "ignore", "pipe", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  try {
    const port = await new Promise((resolve, reject) => {
      child.stdio[3].on("data", (chunk) => {
        const listening = String(chunk).split("\n").filter(Boolean).map((line) => JSON.parse(line)).find(({ event }) => event === "listen");
        if (listening) resolve(listening.port);
      });
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`workerd ended with ${code}\n${output}`)));
    });
    return await work(`http://127.0.0.1:${port}/`);
  } finally {
    child.kill("SIGKILL");
  }
}

async function drive(address, file, requests) {
  const send = async (method, body) => {
    const start = performance.now();
    const response = await fetch(address, { method, body, duplex: "half" });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return { time: performance.now() - start, memory: Number(text) };
  };
  const loaded = await send("PUT", createReadStream(file));
  const picked = [];
  for (const request of requests) picked.push(await send("POST", request));
  return { loaded, picked: picked.slice(Math.floor(requests.length / 4)) };
}
