// Everything that takes time, away from the page: reading catalogs, picking, comparing.
import example from "virtual:example-catalog";
import { Catalog, estimateTokens } from "skillpick";
import { texts } from "../texts.js";
import { alphabetical } from "./alphabetical.js";
import { cacheView } from "./cache.js";
import { Chain } from "./chain.js";
import { generated } from "./generated.js";
import type { CatalogInfo, Calls, Cut, Details, Failure, LeftOut, OmitReason, Pick, Question, Settings, SkillCard, Source } from "./protocol.js";
import { type Read, readFiles, ReadError } from "./read.js";

const GENERATED = 10_000;
const MOST_DIAGNOSTICS = 100;
const WARM_UP = 3;

interface Held {
  catalog: Catalog;
  chain: Chain;
  ids: string[];
  json: string | Uint8Array;
  cut?: { key: string; value: Cut };
}
let held: Held | undefined;
/** Picks and catalogs that were asked for so far. */
let asked = 0;
const SUPERSEDED = new Error("a newer question has come");

const calls: { [K in keyof Calls]: (...args: Parameters<Calls[K]>) => ReturnType<Calls[K]> | Promise<ReturnType<Calls[K]>> } = {
  catalog: open,
  pick(question) {
    const { catalog, chain, ids } = current();
    const { pick, ms, earlier } = chain.last(question);
    return { pick, earlier, cut: cutOf(catalog, ids, question.settings), ms };
  },
  details(question) {
    return details(question);
  },
  skill(id) {
    const skill = current().catalog.get(id);
    if (!skill) return null;
    const { instructions, ...rest } = skill;
    return { ...rest, instructionTokens: instructions === undefined ? (rest.instructionTokens ?? 0) : estimateTokens(instructions) } as SkillCard;
  },
  json() {
    const { json } = current();
    return typeof json === "string" ? json : new TextDecoder().decode(json);
  },
};

/** Takes its time in small pieces, so that a pick never waits for it; over as soon as a newer question has come. */
async function details(question: Question): Promise<Details | null> {
  const { catalog, chain } = current();
  const serial = asked;
  const pause = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    if (serial !== asked) throw SUPERSEDED;
  };
  try {
    const cache = await cacheView(chain, question, pause);
    const { pick, ms } = chain.last(question);
    await pause();
    return { leftOut: leftOut(catalog, pick), ms, cache };
  } catch (error) {
    if (error === SUPERSEDED) return null;
    throw error;
  }
}

async function open(source: Source, question: Question): Promise<CatalogInfo> {
  // The first call makes the WebAssembly instance, which isn't the catalog's time.
  estimateTokens("");
  const start = performance.now();
  const { json, diagnostics, ignored } = await read(source);
  const catalog = indexed(json, source);
  const ms = performance.now() - start;
  const ids = visible(catalog);
  if (ids.length === 0) {
    const [first] = catalog.diagnostics;
    catalog.dispose();
    throw new ReadError("no_skills", first ? `${texts.errors.noUsable} ${first.message}` : texts.errors.noUsable);
  }
  // So that the first time shown is that of code that has run before.
  const chain = new Chain(catalog);
  for (let index = 0; index < WARM_UP; index++) chain.last(question);
  held?.catalog.dispose();
  held = { catalog, chain, ids, json };
  const all = [...diagnostics, ...catalog.diagnostics];
  return { kind: source.kind, size: catalog.size, ids, diagnostics: all.slice(0, MOST_DIAGNOSTICS), diagnosticCount: all.length, ignored, ms };
}

/** What is wrong with a file is said with its name. */
function indexed(json: string | Uint8Array, source: Source): Catalog {
  try {
    return Catalog.from(json);
  } catch (error) {
    if (source.kind !== "files" || source.files.length !== 1) throw error;
    const { code, message } = error as { code?: string; message: string };
    throw new ReadError(code ?? "failed", `${source.files[0]?.path}: ${message}`);
  }
}

function read(source: Source): Read | Promise<Read> {
  const plain = (json: string): Read => ({ json, diagnostics: [], ignored: 0 });
  if (source.kind === "files") return readFiles(source.files);
  if (source.kind === "json") return plain(source.text);
  if (source.kind === "example") return plain(example);
  const skills = [...(JSON.parse(example) as unknown[]), ...generated(GENERATED)];
  return plain(JSON.stringify(skills));
}

/** An entry that another one shadows, or that is broken, says nothing of its id. */
const OF_ENTRIES: OmitReason[] = ["budget", "shadowed", "invalid"];

/** The ids that a model may see. */
function visible(catalog: Catalog): string[] {
  const omitted = new Set<string>();
  const pick = catalog.select({}, { budget: 0 });
  for (const state of catalog.report(pick)) if (state.state === "omitted" && !OF_ENTRIES.includes(state.reason)) omitted.add(state.id);
  return catalog.ids().filter((id) => !omitted.has(id));
}

function current(): Held {
  if (!held) throw new ReadError("no_catalog", texts.errors.noCatalog);
  return held;
}

/** The cut doesn't depend on the conversation. */
function cutOf(catalog: Catalog, ids: readonly string[], { budget, format }: Settings): Cut {
  const now = current();
  const key = `${budget} ${format}`;
  if (now.cut?.key !== key) now.cut = { key, value: alphabetical(catalog, ids, budget, format) };
  return now.cut.value;
}

function leftOut(catalog: Catalog, pick: Pick): LeftOut[] {
  const states = catalog.report(pick).flatMap((state): LeftOut[] => {
    if (state.state !== "omitted") return [];
    const { id, reason, score } = state;
    return [score === undefined ? { id, reason } : { id, reason, score }];
  });
  return states.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
}

interface Scope {
  onmessage: ((event: MessageEvent<{ id: number; call: keyof Calls; args: unknown[] }>) => void) | null;
  postMessage(message: unknown): void;
}
const scope = self as unknown as Scope;
scope.onmessage = async ({ data: { id, call, args } }) => {
  if (call === "pick" || call === "catalog") asked++;
  try {
    const work = calls[call] as (...all: unknown[]) => unknown;
    scope.postMessage({ id, value: await work(...args) });
  } catch (error) {
    scope.postMessage({ id, failure: failureOf(error) });
  }
};

function failureOf(error: unknown): Failure {
  const { code, message, path } = error as { code?: unknown; message?: unknown; path?: unknown };
  const failure: Failure = { code: typeof code === "string" ? code : "failed", message: String(message ?? error) };
  return typeof path === "string" ? { ...failure, path } : failure;
}
