import type { Catalog, Context, Pick, PickState, SelectOptions } from "skillpick";
import type { Given, Question, Settings, Turn } from "./protocol.js";

const MOST_STEPS = 200;
type Message = { role: string; content: string };

/** What is kept of a turn for the later ones. */
interface Step {
  state: PickState;
  /** What stands at the front of the prompt. */
  front: string;
  given: Given;
}

/** Picks of a conversation turn by turn, where one may rest on the one before. What a turn gave is kept while the messages up to it stay the same. */
export class Chain {
  readonly #catalog: Catalog;
  readonly #steps = new Map<string, Step>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The pick for the whole conversation, the milliseconds of that one call, and what earlier turns brought into the conversation. */
  last(question: Question): { pick: Pick; ms: number; earlier: Given[] } {
    const { turns, files, settings } = question;
    const before = isChained(settings) ? [...this.#walk(question, userEnds(turns).slice(0, -1))] : [];
    const context = contextOf(turns, files, before.at(-1)?.state);
    const options = optionsOf(settings);
    const start = performance.now();
    const pick = this.#catalog.select(context, options);
    const ms = performance.now() - start;
    return { pick, ms, earlier: before.map(({ given }) => given).filter(({ turn }) => turn !== "") };
  }

  /** Front and turn part of the prompt for every message of the user; `pause` is awaited after each. */
  async prompts(question: Question, pause: () => Promise<void>): Promise<{ front: string; turn: string }[]> {
    const prompts: { front: string; turn: string }[] = [];
    for (const { front, given } of this.#walk(question, userEnds(question.turns))) {
      prompts.push({ front, turn: given.turn });
      await pause();
    }
    return prompts;
  }

  *#walk({ turns, files, settings }: Question, ends: readonly number[]): Generator<Step> {
    let previous: PickState | undefined;
    for (const end of ends) {
      const part = turns.slice(0, end);
      const key = JSON.stringify([part, files, settings]);
      const step = this.#steps.get(key) ?? this.#step(part, files, settings, previous);
      if (this.#steps.size > MOST_STEPS) this.#steps.clear();
      this.#steps.set(key, step);
      if (isChained(settings)) previous = step.state;
      yield step;
    }
  }

  #step(part: readonly Turn[], files: readonly string[], settings: Settings, previous: PickState | undefined): Step {
    const { state, xml, stable = xml, turn = "", skills } = this.#catalog.select(contextOf(part, files, previous), optionsOf(settings));
    return { state, front: stable, given: { message: part.length, turn, skills: skills.map(({ id, detail }) => ({ id, detail })) } };
  }
}

const isChained = ({ sticky, placement }: Settings): boolean => sticky || placement === "split";

/** Where the conversation stands after each message of the user. */
export function userEnds(turns: readonly Turn[]): number[] {
  return turns.flatMap(({ role }, index) => (role === "user" ? [index + 1] : []));
}

function contextOf(turns: readonly Turn[], files: readonly string[], previous: PickState | undefined): Context {
  const messages: Message[] = turns.map(({ role, text }) => ({ role, content: text }));
  return previous ? { messages, files, previous } : { messages, files };
}

function optionsOf({ budget, mode, format, placement, order }: Settings): SelectOptions {
  return { budget, mode, format, placement, order };
}
