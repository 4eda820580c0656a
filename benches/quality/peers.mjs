// One table of ranking quality: skillpick (native bench) beside MiniSearch, Orama, FlexSearch, Fuse and plain BM25 on the
// same labelled sets. Run by `make bench-quality`. Sets: $SKILLPICK_SHARED/quality/sets (default ../shared), or $SETS_FOLDER.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { create, insertMultiple, search } from '@orama/orama';
import FlexSearch from 'flexsearch';
import Fuse from 'fuse.js';
import MiniSearch from 'minisearch';

const folder = process.env.SETS_FOLDER ?? join(process.env.SKILLPICK_SHARED ?? '../shared', 'quality/sets');
const names = (process.env.SETS ?? 'skill-evals-dev,skillsbench-2k,metatool-single,acebench-zh,livemcpbench,bfcl').split(',');
/** Queries for each system: slow ones get fewer, evenly spread. */
const most = { Fuse: 40, Orama: 300, MiniSearch: 1000, FlexSearch: 1000, 'plain BM25': 5000 };

/** Milliseconds for one system on one set; the table shows how many queries it got through. */
const patience = 20_000;

function lines(path) {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

function read(name) {
  const skills = JSON.parse(gunzipSync(readFileSync(join(folder, name, 'catalog.json.gz'))));
  return { skills, queries: lines(join(folder, name, 'queries.jsonl')) };
}

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function plainBm25(skills) {
  const documents = skills.map((skill) => words(`${skill.name} ${skill.description}`));
  const average = documents.reduce((sum, of) => sum + of.length, 0) / documents.length;
  const postings = new Map();
  documents.forEach((document, at) => {
    const counts = new Map();
    for (const word of document) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) postings.set(word, [...(postings.get(word) ?? []), [at, count]]);
  });
  return (query) => {
    const scores = new Map();
    for (const word of words(query)) {
      const having = postings.get(word) ?? [];
      const rarity = Math.log(1 + (documents.length - having.length + 0.5) / (having.length + 0.5));
      for (const [at, count] of having) {
        const norm = 1.2 * (0.25 + (0.75 * documents[at].length) / average);
        scores.set(at, (scores.get(at) ?? 0) + (rarity * count * 2.2) / (count + norm));
      }
    }
    return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 10).map(([at]) => skills[at].id);
  };
}

function miniSearch(skills) {
  const index = new MiniSearch({ fields: ['name', 'description'], idField: 'id' });
  index.addAll(skills);
  return (query) => index.search(query).slice(0, 10).map((hit) => hit.id);
}

function flexSearch(skills) {
  const index = new FlexSearch.Document({ document: { id: 'id', index: ['name', 'description'] }, tokenize: 'forward' });
  skills.forEach((skill) => index.add(skill));
  return (query) => {
    const fields = index.search(query, { limit: 10, suggest: true });
    const ranks = new Map();
    for (const { result } of fields) result.forEach((id, at) => ranks.set(id, (ranks.get(id) ?? 0) + 1 / (at + 1)));
    return [...ranks].sort((a, b) => b[1] - a[1]).slice(0, 10).map(([id]) => id);
  };
}

function fuse(skills) {
  const index = new Fuse(skills, { keys: ['name', 'description'], includeScore: true, ignoreLocation: true });
  return (query) => index.search(query, { limit: 10 }).map((hit) => hit.item.id);
}

async function orama(skills) {
  const index = create({ schema: { skill: 'string', name: 'string', description: 'string' } });
  await insertMultiple(index, skills.map(({ id, name, description }) => ({ skill: id, name, description })), 500);
  return async (query) => {
    const found = await search(index, { term: query, limit: 10, properties: ['name', 'description'] });
    return found.hits.map((hit) => hit.document.skill);
  };
}

async function measure(rank, queries, limit) {
  const step = Math.max(1, queries.length / limit);
  const sum = { queries: 0, hit1: 0, hit5: 0, hit10: 0, recall: 0, mrr: 0, ndcg: 0 };
  const end = Date.now() + patience;
  for (let at = 0; at < queries.length && Date.now() < end; at += step) {
    const { query, relevant } = queries[Math.floor(at)];
    const found = await rank(query);
    const places = found.flatMap((id, place) => (relevant.includes(id) ? [place] : []));
    const gain = (list) => list.reduce((total, place) => total + 1 / Math.log2(place + 2), 0);
    sum.queries += 1;
    sum.hit1 += places[0] === 0;
    sum.hit5 += places[0] < 5;
    sum.hit10 += places.length > 0;
    sum.recall += places.length / relevant.length;
    sum.mrr += places.length > 0 ? 1 / (places[0] + 1) : 0;
    sum.ndcg += gain(places) / gain([...Array(Math.min(10, relevant.length)).keys()]);
  }
  return [sum.queries, ...Object.values(sum).slice(1).map((value) => (100 * value) / sum.queries)];
}

function row(label, [queries, ...figures]) {
  console.log(label.padEnd(44), String(queries).padStart(6), ...figures.map((figure) => figure.toFixed(2).padStart(6)));
}

function ours() {
  const run = spawnSync('cargo', ['bench', '--quiet', '--bench', 'quality', '--', 'sets'], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  const rows = run.stdout.split('\n').map((line) => line.match(/^(.+?)\s{2,}(\d+)\s+([\d.]+(?:\s+[\d.]+){5})\s*$/));
  return rows.filter(Boolean).map(([, label, queries, figures]) => [label, [Number(queries), ...figures.trim().split(/\s+/).map(Number)]]);
}

if (!existsSync(folder)) {
  console.log(`bench-quality: no labelled sets at ${folder}; set SKILLPICK_SHARED or SETS_FOLDER`);
  process.exit(0);
}
const own = ours();
console.log('set: system'.padEnd(44), 'queries', ' hit@1  hit@5 hit@10   R@10    MRR   nDCG');
for (const name of names) {
  const { skills, queries } = read(name);
  for (const [label, figures] of own.filter(([label]) => label.startsWith(name))) row(`${label}: skillpick`, figures);
  const systems = { 'plain BM25': plainBm25, MiniSearch: miniSearch, FlexSearch: flexSearch, Orama: orama, Fuse: fuse };
  for (const [system, build] of Object.entries(systems)) {
    const rank = await build(skills);
    row(`${name}: ${system}`, await measure(rank, queries, most[system]));
  }
}
