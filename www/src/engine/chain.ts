import type { Catalog, Context, Pick, PickState, SelectOptions } from "skillpick";
import type { Question, Settings, Turn } from "./protocol.js";

type Message = { role: string; content: string };

/** Picks of a conversation turn by turn, where one may rest on the one before. What earlier turns gave is kept while they stay the same. */
export class Chain {
  readonly #catalog: Catalog;
  readonly #states = new Map<string, PickState>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The pick for the whole conversation, and the milliseconds of that one call. */
  last({ turns, files, settings }: Question): { pick: Pick; ms: number } {
    const chained = settings.sticky || settings.placement === "split";
    const before = chained ? this.#before(turns, files, settings) : undefined;
    const context = contextOf(turns, files, before);
    const options = optionsOf(settings);
    const start = performance.now();
    const pick = this.#catalog.select(context, options);
    return { pick, ms: performance.now() - start };
  }

  /** A pick for every message of the user. */
  all({ turns, files, settings }: Question): Pick[] {
    const chained = settings.sticky || settings.placement === "split";
    const picks: Pick[] = [];
    for (const end of userEnds(turns)) {
      const previous = chained ? picks.at(-1)?.state : undefined;
      picks.push(this.#catalog.select(contextOf(turns.slice(0, end), files, previous), optionsOf(settings)));
    }
    return picks;
  }

  #before(turns: readonly Turn[], files: readonly string[], settings: Settings): PickState | undefined {
    const ends = userEnds(turns).slice(0, -1);
    let state: PickState | undefined;
    for (const end of ends) {
      const part = turns.slice(0, end);
      const key = JSON.stringify([part, files, settings]);
      const known = this.#states.get(key);
      state = known ?? this.#catalog.select(contextOf(part, files, state), optionsOf(settings)).state;
      if (!known) this.#remember(key, state);
    }
    return state;
  }

  #remember(key: string, state: PickState): void {
    if (this.#states.size > 200) this.#states.clear();
    this.#states.set(key, state);
  }
}

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
