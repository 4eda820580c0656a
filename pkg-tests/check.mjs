// The one check that runs in every runtime: no import, nothing of Node or the DOM. What it needs is handed in.

/**
 * Runs all vectors on a copy of the package and compares byte for byte.
 *
 * @param skillpick what `import * as skillpick from "skillpick"` gives
 * @param data      what pkg-tests/data.mjs wrote: `{ vectors, catalogs, sweep }`
 * @param parseXml  for browsers: reads a text as XML and gives its document element, or throws
 */
export function check(skillpick, data, parseXml) {
  const failures = [];
  let passed = 0;
  const test = (name, work) => {
    try {
      work();
      passed++;
    } catch (error) {
      failures.push(`${name}: ${error?.message ?? error}`);
    }
  };

  test("no call was needed before the first", () => equal("memory", skillpick.memoryBytes(), 0));
  for (const [file, vectors] of Object.entries(data.vectors)) {
    for (const vector of vectors) test(`${file}, ${vector.name}`, () => checkVector(skillpick, data, vector, parseXml));
  }
  const digest = new Digest();
  test("sweep of budgets", () => checkSweep(skillpick, data.sweep, digest, parseXml));
  test("lifecycle", () => checkLifecycle(skillpick));
  return { passed, failures, digest: digest.hex() };
}

function checkVector(skillpick, data, vector, parseXml) {
  const { expect } = vector;
  let catalog, pick;
  try {
    const source = vector.catalog_text ?? (typeof vector.catalog === "string" ? data.catalogs[vector.catalog] : vector.catalog);
    catalog = skillpick.Catalog.from(source);
    pick = catalog.select(vector.context ?? {}, vector.options ?? {});
  } catch (error) {
    if (!expect.error) throw error;
    for (const [key, value] of Object.entries(expect.error)) equal(`error.${key}`, error[key], value);
    return;
  }
  if (expect.error) throw new Error(`expected the error ${expect.error.code}`);
  const actual = {
    first: pick.skills[0]?.id,
    xml: pick.xml,
    tokens: pick.tokens,
    confident: pick.confident,
    states: [
      ...pick.skills.map(({ id, detail, pinned }) => (pinned ? { id, detail, pinned } : { id, detail })),
      ...pick.omitted.map(({ id, reason }) => ({ id, reason })),
    ],
    diagnostics: [...catalog.diagnostics, ...pick.diagnostics].map(({ code, skill }) => (skill ? `${code} ${skill}` : code)),
  };
  for (const key of Object.keys(expect)) equal(key, actual[key], expect[key]);
  const same = skillpick.Catalog.fromBytes(catalog.toBytes());
  equal("pick from a snapshot", same.select(vector.context ?? {}, vector.options ?? {}), pick);
  same.dispose();
  if (pick.budget !== null && pick.tokens > pick.budget) throw new Error(`${pick.tokens} tokens exceed ${pick.budget}`);
  plain("pick", pick);
  if (parseXml && pick.xml !== "" && isXml(vector.options?.format)) readBack(pick, catalog, parseXml);
  catalog.dispose();
}

const isXml = (format = "agentpool") => ["agentpool", "agentskills", "compact"].includes(format);

/** Every budget from 0 to 300 in every format; the digest of all blocks has to be the same everywhere. */
function checkSweep(skillpick, { catalog: source, context }, digest, parseXml) {
  const catalog = skillpick.Catalog.from(source);
  for (const format of ["agentpool", "agentskills", "compact"]) {
    for (let budget = 0; budget <= 300; budget++) {
      const pick = catalog.select(context, { budget, format });
      if (pick.tokens > budget) throw new Error(`${format}: ${pick.tokens} tokens exceed ${budget}`);
      digest.add(`${format} ${budget} ${pick.xml}\n`);
      if (parseXml && pick.xml !== "") parseXml(pick.xml);
    }
  }
  catalog.dispose();
}

/** What the block says of a skill, read by a real parser, is what the catalog says, white space folded. */
function readBack(pick, catalog, parseXml) {
  const root = parseXml(pick.xml);
  for (const element of root.getElementsByTagName("skill")) {
    const value = (name) => element.getAttribute(name) ?? element.getElementsByTagName(name)[0]?.textContent ?? undefined;
    const id = value("id");
    // Child elements have no id; there the name is printed, or the id where two skills share a name.
    const printed = cleaned(id ?? value("name") ?? "");
    const shown = pick.skills.find((skill) => cleaned(skill.id) === printed || (id === undefined && cleaned(skill.name) === printed));
    if (!shown) throw new Error(`the block has a skill that the pick has not: ${element.outerHTML}`);
    const text = value("description");
    if (shown.detail !== "description" || text === undefined) continue;
    const wanted = catalog.get(shown.id).description ?? "";
    if (!cleaned(text).startsWith(cleaned(wanted))) throw new Error(`${shown.id} reads back as ${text}`);
  }
}

