import { button, el, fill } from "../dom.js";
import { marked, pieces } from "../highlight.js";
import { texts } from "../texts.js";

const MOST_LINES = 300;

export interface BlockText {
  text: string;
  xml: boolean;
  /** Ids to mark. */
  marks: readonly string[];
  /** Where the text is empty. */
  empty: string;
  /** Notes above a line, by its place in the text. */
  notes?: { before: number; text: string }[];
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
  let shown: BlockText | undefined;
  const show = (block: BlockText) => {
    if (block.text !== shown?.text) all = false;
    shown = block;
    if (block.text === "") {
      known = new Map();
      return fill(code, el("p", { class: "empty" }, block.empty));
    }
    const lines = block.text.split("\n");
    const wanted = all ? lines : lines.slice(0, MOST_LINES);
    const marks = block.marks.join("\n");
    const now = new Map<string, HTMLElement[]>();
    const elements: HTMLElement[] = [];
    let at = 0;
    for (const line of wanted) {
      for (const note of block.notes ?? []) if (note.before === at) elements.push(el("div", { class: "note" }, note.text));
      at += line.length + 1;
      const key = `${block.xml}\n${marks}\n${line}`;
      const made = known.get(key)?.pop() ?? lineOf(line, block);
      now.set(key, [...(now.get(key) ?? []), made]);
      elements.push(made);
    }
    known = now;
    const rest = lines.length - wanted.length;
    if (rest > 0) {
      elements.push(
        button(texts.compare.more(rest), { class: "plain" }, () => {
          all = true;
          show(block);
        }),
      );
    }
    code.replaceChildren(...elements);
  };
  return { element, show };
}

function lineOf(line: string, { xml, marks }: BlockText): HTMLElement {
  const element = el("div", { class: "line", dir: "ltr" });
  for (const piece of marked(pieces(line, xml), marks)) {
    const made = el(piece.mark ? "mark" : "span", { class: piece.kind });
    made.textContent = piece.text;
    element.append(made);
    if (piece.mark) element.classList.add("has-mark");
  }
  return element;
}
