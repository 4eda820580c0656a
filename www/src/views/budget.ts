import type { Detail, Pick } from "skillpick";
import { el, fill, say, section } from "../dom.js";
import { BUDGET } from "../presets.js";
import { texts } from "../texts.js";

const t = texts.budget;
const LEVELS: Detail[] = ["instructions", "description", "summary", "name"];
const STEPS = 1000;
const KEPT_TIMES = 60;
/** A piece of the bar that takes this share of it has room for a name. */
const ROOM = 0.075;

export interface BudgetView {
  element: HTMLElement;
  /** The slider's place for a budget that came from elsewhere. */
  set(budget: number): void;
  show(pick: Pick, budget: number): void;
  /** One more time of `select`. */
  time(ms: number): void;
}

/** Fine steps where budgets are small: the slider's place is the square root of the budget. */
const placeOf = (budget: number) => Math.round(STEPS * Math.sqrt(budget / BUDGET.most));
const budgetAt = (place: number) => {
  const exact = BUDGET.most * (place / STEPS) ** 2;
  const step = exact < 200 ? 5 : exact < 1000 ? 10 : exact < 4000 ? 50 : 100;
  return Math.round(exact / step) * step;
};

export function budgetView(changed: (budget: number) => void): BudgetView {
  const slider = el("input", { type: "range", min: 0, max: STEPS, step: 1, id: "budget-slider", "aria-label": t.label });
  const field = el("input", { type: "number", min: BUDGET.least, max: BUDGET.most, step: 1, inputmode: "numeric", id: "budget-number", "aria-label": t.number });
  const wrong = el("p", { class: "wrong", id: "budget-wrong", hidden: true }, texts.errors.budget);
  field.setAttribute("aria-describedby", wrong.id);
  const valid = (good: boolean) => {
    field.setAttribute("aria-invalid", String(!good));
    wrong.hidden = good;
  };
  const used = el("strong", { class: "used" });
  const limit = el("span", { class: "limit" });
  const bar = el("div", { class: "bar", role: "img" });
  const legend = el("ul", { class: "legend" });
  const newest = el("strong");
  const median = el("span", { class: "quiet" });
  const spark = el("canvas", { class: "spark", width: 180, height: 32, role: "img", "aria-label": t.timing });
  const times: number[] = [];
  let colour = "";
  addEventListener("skillpick:colours", () => (colour = ""));

  slider.addEventListener("input", () => {
    const budget = budgetAt(Number(slider.value));
    field.value = String(budget);
    valid(true);
    slider.setAttribute("aria-valuetext", t.value(budget));
    changed(budget);
  });
  field.addEventListener("input", () => {
    const budget = Number(field.value);
    const good = field.value.trim() !== "" && Number.isInteger(budget) && budget >= BUDGET.least && budget <= BUDGET.most;
    valid(good);
    if (!good) return;
    slider.value = String(placeOf(budget));
    slider.setAttribute("aria-valuetext", t.value(budget));
    changed(budget);
  });

  return {
    element: section(
      "budget",
      t.heading,
      el("div", { class: "budget-top" }, el("p", { class: "count", id: "count" }, used, " ", limit), el("p", { class: "time" }, t.select, " ", newest, " ", median, spark)),
      bar,
      legend,
      el("div", { class: "budget-input" }, el("label", { for: "budget-slider" }, t.label), slider, field),
      wrong,
    ),
    set(budget) {
      slider.value = String(placeOf(budget));
      slider.setAttribute("aria-valuetext", t.value(budget));
      field.value = String(budget);
      valid(true);
    },
    show(pick, budget) {
      const told = t.of(pick.tokens, budget);
      say(used, told.tokens);
      say(limit, told.budget);
      drawBar(bar, legend, pick, budget);
    },
    time(ms) {
      times.push(ms);
      if (times.length > KEPT_TIMES) times.shift();
      say(newest, t.ms(ms));
      say(median, times.length > 1 ? t.median(t.ms(middle(times)), times.length) : "");
      drawTimes(spark, times, (colour ||= getComputedStyle(spark).color));
    },
  };
}

const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function drawBar(bar: HTMLElement, legend: HTMLElement, pick: Pick, budget: number): void {
  const whole = Math.max(budget, pick.tokens, 1);
  const part = (kind: string, tokens: number, title: string, label = "") => {
    const piece = el("span", { class: `piece ${kind}`, title }, tokens / whole > ROOM && label !== "" && el("span", { dir: "auto" }, label));
    piece.style.width = `${(100 * tokens) / whole}%`;
    return piece;
  };
  const pieces: HTMLElement[] = [];
  const parts: { kind: Detail | "rest" | "free"; label: string; tokens: number }[] = [];
  let listed = 0;
  for (const level of LEVELS) {
    const skills = pick.skills.filter(({ detail }) => detail === level);
    if (skills.length === 0) continue;
    const tokens = skills.reduce((sum, skill) => sum + skill.tokens, 0);
    listed += tokens;
    parts.push({ kind: level, label: `${texts.format.n(skills.length)} ${texts.levelsMany[level]}`, tokens });
    // Names are one element in the block, and one piece here.
    if (level === "name") pieces.push(part(level, tokens, t.names(skills.length, tokens), `${texts.format.n(skills.length)} ${texts.levelsMany.name}`));
    else for (const skill of skills) pieces.push(part(level, skill.tokens, t.share(skill.name, texts.levels[level], skill.tokens), skill.name));
  }
  const rest = Math.max(0, pick.tokens - listed);
  const free = Math.max(0, budget - pick.tokens);
  if (rest > 0) parts.push({ kind: "rest", label: t.rest, tokens: rest });
  if (rest > 0) pieces.push(part("rest", rest, `${t.rest}: ${t.value(rest)}`));
  if (free > 0) parts.push({ kind: "free", label: t.free, tokens: free });
  fill(bar, ...pieces);
  bar.setAttribute("aria-label", t.bar(parts.map(({ label, tokens }) => `${label}: ${t.value(tokens)}`)));
  fill(legend, ...parts.map(({ kind, label, tokens }) => el("li", {}, el("span", { class: `key ${kind}`, "aria-hidden": "true" }), label, " ", el("span", { class: "quiet" }, texts.format.n(tokens)))));
}

function drawTimes(canvas: HTMLCanvasElement, times: readonly number[], colour: string): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { width, height } = canvas;
  const most = Math.max(1, ...times);
  const step = width / KEPT_TIMES;
  context.clearRect(0, 0, width, height);
  context.fillStyle = colour;
  times.forEach((ms, index) => {
    const tall = Math.max(2, (ms / most) * height);
    context.fillRect(width - (times.length - index) * step, height - tall, step - 1, tall);
  });
}
