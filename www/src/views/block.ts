import { button, el, fill } from "../dom.js";
import { marked, pieces } from "../highlight.js";
import { texts } from "../texts.js";

const MOST_LINES = 300;

export interface BlockPart {
  text: string;
  /** Stands above it. */
  note?: string;
  /** From an earlier turn: it isn't part of this turn's block. */
  earlier?: boolean;
}

export interface BlockText {
  parts: readonly BlockPart[];
  xml: boolean;
  /** Ids to mark. */
  marks: readonly string[];
  /** Where there is no text. */
  empty: string;
}

export interface BlockView {
  element: HTMLElement;
  show(block: BlockText): void;
}

/** A block with its syntax in colours. Lines that stay the same keep their elements. */
export function blockView(label: string): BlockView {
  const code = el("div", { class: "code", tabindex: 0, role: "region", "aria-label": label, translate: "no" });
  const element = el("div", { class: "code-frame" }, code);
  let known = new Map<string, HTMLElement[]>();
  let all = false;
  let shown: string | undefined;
  const show = (block: BlockText) => {
    const text = block.parts.map((part) => part.text).join("\n");
    if (text !== shown) all = false;
    shown = text;
    if (text.trim() === "") {
      known = new Map();
      return fill(code, el("p", { class: "empty" }, block.empty));
    }
    const marks = block.marks.join("\n");
    const now = new Map<string, HTMLElement[]>();
    const elements: HTMLElement[] = [];
    let rest = all ? Infinity : MOST_LINES;
    let hidden = 0;
    for (const part of block.parts) {
      if (part.note) elements.push(el("p", { class: "note" }, part.note));
      const lines = part.text === "" ? [] : part.text.split("\n");
      for (const line of lines.slice(0, rest)) {
        const key = `${block.xml}${part.earlier}\n${marks}\n${line}`;
        const made = known.get(key)?.pop() ?? lineOf(line, block, part.earlier === true);
        const same = now.get(key);
        if (same) same.push(made);
        else now.set(key, [made]);
        elements.push(made);
      }
      hidden += Math.max(0, lines.length - rest);
      rest = Math.max(0, rest - lines.length);
    }
    known = now;
    const more = () => {
      all = true;
      show(block);
    };
    if (hidden > 0) elements.push(button(texts.compare.more(hidden), { class: "plain" }, more));
    code.replaceChildren(...elements);
  };
  return { element, show };
}

function lineOf(line: string, { xml, marks }: BlockText, earlier: boolean): HTMLElement {
  const element = el("div", { class: earlier ? "line earlier" : "line", dir: "ltr" });
  for (const piece of marked(pieces(line, xml), marks)) {
    const made = el(piece.mark ? "mark" : "span", { class: piece.kind });
    made.textContent = piece.text;
    element.append(made);
    if (piece.mark) element.classList.add("has-mark");
  }
  return element;
}
