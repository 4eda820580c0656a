// What is done inside the page. Each function is sent there as text, so that it can use nothing from around it.

/** Waits until the page shows the answer to what was asked last. */
export async function settle(ms = 30_000) {
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const busy = () => document.querySelector("#results")?.getAttribute("aria-busy") !== "false";
  for (const end = performance.now() + ms; busy(); ) {
    if (performance.now() > end) throw new Error("the page doesn't come to rest");
    await pause(10);
  }
  return true;
}

/** The block as it stands on the page; `side` is `ours` or `cut`. */
export function block(side) {
  for (let more = document.querySelector(`.card.${side} .code button`); more; more = document.querySelector(`.card.${side} .code button`)) more.click();
  return [...document.querySelectorAll(`.card.${side} .code .line:not(.earlier)`)].map((line) => line.textContent).join("\n");
}

/** The block read back by the browser's own XML parser. */
export function readBack() {
  const text = [...document.querySelectorAll(".card.ours .code .line:not(.earlier)")].map((line) => line.textContent).join("\n");
  const document_ = new DOMParser().parseFromString(window.skillpickTests?.createHTML(text) ?? text, "application/xml");
  const error = document_.querySelector("parsererror");
  if (error) throw new Error(error.textContent);
  return {
    skills: [...document_.querySelectorAll("skill")].map((skill) => ({ id: skill.getAttribute("id"), description: skill.getAttribute("description") })),
    names: [...document_.querySelectorAll("more-skills")].flatMap((more) => more.getAttribute("ids").split(", ")),
  };
}

/** Types into a field as a person does, as far as the page can tell. */
export function type(selector, text) {
  const field = document.querySelector(selector);
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

export function choose(selector, value) {
  const field = document.querySelector(selector);
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

export function click(selector) {
  document.querySelector(selector).click();
}

/** Drops files; those with a `/` in their paths come as folders, in the form that browsers give them. */
export function drop(files) {
  const folder = (path, inside) => {
    const entries = [...new Set(inside.map(([rest]) => rest.split("/")[0]))].map((name) => {
      const below = inside.filter(([rest]) => rest.split("/")[0] === name);
      return below.length === 1 && below[0][0] === name ? file(`${path}/${name}`, below[0][1]) : folder(`${path}/${name}`, below.map(([rest, content]) => [rest.slice(name.length + 1), content]));
    });
    return { isDirectory: true, isFile: false, name: path.split("/").at(-1), fullPath: path, createReader: () => ({ readEntries: (resolve) => resolve(entries.splice(0, 2)) }) };
  };
  const bytesOf = (content) => (typeof content === "string" ? content : Uint8Array.from(content));
  const file = (path, content) => ({ isDirectory: false, isFile: true, name: path.split("/").at(-1), fullPath: path, file: (resolve) => resolve(new File([bytesOf(content)], path.split("/").at(-1))) });
  const flat = Object.entries(files).filter(([path]) => !path.includes("/"));
  const deep = Object.entries(files).filter(([path]) => path.includes("/"));
  const tops = [...new Set(deep.map(([path]) => path.split("/")[0]))];
  const transfer = new DataTransfer();
  for (const [path, content] of flat) transfer.items.add(new File([bytesOf(content)], path));
  const items = [...transfer.items, ...tops.map((top) => ({ kind: "file", webkitGetAsEntry: () => folder(`/${top}`, deep.filter(([path]) => path.startsWith(`${top}/`)).map(([path, content]) => [path.slice(top.length + 1), content])) }))];
  const event = new Event("drop", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], items } });
  document.body.dispatchEvent(event);
}

/** What went wrong since the page was opened: errors, warnings, what the policy refused, requests to other origins. */
export function faults() {
  const foreign = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => !name.startsWith(location.origin) && !name.startsWith("blob:"));
  return [...(window.skillpickFaults ?? ["the probe isn't there"]), ...foreign.map((name) => `request to ${name}`)];
}

/** Runs before the page's own scripts. */
export function probe() {
  const faults = (window.skillpickFaults = []);
  // The page itself may make no markup from text; the tests read blocks back.
  window.skillpickTests = window.trustedTypes?.createPolicy("tests", { createHTML: (text) => text });
  for (const level of ["error", "warn"]) {
    const before = console[level];
    console[level] = (...all) => {
      faults.push(`console.${level}: ${all.join(" ")}`);
      before.apply(console, all);
    };
  }
  addEventListener("error", (event) => faults.push(`error: ${event.message ?? event.target?.src}`), true);
  addEventListener("unhandledrejection", (event) => faults.push(`rejection: ${event.reason}`));
  addEventListener("securitypolicyviolation", (event) => faults.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
}

/** Where the focus is, in words. */
export function focused() {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  return { what: element.id || element.getAttribute("aria-label") || element.textContent.trim().slice(0, 40) || element.tagName, role: element.getAttribute("role") ?? element.tagName.toLowerCase(), ring: style.outlineStyle !== "none" || element.classList.contains("skip") };
}

/** Types letter by letter and gives the milliseconds of each call of select, and from each letter to its frame. */
export async function measureTyping(selector, text) {
  const field = document.querySelector(selector);
  const [select, drawing, shown] = [[], [], []];
  const last = (name) => performance.getEntriesByName(name).at(-1);
  for (const letter of text) {
    const before = last("skillpick:shown");
    field.value += letter;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    for (const end = performance.now() + 30_000; last("skillpick:shown") === before; ) {
      if (performance.now() > end) throw new Error("nothing was shown");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    select.push(last("skillpick:select").duration);
    drawing.push(last("skillpick:drawing").duration);
    shown.push(last("skillpick:shown").duration);
  }
  return { select, drawing, shown };
}
