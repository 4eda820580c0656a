// One system on one catalog in a process of its own: node --expose-gc one.mjs SYSTEM COUNT [bodies]. Prints one line of JSON,
// times in milliseconds. Called by run.mjs.
import { catalog, conversation, requests } from "./data.mjs";

const [system, count, bodies] = [process.argv[2], Number(process.argv[3]), process.argv[4] === "bodies"];
const BUDGET = 2000;

const skills = await catalog(count, bodies);
const fields = bodies ? ["name", "description", "instructions"] : ["name", "description"];
const short = requests.map((request) => conversation(request, 2_000));
const long = requests.map((request) => conversation(request, 200_000));

const systems = {
  async skillpick() {
    const { Catalog, memoryBytes } = await import("skillpick");
    const bytes = new TextEncoder().encode(JSON.stringify(skills));
    let built = Catalog.from(bytes);
    const search = (request) => built.search(request, { limit: 10 });
    const snapshot = built.toBytes?.();
    return {
      build: () => ((built = undefined), (built = Catalog.from(bytes))),
      search,
      select: (_, i) => built.select(short[i], { budget: BUDGET }),
      long: (_, i) => built.select(long[i], { budget: BUDGET }),
      pipeline: (_, i) => built.select(short[i], { budget: BUDGET }),
      save: snapshot && (() => snapshot),
      load: snapshot && (() => Catalog.fromBytes(snapshot).dispose()),
      memory: () => memoryBytes(),
    };
  },
  async MiniSearch() {
    const { default: MiniSearch } = await import("minisearch");
    const options = { fields, idField: "id" };
    const make = () => {
      const index = new MiniSearch(options);
      index.addAll(skills);
      return index;
    };
    let index = make();
    const text = JSON.stringify(index);
    return { build: () => (index = make()), search: (request) => index.search(request).map((hit) => hit.id), save: () => text, load: () => MiniSearch.loadJSON(text, options) };
  },
  async Orama() {
    const { create, insertMultiple, search } = await import("@orama/orama");
    const schema = Object.fromEntries(["id", ...fields].map((field) => [field, "string"]));
    const make = () => {
      const index = create({ schema });
      insertMultiple(index, skills.map((skill) => Object.fromEntries(["id", ...fields].map((field) => [field, skill[field] ?? ""]))), 1000);
      return index;
    };
    let index = make();
    return { build: () => (index = make()), search: (term) => search(index, { term, properties: fields, limit: 100 }).hits.map((hit) => hit.document.id) };
  },
  async FlexSearch() {
    const { default: FlexSearch } = await import("flexsearch");
    const make = () => {
      const index = new FlexSearch.Index({ tokenize: "strict" });
      skills.forEach((skill, at) => index.add(at, fields.map((field) => skill[field] ?? "").join(" ")));
      return index;
    };
    let index = make();
    return { build: () => (index = make()), search: (request) => index.search(request, { limit: 100, suggest: true }).map((at) => skills[at].id) };
  },
  async Fuse() {
    const { default: Fuse } = await import("fuse.js");
    let index = new Fuse(skills, { keys: fields, ignoreLocation: true });
    return { build: () => (index = new Fuse(skills, { keys: fields, ignoreLocation: true })), search: (request) => index.search(request, { limit: 100 }).map((hit) => hit.item.id) };
  },
};

const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** What a host does with a search library: search, format, count until the budget is spent. */
async function pipeline(search) {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  return (request) => {
    const rows = [];
    let tokens = 12;
    for (const id of search(request)) {
      const { name, description } = byId.get(id);
      const row = `<skill name="${escape(name)}" description="${escape(description ?? "")}"/>`;
      tokens += countTokens(row) + 1;
      if (tokens > BUDGET) break;
      rows.push(row);
    }
    return `<available-skills>\n${rows.join("\n")}\n</available-skills>`;
  };
}

/** Median and 99th percentile over the requests, again and again for half a second at least and twenty at most. */
function time(work) {
  const times = [];
  const start = performance.now();
  work(requests[0], 0);
  const slow = performance.now() - start > 2_000;
  const end = performance.now() + (slow ? 0 : 600);
  for (let i = 0; i < 3 || performance.now() < end; i++) {
    if (slow && i > 0) break;
    const begin = performance.now();
    work(requests[i % requests.length], i % requests.length);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  return { p50: times[times.length >> 1], p99: times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] };
}

globalThis.gc?.();
const before = process.memoryUsage();
const of = await systems[system]();
globalThis.gc?.();
const after = process.memoryUsage();
const heap = after.heapUsed + after.external - before.heapUsed - before.external;
const result = { system, count, bodies, memory: of.memory?.() ?? heap };
const builds = [];
for (const end = performance.now() + 800; builds.length < 2 || (performance.now() < end && builds.length < 20); ) {
  const begin = performance.now();
  of.build();
  builds.push(performance.now() - begin);
  if (builds[0] > 4_000) break;
}
result.build = builds.sort((a, b) => a - b)[builds.length >> 1];
result.search = time(of.search);
if (of.select) result.select = time(of.select);
if (of.long) result.long = time(of.long);
result.pipeline = time(of.pipeline ?? (await pipeline(of.search)));
if (of.load) {
  result.saved = of.save().length;
  result.load = time(of.load);
}
console.log(JSON.stringify(result));
