import { Hono } from "hono";
import { cors } from "hono/cors";
import { SkillpickError } from "skillpick";
import { authenticate } from "./auth.js";
import { forgetCatalog } from "./catalog.js";
import type { Env } from "./env.js";
import { ApiError, type ErrorCode } from "./errors.js";
import { openapi } from "./openapi.js";
import { forgetOwn } from "./own.js";
import { prompt } from "./prompt.js";
import * as skills from "./skills.js";

export { UserState } from "./user-state.js";
export type App = { Bindings: Env; Variables: { user: string; code: ErrorCode } };

const app = new Hono<App>();

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
};

// One line a request. The route's pattern and the code only: no path, key, header, body or user.
app.use(async (c, next) => {
  const started = Date.now();
  await next();
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
  console.log(JSON.stringify({ event: "request", method: c.req.method, status: c.res.status, code: c.get("code"), ms: Date.now() - started }));
});

app.use(async (c, next) => {
  const origins = (c.env.CORS_ORIGINS ?? "").split(",").map((origin) => origin.trim()).filter((origin) => origin !== "");
  if (origins.length === 0) return next();
  return cors({ origin: origins, allowMethods: ["GET", "POST", "DELETE"], allowHeaders: ["authorization", "content-type"], maxAge: 600 })(c, next);
});

app.get("/openapi.json", (c) => c.json(openapi));

app.use("/api/*", async (c, next) => {
  const user = await authenticate(c.req.header("authorization"), c.env).catch(async (error: unknown) => {
    await limit(c.env, `address:${c.req.header("cf-connecting-ip") ?? "unknown"}`);
    throw error;
  });
  await limit(c.env, `user:${user}`);
  c.set("user", user);
  await next();
});

app.post("/api/prompt", prompt);
app.post("/api/skills/load", skills.load);
app.post("/api/skills/search", skills.search);
app.post("/api/skills/install", skills.install);
app.post("/api/skills/activate", skills.activate);
app.get("/api/skills/catalog", skills.catalog);
for (const taken of ["/api/prompt", "/api/skills/load", "/api/skills/search", "/api/skills/install", "/api/skills/activate", "/api/skills/catalog"]) app.all(taken, notAllowed);
app.get("/api/skills/:id", skills.detail);
app.delete("/api/skills/:id", skills.remove);
app.all("/api/skills/:id", notAllowed);
app.notFound(() => {
  throw new ApiError("not_found", "there is no such resource; /openapi.json says what there is");
});

app.onError((thrown, c) => {
  const error = asApiError(thrown);
  c.set("code", error.code);
  return error.response;
});

async function limit(env: Env, key: string): Promise<void> {
  const { success } = await env.LIMIT.limit({ key });
  if (!success) throw new ApiError("rate_limited", "too many requests; try again in a minute");
}

function notAllowed(): never {
  throw new ApiError("method_not_allowed", "this resource doesn't have that method");
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof SkillpickError && /^(invalid|required|too_large|unreadable)/.test(thrown.code)) {
    return new ApiError("invalid_request", thrown.message.slice(0, 300), thrown.path === undefined ? {} : { path: thrown.path });
  }
  // The instance may have been replaced, and its catalogs with it: the next request reads them again.
  if (thrown instanceof SkillpickError) {
    forgetCatalog();
    forgetOwn();
  }
  // Names alone; a message can hold what the user sent.
  console.error(JSON.stringify({ event: "internal", error: thrown instanceof Error ? thrown.name : typeof thrown }));
  return new ApiError("internal", "something went wrong on our side");
}

export default app;
