// Hostile JavaScript values through the package: every failure is a SkillpickError with a code, and the instance stays usable.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Catalog, estimateTokens, memoryBytes } from "skillpick";

const runs = Number(process.env.FUZZ_RUNS ?? 600);
const settings = { numRuns: runs, seed: Number(process.env.FUZZ_SEED ?? 1130) };
const skills = [
  { name: "deploy-site", description: "Deploy the site.", instructions: "Run $ARGUMENTS.", tools: ["site.deploy"] },
  { name: "pdf-forms", description: "Fill in PDF forms.", paths: ["*.pdf"] },
  { name: "rules", kind: "rule", scope: "src", instructions: "Be brief." },
];
const catalog = Catalog.from(skills);
const BLOCK = catalog.select({ query: "deploy" }).xml;

/** Runs `work`; what it throws is ours and has a code. The catalog then still answers as before. */
function survives(work) {
  try {
    const result = work();
    if (result !== undefined && typeof result !== "function") JSON.stringify(result);
  } catch (error) {
    assert.equal(error.name, "SkillpickError", `${error.stack}`);
    assert.match(error.code, /^[a-z_]+$/);
    assert.notEqual(error.code, "internal_error", `${error.cause?.stack ?? error.cause}`);
  }
  assert.equal(catalog.select({ query: "deploy" }).xml, BLOCK);
}
const code = (work) => {
  try {
    work();
  } catch (error) {
    return error.code;
  }
};

const cyclic = () => Object.assign([], { 0: {} }).map((one) => Object.assign(one, { one }));
/** Values that plain data never is. */
const ODD = [
  () => ({ get content() { throw new Error("a getter"); } }),
  () => new Proxy({}, { ownKeys: () => { throw new TypeError("a proxy"); } }),
  () => new Proxy([], { get: (_, key) => (key === "length" ? 4_294_967_295 : undefined) }),
  () => Proxy.revocable({}, {}).proxy,
  () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; },
  cyclic,
  () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  () => Object.create(null),
  () => ({ [Symbol.toPrimitive]: () => { throw new Error("a primitive"); } }),
  () => ({ toJSON: () => { throw new Error("toJSON"); } }),
  () => { const self = { toJSON: () => self }; return self; },
  () => ({ toString: () => "x", valueOf: () => NaN }),
  () => Symbol("s"), () => 10n ** 30n, () => () => 1, () => NaN, () => -Infinity, () => -0, () => 1e308,
  () => "\ud800", () => "a\udc00b", () => "\u0000", () => "__proto__", () => "constructor", () => "hasOwnProperty",
  () => new Map([["a", 1]]), () => new Set([1]), () => new Date(NaN), () => /x/g, () => new Error("e"), () => Promise.resolve(),
  () => new Uint8Array(8), () => new Float64Array([NaN, 1]), () => new SharedArrayBuffer(4), () => new WeakMap(),
  () => new Array(100), () => { const list = []; list.length = 4_294_967_295; return list; },
  () => Object.assign([1, 2], { extra: "x" }), () => new (class Own { #secret = 1; name = "own"; })(),
];
/** Stands for a hostile value until it is used: fast-check would look into the value itself. */
class Odd {
  constructor(at) {
    this.at = at;
  }
}
const odd = fc.nat(ODD.length - 1).map((at) => new Odd(at));
function real(value) {
  if (value instanceof Odd) return ODD[value.at]();
  if (Array.isArray(value)) return value.map(real);
  const plain = typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return plain ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, real(item)])) : value;
}
const value = fc.oneof({ weight: 3, arbitrary: odd }, fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true, withTypedArray: true, withSparseArray: true, maxDepth: 3 }));
const bag = (...keys) => fc.oneof(value, fc.dictionary(fc.constantFrom(...keys, "__proto__", "x"), fc.oneof(value, fc.array(value, { maxLength: 3 })), { maxKeys: 4 }));
const contexts = bag("messages", "query", "files", "active", "usage", "now", "scores", "vector", "tools", "previous");
const options = bag("mode", "budget", "tokenizer", "safety", "stableShare", "toolNames", "rules", "maxSkills", "format", "order", "placement", "pinned", "required", "exclude", "user", "actor", "countTokens", "arguments", "maxTokens", "offset");

