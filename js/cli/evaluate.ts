// `skillpick eval`: does each skill come first for the prompts that its author says are its own?
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Catalog, type Skill } from "skillpick";
import { EXIT, READING, UsageError, type Command } from "./command.js";
import { readFolders } from "./read.js";
import { bar, cells, fit, paint, visible, type Terminal } from "./terminal.js";

/** A prompt and the skill that it must, or must not, call for. */
interface Prompt {
  skill: string;
  prompt: string;
  expected: boolean;
}

/** How one skill did. */
interface Row {
  skill: string;
  /** Prompts that must call for it, and of these those where it came first, or among the first five. */
  prompts: number;
  first: number;
  firstFive: number;
  /** Prompts that must not call for it, and of these those where it was first with a strong score all the same. */
  refusals: number;
  wrong: number;
}

/** Prompts of one skill that another one took. */
interface Confusion {
  skill: string;
  takenBy: string;
  prompts: string[];
}

/** Score from which a pick is strong. */
const STRONG = 0.5;
/** Files beside a skill in which authors keep prompts. */
const EVAL_FILE = /^(?:.*[-_.])?(?:evals?|triggers?|trigger[-_]evals?|activation|routing)\.json$/i;

export const evaluate: Command = {
  name: "eval",
  summary: "Try every skill on its own examples, cases and evals: which are found, which steal from others",
  usage: "[folder…]",
  options: {
    threshold: { type: "string", value: "SHARE", help: "Exit with 1 if fewer prompts find their skill first (0 to 1, default 0)" },
    ...READING,
  },
  async run(invocation) {
    const { values, terminal } = invocation;
    const threshold = shareOf(values["threshold"]);
    const { skills } = await readFolders(invocation);
    const prompts = (await Promise.all(skills.map(promptsOf))).flat();
    const { rows, confusions } = tried(skills, prompts);
    const asked = rows.reduce((sum, row) => sum + row.prompts, 0);
    const share = asked === 0 ? 1 : rows.reduce((sum, row) => sum + row.first, 0) / asked;
    if (values["json"] === true) terminal.out(`${JSON.stringify({ prompts: asked, first: share, skills: rows, confusions }, null, 2)}\n`);
    else if (rows.length > 0) print(terminal, rows, confusions, asked, share);
    if (rows.length === 0) {
      terminal.err("skillpick: no prompts found; give skills `examples`, or an evals/evals.json with { \"query\", \"should_trigger\" } entries\n");
      return EXIT.nothing;
    }
    return share < threshold ? EXIT.findings : EXIT.ok;
  },
};

function shareOf(value: unknown): number {
  const share = value === undefined ? 0 : Number(value);
  if (!(share >= 0 && share <= 1)) throw new UsageError(`--threshold takes a share from 0 to 1, not "${String(value)}"`);
  return share;
}

const idOf = (skill: Skill): string => skill.id ?? skill.name;

/** A skill's own prompts: examples, evaluation cases, and the files that its author ships. */
async function promptsOf(skill: Skill): Promise<Prompt[]> {
  const id = idOf(skill);
  const own = [...(skill.examples ?? []).map(({ userInput }) => userInput), ...(skill.evaluationCases ?? []).map(({ input }) => input)];
  const found = own.map((prompt) => ({ skill: id, prompt, expected: true }));
  if (skill.location !== undefined) {
    for (const folder of [skill.location, join(skill.location, "evals"), join(skill.location, "eval")]) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((name) => EVAL_FILE.test(name)).sort()) {
        const text = await readFile(join(folder, name), "utf8").catch(() => "");
        found.push(...fromFile(text).map((prompt) => ({ ...prompt, skill: id })));
      }
    }
  }
  return found.filter(({ prompt }) => prompt.trim() !== "");
}

/** Prompts of an evals file, in the shapes that authors use; a file of another kind has none. */
function fromFile(text: string): Omit<Prompt, "skill">[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return [];
  }
  const lists = Array.isArray(data) ? [data] : Object.values(typeof data === "object" && data !== null ? data : {}).filter(Array.isArray);
  return lists.flat().flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    const fields = entry as Record<string, unknown>;
    const prompt = fields["query"] ?? fields["prompt"] ?? fields["input"] ?? fields["user_input"];
    const wanted = fields["should_trigger"] ?? fields["shouldTrigger"] ?? fields["expected"] ?? true;
    return typeof prompt === "string" ? [{ prompt, expected: wanted !== false && wanted !== "false" && wanted !== "no" }] : [];
  });
}

/** Asks for every prompt. The catalog forgets examples and cases first: a skill is not found by the question itself. */
function tried(skills: Skill[], prompts: Prompt[]): { rows: Row[]; confusions: Confusion[] } {
  const catalog = Catalog.from(skills.map(({ examples: _examples, evaluationCases: _cases, ...skill }) => skill));
  const rows = new Map<string, Row>();
  const confusions = new Map<string, Confusion>();
  for (const { skill, prompt, expected } of prompts) {
    const row = rows.get(skill) ?? { skill, prompts: 0, first: 0, firstFive: 0, refusals: 0, wrong: 0 };
    rows.set(skill, row);
    const hits = catalog.search(prompt, { limit: 5 });
    const first = hits[0];
    if (!expected) {
      row.refusals += 1;
      row.wrong += Number(first?.id === skill && first.score >= STRONG);
      continue;
    }
    row.prompts += 1;
    row.first += Number(first?.id === skill);
    row.firstFive += Number(hits.some(({ id }) => id === skill));
    if (first === undefined || first.id === skill) continue;
    const key = `${skill}\n${first.id}`;
    const confusion = confusions.get(key) ?? { skill, takenBy: first.id, prompts: [] };
    confusion.prompts.push(prompt);
    confusions.set(key, confusion);
  }
  catalog.dispose();
  const byShare = (row: Row) => (row.prompts === 0 ? 1 : row.first / row.prompts);
  return {
    rows: [...rows.values()].sort((a, b) => byShare(a) - byShare(b) || (a.skill < b.skill ? -1 : 1)),
    confusions: [...confusions.values()].sort((a, b) => b.prompts.length - a.prompts.length || (a.skill < b.skill ? -1 : 1)),
  };
}

function print(terminal: Terminal, rows: Row[], confusions: Confusion[], asked: number, share: number): void {
  const width = Math.min(32, Math.max(12, ...rows.map((row) => cells(row.skill))));
  terminal.out(`${paint(terminal, "dim", `${fit("", width)}   prompts     first  top five  should not`)}\n`);
  for (const row of rows) {
    const numbers = [row.prompts, row.first, row.firstFive].map((value) => String(value).padStart(10)).join("");
    const wrong = row.refusals === 0 ? "" : `${row.refusals - row.wrong}/${row.refusals} kept out`;
    const good = row.prompts === 0 ? 1 : row.first / row.prompts;
    terminal.out(`${fit(row.skill, width)}${numbers}  ${wrong.padEnd(14)}${paint(terminal, good === 1 ? "green" : "yellow", bar(good, 20))}\n`);
  }
  if (confusions.length > 0) terminal.out(`\n${paint(terminal, "bold", "Who takes whose prompts")}\n`);
  for (const { skill, takenBy, prompts } of confusions) {
    terminal.out(`  ${skill} → ${paint(terminal, "yellow", takenBy)}  ${prompts.length}×  ${paint(terminal, "dim", `“${fit(visible(prompts[0] as string), 60).trimEnd()}”`)}\n`);
  }
  terminal.out(`\n${asked} prompts, ${Math.round(share * 100)} % find their skill first\n`);
}
