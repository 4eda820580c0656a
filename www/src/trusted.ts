interface Policy {
  createScriptURL(url: string): unknown;
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy("skillpick", { createScriptURL: own });

/** The page's one trusted type: addresses of its own scripts. Nothing here ever turns text into markup. */
export function scriptUrl(url: string): unknown {
  return policy ? policy.createScriptURL(url) : own(url);
}

function own(url: string): string {
  const full = new URL(url, document.baseURI);
  if (full.origin !== location.origin) throw new Error(`not a script of this page: ${full.href}`);
  return full.href;
}
