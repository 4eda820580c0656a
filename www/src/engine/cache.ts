import { estimateTokens } from "skillpick";
import { type Chain, userEnds } from "./chain.js";
import type { CacheTurn, PromptShare, Question, Settings } from "./protocol.js";

/** The most turns that are looked at, from the end. */
const MOST = 12;
const SYSTEM = "You are an assistant in a team's workspace. Load a skill before you start a task that it covers.\n\n";
const WAYS = {
  fresh: { placement: "single", sticky: false },
  sticky: { placement: "single", sticky: true },
  split: { placement: "split", sticky: true },
} as const satisfies Record<string, Partial<Settings>>;

/**
 * How much of each turn's prompt begins as the prompt before did, which is what a prompt cache saves. The prompt is the system's
 * text, the block (with `split` its stable part), and the messages; a turn's own part stands before the newest message and stays there.
 */
export async function cacheView(chain: Chain, question: Question, pause: () => Promise<void>): Promise<CacheTurn[]> {
  const ends = userEnds(question.turns);
  const shares = async (way: keyof typeof WAYS) =>
    promptShares(await chain.prompts({ ...question, settings: { ...question.settings, ...WAYS[way] } }, pause), question, ends);
  const [fresh, sticky, split] = [await shares("fresh"), await shares("sticky"), await shares("split")];
  const turns = ends.map((end, index) => ({
    text: question.turns[end - 1]?.text ?? "",
    fresh: fresh[index] as PromptShare,
    sticky: sticky[index] as PromptShare,
    split: split[index] as PromptShare,
  }));
  return turns.slice(-MOST);
}

function promptShares(prompts: readonly { front: string; turn: string }[], { turns }: Question, ends: readonly number[]): PromptShare[] {
  let before = "";
  let history = "";
  let done = 0;
  return prompts.map((given, index) => {
    const end = ends[index] ?? 0;
    for (; done < end; done++) {
      const turn = turns[done];
      const own = done === end - 1 && given.turn !== "" ? `${given.turn}\n` : "";
      history += `${turn?.role}: ${own}${turn?.text}\n\n`;
    }
    const prompt = `${SYSTEM}${given.front}\n\n${history}`;
    const kept = commonStart(before, prompt);
    before = prompt;
    return { kept: kept === 0 ? 0 : estimateTokens(prompt.slice(0, kept)), total: estimateTokens(prompt) };
  });
}

function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one.charCodeAt(same) === other.charCodeAt(same)) same++;
  return same;
}
