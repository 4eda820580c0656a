import { bar, cells, fit, paint, thousands, visible, wrap, type Terminal } from "../terminal.js";
import { printFindings } from "../findings.js";
import type { Explanation } from "./explain.js";
import { because, REASONS, type Result } from "./result.js";

const COLOURS = ["cyan", "green", "blue", "yellow"] as const;
/** Neighbours differ without colours too. */
const SHADES = ["█", "▓"] as const;
const [NAMES, FRAME, UNUSED] = ["▒", "░", "·"] as const;

/** The block, the budget, who got what and why, and what was left out. */
export function printPick(terminal: Terminal, result: Result): void {
  const { pick, settings, diagnostics } = result;
  const limit = pick.budget === null ? "no limit" : `of ${thousands(pick.budget)}`;
  const kind = [settings.format ?? "agentpool", settings.mode ?? "metadata", ...(settings.placement === "split" ? ["split"] : [])].join(", ");
  terminal.out(`${paint(terminal, "bold", `The block: ${thousands(pick.tokens)} tokens, ${limit}`)} ${paint(terminal, "dim", `(${kind})`)}\n`);
  // The model gets these bytes; a terminal must not obey what is in them.
  for (const line of pick.xml.split("\n")) terminal.out(`${paint(terminal, "dim", "│")} ${visible(line)}\n`);
  if (pick.xml === "") terminal.out(`  It is empty: nothing can be shown.\n`);
  budgetBar(terminal, result);
  if (result.detailed.length > 0) table(terminal, result);
  if (!pick.confident) terminal.out(`\n${paint(terminal, "yellow", "▲")} ${wrap("No skill has evidence for this request, so that priority, source and use decide.", terminal.width - 4, "  ")}\n`);
  for (const { reason, ids } of result.omitted) {
    terminal.out(`\n${paint(terminal, "bold", `Left out, ${reason}`)} (${thousands(ids.length)}): ${paint(terminal, "dim", REASONS[reason].meaning)}\n`);
    const few = ids.slice(0, 30).join(", ") + (ids.length > 30 ? `, and ${thousands(ids.length - 30)} more` : "");
    terminal.out(`  ${wrap(few, terminal.width - 2, "  ")}\n`);
  }
  printFindings(terminal, diagnostics, ["error", "warning"]);
}

/** One bar for the whole budget. Each part is as long as its share; a part too small for a cell has none. */
function budgetBar(terminal: Terminal, { pick, shares }: Result): void {
  const whole = Math.max(1, pick.budget ?? pick.tokens);
  const width = Math.max(10, terminal.width - 2);
  let [used, drawn, text] = [0, 0, ""];
  const part = (tokens: number, sign: string, colour: Parameters<typeof paint>[1]) => {
    used += tokens;
    const end = Math.min(width, Math.round((used / whole) * width));
    text += paint(terminal, colour, sign.repeat(Math.max(0, end - drawn)));
    drawn = Math.max(drawn, end);
  };
  shares.skills.forEach(({ tokens }, index) => part(tokens, SHADES[index % 2] as string, COLOURS[index % COLOURS.length] as "cyan"));
  part(shares.names, NAMES, "dim");
  part(shares.frame, FRAME, "dim");
  text += paint(terminal, "dim", UNUSED.repeat(width - drawn));
  const percent = (tokens: number) => `${Math.round((tokens / whole) * 100)} %`;
  const detailed = shares.skills.reduce((sum, { tokens }) => sum + tokens, 0);
  const legend = [`${SHADES.join("")} skills with detail ${percent(detailed)}`, `${NAMES} names ${percent(shares.names)}`, `${FRAME} tags and notes ${percent(shares.frame)}`];
  if (shares.unused !== null) legend.push(`${UNUSED} left ${percent(shares.unused)}`);
  terminal.out(`\n${paint(terminal, "bold", "The budget")}\n${text}\n${paint(terminal, "dim", wrap(legend.join(",  "), width, ""))}\n`);
}

