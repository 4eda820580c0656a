import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, type Document, type Node, type Pair, type YAMLError } from "yaml";
import { MAX_DEPTH, MAX_KEY, MAX_MARKS, MAX_NODES, MAX_OPENERS } from "./limits.js";
import { text, type Entry, type Value } from "./value.js";

/** What was wrong with a YAML text: a code of npm `yaml` or ours, and where. */
export interface Fault {
  code: string;
  offset: number;
}

/** The top-level entries of a YAML mapping, or why it could not be read. Never throws. */
export type YamlResult = { entries: Entry[]; fault: null } | { entries: null; fault: Fault };

/** Reads a YAML mapping with every scalar as the text that the author wrote. `line` is the file's line of the first line. */
export function readYaml(source: string, line: number): YamlResult {
  if (tooComplex(source)) return failed("too_complex", 0);
  let document: Document.Parsed;
  try {
    // The failsafe schema has no numbers, dates or booleans, so nothing is respelled; and no tag can construct anything.
    document = parseDocument(source, { schema: "failsafe", uniqueKeys: false, prettyErrors: false, logLevel: "silent", merge: false });
  } catch {
    return failed("unreadable", 0);
  }
  const error: YAMLError | undefined = document.errors[0];
  if (error !== undefined) return failed(error.code, error.pos[0]);
  const root = document.contents as Node | null;
  if (root === null || (isScalar(root) && root.value === "")) return { entries: [], fault: null };
  if (!isMap(root)) return failed("not_a_mapping", root.range?.[0] ?? 0);
  const reader = new Reader(source);
  const entries: Entry[] = [];
  const lines = lineCounter(source, line);
  for (const pair of root.items as Pair<Node | null, Node | null>[]) {
    const key = reader.key(pair.key);
    if (key === null) continue;
    entries.push({ key, line: lines(pair.key?.range?.[0] ?? 0), value: reader.value(pair.value, 1), recovered: false });
  }
  return reader.overflow ? failed("too_many_values", 0) : { entries, fault: null };
}

function failed(code: string, offset: number): YamlResult {
  return { entries: null, fault: { code, offset } };
}

/** Turns nodes into values, within the limits on depth and number. */
class Reader {
  overflow = false;
  private nodes = 0;
  private readonly anchors = new Map<string, Node>();
  private readonly used: Set<string>;

  constructor(private readonly source: string) {
    this.used = new Set(source.match(/\*[^\s,[\]{}]+/g)?.map((alias) => alias.slice(1)) ?? []);
  }

  key(node: Node | null): string | null {
    if (!isScalar(node)) return null;
    const key = String(node.value ?? "").trim();
    return key.length > 0 && key.length <= MAX_KEY ? key : null;
  }

  value(node: Node | null, depth: number): Value {
    if (++this.nodes > MAX_NODES) this.overflow = true;
    if (node === null || this.overflow || depth > MAX_DEPTH) return { kind: "null", source: "" };
    const source = node.range ? this.source.slice(node.range[0], node.range[1]) : "";
    if (!isAlias(node) && isNode(node) && "anchor" in node && node.anchor) this.anchors.set(node.anchor, node);
    if (isAlias(node)) {
      const target = this.anchors.get(node.source);
      return target === undefined ? text(source) : this.value(target, depth + 1);
    }
    if (isScalar(node)) return this.scalar(node.value, node.type === "PLAIN", node.anchor, node.tag, source);
    if (isSeq(node)) return { kind: "list", items: node.items.map((item) => this.value(item as Node | null, depth + 1)), source };
    if (isMap(node)) {
      const entries: [string, Value][] = [];
      for (const pair of node.items as Pair<Node | null, Node | null>[]) {
        const key = this.key(pair.key);
        if (key !== null) entries.push([key, this.value(pair.value, depth + 1)]);
      }
      return { kind: "map", entries, source };
    }
    return { kind: "null", source };
  }

  /** A tag, or an anchor that nothing refers to, is prose that starts with `!` or `&`. */
  private scalar(value: unknown, plain: boolean, anchor: string | undefined, tag: string | undefined, source: string): Value {
    const content = String(value ?? "");
    if (tag !== undefined && !tag.startsWith("tag:yaml.org,2002:") && tag !== "!") return text(`${tag} ${content}`.trim());
    if (anchor !== undefined && !this.used.has(anchor)) return text(`&${anchor} ${content}`.trim());
    return text(content, plain, source);
  }
}

/** A cheap upper bound on what the parser would do. */
function tooComplex(source: string): boolean {
  let openers = 0;
  let marks = 0;
  for (let i = 0; i < source.length; i++) {
    switch (source.charCodeAt(i)) {
      case 91: // [
      case 123: // {
        openers++;
        marks++;
        break;
      case 10: // line break
      case 33: // !
      case 34: // "
      case 38: // &
      case 39: // '
      case 42: // *
      case 44: // ,
      case 45: // -
      case 58: // :
      case 63: // ?
      case 93: // ]
      case 125: // }
        marks++;
    }
  }
  return openers > MAX_OPENERS || marks > MAX_MARKS;
}

/** Lines for growing offsets, without counting from the start each time. */
function lineCounter(source: string, first: number): (offset: number) => number {
  let line = first;
  let at = 0;
  return (offset) => {
    for (let next = source.indexOf("\n", at); next >= 0 && next < offset; next = source.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}