const CALLS = {
  "Catalog.from": (a, b) => Catalog.from(a, b)?.dispose(),
  "Catalog.from of a list": (a, b) => Catalog.from([{ name: "a", description: a, extra: b }])?.dispose(),
  select: (a, b) => catalog.select(a, b),
  search: (a, b) => catalog.search(typeof a === "string" ? a : "deploy", b),
  load: (a, b) => catalog.load("deploy-site", b),
  "load of any id": (a) => catalog.load(a),
  tools: (a, b) => catalog.tools(b),
  policy: (a, b) => catalog.policy(a, b),
  report: (a) => catalog.report(a),
  with: (a) => catalog.with(a)?.dispose(),
  without: (a) => catalog.without(a)?.dispose(),
  session: (a) => catalog.session(a),
  "a session's steps": (a, b) => {
    const session = catalog.session();
    session.load("deploy-site", b);
    return [session.boundary(b), session.rules(["src"], b), session.enter(a), session.reattach(b), session.state];
  },
  get: (a) => catalog.get(a),
  estimateTokens: (a) => estimateTokens(a),
};
for (const [name, call] of Object.entries(CALLS)) {
  test(`${name}: any value is answered or refused with a code`, () => {
    fc.assert(fc.property(contexts, options, (a, b) => survives(() => call(real(a), real(b)))), settings);
    assert.equal({}.polluted, undefined);
  });
}

test("lists without items and shared parts are refused and not walked through", () => {
  const sparse = [];
  sparse.length = 4_294_967_295;
  assert.equal(code(() => catalog.select({ messages: sparse })), "too_large");
  assert.equal(code(() => catalog.select({}, { pinned: sparse })), "too_large");
  assert.equal(code(() => catalog.without(sparse)), "too_large");
  assert.equal(code(() => Catalog.from(sparse)), "too_large");
  assert.equal(code(() => Catalog.from([{ name: "a", tags: sparse }])), "too_large");
  let shared = ["x"];
  for (let depth = 0; depth < 40; depth++) shared = [shared, shared];
  assert.equal(code(() => catalog.select({ messages: shared })), "too_large");
});

test("long texts are refused, a million ids are not", () => {
  assert.equal(code(() => catalog.select({ messages: [{ role: "user", content: "x".repeat((1 << 26) + 1) }] })), "too_large");
  const ids = Array.from({ length: 1_000_000 }, (_, i) => `s${i}`);
  assert.equal(catalog.select({ query: "deploy" }, { pinned: ids }).xml, BLOCK);
  const many = Array.from({ length: 10_000 }, () => ({ role: "user", content: "deploy" }));
  assert.ok(catalog.select({ messages: many }).skills.length > 0);
  assert.ok(memoryBytes() < 512 << 20, `${memoryBytes()} bytes`);
});

test("a counter that lies, throws or calls back gives a typed error, and the instance goes on", () => {
  const answers = [NaN, -1, Infinity, "3", null, undefined, {}, 10n, Symbol("x")];
  for (const answer of answers) assert.match(code(() => catalog.select({}, { countTokens: () => answer })), /^(count_failed|invalid_count)$/, String(answer));
  for (const thrown of [new Error("x"), null, "text", { code: "stale_catalog" }]) {
    assert.equal(code(() => catalog.select({}, { countTokens: () => { throw thrown; } })), "count_failed");
  }
  const again = catalog.select({}, { countTokens: (text) => { catalog.select({ query: "deploy" }); return text.length; } });
  assert.ok(again.tokens <= 2000);
  assert.equal(catalog.select({ query: "deploy" }).xml, BLOCK);
});
