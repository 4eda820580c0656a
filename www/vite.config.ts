import { join } from "node:path";
import { defineConfig } from "vite";
import { exampleCatalog } from "./build/example-catalog.ts";
import { offline } from "./build/offline.ts";
import { page } from "./build/page.ts";

const dist = join(import.meta.dirname, "..", "dist");

// The package as its users get it: the built files, by the names that they import.
const alias = [
  { find: /^skillpick$/, replacement: join(dist, "index.js") },
  { find: /^skillpick\/skill-md$/, replacement: join(dist, "skill-md.js") },
];

export default defineConfig({
  // Any folder of any host will do.
  base: "./",
  resolve: { alias },
  plugins: [page(), exampleCatalog(), offline()],
  worker: { format: "es", plugins: () => [exampleCatalog()] },
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: { input: { index: join(import.meta.dirname, "index.html"), sw: join(import.meta.dirname, "src", "offline", "sw.ts") }, output: { entryFileNames: (chunk) => (chunk.name === "sw" ? "sw.js" : "assets/[name]-[hash].js") } },
  },
});
