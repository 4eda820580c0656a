// The block for the example catalog and conversation, and who got what and why: node scripts/demo.mjs [budget]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Catalog } from "skillpick";
import { loadSkills } from "skillpick/loader";

const budget = Number(process.argv[2] ?? 700);
const folder = join(import.meta.dirname, "..", "examples", "catalog");
const { skills } = await loadSkills(folder);
const conversation = JSON.parse(readFileSync(join(folder, "conversation.json"), "utf8"));
const catalog = Catalog.from(skills);
const pick = catalog.select(conversation, { budget });

const dim = (text) => (process.stdout.isTTY ? `\x1b[2m${text}\x1b[0m` : text);
const bold = (text) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text);
const heading = (text) => console.log(`\n${bold(text)}`);

heading("The conversation");
for (const { role, content } of conversation.messages) console.log(`${role.padStart(9)}  ${content}`);

heading(`The block: ${pick.tokens} of ${pick.budget} tokens`);
console.log(pick.xml);

heading("Who got what, and why");
const [shown, names] = [pick.skills.filter(({ detail }) => detail !== "name"), pick.skills.filter(({ detail }) => detail === "name")];
const width = Math.max(...shown.map(({ id }) => id.length), 5);
console.log(dim(`${"skill".padEnd(width)}  detail        tokens  score  because of`));
for (const { id, detail, tokens, score, pinned, evidence } of shown) {
  const reasons = evidence.slice(0, 4).map(({ field, term }) => `${term} (${field})`);
  if (pinned) reasons.unshift("named by the user");
  const why = reasons.join(", ") || "no evidence: its turn in the prior order";
  console.log(`${id.padEnd(width)}  ${detail.padEnd(12)}  ${String(tokens).padStart(6)}   ${score.toFixed(2)}  ${why}`);
}
if (names.length > 0) console.log(dim(`and ${names.length} more by name only, in one element`));

const reasons = new Map();
for (const state of catalog.report(pick)) {
  if (state.state === "omitted") reasons.set(state.reason, [...(reasons.get(state.reason) ?? []), state.id]);
}
heading("Left out");
if (reasons.size === 0) console.log("nobody");
for (const [reason, ids] of reasons) console.log(`${reason.padEnd(10)} ${ids.join(", ")}`);
