import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Plugin } from "vite";

/** Writes into the service worker which files make up the page, and a version that changes when one of them does. */
export function offline(): Plugin {
  let out = "";
  return {
    name: "skillpick-offline",
    apply: "build",
    configResolved: (config) => void (out = join(config.root, config.build.outDir)),
    closeBundle() {
      const worker = join(out, "sw.js");
      const files = readdirSync(out, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== "sw.js")
        .map((entry) => relative(out, join(entry.parentPath, entry.name)).split(sep).join("/"))
        .sort();
      const hash = createHash("sha256");
      for (const file of files) hash.update(file).update(readFileSync(join(out, file)));
      const list = ["./", ...files.filter((file) => file !== "index.html")];
      const text = readFileSync(worker, "utf8");
      const filled = text.replace(/["'`]__FILES__["'`]/, () => JSON.stringify(JSON.stringify(list))).replace("__VERSION__", () => hash.digest("hex").slice(0, 16));
      if (filled === text) throw new Error("sw.js has no place for the list of files");
      writeFileSync(worker, filled);
    },
  };
}
