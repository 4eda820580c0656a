import { Catalog, type Format } from "skillpick";
import type { Cut } from "./protocol.js";

/** The cheapest entry in any format costs more than this. */
const LEAST = 6;

/**
 * What a host shows that lists skills with their descriptions from A on and stops where the budget ends. Format and prices are
 * the same as skillpick's, so that only the choice differs.
 */
export function alphabetical(catalog: Catalog, ids: readonly string[], budget: number, format: Format): Cut {
  const most = Math.min(ids.length, Math.ceil(budget / LEAST) + 1);
  const entries = ids.slice(0, most).flatMap((id) => {
    const skill = catalog.get(id);
    if (!skill) return [];
    const { instructions: _, ...rest } = skill;
    return [rest];
  });
  const block = (count: number) => {
    const part = Catalog.from(entries.slice(0, count));
    try {
      return part.select({}, { budget: null, format, order: "catalog", mode: "metadata" });
    } finally {
      part.dispose();
    }
  };
  let count = 0;
  let spent = 0;
  const prices = new Map(block(entries.length).skills.map(({ id, tokens }) => [id, tokens]));
  for (const { id, name } of entries) {
    spent += prices.get(id ?? name) ?? 0;
    if (spent > budget) break;
    count++;
  }
  // The prices leave out what stands around the entries.
  let pick = block(count);
  while (count > 0 && pick.tokens > budget) pick = block(--count);
  return { text: pick.xml, tokens: pick.tokens, ids: pick.skills.map(({ id }) => id) };
}
