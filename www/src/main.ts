import { Latest, Engine } from "./engine/client.js";
import type { CatalogInfo, Details, PickAnswer, Question, Source } from "./engine/protocol.js";
import { decode, encode, type Shared } from "./link.js";
import { keepOffline } from "./offline/register.js";
import { presets } from "./presets.js";
import { copyText, saveText } from "./save.js";
import { needsOf, questionOf, startState } from "./state.js";
import { texts } from "./texts.js";
import { budgetView } from "./views/budget.js";
import { cacheView } from "./views/cache.js";
import { catalogView } from "./views/catalog.js";
import { compareView } from "./views/compare.js";
import { conversationView } from "./views/conversation.js";
import { omittedView } from "./views/omitted.js";
import { optionsView } from "./views/options.js";
import { rankingView } from "./views/ranking.js";
import { shell } from "./views/shell.js";

/** What is looked at only when nothing has changed for this long: the whole list of those left out, and the cache. */
const DETAILS_AFTER = 160;
/** Skills of a conversation without an example's needs: the best, if they are this good. */
const GOOD = 0.25;
const MOST_BEST = 2;

let state = startState();
let answer: PickAnswer | undefined;
let reading = false;
let changedAt = 0;
let later: ReturnType<typeof setTimeout> | undefined;

const page = shell({ share: () => void share() });
const engine = new Engine(() => page.error(texts.errors.broken));
const failed = (error: unknown) => {
  page.busy(reading);
  page.error(error instanceof Error ? error.message : String(error));
};

const opens = new Latest<Source, CatalogInfo>((source) => engine.call("catalog", source, questionOf(state)), opened, notOpened);
const picks = new Latest<Question, PickAnswer>((question) => engine.call("pick", question), show, failed);
const details = new Latest<Question, Details | null>((question) => engine.call("details", question), showDetails, failed);

const conversation = conversationView({ preset: choosePreset, edited });
const catalog = catalogView({
  reading: () => setReading(true),
  source: open,
  failed(message) {
    setReading(false);
    page.error(message);
  },
});
const options = optionsView((part) => {
  state.settings = { ...state.settings, ...part };
  options.show(state.settings);
  ask();
});
const budget = budgetView((tokens) => {
  state.settings.budget = tokens;
  ask();
});
const compare = compareView({ copy: () => void copyBlock(), download: saveBlock, downloadPick: savePick });

const ranking = rankingView((id) => engine.call("skill", id));
const omitted = omittedView();
const cache = cacheView();
page.inputs.append(catalog.element, conversation.element, options.element);
page.results.append(budget.element, compare.element, ranking.element, omitted.element, cache.element);

function ask(): void {
  changedAt = performance.now();
  if (!state.catalog) return;
  page.busy(true);
  const question = questionOf(state);
  picks.ask(question);
  clearTimeout(later);
  later = setTimeout(() => details.ask(questionOf(state)), DETAILS_AFTER);
}

function show(given: PickAnswer, question: Question): void {
  answer = given;
  const start = performance.now();
  page.error(undefined);
  const { pick, earlier, cut, ms } = given;
  const byHand = needsOf(state);
  const best = pick.skills.filter(({ score, evidence, pinned }) => pinned || (score >= GOOD && evidence.length > 0)).sort((a, b) => b.score - a.score);
  const needs = byHand.length > 0 ? byHand : best.slice(0, MOST_BEST).map(({ id }) => id);
  budget.show(pick, question.settings.budget);
  budget.time(ms);
  compare.show({ pick, earlier, cut, settings: question.settings, ids: state.catalog?.ids ?? [], needs, byHand: byHand.length > 0 });
  ranking.show(pick);
  omitted.show(pick);
  if (!picks.waiting) page.busy(reading);
  measure(ms, performance.now() - start);
}

function showDetails(given: Details | null): void {
  if (!given) return;
  const { leftOut, ms, cache: turns } = given;
  budget.time(ms);
  page.tell(compare.verdict.textContent ?? "");
  omitted.details(leftOut);
  cache.show(turns);
}

