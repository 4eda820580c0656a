/** Text goes in as text: nothing on this page is made from markup. */
export type Child = Node | string | false | null | undefined;

type Props = { [name: string]: string | number | boolean | undefined };

/** An element with attributes and children. `true` sets an empty attribute, `false` and `undefined` none. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, props);
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A small drawing of one path, for buttons; says nothing to screen readers. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 20 20", width: "16", height: "16", "aria-hidden": "true", class: "icon" })) svg.setAttribute(name, value);
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

export const icons = {
  check: "M4.5 10.5l3.5 3.5 7.5-8",
  cross: "M5.5 5.5l9 9m0-9l-9 9",
  copy: "M7 7V4.5h8.5V13H13M4.5 7H13v8.5H4.5z",
  download: "M10 3.5v9m-4-4l4 4 4-4M4 16.5h12",
  link: "M8.5 11.5l3-3M7 9l-2 2a2.8 2.8 0 0 0 4 4l2-2m2-2l2-2a2.8 2.8 0 0 0-4-4L9 7",
  plus: "M10 4.5v11m-5.5-5.5h11",
};

export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === false || child === null || child === undefined) continue;
    parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  }
}

/** Replaces what an element holds. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

export function setAttributes(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Sets the text only where it is another one, so that screen readers aren't told twice. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function button(label: Child, props: Props, onClick: () => void, ...more: Child[]): HTMLButtonElement {
  const made = el("button", { type: "button", ...props }, label, ...more);
  made.addEventListener("click", onClick);
  return made;
}

/** A section with a heading, which names it. */
export function section(id: string, heading: string, ...children: Child[]): HTMLElement {
  return el("section", { class: "panel", id, "aria-labelledby": `${id}-heading` }, el("h2", { id: `${id}-heading` }, heading), ...children);
}

/** A panel that can be closed; closed, `told` says how things stand in it. */
export function folding(id: string, heading: string, told: HTMLElement, ...children: Child[]): HTMLDetailsElement {
  const summary = el("summary", {}, el("h2", { id: `${id}-heading` }, heading), told);
  return el("details", { class: "panel", id, open: !matchMedia("(max-width: 940px)").matches }, summary, ...children);
}

let last = 0;
export const freshId = (prefix: string): string => `${prefix}-${++last}`;
