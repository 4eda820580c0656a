import { append, button, el, fill, icon, icons, section, setAttributes } from "../dom.js";
import type { Turn } from "../engine/protocol.js";
import { presets } from "../presets.js";
import type { State } from "../state.js";
import { texts } from "../texts.js";

const t = texts.conversation;

export interface ConversationView {
  element: HTMLElement;
  /** Draws the turns anew, after a change that didn't come from their own fields. */
  show(state: State): void;
  /** Marks which example the conversation is. */
  mark(preset: number): void;
}

interface Events {
  preset(index: number): void;
  edited(turns: Turn[], files: string): void;
}

const SIZES_ITSELF = CSS.supports("field-sizing", "content");

/** As tall as its text, where the browser doesn't see to that; the style sheet sets the limit. */
function fit(text: HTMLTextAreaElement): void {
  if (SIZES_ITSELF) return;
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight}px`;
}

export function conversationView(events: Events): ConversationView {
  const turnList = el("ol", { class: "turns" });
  const files = el("input", { type: "text", id: "files", "aria-describedby": "files-hint", autocomplete: "off", spellcheck: "false" });
  const chips = presets.map(({ title }, index) => button(title, { class: "chip", dir: "auto", "aria-pressed": "false" }, () => events.preset(index)));
  let turns: Turn[] = [];
  const edited = () => events.edited(turns, files.value);
  files.addEventListener("input", edited);

  const draw = (focus?: number) => {
    fill(turnList, ...turns.map((turn, index) => row(turn, index)));
    if (turns.length === 0) append(turnList, [el("li", { class: "quiet" }, t.empty)]);
    for (const text of turnList.querySelectorAll("textarea")) fit(text);
    // Where the list scrolls, the newest message is in sight.
    turnList.scrollTop = turnList.scrollHeight;
    if (focus !== undefined) turnList.querySelectorAll("textarea")[focus]?.focus();
  };
  const row = (turn: Turn, index: number) => {
    const role = el("select", { "aria-label": t.role(index + 1), class: "role" }, ...(["user", "assistant"] as const).map((value) => el("option", { value }, t.roles[value])));
    role.value = turn.role;
    const text = el("textarea", { "aria-label": t.text(index + 1), rows: 1, dir: "auto", placeholder: t.placeholder, spellcheck: "false" });
    text.value = turn.text;
    const item = el("li", { class: `turn ${turn.role}` }, el("div", { class: "turn-head" }, role, remove(index)), text);
    role.addEventListener("change", () => {
      turn.role = role.value === "assistant" ? "assistant" : "user";
      item.className = `turn ${turn.role}`;
      edited();
    });
    text.addEventListener("input", () => {
      turn.text = text.value;
      fit(text);
      edited();
    });
    return item;
  };
  const remove = (index: number) =>
    button(icon(icons.cross), { class: "icon-button", "aria-label": t.remove(index + 1), title: t.remove(index + 1) }, () => {
      turns.splice(index, 1);
      draw(Math.min(index, turns.length - 1));
      edited();
    });
  const add = button(icon(icons.plus), { class: "plain" }, () => {
    turns.push({ role: turns.at(-1)?.role === "user" ? "assistant" : "user", text: "" });
    draw(turns.length - 1);
    edited();
  }, t.add);

  const element = section(
    "conversation",
    t.heading,
    el("div", { class: "chips", role: "group", "aria-label": t.presets }, ...chips),
    turnList,
    add,
    el("label", { class: "field", for: "files" }, t.files),
    files,
    el("p", { class: "hint", id: "files-hint" }, t.filesHint),
  );
  return {
    element,
    show(state) {
      turns = state.turns;
      files.value = state.files;
      draw();
    },
    mark: (preset) => chips.forEach((chip, index) => setAttributes(chip, { "aria-pressed": index === preset ? "true" : "false" })),
  };
}
