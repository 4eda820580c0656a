import type { Detail, Evidence, Pick, Picked } from "skillpick";
import { el, fill, say, section } from "../dom.js";
import type { SkillCard } from "../engine/protocol.js";
import { texts } from "../texts.js";
import { VirtualList } from "../virtual.js";

const t = texts.ranking;
const ROW = 34;

/** A line of the chart. */
export interface Ranked {
  id: string;
  score: number;
  detail: Detail | undefined;
  tokens: number;
  pinned: boolean;
  evidence: Evidence[];
}

export interface RankingView {
  element: HTMLElement;
  show(pick: Pick): void;
  /** Another catalog: what was said of the skills is over. */
  forget(): void;
}

export function rankingView(fetchCard: (id: string) => Promise<SkillCard | null>): RankingView {
  const panel = el("div", { class: "why", id: "why", tabindex: 0, role: "region", "aria-label": t.evidence });
  const more = el("p", { class: "hint" });
  const cards = new Map<string, SkillCard | null>();
  let asked = "";
  const list = new VirtualList<Ranked>({
    label: t.list,
    rowHeight: ROW,
    render: drawRow,
    onActive(ranked) {
      if (!ranked) return fill(panel, el("p", { class: "empty" }, t.empty));
      asked = ranked.id;
      drawWhy(panel, ranked, cards.get(ranked.id));
      if (cards.has(ranked.id)) return;
      void fetchCard(ranked.id).then((card) => {
        remember(ranked.id, card);
        if (asked === ranked.id) drawWhy(panel, ranked, card);
      }, () => undefined);
    },
  });
  list.element.setAttribute("aria-describedby", "ranking-note");
  const remember = (id: string, card: SkillCard | null) => {
    if (cards.size > 500) cards.clear();
    cards.set(id, card);
  };
  return {
    forget: () => cards.clear(),
    element: section("ranking", t.heading, el("p", { class: "hint", id: "ranking-note" }, t.note), el("div", { class: "ranking" }, list.element, panel), more),
    show(pick) {
      const ranked = rankedOf(pick);
      const stay = ranked.findIndex(({ id }) => id === list.active?.id);
      list.set(ranked, list.element.matches(":focus") ? Math.max(stay, 0) : 0);
      const all = (pick.counts["budget"] ?? 0) + (pick.counts["limit"] ?? 0);
      const listed = ranked.filter(({ detail }) => detail === undefined).length;
      say(more, all > listed ? t.more(all - listed) : "");
    },
  };
}

/** Shown and left out together, the most relevant first. */
function rankedOf(pick: Pick): Ranked[] {
  const shown = pick.skills.map(({ id, score, detail, tokens, pinned, evidence }: Picked) => ({ id, score, detail, tokens, pinned, evidence }));
  const out = pick.omitted.flatMap(({ id, score, reason }) => (score !== undefined && (reason === "budget" || reason === "limit") ? [{ id, score, detail: undefined, tokens: 0, pinned: false, evidence: [] }] : []));
  return [...shown, ...out].sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.score - a.score);
}

const scoreText = (score: number) => score.toFixed(2);
const levelText = (detail: Detail | undefined) => (detail ? texts.levels[detail] : t.out);

function drawRow(row: HTMLElement, ranked: Ranked, index: number): void {
  const { id, score, detail, tokens } = ranked;
  const bar = el("span", { class: `score-bar ${detail ?? "out"}` });
  bar.style.width = `${Math.max(0.5, score * 100)}%`;
  fill(
    row,
    el("span", { class: "rank" }, String(index + 1)),
    " ",
    el("span", { class: "row-id", dir: "auto" }, id),
    " ",
    el("span", { class: "score-track", "aria-hidden": "true" }, bar),
    el("span", { class: "row-score" }, scoreText(score)),
    " ",
    el("span", { class: `level ${detail ?? "out"}` }, levelText(detail)),
    " ",
    el("span", { class: "row-tokens quiet" }, tokens > 0 ? t.tokens(tokens) : ""),
  );
}

function drawWhy(panel: HTMLElement, { id, score, detail, tokens, pinned, evidence }: Ranked, card: SkillCard | null | undefined): void {
  const fact = (label: string, value: string) => [el("dt", {}, label), el("dd", {}, value)];
  const most = Math.max(...evidence.map(({ weight }) => weight), 0.0001);
  const body = card ? (card.instructionTokens > 0 ? t.bodyTokens(card.instructionTokens) : t.noBody) : "";
  fill(
    panel,
    el("h3", { dir: "auto" }, id),
    el("p", { class: "why-text", dir: "auto" }, card === undefined ? "" : card?.description || t.noDescription),
    el("dl", {}, ...fact(t.score, scoreText(score)), ...fact(t.level, levelText(detail)), ...(tokens > 0 ? fact(t.cost, texts.budget.value(tokens)) : []), ...(body ? fact(t.body, body) : [])),
    el("h4", {}, t.evidence),
    pinned && el("p", { class: "hint" }, t.pinned),
    evidence.length === 0 && !pinned && el("p", { class: "hint" }, t.noEvidence),
    el("ul", { class: "evidence" }, ...evidence.map((one) => evidenceRow(one, most))),
  );
}

function evidenceRow({ field, term, weight }: Evidence, most: number): HTMLElement {
  const bar = el("span", { class: "evidence-bar" });
  bar.style.width = `${Math.max(2, (100 * weight) / most)}%`;
  return el("li", {}, el("span", { class: "term", dir: "auto" }, term), el("span", { class: "quiet" }, t.foundIn(t.fields[field] ?? field)), el("span", { class: "weight" }, weight.toFixed(3)), el("span", { class: "evidence-track", "aria-hidden": "true" }, bar));
}
