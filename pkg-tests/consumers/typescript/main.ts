import {
  Catalog,
  SkillpickError,
  estimateTokens,
  init,
  memoryBytes,
  reset,
  resolveOptions,
  skillsInstructionProvider,
  type Context,
  type Detail,
  type Pick,
  type Picked,
  type SelectOptions,
  type Skill,
  type SkillState,
} from "skillpick";

const skills: Skill[] = [{ name: "pdf-forms", description: "Fill PDF forms", allowedTools: ["read"] }];
const catalog: Catalog = Catalog.from(skills, { countTokens: (text) => text.length, scopes: ["project"] });
const context: Context = { messages: [{ role: "user", content: "Fill this form" }], usage: { "pdf-forms": { count: 3 } } };
const options: SelectOptions = { budget: { window: 200_000, share: 0.01 }, format: "agentskills", pinned: ["pdf-forms"] };
const pick: Pick = catalog.select(context, options);
const details: Detail[] = pick.skills.map((skill: Picked) => skill.detail);
const states: SkillState[] = catalog.report(pick);
for (const state of states) {
  if (state.state === "omitted") state.reason satisfies string;
  else state.detail satisfies Detail;
}
const next: Pick = catalog.select({ previous: pick }, resolveOptions({ instruction: { mode: "auto" } }, { budget: 500 }));
const provider = skillsInstructionProvider(catalog, { name: "skills", budget: 500 });
const error: SkillpickError = new SkillpickError("code", "message", { path: "skills[0]" });
init();
catalog.dispose();
reset();

// What must not compile.
// @ts-expect-error a budget is no string
catalog.select({}, { budget: "500" });
// @ts-expect-error a skill needs a name
Catalog.from([{ description: "nameless" }]);
// @ts-expect-error catalogs are made by from()
new Catalog();
// @ts-expect-error unknown formats are refused
catalog.select({}, { format: "markdown" });

export { details, error, estimateTokens, memoryBytes, next, provider };
