// Pages served from the working folder on the loopback interface, opened in real browsers; each page posts its result back.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

/** Serves `root`; `headers(path)` adds headers to an answer. */
export async function serve(root, headers = () => ({})) {
  const waiting = new Map();
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://127.0.0.1");
    if (request.method === "POST" && url.pathname === "/result") {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        response.writeHead(204).end();
        waiting.get(url.searchParams.get("id"))?.(JSON.parse(body));
      });
      return;
    }
    let path = join(root, normalize(decodeURIComponent(url.pathname)));
    if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
    if (!existsSync(path)) return response.writeHead(404).end();
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "cache-control": "no-store", ...headers(url.pathname) }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  let last = 0;
  return {
    port,
    /** Opens a page in a browser and waits for what it posts; another server may have the page, and passes the answer on. */
    async open(browser, page, seconds = 60, origin = `http://127.0.0.1:${port}`) {
      const id = String(++last);
      const profile = mkdtempSync(join(tmpdir(), "skillpick-profile-"));
      const { command, args, env } = browser(`${origin}/${page}?id=${id}`, profile);
      const child = spawn(command, args, { env: { ...process.env, ...env, HOME: profile }, stdio: ["ignore", "pipe", "pipe"], detached: true });
      let output = "";
      child.stdout.on("data", (chunk) => (output += chunk));
      child.stderr.on("data", (chunk) => (output += chunk));
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, resolve);
          child.on("error", reject);
          child.on("exit", (code) => reject(new Error(`${command} ended with ${code} before it answered\n${output.slice(-2000)}`)));
          setTimeout(() => reject(new Error(`no answer from ${page} within ${seconds} s\n${output.slice(-2000)}`)), seconds * 1000).unref();
        });
      } finally {
        waiting.delete(id);
        await end(child);
        rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      }
    },
    close: () => server.close(),
  };
}

/** A browser is a group of processes. */
async function end(child) {
  if (child.exitCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid, "SIGKILL");
  await gone;
}

const first = (...paths) => paths.find((path) => existsSync(path));

/** The browsers of this machine; `undefined` where there is none. */
export const browsers = {
  chromium: chromium(first("/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser")),
  firefox: firefox(first("/usr/bin/firefox-esr", "/usr/bin/firefox")),
  webkit: webkit(
    first("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser"),
    first("/usr/bin/xvfb-run"),
  ),
};

function chromium(command) {
  // Without the background flags Chromium looks up its maker's hosts at every start; root needs --no-sandbox.
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return command && ((url, profile) => ({ command, args: [...flags, `--user-data-dir=${profile}`, url] }));
}

function firefox(command) {
  return command && ((url, profile) => ({ command, args: ["--headless", "--no-remote", "--profile", profile, url], env: { MOZ_DISABLE_AUTO_SAFE_MODE: "1" } }));
}

function webkit(command, xvfb) {
  return (
    command && xvfb && ((url) => ({
      command: xvfb,
      args: ["-a", command, url],
      env: { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1", LIBGL_ALWAYS_SOFTWARE: "1" },
    }))
  );
}
