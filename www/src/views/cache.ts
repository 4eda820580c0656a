import { el, fill, say, section } from "../dom.js";
import type { CacheTurn, PromptShare } from "../engine/protocol.js";
import { texts } from "../texts.js";

const t = texts.cache;
const WAYS = ["fresh", "sticky", "split"] as const;

export interface CacheView {
  element: HTMLElement;
  show(turns: CacheTurn[]): void;
}

export function cacheView(): CacheView {
  const one = el("p", { class: "empty" });
  const summary = el("dl", { class: "cache-summary" });
  const table = el("div", { class: "cache-turns" });
  const legend = el("ul", { class: "legend" }, ...(["kept", "new"] as const).map((kind) => el("li", {}, el("span", { class: `key cache-${kind}`, "aria-hidden": "true" }), kind === "kept" ? t.legendKept : t.legendNew)));
  return {
    element: section("cache", t.heading, el("p", { class: "hint" }, t.note), one, summary, table, legend),
    show(turns) {
      one.hidden = turns.length > 1;
      say(one, turns.length > 1 ? "" : t.one);
      fill(summary, ...(turns.length > 1 ? WAYS.map((way) => share(turns, way)) : []));
      const most = Math.max(1, ...turns.flatMap((turn) => WAYS.map((way) => turn[way].total)));
      fill(table, ...turns.map((turn, index) => turnRow(turn, index, most)));
    },
  };
}

/** Of all prompts but the first: how much was in the one before. */
function share(turns: readonly CacheTurn[], way: (typeof WAYS)[number]): HTMLElement {
  const later = turns.slice(1).map((turn) => turn[way]);
  const sum = (key: keyof PromptShare) => later.reduce((total, each) => total + each[key], 0);
  return el("div", {}, el("dt", {}, t.ways[way]), el("dd", {}, t.kept(sum("kept"), sum("total"))), el("dd", { class: "hint" }, t.meanings[way]));
}

function turnRow(turn: CacheTurn, index: number, most: number): HTMLElement {
  const { label, text } = t.turn(index + 1, turn.text);
  return el(
    "div",
    { class: "cache-turn" },
    el("p", { class: "cache-label" }, el("strong", {}, label), " ", el("span", { class: "quiet", dir: "auto" }, text)),
    ...WAYS.map((way) => {
      const { kept, total } = turn[way];
      const [old, fresh] = [el("span", { class: "cache-kept" }), el("span", { class: "cache-new" })];
      old.style.width = `${(100 * kept) / most}%`;
      fresh.style.width = `${(100 * (total - kept)) / most}%`;
      return el(
        "div",
        { class: "cache-row" },
        el("span", { class: "cache-way" }, t.ways[way]),
        el("span", { class: "cache-bar", role: "img", "aria-label": t.row(t.ways[way], kept, total) }, old, fresh),
        el("span", { class: `cache-share quiet${index === 0 ? " first" : ""}`, "aria-hidden": "true" }, index === 0 && kept === 0 ? t.first : t.kept(kept, total)),
      );
    }),
  );
}
