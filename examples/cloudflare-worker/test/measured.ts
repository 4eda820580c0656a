// The Worker with two more paths, for test/load.mjs: a constant, and what the core's memory has grown to.
import { memoryBytes } from "skillpick";
import app from "../src/index.js";
import type { Env } from "../src/env.js";

export { UserState } from "../src/index.js";

export default {
  fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/constant") return new Response("constant");
    if (pathname === "/memory") return new Response(String(memoryBytes()));
    return app.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
