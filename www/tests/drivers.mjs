// One way to drive three browsers: Chromium and Firefox by puppeteer-core, WebKitGTK by its WebDriver.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const first = (...paths) => paths.find((path) => existsSync(path));
const CHROMIUM = first("/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser");
const FIREFOX = first("/usr/bin/firefox-esr", "/usr/bin/firefox");
const WEBKIT = first("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser");
const WEBKIT_DRIVER = first("/usr/bin/WebKitWebDriver");
const XVFB = first("/usr/bin/xvfb-run");

/** Starts a browser by name; `undefined` where it isn't installed. */
export const browsers = {
  chromium: CHROMIUM && (() => byPuppeteer({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] })),
  firefox: FIREFOX && (() => byPuppeteer({ browser: "firefox", executablePath: FIREFOX })),
  webkit: WEBKIT && WEBKIT_DRIVER && XVFB && byWebDriver,
};

async function byPuppeteer(options) {
  const profile = mkdtempSync(join(tmpdir(), "skillpick-profile-"));
  const browser = await puppeteer.launch({ headless: true, ...options, userDataDir: profile, env: { ...process.env, HOME: profile } });
  const page = await browser.newPage();
  return {
    page,
    open: (url) => page.goto(url, { waitUntil: "load" }),
    evaluate: (work, ...args) => page.evaluate(work, ...args),
    source: (text) => page.evaluate(text),
    press: (key) => page.keyboard.press(key),
    size: (width, height) => page.setViewport({ width, height, deviceScaleFactor: 1 }),
    screenshot: (path, fullPage = true) => page.screenshot({ path, fullPage }),
    async close() {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

const KEYS = { Tab: "\uE004", ArrowDown: "\uE015", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowLeft: "\uE012", Enter: "\uE007", End: "\uE010", Home: "\uE011" };

async function byWebDriver() {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), "skillpick-profile-"));
  const env = { ...process.env, HOME: profile, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", LIBGL_ALWAYS_SOFTWARE: "1" };
  const child = spawn(XVFB, ["-a", "-s", "-screen 0 1600x1200x24", WEBKIT_DRIVER, `--port=${port}`], { env, stdio: "ignore", detached: true });
  const ask = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const end = async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-child.pid, "SIGTERM");
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3000))]);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    await until(() => ask("GET", "/status"), 15_000);
    const { sessionId } = await ask("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: WEBKIT, args: ["--automation"] } } } });
    const path = `/session/${sessionId}`;
    await ask("POST", `${path}/timeouts`, { script: 60_000, pageLoad: 60_000 });
    const run = (text, args) =>
      ask("POST", `${path}/execute/async`, {
        script: `const done = arguments[arguments.length - 1]; const args = [...arguments].slice(0, -1);
          Promise.resolve().then(() => (${text})(...args)).then((value) => done({ value }), (error) => done({ error: String(error && error.stack || error) }));`,
        args,
      }).then(({ value, error }) => {
        if (error) throw new Error(error);
        return value;
      });
    return {
      open: (url) => ask("POST", `${path}/url`, { url }),
      evaluate: (work, ...args) => run(String(work), args),
      source: (text) => run(`() => { ${text} }`, []),
      async press(key) {
        const value = KEYS[key] ?? key;
        const actions = [{ type: "key", id: "keys", actions: [{ type: "keyDown", value }, { type: "keyUp", value }] }];
        await ask("POST", `${path}/actions`, { actions });
      },
      size: (width, height) => ask("POST", `${path}/window/rect`, { width, height }),
      screenshot: async (file) => writeFileSync(file, Buffer.from(await ask("GET", `${path}/screenshot`), "base64")),
      async close() {
        await ask("DELETE", path).catch(() => {});
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function until(work, most) {
  for (const start = performance.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() - start > most) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
