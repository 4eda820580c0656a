// The service worker: keeps the page's own files, so that it works without a network. It stores nothing else.
const VERSION = "skillpick-__VERSION__";
const FILES: string[] = JSON.parse("__FILES__");

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Waiting {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string };
}
const scope = self as unknown as Scope;

scope.addEventListener("install", (event) => event.waitUntil(keep()));
scope.addEventListener("activate", (event) => event.waitUntil(forget()));
scope.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !url.startsWith(scope.registration.scope)) return;
  event.respondWith(answer(event.request, mode === "navigate"));
});

async function keep(): Promise<void> {
  const cache = await caches.open(VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await scope.skipWaiting();
}

async function forget(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith("skillpick-") && name !== VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

async function answer(request: Request, page: boolean): Promise<Response> {
  const cache = await caches.open(VERSION);
  const kept = await cache.match(page ? "./" : request, { ignoreSearch: true });
  return kept ?? fetch(request);
}
