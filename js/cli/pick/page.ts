import type { Diagnostic, Picked } from "skillpick";
import { thousands } from "../terminal.js";
import { because, REASONS, type Result } from "./result.js";
import { STYLE } from "./style.js";

/** Text for an element or an attribute. */
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A result as one page: no script, no request, light and dark as the reader has it. */
export function page(result: Result): string {
  const { pick, settings } = result;
  const limit = pick.budget === null ? "no limit" : `of ${thousands(pick.budget)}`;
  const kind = [settings.format ?? "agentpool", settings.mode ?? "metadata", settings.placement ?? "single"].join(" · ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${thousands(pick.tokens)} tokens: skillpick</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${thousands(pick.tokens)} tokens <small>${limit}</small></h1>
<p class="quiet">${escape(kind)}</p>
</header>
<main>
${asked(result)}${budget(result)}${table(result)}${left(result)}${remarks(result.diagnostics)}<section>
<h2>The block</h2>
<pre tabindex="0">${pick.xml === "" ? "(empty)" : escape(pick.xml)}</pre>
</section>
</main>
</body>
</html>
`;
}

/** The request: the query, or the last message of the user. */
function asked({ ask }: Result): string {
  const messages = (Array.isArray(ask.messages) ? ask.messages : []) as { role?: unknown; content?: unknown }[];
  const last = messages.filter((message) => message?.role === "user").at(-1)?.content;
  const text = ask.query ?? (typeof last === "string" ? last : last === undefined ? "" : JSON.stringify(last));
  return text === "" ? "" : `<blockquote>${escape(text.slice(0, 2000))}</blockquote>\n`;
}

function budget({ pick, shares, detailed }: Result): string {
  const whole = Math.max(1, pick.budget ?? pick.tokens);
  const part = (kind: string, label: string, tokens: number) =>
    tokens <= 0 ? "" : `<span class="${kind}" style="flex-grow:${tokens}" title="${escape(label)}: ${thousands(tokens)}"></span>`;
  const parts = shares.skills.map(({ id, tokens }, index) => part(`skill hue${index % 4}`, id, tokens)).join("");
  const percent = (tokens: number) => `${thousands(tokens)} (${Math.round((tokens / whole) * 100)} %)`;
  const total = detailed.reduce((sum, { tokens }) => sum + tokens, 0);
  const legend = [
    ["hue0", "skills with detail", total],
    ["names", "names", shares.names],
    ["frame", "tags and notes", shares.frame],
    ...(shares.unused === null ? [] : [["unused", "left", shares.unused] as const]),
  ] as [string, string, number][];
  return `<section>
<h2>The budget</h2>
<div class="bar" role="img" aria-label="${escape(legend.map(([, label, tokens]) => `${label} ${percent(tokens)}`).join(", "))}">${parts}${part("names", "names", shares.names)}${part("frame", "tags and notes", shares.frame)}${part("unused", "left", shares.unused ?? 0)}</div>
<ul class="legend">${legend.map(([kind, label, tokens]) => `<li><i class="${kind}"></i>${label} <b>${percent(tokens)}</b></li>`).join("")}</ul>
</section>
`;
}

function table({ pick, settings, detailed, named }: Result): string {
  const most = Math.max(1, ...detailed.map(({ tokens }) => tokens));
  const row = (one: Picked, index: number) => `<tr>
<th scope="row">${escape(one.id)}</th><td>${one.detail}</td>
<td class="number">${thousands(one.tokens)}</td><td class="share"><i class="hue${index % 4}" style="width:${((one.tokens / most) * 100).toFixed(1)}%"></i></td>
<td class="number">${one.score.toFixed(2)}</td><td>${escape(because(one, settings))}</td>
</tr>
`;
  const rows = detailed.map(row).join("");
  const names = named.length === 0 ? "" : `<details${named.length <= 40 ? " open" : ""}><summary>${thousands(named.length)} by name alone</summary><p class="ids">${named.map(({ id }) => `<code>${escape(id)}</code>`).join(" ")}</p></details>\n`;
  const prior = pick.confident ? "" : `<p class="remark">No skill has evidence for this request, so that priority, source and use decide.</p>\n`;
  if (rows === "" && names === "") return prior;
  return `<section>
<h2>Who got what, and why</h2>
${prior}${rows === "" ? "" : `<div class="scroll"><table>
<thead><tr><th>skill</th><th>detail</th><th class="number">tokens</th><th><span class="unseen">share</span></th><th class="number">score</th><th>because of</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`}${names}</section>
`;
}

function left({ omitted }: Result): string {
  if (omitted.length === 0) return "";
  const group = ({ reason, ids }: Result["omitted"][number]) =>
    `<dt><b>${reason}</b> (${thousands(ids.length)})</dt><dd><p>${escape(REASONS[reason].meaning)} ${escape(REASONS[reason].mend)}</p><p class="ids">${ids.slice(0, 200).map((id) => `<code>${escape(id)}</code>`).join(" ")}${ids.length > 200 ? ` and ${thousands(ids.length - 200)} more` : ""}</p></dd>\n`;
  return `<section>
<h2>Left out</h2>
<dl>
${omitted.map(group).join("")}</dl>
</section>
`;
}

function remarks(diagnostics: readonly Diagnostic[]): string {
  const shown = diagnostics.filter(({ severity }) => severity !== "info").slice(0, 200);
  if (shown.length === 0) return "";
  const item = ({ severity, message, file, line, code }: Diagnostic) =>
    `<li class="${severity}">${file === undefined ? "" : `<code>${escape(file)}${line === undefined ? "" : `:${line}`}</code> `}${escape(message)} <span class="quiet">${escape(code)}</span></li>\n`;
  return `<section>
<h2>To mend</h2>
<ul>
${shown.map(item).join("")}</ul>
</section>
`;
}
