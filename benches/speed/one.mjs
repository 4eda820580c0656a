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
      pipeline: true,
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

/** Processor time of this process, which other processes on the machine hardly change. */
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Median and 99th percentile over the requests, one after the other for a while; a first round warms up. */
function time(work, texts = requests) {
  const times = [];
  const once = (i) => {
    const begin = now();
    work(texts[i % texts.length], i % texts.length);
    return now() - begin;
  };
  const first = once(0);
  if (first > 2_000) return { p50: first, p99: first };
  for (let i = 1; i < texts.length && first < 200; i++) once(i);
  for (let i = 0, spent = 0; i < 5 || (spent < 1_000 && i < 1_000); i++) spent += times[times.push(once(i)) - 1];
  times.sort((a, b) => a - b);
  return { p50: times[times.length >> 1], p99: times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] };
}

/** What was made for the data alone is gone only after a while. */
const settle = async () => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve, 20), globalThis.gc?.());
};
await settle();
const before = process.memoryUsage();
const of = await systems[system]();
await settle();
const after = process.memoryUsage();
const heap = after.heapUsed + after.external - before.heapUsed - before.external;
const result = { system, count, bodies, memory: of.memory?.() ?? heap };
const builds = [];
for (let spent = 0; builds.length < 2 || (spent < 800 && builds.length < 20); spent += builds.at(-1)) {
  const begin = now();
  of.build();
  builds.push(now() - begin);
  if (builds[0] > 4_000) break;
}
result.build = builds.sort((a, b) => a - b)[builds.length >> 1];
result.search = time(of.search);
if (of.select) result.select = time(of.select);
if (of.long) result.long = time(of.long);
const texts = short.map(({ messages }) => messages.map(({ content }) => content).join("\n"));
if (!of.select) result.conversation = time(of.search, texts);
if (!of.pipeline) result.pipeline = time(await pipeline(of.search), texts);
if (of.load) {
  result.saved = of.save().length;
  result.load = time(of.load);
}
console.log(JSON.stringify(result));
