import { el, folding, say } from "../dom.js";
import type { Settings } from "../engine/protocol.js";
import { choices } from "../link.js";
import { texts } from "../texts.js";

const t = texts.options;
type Key = keyof typeof choices;

export interface OptionsView {
  element: HTMLElement;
  show(settings: Settings): void;
}

export function optionsView(changed: (part: Partial<Settings>) => void): OptionsView {
  const selects = (Object.keys(choices) as Key[]).map((key) => {
    const labels: Record<string, string> = t[key].options;
    const select = el("select", { id: `option-${key}` }, ...choices[key].map((value) => el("option", { value }, labels[value] ?? value)));
    select.addEventListener("change", () => changed({ [key]: select.value }));
    const hints = (t.hints as Partial<Record<Key, Record<string, string>>>)[key];
    const hint = hints ? el("p", { class: "hint", id: `hint-${key}` }) : undefined;
    if (hint) select.setAttribute("aria-describedby", hint.id);
    const field = el("div", { class: "option" }, el("label", { class: "field", for: select.id }, t[key].label), select, hint);
    return { key, select, hint, hints, field };
  });
  const told = el("span", { class: "quiet" });
  const sticky = el("input", { type: "checkbox", id: "sticky" });
  sticky.addEventListener("change", () => changed({ sticky: sticky.checked }));
  return {
    element: folding("options", t.heading, told, el("div", { class: "option-grid" }, ...selects.map(({ field }) => field)), el("label", { class: "check", for: "sticky" }, sticky, t.sticky)),
    show(settings) {
      say(told, selects.map(({ key }) => (t[key].options as Record<string, string>)[settings[key]]).join(" · "));
      for (const { key, select, hint, hints } of selects) {
        select.value = settings[key];
        if (hint) say(hint, hints?.[settings[key]] ?? "");
      }
      // The turn part of a split block rests on the earlier ones in any case.
      sticky.checked = settings.sticky || settings.placement === "split";
      sticky.disabled = settings.placement === "split";
    },
  };
}
