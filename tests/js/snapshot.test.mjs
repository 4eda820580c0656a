// Snapshots through the package: bytes and streams, with and without bodies, and what is no snapshot.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Catalog, memoryBytes, reset } from "skillpick";
import { loadSkills } from "skillpick/loader";

const root = join(import.meta.dirname, "..", "..");
const examples = join(root, "examples", "catalog");
// Bodies say where they lie; with the folder of this machine in them, prices and choices would differ from the next one's.
const skills = (await loadSkills(examples)).skills.map((skill) => ({ ...skill, location: `/skills/${skill.name}` }));
const conversation = JSON.parse(readFileSync(join(examples, "conversation.json"), "utf8"));
const catalog = () => Catalog.from(skills);
const bytes = catalog().toBytes();
const scratch = mkdtempSync(join(tmpdir(), "skillpick-snapshot-"));
after(() => rmSync(scratch, { recursive: true }));

/** A stream of pieces of this size; `end` is called instead of closing it. */
function stream(source, size, end = (controller) => controller.close()) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= source.length) return end(controller);
      controller.enqueue(source.slice(at, (at += size)));
    },
  });
}

const code = (work) => {
  try {
    work();
  } catch (error) {
    return error.code;
  }
  return undefined;
};

test("a catalog from a snapshot answers as the one that it was made from", () => {
  const [first, same] = [catalog(), Catalog.fromBytes(bytes)];
  for (const options of [{}, { mode: "full", budget: 3000 }, { placement: "split" }, { format: "compact", order: "name" }]) {
    const pick = first.select(conversation, options);
    assert.deepEqual(same.select(conversation, options), pick);
    assert.deepEqual(same.report(pick), first.report(pick));
    assert.deepEqual(same.tools(options), first.tools(options));
  }
  assert.deepEqual(same.diagnostics, first.diagnostics);
  for (const id of first.ids()) {
    assert.deepEqual(same.get(id), first.get(id));
    assert.deepEqual(same.load(id), first.load(id));
  }
  assert.deepEqual(same.search("flaky test"), first.search("flaky test"));
  assert.deepEqual(first.changed(same), { added: [], removed: [], changed: [] });
  const session = same.session();
  session.load("flaky-tests");
  assert.deepEqual(session.boundary().active.map(({ id }) => id), ["flaky-tests"]);
  assert.deepEqual(session.synchronize(first), { changed: [], removed: [] });
  assert.deepEqual(Buffer.from(same.with([{ name: "x" }]).toBytes()), Buffer.from(first.with([{ name: "x" }]).toBytes()));
  assert.equal(Catalog.merge(same, Catalog.from([{ name: "y" }])).without(["flaky-tests"]).size, first.size);
  assert.deepEqual(Buffer.from(same.toBytes()), Buffer.from(bytes));
});

test("the bytes are the caller's: changing them afterwards changes nothing, nor does a view into a larger buffer", () => {
  const larger = new Uint8Array(bytes.length + 20);
  larger.set(bytes, 10);
  const same = Catalog.fromBytes(larger.subarray(10, 10 + bytes.length));
  larger.fill(0);
  assert.deepEqual(same.select(conversation), catalog().select(conversation));
});

test("a stream in pieces of any size gives the same, and is not held twice", async () => {
  for (const size of [1, 63, 1000, bytes.length]) {
    const same = await Catalog.fromStream(stream(bytes.slice(0), size));
    assert.deepEqual(same.ids(), catalog().ids());
    same.dispose();
  }
  const large = Catalog.from(Array.from({ length: 400 }, (_, i) => ({ name: `skill-${i}`, instructions: `word${i} `.repeat(5000) })));
  const snapshot = large.toBytes();
  assert.ok(snapshot.length > 10e6);
  reset();
  Catalog.from([]);
  const before = memoryBytes();
  const same = await Catalog.fromStream(stream(snapshot, 1 << 16));
  assert.equal(same.size, 400);
  const grown = memoryBytes() - before;
  assert.ok(grown < snapshot.length * 1.1 + 1e6, `${grown} bytes for ${snapshot.length}`);
  reset();
  Catalog.from([]);
  Catalog.fromBytes(snapshot);
  assert.ok(memoryBytes() - before < snapshot.length * 1.1 + 1e6, "the same from bytes");
  reset();
});

