// The instance: made once, tried again after a failure, replaced, freed; and its memory stays where it is.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { Catalog, estimateTokens, init, memoryBytes, reset } from "skillpick";

const root = join(import.meta.dirname, "..", "..");

/** Runs a program of its own, since an instance is made once; nothing may be written to standard error. */
function program(code) {
  return execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

test("init is not needed, may be called often, and can be tried again after a failure", () => {
  const printed = program(`
    import { Catalog, init, memoryBytes } from "skillpick";
    let instances = 0;
    WebAssembly.Instance = new Proxy(WebAssembly.Instance, { construct: (Instance, args) => (instances++, new Instance(...args)) });
    for (const bad of [new Uint8Array(4), {}, new ArrayBuffer(0), "text"]) {
      try { init(bad); console.log("no error"); } catch (error) { console.log(error.code); }
    }
    console.log(memoryBytes());
    init(); init(); init(new Uint8Array(4));
    console.log(Catalog.from([{ name: "a" }]).size, instances);
  `);
  assert.equal(printed, "wasm_failed\nwasm_failed\nwasm_failed\nwasm_failed\n0\n1 1\n");
});

test("init takes a compiled module, and the bytes of skillpick.wasm", () => {
  for (const source of ["bytes", "bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)", "new WebAssembly.Module(bytes)"]) {
    const printed = program(`
      import { readFileSync } from "node:fs";
      import { estimateTokens, init } from "skillpick";
      const bytes = readFileSync("dist/skillpick.wasm");
      init(${source});
      console.log(estimateTokens("three plain words"));
    `);
    assert.equal(Number(printed), estimateTokens("three plain words"));
  }
});

test("importing the package does nothing yet", () => {
  const printed = program(`
    let compiled = 0;
    WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: (Module, args) => (compiled++, new Module(...args)) });
    const { estimateTokens } = await import("skillpick");
    console.log(compiled);
    estimateTokens("a");
    estimateTokens("b");
    console.log(compiled);
  `);
  assert.equal(printed, "0\n1\n");
});

test("memory is flat over 20,000 selections and 5,000 catalogs that are disposed of", () => {
  const skills = Array.from({ length: 30 }, (_, i) => ({ name: `skill-${i}`, description: `Does the thing number ${i} when asked to.` }));
  const catalog = Catalog.from(skills);
  const work = (runs) => {
    for (let i = 0; i < runs; i++) {
      catalog.select({ query: `thing number ${i % 30}` }, { budget: 100 + (i % 50) });
      if (i % 4 === 0) Catalog.from([{ name: "a", description: "b" }]).dispose();
    }
  };
  work(500);
  const before = memoryBytes();
  work(20_000);
  assert.equal(memoryBytes(), before);
});

test("reset gives back the memory of one huge call", () => {
  reset();
  const small = (estimateTokens("a"), memoryBytes());
  const huge = Catalog.from(Array.from({ length: 2_000 }, (_, i) => ({ name: `skill-${i}`, instructions: "word ".repeat(2_000) })));
  assert.ok(memoryBytes() > 4 * small);
  reset();
  assert.equal((estimateTokens("a"), memoryBytes()), small);
  assert.throws(() => huge.select(), { name: "SkillpickError", code: "stale_catalog" });
  huge.dispose();
});

test("memory that a long message takes is bounded, taken once, and given back by reset", () => {
  reset();
  const skills = Array.from({ length: 200 }, (_, i) => ({ name: `skill-${i}`, description: `Does the thing number ${i} for harbours.` }));
  const catalog = Catalog.from(skills);
  const ask = (length) => catalog.select({ messages: [{ role: "user", content: "a long message about harbours. ".repeat(length / 31) }] });
  ask(1_000);
  const small = memoryBytes();
  // What crosses the boundary is there a few times over; the terms of a text are those of its two ends.
  for (const [length, most] of [[200_000, 8e6], [2_000_000, 28e6], [8_000_000, 64e6]]) {
    ask(length);
    const grown = memoryBytes() - small;
    assert.ok(grown < most, `${grown} bytes for a message of ${length}`);
    ask(length);
    assert.equal(memoryBytes() - small, grown, "the same again takes no more");
  }
  reset();
  Catalog.from(skills).select({ query: "harbours" });
  // Memory comes in pages, and another request may need one more.
  assert.ok(memoryBytes() <= small + 65_536, `${memoryBytes()} bytes, ${small} before`);
});

test("catalogs that nobody holds are freed by the garbage collector", { timeout: 60_000 }, () => {
  const printed = execFileSync(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", `
      import { Catalog, memoryBytes } from "skillpick";
      const skills = Array.from({ length: 200 }, (_, i) => ({ name: "skill-" + i, instructions: "word ".repeat(500) }));
      const round = async () => { for (let i = 0; i < 5; i++) Catalog.from(skills); gc(); await new Promise((resolve) => setTimeout(resolve, 5)); };
      for (let i = 0; i < 3; i++) await round();
      const before = memoryBytes();
      for (let i = 0; i < 20; i++) await round();
      console.log(memoryBytes() <= before * 1.5 ? "flat" : memoryBytes() + " after " + before);
    `],
    { cwd: root, encoding: "utf8" },
  );
  assert.equal(printed, "flat\n");
});

test("dispose twice is harmless, use after it is an error, and `using` works where the platform has it", () => {
  const catalog = Catalog.from([{ name: "a" }]);
  catalog.dispose();
  catalog.dispose();
  for (const use of [() => catalog.size, () => catalog.ids(), () => catalog.select(), () => catalog.get("a"), () => catalog.with([])]) {
    assert.throws(use, { name: "SkillpickError", code: "catalog_disposed" });
  }
  if (Symbol.dispose) {
    const other = Catalog.from([{ name: "a" }]);
    other[Symbol.dispose]();
    assert.throws(() => other.size, { code: "catalog_disposed" });
  }
});

test("what a host passes can't run code inside the core, nor break it", () => {
  const catalog = Catalog.from([{ name: "a", description: "b" }]);
  const wanted = catalog.select({ messages: [{ role: "user", content: "b" }] }).xml;
  const cyclic = { role: "user", content: "b" };
  cyclic.self = cyclic;
  const odd = [
    [cyclic],
    [{ role: "user", content: "b", image: new Uint8Array(1000), at: new Date(0), big: 10n, no: undefined, call() {}, symbol: Symbol("x") }],
    [new (class Message { role = "user"; content = "b"; })()],
    [Object.assign(Object.create(null), { role: "user", content: "b", __proto__: { x: 1 } })],
  ];
  for (const messages of odd) assert.equal(catalog.select({ messages }).xml, wanted);
  const trap = { get role() { throw new TypeError("mine"); } };
  assert.throws(() => catalog.select({ messages: [trap] }), { code: "unreadable", path: "context" });
  assert.throws(() => Catalog.from(cyclic.self), { code: "invalid_catalog" });
  for (const source of [null, undefined, 7, Symbol("x"), () => []]) assert.throws(() => Catalog.from(source), { code: "invalid_catalog" });
  assert.equal(catalog.select({ messages: [{ role: "user", content: "b" }] }).xml, wanted);
});

test("the wasm in the package is the wasm beside it", () => {
  const inlined = /deflated\s*=\s*"([A-Za-z0-9+/=]+)"/.exec(readFileSync(join(root, "dist", "index.js"), "utf8"))[1];
  assert.ok(inflateRawSync(Buffer.from(inlined, "base64")).equals(readFileSync(join(root, "dist", "skillpick.wasm"))));
});

test("a platform without a decoder of its own, as browsers are, inflates the module itself", () => {
  const printed = execFileSync(
    process.execPath,
    ["--input-type=module", "-e", `
      delete process.getBuiltinModule;
      const { Catalog } = await import("skillpick");
      console.log(Catalog.from([{ name: "tides" }]).select({ query: "tides" }).skills[0].id);
    `],
    { cwd: root, encoding: "utf8" },
  );
  assert.equal(printed, "tides\n");
});
