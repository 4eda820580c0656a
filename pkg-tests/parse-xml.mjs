/** Reads a text as XML with the browser's own parser. */
export function parseXml(text) {
  const root = new DOMParser().parseFromString(text, "application/xml").documentElement;
  if (root.querySelector("parsererror") || root.nodeName === "parsererror") throw new Error(`no XML: ${root.textContent}\n${text}`);
  return root;
}
