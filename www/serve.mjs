// Serves the built page on the loopback interface: node www/serve.mjs [port]
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".json": "application/json" };
const ROOT = join(import.meta.dirname, "dist");

/** A server for `root`; `seen` is told every address that is asked for, `change` may replace a page's text. */
export function serve({ port = 0, root = ROOT, seen = () => {}, extra = () => undefined } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    seen(request);
    const more = extra(pathname);
    if (more) return response.writeHead(200, { "content-type": more.type, "cache-control": "no-store" }).end(more.body);
    let path = join(root, decoded(pathname));
    if (path !== root && !path.startsWith(root + sep)) return response.writeHead(404).end();
    if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
    if (!existsSync(path)) return response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve({ url: `http://127.0.0.1:${server.address().port}/`, close: () => new Promise((done) => (server.closeAllConnections(), server.close(done))) });
    });
  });
}

/** A path that isn't well-formed names no file. */
function decoded(path) {
  try {
    return decodeURIComponent(path).replaceAll("\0", "");
  } catch {
    return "/not-found";
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(ROOT)) {
    console.error("There is no built page yet: make playground");
    process.exit(1);
  }
  const port = Number(process.argv[2] ?? process.env.PORT ?? 4173);
  const { url } = await serve({ port }).catch((error) => {
    console.error(`Port ${port} can't be had (${error.code}): make playground PORT=${port + 1}`);
    process.exit(1);
  });
  console.log(`The playground is at ${url}  (Ctrl+C ends it)`);
}