/** Without white space and what the renderer has to replace or remove; the vectors say byte for byte what becomes of that. */
const cleaned = (text) => text.replace(/[^\p{L}\p{N}\p{P}\p{Zs}\p{S}]|\ufffd/gu, "").replace(/\s+/gu, "");

function checkLifecycle(skillpick) {
  const { Catalog, SkillpickError, init, reset, estimateTokens } = skillpick;
  init();
  init();
  const catalog = Catalog.from([{ name: "ink-test", description: "Checks pens" }]);
  equal("ids", catalog.ids(), ["ink-test"]);
  // Not by TextEncoder, which not every place has.
  const bytes = Uint8Array.from('[{"name":"ink-test","description":"Checks pens"}]', (char) => char.charCodeAt(0));
  equal("the same from bytes", Catalog.from(bytes).select().xml, catalog.select().xml);
  equal("the same from a buffer", Catalog.from(bytes.buffer).select().xml, catalog.select().xml);
  equal("undefined is absent", catalog.select({ messages: undefined, query: undefined }, { budget: undefined }).budget, 2000);
  equal("no limit", catalog.select({}, { budget: Infinity }).budget, null);
  equal("host's counter", catalog.select({}, { countTokens: (text) => text.length }).tokens, catalog.select().xml.length);
  throws("count_failed", () => catalog.select({}, { countTokens: () => { throw Object.assign(new Error("no"), { code: "mine" }); } }), "mine");
  throws("invalid_budget", () => catalog.select({}, { budget: -1 }));
  throws("count_failed", () => catalog.select({}, { countTokens: () => { reset(); return 1; } }), "busy");
  // A dispose inside a call takes effect after it.
  const brief = Catalog.from([{ name: "a" }]);
  brief.select({}, { countTokens: (text) => { brief.dispose(); return text.length; } });
  throws("catalog_disposed", () => brief.size);
  brief.dispose();
  equal("tokens of nothing", estimateTokens(""), 0);
  equal("tokens of a block", estimateTokens(catalog.select().xml), catalog.select().tokens);
  reset();
  throws("stale_catalog", () => catalog.ids());
  catalog.dispose();
  throws("catalog_disposed", () => catalog.ids());
  equal("works after reset", Catalog.from([{ name: "a" }]).size, 1);

  function throws(code, work, cause) {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SkillpickError) || error.code !== code || error.cause?.code !== cause) throw new Error(`${code} expected, got ${error?.code}: ${error}`);
      return;
    }
    throw new Error(`${code} expected, nothing was thrown`);
  }
}

function equal(what, actual, wanted) {
  const [left, right] = [canonical(actual), canonical(wanted)];
  if (left !== right) throw new Error(`${what} is\n${left}\nand should be\n${right}`);
}

/** JSON with sorted keys. */
function canonical(value) {
  return JSON.stringify(value, (_, item) =>
    item && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Nothing but JSON: what goes through JSON and back is the same. */
function plain(path, value) {
  const kind = typeof value;
  if (value === null || kind === "string" || kind === "boolean" || Number.isFinite(value)) return;
  const proto = Object.getPrototypeOf(value ?? 0);
  const ordinary = kind === "object" && (Array.isArray(value) || proto === null || Object.getPrototypeOf(proto) === null);
  if (!ordinary) throw new Error(`${path} is no plain value: ${String(value)}`);
  for (const [key, item] of Object.entries(value)) plain(`${path}.${key}`, item);
}

/** FNV-1a over UTF-16 units, in two halves of 32 bits. */
class Digest {
  #low = 0x811c9dc5;
  #high = 0x01000193;
  add(text) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      this.#low = Math.imul(this.#low ^ unit, 0x01000193) >>> 0;
      this.#high = Math.imul(this.#high ^ (unit + i), 0x01000193) >>> 0;
    }
  }
  hex() {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}

/** Hands the result to whoever asked: the test page's server in a browser, standard output elsewhere. */
export async function report(result, location = globalThis.location) {
  const text = JSON.stringify(result);
  if (location?.protocol?.startsWith("http") && location.search) {
    await fetch(`/result${location.search}`, { method: "POST", body: text });
  } else {
    console.log(`RESULT ${text}`);
  }
}