test("bodies that stay out come from loadInstructions, and what they say still counts", async () => {
  const lean = catalog().toBytes({ instructions: false });
  assert.ok(lean.length < bytes.length);
  const bodies = new Map(skills.map(({ name, instructions }) => [name, instructions]));
  const asked = [];
  const options = { loadInstructions: async (id) => (asked.push(id), bodies.get(id)) };
  const [first, same] = [catalog(), Catalog.fromBytes(lean, options)];
  assert.deepEqual(same.select(conversation), first.select(conversation));
  assert.equal(same.get("flaky-tests").instructions, undefined);
  assert.ok(same.get("flaky-tests").instructionTokens > 100);
  assert.equal(same.load("flaky-tests").code, "instructions_not_loaded");
  assert.equal((await same.loadAsync("flaky-tests")).text, first.load("flaky-tests").text);
  const full = { mode: "full", budget: 6000 };
  assert.equal((await same.selectAsync(conversation, full)).xml, first.select(conversation, full).xml);
  assert.ok(asked.length > 1 && asked.length < 20, `${asked.length} bodies`);
  assert.deepEqual(first.changed(same), { added: [], removed: [], changed: [] });
});

test("bytes that are no snapshot, or not all of one, are typed errors, and nothing is left behind", async () => {
  const flipped = bytes.slice();
  flipped[bytes.length >> 1] ^= 4;
  const future = bytes.slice();
  future[8]++;
  const wrong = [
    [bytes.subarray(0, 63), "snapshot_truncated"],
    [bytes.subarray(0, -1), "snapshot_truncated"],
    [flipped, "snapshot_checksum"],
    [future, "snapshot_version"],
    [new TextEncoder().encode(JSON.stringify(skills)), "snapshot_format"],
    [new Uint8Array(), "snapshot_truncated"],
    [Buffer.concat([bytes, bytes]), "snapshot_format"],
  ];
  for (const [source, wanted] of wrong) {
    assert.equal(code(() => Catalog.fromBytes(source)), wanted);
    await assert.rejects(Catalog.fromStream(stream(source, 1000)), { name: "SkillpickError", code: wanted });
  }
  for (const source of ["text", null, 7, {}]) {
    assert.equal(code(() => Catalog.fromBytes(source)), "invalid_argument");
    await assert.rejects(Catalog.fromStream(source), { code: "invalid_argument" });
  }
  assert.equal(code(() => catalog().toBytes({ instructions: "no" })), "invalid_option");
  assert.equal(code(() => Catalog.fromBytes(bytes, { scopes: ["user"] })), "invalid_option");
  assert.equal(Catalog.fromBytes(bytes, { scopes: ["project", "user", "plugin", "builtin"] }).size, skills.length);
  const before = memoryBytes();
  for (let i = 0; i < 300; i++) code(() => Catalog.fromBytes(flipped));
  for (let i = 0; i < 30; i++) await Catalog.fromStream(stream(flipped, 100_000)).catch(() => {});
  assert.equal(memoryBytes(), before);
});

test("a stream that fails, or an instance that goes away meanwhile, is an error, and the stream is cancelled", async () => {
  const cause = new Error("connection lost");
  const failing = stream(bytes.subarray(0, 5000), 1000, (controller) => controller.error(cause));
  await assert.rejects(Catalog.fromStream(failing), { code: "stream_failed", path: "snapshot", cause });
  let cancelled;
  const foreign = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("<html>not found</html>")),
    cancel: (reason) => void (cancelled = reason),
  });
  await assert.rejects(Catalog.fromStream(foreign), { code: "snapshot_format" });
  assert.equal(cancelled.code, "snapshot_format");
  const texts = new ReadableStream({ start: (controller) => controller.enqueue("text") });
  await assert.rejects(Catalog.fromStream(texts), { code: "invalid_argument" });
  const interrupted = new ReadableStream({
    pull(controller) {
      reset();
      controller.enqueue(bytes);
      controller.close();
    },
  }, { highWaterMark: 0 });
  await assert.rejects(Catalog.fromStream(interrupted), { code: "stale_catalog" });
  assert.equal(Catalog.fromBytes(bytes).size, skills.length);
});

test("skillpick build --snapshot writes one, with or without bodies", () => {
  const build = (...more) => {
    const file = join(scratch, `catalog-${more.length}`);
    execFileSync(process.execPath, [join(root, "dist", "cli.js"), "build", examples, "--snapshot", "-o", file, ...more], { stdio: "pipe" });
    return readFileSync(file);
  };
  const [full, lean] = [build(), build("--no-bodies")];
  const query = { query: "why does this test fail now and then?" };
  assert.deepEqual(Catalog.fromBytes(full).select(query), Catalog.fromBytes(lean).select(query));
  assert.notEqual(Catalog.fromBytes(full).get("flaky-tests").instructions, undefined);
  assert.equal(Catalog.fromBytes(lean).get("flaky-tests").instructions, undefined);
  assert.deepEqual(build(), full);
});