/** A row for each skill with detail; the reasons get what is left of the line. */
function table(terminal: Terminal, { pick, settings, detailed, named, shares }: Result): void {
  const whole = Math.max(1, pick.budget ?? pick.tokens);
  const nameWidth = Math.min(28, Math.max(5, ...detailed.map(({ id }) => cells(id))));
  const barWidth = terminal.width >= 80 ? 10 : 0;
  const rest = Math.max(12, terminal.width - nameWidth - 30 - (barWidth > 0 ? barWidth + 2 : 0));
  const gap = barWidth > 0 ? "".padEnd(barWidth + 2) : "";
  terminal.out(`\n${paint(terminal, "dim", `${fit("skill", nameWidth)}  detail        tokens  ${gap}score  because of`)}\n`);
  for (const [index, one] of detailed.entries()) {
    const share = barWidth > 0 ? `${paint(terminal, COLOURS[index % COLOURS.length] as "cyan", bar(one.tokens / whole, barWidth))}  ` : "";
    const because_ = fit(because(one, settings), rest).trimEnd();
    terminal.out(`${fit(one.id, nameWidth)}  ${one.detail.padEnd(12)}  ${thousands(one.tokens).padStart(6)}  ${share}${one.score.toFixed(2).padStart(5)}  ${because_}\n`);
  }
  if (named.length > 0) terminal.out(paint(terminal, "dim", `and ${thousands(named.length)} more by name, ${thousands(shares.names)} tokens together\n`));
}

/** Why one skill is where it is. */
export function printExplanation(terminal: Terminal, told: Explanation): void {
  const say = (text: string) => terminal.out(`${wrap(text, terminal.width, "")}\n`);
  const where = told.reason === undefined ? `is shown with its ${told.detail === "name" ? "name alone" : told.detail}` : `is left out (${told.reason})`;
  terminal.out(`${paint(terminal, "bold", visible(told.id))} ${where}\n`);
  if (told.description !== "") terminal.out(`${paint(terminal, "dim", `  ${wrap(told.description, terminal.width - 2, "  ")}`)}\n`);
  terminal.out("\n");
  if (told.meaning !== undefined) say(`${told.meaning} ${told.mend ?? ""}`);
  if (told.detail !== undefined) say(`It takes ${thousands(told.tokens)} of ${told.budget === null ? "unlimited" : thousands(told.budget)} tokens${told.next === undefined ? "" : `; with its ${told.next.detail} it would take ${thousands(told.next.tokens)}`}.`);
  if (told.score !== undefined) say(`Relevance ${told.score.toFixed(2)}, place ${thousands(told.place ?? 0)} of ${thousands(told.of ?? 0)}${told.pinned ? "; pinned, required, or named by the user, which goes before relevance" : ""}.`);
  if (told.score !== undefined) reasons(terminal, told);
  if (told.from.length > 0) {
    terminal.out(`\n${paint(terminal, "bold", "The least budget at which it is shown with its")}\n`);
    for (const { detail, budget } of told.from) terminal.out(`  ${detail.padEnd(12)} ${thousands(budget).padStart(8)}${told.budget !== null && budget > told.budget ? "" : "  ✓"}\n`);
  }
}

function reasons(terminal: Terminal, { evidence }: Explanation): void {
  if (evidence.length === 0) return terminal.out("It has no evidence: no word of the request is in it. A description in the words of its users changes that.\n");
  const most = Math.max(...evidence.map(({ weight }) => Math.abs(weight)), 1e-9);
  const width = Math.min(30, Math.max(5, ...evidence.map(({ term }) => cells(term))));
  terminal.out(`\n${paint(terminal, "bold", "Because of")}\n`);
  for (const { field, term, weight } of evidence) {
    const sign = paint(terminal, weight < 0 ? "red" : "green", bar(Math.abs(weight) / most, 20));
    terminal.out(`  ${fit(term, width)}  ${fit(field, 12)}  ${sign} ${weight.toFixed(3)}\n`);
  }
}
