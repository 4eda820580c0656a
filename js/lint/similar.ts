/** Two texts that say nearly the same; positions in the input, `second` the later one. */
export interface Similar {
  first: number;
  second: number;
  /** Share of common word pairs, 0 to 1. */
  similarity: number;
}

const BANDS = 16;
const ROWS = 3;

/**
 * Pairs of texts whose sets of shingles overlap by at least `threshold` (Jaccard). Near-linear: only texts that agree in one of 16
 * bands of their min-hash signatures are compared, each with the first of its band.
 */
export function findSimilar(texts: readonly string[], threshold: number): Similar[] {
  const sets = texts.map(shingles);
  const buckets = new Map<string, number>();
  const found: Similar[] = [];
  sets.forEach((set, second) => {
    if (set.size < 4) return;
    const signature = minHashes(set);
    let best: Similar | null = null;
    const compared = new Set<number>();
    for (let band = 0; band < BANDS; band++) {
      const key = `${band}:${signature.slice(band * ROWS, band * ROWS + ROWS).join(",")}`;
      const first = buckets.get(key);
      if (first === undefined) buckets.set(key, second);
      else if (!compared.has(first)) {
        compared.add(first);
        const similarity = jaccard(sets[first] as Set<number>, set);
        if (similarity >= threshold && similarity > (best?.similarity ?? 0)) best = { first, second, similarity };
      }
    }
    if (best !== null) found.push(best);
  });
  return found;
}

/** Hashes of word pairs; of character pairs where words are not divided by blanks. */
function shingles(text: string): Set<number> {
  const set = new Set<number>();
  let previous = "";
  for (const [word] of text.toLowerCase().matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu)) {
    if (previous !== "") set.add(hash(`${previous} ${word}`));
    previous = word;
  }
  return set;
}

function minHashes(set: Set<number>): number[] {
  const least = new Array<number>(BANDS * ROWS).fill(0xffffffff);
  for (const value of set) {
    for (let i = 0; i < least.length; i++) {
      const mixed = mix(value, i);
      if (mixed < (least[i] as number)) least[i] = mixed;
    }
  }
  return least;
}

function jaccard(a: Set<number>, b: Set<number>): number {
  let common = 0;
  for (const value of a) if (b.has(value)) common++;
  return common / (a.size + b.size - common);
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

function mix(value: number, seed: number): number {
  let mixed = Math.imul(value ^ Math.imul(seed + 1, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
