import { Catalog, estimateTokens } from "skillpick";
import { EXIT, READING, UsageError, type Command } from "./command.js";
import { readFolders } from "./read.js";
import { bar, cells, fit, paint, thousands, type Terminal } from "./terminal.js";

/** Another shade than the body's, so that the parts differ without colours too. */
const LISTED = "▒";

/** What one skill costs at each level, in tokens, as listed. */
interface Cost {
  id: string;
  name: number;
  description: number;
  instructions: number;
}

/** `skillpick stats`: what the skills cost. */
export const stats: Command = {
  name: "stats",
  summary: "Show what each skill costs, by level of detail",
  usage: "[folder…]",
  options: {
    sort: { type: "string", value: "KEY", help: "instructions (default), description, or name" },
    ...READING,
  },
  async run(invocation) {
    const { values, terminal } = invocation;
    const sort = values["sort"] ?? "instructions";
    if (sort !== "instructions" && sort !== "description" && sort !== "name") throw new UsageError("--sort takes instructions, description or name");
    const { skills } = await readFolders(invocation);
    const costs = costsOf(skills);
    if (sort === "name") costs.sort((a, b) => (a.id < b.id ? -1 : 1));
    else costs.sort((a, b) => b[sort] - a[sort] || (a.id < b.id ? -1 : 1));
    const totals = totalsOf(costs);
    if (values["json"] === true) terminal.out(`${JSON.stringify({ skills: costs, totals }, null, 2)}\n`);
    else if (costs.length > 0) print(terminal, costs, totals);
    if (costs.length === 0) {
      terminal.err("skillpick: no skills found\n");
      return EXIT.nothing;
    }
    return EXIT.ok;
  },
};

function costsOf(skills: Parameters<typeof Catalog.from>[0]): Cost[] {
  const catalog = Catalog.from(skills);
  const listed = new Map(catalog.select({}, { budget: null, mode: "metadata" }).skills.map((one) => [one.id, one.tokens]));
  const costs = catalog.ids().flatMap((id) => {
    const skill = catalog.get(id);
    if (skill === undefined || skill.kind === "rule") return [];
    const instructions = skill.instructions === undefined ? (skill.instructionTokens ?? 0) : estimateTokens(skill.instructions);
    const description = listed.get(id) ?? estimateTokens(`${skill.name} ${skill.description ?? ""}`);
    return [{ id, name: estimateTokens(id), description, instructions }];
  });
  catalog.dispose();
  return costs;
}

function totalsOf(costs: readonly Cost[]): Omit<Cost, "id"> {
  const sum = (key: keyof Omit<Cost, "id">) => costs.reduce((total, cost) => total + cost[key], 0);
  return { name: sum("name"), description: sum("description"), instructions: sum("instructions") };
}

function print(terminal: Terminal, costs: readonly Cost[], totals: Omit<Cost, "id">): void {
  const nameWidth = Math.min(32, Math.max(12, ...costs.map((cost) => cells(cost.id))));
  const barWidth = Math.max(10, terminal.width - nameWidth - 36);
  const most = Math.max(1, ...costs.map((cost) => cost.description + cost.instructions));
  const columns = (cost: Omit<Cost, "id">) => [cost.name, cost.description, cost.instructions].map((value) => thousands(value).padStart(10)).join("");
  terminal.out(`${paint(terminal, "dim", `${"".padEnd(nameWidth)}${"name".padStart(10)}${"listed".padStart(10)}${"body".padStart(10)}`)}\n`);
  for (const cost of costs) {
    const head = Math.round((cost.description / most) * barWidth);
    const tail = bar(cost.instructions / most, Math.max(0, barWidth - head)).trimEnd();
    terminal.out(`${fit(cost.id, nameWidth)}${columns(cost)}  ${paint(terminal, "yellow", LISTED.repeat(head))}${paint(terminal, "cyan", tail)}\n`);
  }
  terminal.out(`${paint(terminal, "bold", fit(`${costs.length} skills`, nameWidth) + columns(totals))}\n\n`);
  terminal.out(`${paint(terminal, "yellow", LISTED)} listed with its description   ${paint(terminal, "cyan", "█")} its body, once it is loaded   (tokens, built-in estimate)\n`);
}
