import type { Plugin } from "vite";
import { texts } from "../src/texts.ts";

/**
 * What the page may do. Scripts, styles and data come from its own origin, nothing is inline, text never becomes markup
 * (`require-trusted-types-for`), and WebAssembly may be compiled.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types skillpick",
].join("; ");

/** Puts the policy and the few texts that stand before any script into the page. */
export function page(): Plugin {
  let built = false;
  const values: Record<string, string> = { TITLE: texts.page.title, DESCRIPTION: texts.page.description, NO_SCRIPT: texts.page.noScript };
  return {
    name: "skillpick-page",
    configResolved: (config) => void (built = config.command === "build"),
    transformIndexHtml: {
      order: "pre",
      handler: (html) =>
        html
          .replace(/%(TITLE|DESCRIPTION|NO_SCRIPT)%/g, (_, name: string) => values[name] ?? "")
          // Vite's own development scripts are inline.
          .replace("<!-- policy -->", () => (built ? `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` : "")),
    },
  };
}
