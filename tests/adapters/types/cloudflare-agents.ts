// That skillpick/cloudflare-agents fits the SDK's types.
import { ContextBlocks } from "agents/context";
import { type SkillSource, manifest } from "agents/skills";
import { type LanguageModel, streamText } from "ai";
import { contextBlock, fromSources, skills } from "skillpick/cloudflare-agents";

declare const bucket: SkillSource;
declare const model: LanguageModel;

export async function asked(): Promise<AsyncIterable<string>> {
  const first = await fromSources([bucket, manifest({ id: "own", skills: [] })]);
  const { catalog, diagnostics } = await fromSources([bucket], { previous: first.skills, defaults: { budget: 800 } });
  for (const { message } of diagnostics) message satisfies string;
  const { tools, prepareStep } = skills(catalog, { budget: 2000 });
  return streamText({ model, prompt: "Hi", tools, prepareStep }).textStream;
}

export const blocks = async (): Promise<ContextBlocks> => new ContextBlocks([contextBlock((await fromSources([bucket])).catalog, { budget: 800 })]);
