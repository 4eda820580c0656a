/** A piece of a line and what it is. */
export interface Piece {
  kind: "tag" | "attribute" | "value" | "entity" | "text" | "id";
  text: string;
}

const MARKUP = /(<\/?[A-Za-z][\w-]*|\/?>)|([\w-]+)(=)("(?:[^"]*)")/g;
const ENTITY = /&(?:#x?[0-9a-fA-F]+|[a-z]+);/g;

/** Cuts a line of a block into pieces; joined they are the line again, whatever it holds. */
export function pieces(line: string, xml: boolean): Piece[] {
  const out: Piece[] = [];
  const text = (part: string, kind: Piece["kind"]) => {
    let at = 0;
    for (const match of xml ? part.matchAll(ENTITY) : []) {
      if (match.index > at) out.push({ kind, text: part.slice(at, match.index) });
      out.push({ kind: "entity", text: match[0] });
      at = match.index + match[0].length;
    }
    if (at < part.length) out.push({ kind, text: part.slice(at) });
  };
  const row = /^(\s*(?:[-*] )?)([^\s:<>"]+)(:(?:\s|$))/.exec(line);
  let at = 0;
  if (row) {
    out.push({ kind: "text", text: row[1] ?? "" }, { kind: "id", text: row[2] ?? "" });
    at = (row[1] ?? "").length + (row[2] ?? "").length;
  }
  if (!xml) {
    text(line.slice(at), "text");
    return out.filter((piece) => piece.text !== "");
  }
  MARKUP.lastIndex = at;
  for (let match = MARKUP.exec(line); match; match = MARKUP.exec(line)) {
    text(line.slice(at, match.index), "text");
    if (match[1] !== undefined) out.push({ kind: "tag", text: match[1] });
    else {
      out.push({ kind: "attribute", text: match[2] ?? "" }, { kind: "tag", text: "=" });
      text(match[4] ?? "", match[2] === "id" || match[2] === "ids" || match[2] === "name" ? "id" : "value");
    }
    at = MARKUP.lastIndex;
  }
  text(line.slice(at), "text");
  return out.filter((piece) => piece.text !== "");
}

/** Cuts pieces further where one of the words stands alone, so that it can be marked. */
export function marked(all: readonly Piece[], words: readonly string[]): (Piece & { mark?: boolean })[] {
  if (words.length === 0) return [...all];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?![\\p{L}\\p{N}_-])`, "gu");
  return all.flatMap((piece) => {
    if (piece.kind !== "id" && piece.kind !== "text") return [piece];
    const out: (Piece & { mark?: boolean })[] = [];
    let at = 0;
    for (const match of piece.text.matchAll(pattern)) {
      if (match.index > at) out.push({ kind: piece.kind, text: piece.text.slice(at, match.index) });
      out.push({ kind: piece.kind, text: match[0], mark: true });
      at = match.index + match[0].length;
    }
    if (at < piece.text.length) out.push({ kind: piece.kind, text: piece.text.slice(at) });
    return out;
  });
}
