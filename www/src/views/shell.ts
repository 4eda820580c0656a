import { button, el, icon, icons, say } from "../dom.js";
import { texts } from "../texts.js";

const t = texts.page;

export interface Shell {
  inputs: HTMLElement;
  results: HTMLElement;
  /** A passing word: copied, kept. */
  notice(text: string): void;
  /** An error that stays until it is dismissed or over; `undefined` takes it away. */
  error(text: string | undefined): void;
  offline(): void;
  /** Tells screen readers how things stand, once they have come to rest. */
  tell(text: string): void;
  /** Whether what the results show is being replaced. */
  busy(busy: boolean): void;
}

export function shell(events: { share(): void }): Shell {
  const inputs = el("div", { class: "inputs" });
  const results = el("div", { class: "results", id: "results", tabindex: -1, "aria-busy": "true" });
  const notice = el("p", { class: "notice", role: "status" });
  const told = el("p", { class: "off-screen", role: "status" });
  const errorText = el("p");
  const error = el("div", { class: "error", hidden: true }, el("strong", {}, texts.errors.title), errorText, button(icon(icons.cross), { class: "icon-button", "aria-label": texts.errors.dismiss }, () => (error.hidden = true)));
  const alert = el("div", { role: "alert" }, error);
  const local = el("p", { class: "local" }, texts.hero.local);
  document.body.append(
    el("a", { class: "skip", href: "#results" }, t.skip),
    el(
      "header",
      { class: "top" },
      el("p", { class: "brand" }, mark(), el("strong", {}, t.brand), " ", el("span", {}, t.playground)),
      el("div", { class: "top-actions" }, themeSwitch(), button(icon(icons.link), { class: "plain", id: "share" }, events.share, t.share)),
    ),
    el(
      "main",
      {},
      el("div", { class: "hero" }, el("h1", {}, texts.hero.heading), el("p", { class: "lead" }, texts.hero.lead), el("ol", { class: "steps" }, ...texts.hero.steps.map((step) => el("li", {}, step)))),
      alert,
      el("div", { class: "columns" }, inputs, results),
    ),
    el("footer", {}, local),
    notice,
    told,
  );
  skipLink(results);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    inputs,
    results,
    notice(text) {
      say(notice, text);
      clearTimeout(timer);
      timer = setTimeout(() => say(notice, ""), 6000);
    },
    error(text) {
      error.hidden = text === undefined;
      say(errorText, text ?? "");
    },
    tell: (text) => say(told, text),
    busy: (busy) => results.setAttribute("aria-busy", String(busy)),
    offline: () => say(local, `${texts.hero.local} ${texts.hero.offline}`),
  };
}

/** The fragment is the page's state, so the link moves the focus itself. */
function skipLink(results: HTMLElement): void {
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    results.focus();
  });
}

function mark(): HTMLElement {
  return el("img", { src: "./icon.svg", width: 26, height: 26, alt: "" });
}

const THEMES = ["auto", "light", "dark"] as const;
const KEY = "skillpick-colours";

function themeSwitch(): HTMLElement {
  const select = el("select", { id: "theme", "aria-label": t.theme }, ...THEMES.map((value) => el("option", { value }, t.themes[value])));
  const apply = (value: string) => {
    if (value === "light" || value === "dark") document.documentElement.dataset["theme"] = value;
    else delete document.documentElement.dataset["theme"];
    dispatchEvent(new Event("skillpick:colours"));
  };
  select.value = remembered();
  apply(select.value);
  select.addEventListener("change", () => {
    apply(select.value);
    try {
      localStorage.setItem(KEY, select.value);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("skillpick:colours")));
  return select;
}

function remembered(): string {
  try {
    const value = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === value) ?? "auto";
  } catch {
    return "auto";
  }
}
