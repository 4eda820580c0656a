// Builds the page and tries it in every browser: node www/tests/run.mjs [--only BROWSER] [--screenshots FOLDER] [--times]
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { serve } from "../serve.mjs";
import * as inPage from "./in-page.mjs";

const www = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { only: { type: "string" }, screenshots: { type: "string" }, built: { type: "boolean" }, times: { type: "boolean" } } });

/** Runs a command to its end; its output is shown only if it fails. */
function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: www, encoding: "utf8" });
  if (status === 0) return;
  console.log(error?.message ?? `${stdout}${stderr}`);
  console.log(`0 passed, 1 failed (${[command, ...args].join(" ")})`);
  process.exit(1);
}

const changed = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
if (changed(join(www, "node_modules", ".package-lock.json")) < changed(join(www, "package-lock.json"))) run("npm", ["ci", "--ignore-scripts", "--loglevel=error"]);
const bin = (name) => join(www, "node_modules", ".bin", name);
if (!values.built) {
  run(bin("tsc"), ["-p", "."]);
  run(bin("vite"), ["build", "--logLevel", "warn"]);
}

const { browsers } = await import("./drivers.mjs");
const { tests, axeTests } = await import("./cases.mjs");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
if (values.screenshots) mkdirSync(values.screenshots, { recursive: true });

let [passed, failed, skipped] = [0, 0, 0];
for (const name of Object.keys(browsers)) if (!values.only || values.only === name) await inBrowser(name, browsers[name]);
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exit(failed > 0 ? 1 : 0);

async function inBrowser(name, start) {
  if (!start) {
    skipped++;
    return console.log(`  skip  ${name}: bash scripts/bootstrap.sh test`);
  }
  const began = performance.now();
  const browser = await start();
  try {
    await attempt(name, browser, [...tests, ...axeTests].filter(({ only }) => !only || only === name));
  } finally {
    await browser.close();
  }
  console.log(`  ${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** Each test has a page that was opened afresh, and ends with the question whether anything went wrong on it. */
async function attempt(name, browser, wanted) {
  const page = { html: readFileSync(join(www, "dist", "index.html"), "utf8").replace("<head>", '<head><script src="./probe.js"></script>').replace("trusted-types skillpick", "trusted-types skillpick tests") };
  const own = {
    "/": { type: "text/html; charset=utf-8", body: page.html },
    "/probe.js": { type: "text/javascript", body: `(${inPage.probe})();` },
  };
  for (const { title, work } of wanted) {
    const server = await serve({ extra: (path) => own[path] });
    const tools = {
      name,
      axe,
      assert,
      browser,
      screenshots: values.screenshots,
      url: server.url,
      stopServer: () => server.close(),
      do: (what, ...args) => browser.evaluate(inPage[what], ...args),
      async open(hash = "") {
        // A change of the fragment alone opens no page.
        if (hash) await browser.open("about:blank");
        await browser.open(server.url + hash);
        await browser.evaluate(inPage.settle);
      },
      settle: () => browser.evaluate(inPage.settle),
    };
    const start = performance.now();
    try {
      await browser.size(1000, 700);
      await tools.open();
      await work(tools);
      assert.deepEqual(await tools.do("faults"), []);
      passed++;
      if (values.times) console.log(`  ${name}: ${title}: ${Math.round(performance.now() - start)} ms`);
    } catch (error) {
      failed++;
      console.log(`  FAIL  ${name}: ${title}\n${String(error.stack ?? error).replace(/^/gm, "          ")}`);
    } finally {
      await server.close().catch(() => {});
    }
  }
}
