import type { Detail, Pick } from "skillpick";
import { button, type Child, el, fill, icon, icons, say } from "../dom.js";
import type { Cut, Given, Settings } from "../engine/protocol.js";
import { texts } from "../texts.js";
import { type BlockPart, blockView } from "./block.js";
import { mapView } from "./map.js";

const t = texts.compare;
/** Names up to this length are never broken into two lines. */
const SHORT = 28;
const LEVELS: Detail[] = ["name", "summary", "description", "instructions"];
const XML = new Set(["agentpool", "agentskills", "compact"]);

export interface Compared {
  pick: Pick;
  /** What earlier turns brought; the model still reads it. */
  earlier: readonly Given[];
  cut: Cut;
  settings: Settings;
  /** Ids that a model may see, A to Z. */
  ids: readonly string[];
  /** What the conversation needs, and whether a person said so. */
  needs: readonly string[];
  byHand: boolean;
}

export interface CompareView {
  verdict: HTMLElement;
  element: HTMLElement;
  show(compared: Compared): void;
}

interface Events {
  copy(): void;
  download(): void;
  downloadPick(): void;
}

export function compareView(events: Events): CompareView {
  const verdict = el("p", { class: "verdict", id: "verdict" });
  const ours = card("ours", t.ours, t.oursNote, t.block);
  const cut = card("cut", t.cut, t.cutNote, t.cutBlock);
  ours.element.append(
    el(
      "div",
      { class: "card-actions" },
      button(icon(icons.copy), { class: "plain", id: "copy" }, events.copy, t.copy),
      button(icon(icons.download), { class: "plain", id: "download" }, events.download, t.download),
      button(icon(icons.download), { class: "plain", id: "download-pick" }, events.downloadPick, t.downloadPick),
    ),
  );
  const needed = el("p", { class: "needed" });
  const element = el("section", { class: "panel", id: "compare", "aria-labelledby": "compare-heading" }, el("h2", { id: "compare-heading" }, t.heading), verdict, needed, el("div", { class: "cards" }, ours.element, cut.element));
  return {
    verdict,
    element,
    show(compared) {
      const { pick, earlier, cut: other, settings, ids, needs, byHand } = compared;
      const levels = levelsOf(pick, earlier);
      const cutLevels = new Map<string, Detail>(other.ids.map((id) => [id, "description"]));
      const xml = XML.has(settings.format);
      speak(verdict, verdictOf(compared, levels, cutLevels), needs, cutLevels);
      needed.hidden = needs.length === 0;
      say(needed, byHand ? t.needs : t.best);
      ours.show({ levels, needs, ids, tokens: pick.tokens, budget: settings.budget });
      ours.block.show({ parts: partsOf(pick, earlier), xml, marks: needs, empty: settings.mode === "off" ? t.off : t.empty });
      cut.show({ levels: cutLevels, needs, ids, tokens: other.tokens, budget: settings.budget });
      cut.block.show({ parts: [{ text: other.text }], xml, marks: needs, empty: t.cutEmpty });
    },
  };
}

interface CardState {
  levels: ReadonlyMap<string, Detail>;
  needs: readonly string[];
  ids: readonly string[];
  tokens: number;
  budget: number;
}

/** The most that the model has read of each skill. */
function levelsOf(pick: Pick, earlier: readonly Given[]): Map<string, Detail> {
  const levels = new Map<string, Detail>();
  for (const { id, detail } of [...earlier.flatMap(({ skills }) => skills), ...pick.skills]) {
    const before = levels.get(id);
    if (before === undefined || LEVELS.indexOf(detail) > LEVELS.indexOf(before)) levels.set(id, detail);
  }
  return levels;
}

/** With a split block also the parts of earlier turns, in the order in which the model reads them. */
function partsOf({ xml, stable, turn }: Pick, earlier: readonly Given[]): BlockPart[] {
  if (stable === undefined) return [{ text: xml }];
  const given = earlier.map((one) => ({ text: one.turn, note: t.earlier(one.message), earlier: true }));
  const now = turn ? { text: turn, note: t.turn } : { text: "", note: t.noTurn };
  return [{ text: stable, note: t.stable }, ...given, now];
}

function card(kind: string, title: string, note: string, blockLabel: string) {
  const checks = el("ul", { class: "checks" });
  const map = mapView();
  const shownText = el("span");
  const tokensText = el("span", { class: "quiet" });
  const block = blockView(blockLabel);
  const element = el(
    "article",
    { class: `card ${kind}`, "aria-labelledby": `card-${kind}` },
    el("header", {}, el("h3", { id: `card-${kind}` }, title), el("p", { class: "quiet" }, note)),
    checks,
    el("div", { class: "map-frame", title: t.mapHint }, map.element, el("p", { class: "map-note" }, shownText, " ", tokensText)),
    block.element,
  );
  const show = ({ levels, needs, ids, tokens, budget }: CardState) => {
    fill(checks, ...needs.map((id) => check(id, levels.get(id))));
    const described = [...levels.values()].filter((level) => level !== "name").length;
    map.show(ids, levels, needs, t.map(levels.size, ids.length, described));
    say(shownText, t.shown(levels.size, ids.length));
    say(tokensText, t.tokens(tokens, budget));
  };
  return { element, block, show };
}

function check(id: string, level: Detail | undefined): HTMLElement {
  const good = level !== undefined;
  return el("li", { class: good ? "good" : "bad" }, icon(good ? icons.check : icons.cross), el("strong", { dir: "auto" }, id), el("span", { class: "check-level" }, good ? t.has(level) : t.hidden));
}

/** The sentence with the needed skills set off; drawn anew only if it is another one. */
function speak(element: HTMLElement, text: string, needs: readonly string[], cut: ReadonlyMap<string, Detail>): void {
  if (element.textContent === text) return;
  const end = text.indexOf(". ") + 1;
  const words = [...needs].sort((a, b) => b.length - a.length);
  const parts: Child[] = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const id = words.find((word) => text.startsWith(word, at));
    if (id === undefined) {
      plain += text[at++];
      continue;
    }
    parts.push(plain, el("strong", { class: `${at < end ? (cut.has(id) ? "" : "gone") : "kept"}${id.length <= SHORT ? " short" : ""}` }, id));
    plain = "";
    at += id.length;
  }
  fill(element, ...parts, plain);
}

function verdictOf({ settings, ids, needs }: Compared, levels: ReadonlyMap<string, Detail>, cut: ReadonlyMap<string, Detail>): string {
  const v = texts.verdict;
  if (levels.size === 0) return settings.mode === "off" ? v.off : v.nothing;
  if (needs.length === 0) return v.noEvidence(levels.size, ids.length);
  const missing = needs.filter((id) => !cut.has(id));
  const shown = needs.filter((id) => levels.has(id));
  if (shown.length === 0) return v.lacks;
  const detailed = shown.filter((id) => levels.get(id) !== "name");
  const others = levels.size - (detailed.length > 0 ? detailed.length : shown.length);
  const first = missing.length > 0 ? v.hides(settings.budget, cut.size, ids.length, missing) : v.both(settings.budget, cut.size, ids.length);
  return `${first} ${detailed.length > 0 ? v.ours(detailed, others) : v.named(shown, others)}`;
}
