import { scriptUrl } from "../trusted.js";

/** Asks the browser to keep the page for use without a network; where it can't, the page works all the same. */
export async function keepOffline(): Promise<boolean> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return false;
  try {
    await navigator.serviceWorker.register(scriptUrl("./sw.js") as unknown as string, { scope: "./" });
    await navigator.serviceWorker.ready;
    return true;
  } catch {
    return false;
  }
}
