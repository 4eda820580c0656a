import type { OmitReason, Pick } from "skillpick";
import { el, fill, say, section } from "../dom.js";
import type { LeftOut } from "../engine/protocol.js";
import { texts } from "../texts.js";
import { VirtualList } from "../virtual.js";

const t = texts.omitted;
const ROW = 32;
const MOST_REMARKS = 5;

export interface OmittedView {
  element: HTMLElement;
  /** What the pick tells at once. */
  show(pick: Pick): void;
  /** The whole list, which comes later. */
  details(leftOut: LeftOut[]): void;
}

export function omittedView(): OmittedView {
  const reasons = el("ul", { class: "reasons" });
  const none = el("p", { class: "empty" });
  const remarks = el("ul", { class: "pick-remarks", "aria-label": t.remarks });
  const list = new VirtualList<LeftOut>({ label: t.list, rowHeight: ROW, render: drawRow });
  const draw = (leftOut: readonly LeftOut[]) => {
    list.element.hidden = leftOut.length === 0;
    list.element.style.height = `${Math.min(leftOut.length, 8) * ROW + 2}px`;
    list.set(leftOut);
  };
  return {
    element: section("omitted", t.heading, none, reasons, list.element, remarks),
    show(pick) {
      const counted = (Object.keys(t.reasons) as OmitReason[]).filter((reason) => (pick.counts[reason] ?? 0) > 0);
      const wanting = counted.some((reason) => reason === "budget" || reason === "limit" || reason === "off");
      none.hidden = wanting;
      say(none, counted.length === 0 ? t.none : t.noneButHidden);
      fill(reasons, ...counted.map((reason) => el("li", {}, el("strong", {}, texts.format.n(pick.counts[reason] ?? 0)), " ", t.reasons[reason])));
      remarks.hidden = pick.diagnostics.length === 0;
      fill(remarks, ...pick.diagnostics.slice(0, MOST_REMARKS).map(({ severity, message }) => el("li", { class: severity, dir: "auto" }, message)));
      draw(pick.omitted);
    },
    details: draw,
  };
}

function drawRow(row: HTMLElement, { id, reason, score }: LeftOut): void {
  fill(
    row,
    el("span", { class: "row-id", dir: "auto" }, id),
    " ",
    el("span", { class: "quiet" }, t.reasons[reason]),
    " ",
    el("span", { class: "row-score quiet" }, score === undefined ? "" : t.score(score.toFixed(2))),
  );
}