/** From the change to the frame that shows it; in the browser's own list of measurements. */
function measure(select: number, drawing: number): void {
  const start = changedAt;
  for (const [name, ms] of Object.entries({ "skillpick:select": select, "skillpick:drawing": drawing })) {
    performance.clearMeasures(name);
    performance.measure(name, { start: performance.now() - ms, end: performance.now() });
  }
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      performance.clearMeasures("skillpick:shown");
      performance.measure("skillpick:shown", { start, end: performance.now() });
    };
    channel.port2.postMessage(null);
  });
}

function edited(turns: Question["turns"], files: string): void {
  state.turns = turns;
  state.files = files;
  state.preset = -1;
  conversation.mark(-1);
  ask();
}

function choosePreset(index: number): void {
  const preset = presets[index];
  if (!preset) return;
  state = { ...state, turns: preset.turns.map((turn) => ({ ...turn })), files: preset.files.join(", "), preset: index };
  conversation.show(state);
  conversation.mark(index);
  ask();
}

/** While skills are read the results are of the ones before. */
function setReading(now: boolean): void {
  reading = now;
  catalog.show(state.catalog, now);
  page.busy(now);
}

function open(source: Source): void {
  setReading(true);
  picks.drop();
  clearTimeout(later);
  opens.ask(source);
}

function opened(info: CatalogInfo): void {
  state.catalog = info;
  ranking.forget();
  page.error(undefined);
  setReading(opens.waiting);
  ask();
}

/** The catalog before is still there; at the start there is none, so the example has to do. */
function notOpened(error: unknown, source: Source): void {
  setReading(opens.waiting);
  failed(error);
  if (state.catalog || source.kind === "example") return;
  page.notice(texts.share.broken);
  open({ kind: "example" });
}

async function share(): Promise<void> {
  const kind = state.catalog?.kind;
  const own = kind === "files" || kind === "json";
  const shared: Shared = { turns: state.turns, files: state.files, settings: state.settings, catalog: kind === "generated" ? kind : "example" };
  const whole = encode(own ? { ...shared, catalog: { json: await engine.call("json") } } : shared);
  const fragment = whole ?? encode({ ...shared, catalog: "missing" });
  if (fragment === undefined) return page.notice(texts.share.without);
  history.replaceState(null, "", `#${fragment}`);
  const copied = await copyText(location.href);
  page.notice(!copied ? texts.share.copyFailed : whole === undefined ? texts.share.without : own ? texts.share.done : texts.share.doneExample);
}

/** Takes what a link holds; where there is none, the first example. */
function start(): void {
  const fragment = location.hash.slice(1);
  const shared = fragment === "" ? undefined : decode(fragment);
  if (shared) state = { ...state, turns: shared.turns, files: shared.files, settings: shared.settings, preset: presetOf(shared) };
  conversation.show(state);
  conversation.mark(state.preset);
  options.show(state.settings);
  budget.set(state.settings.budget);
  const from = shared?.catalog ?? "example";
  open(typeof from === "object" ? { kind: "json", text: from.json } : { kind: from === "generated" ? from : "example" });
  if (fragment !== "" && !shared) page.notice(texts.share.broken);
  if (from === "missing") page.notice(texts.share.noCatalog);
}

const presetOf = ({ turns, files }: Shared): number => presets.findIndex((preset) => JSON.stringify([preset.turns, preset.files.join(", ")]) === JSON.stringify([turns, files]));

async function copyBlock(): Promise<void> {
  if (answer) page.notice((await copyText(answer.pick.xml)) ? texts.compare.copied : texts.errors.copy);
}

function saveBlock(): void {
  if (answer) saveText(answer.pick.xml, answer.pick.xml.startsWith("<") ? "skills.xml" : "skills.txt", "text/plain");
}

function savePick(): void {
  if (answer) saveText(`${JSON.stringify(answer.pick, null, 2)}\n`, "pick.json", "application/json");
}

addEventListener("hashchange", start);
start();
void keepOffline().then((kept) => kept && page.offline());
