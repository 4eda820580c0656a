import { watch as watchPath, type FSWatcher } from "node:fs";
import { stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { EXIT, type Invocation } from "../command.js";
import { paint, visible } from "../terminal.js";

/** Editors write a file in several steps; what follows within this time is one change. */
const SETTLED = 120;
/** How often a path that is gone is looked for. */
const RETRY = 1000;

/**
 * Does the work now and after every change of the files that the command line names, until it is interrupted. What goes wrong is
 * printed, and the next change tries again.
 */
export async function watch(invocation: Invocation, work: () => Promise<number>): Promise<number> {
  const { terminal, values, positionals } = invocation;
  const paths = [...(positionals.length === 0 ? ["."] : positionals), ...(typeof values["messages"] === "string" ? [values["messages"]] : [])].map((path) => resolve(path));
  const own = typeof values["html"] === "string" ? resolve(values["html"]) : undefined;
  let [running, again] = [false, false];
  const render = async (changed?: string): Promise<void> => {
    again = running;
    if (running) return;
    running = true;
    // Only a person's screen is cleared; a pipe gets one rendering after the other.
    if (process.stdout.isTTY === true) terminal.out("\u001b[2J\u001b[3J\u001b[H");
    else if (changed !== undefined && values["json"] !== true) terminal.out(`\n${paint(terminal, "bold", `― ${visible(changed)} changed`)}\n\n`);
    await work().catch((error: unknown) => terminal.err(`skillpick: ${error instanceof Error ? error.message : String(error)}\n`));
    terminal.err(paint({ ...terminal, colours: terminal.colours && terminal.progress }, "dim", "skillpick: watching; Ctrl+C ends it\n"));
    running = false;
    if (again) await render(changed);
  };
  const stop = changes(paths, (file) => {
    const short = relative(process.cwd(), file);
    if (file !== own) void render(short.startsWith("..") ? file : short);
  });
  await render();
  // While a folder is gone nothing else keeps the process alive.
  const awake = setInterval(() => undefined, 1 << 30);
  await new Promise<void>((ended) => {
    process.once("SIGINT", ended);
    process.once("SIGTERM", ended);
  });
  clearInterval(awake);
  stop();
  return EXIT.ok;
}

/** Calls `changed` once for each burst of changes below the paths, with the last file of it. */
function changes(paths: readonly string[], changed: (file: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let [timer, ended]: [NodeJS.Timeout | undefined, boolean] = [undefined, false];
  const note = (file: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => changed(file), SETTLED);
  };
  const lost = (path: string): void => {
    watchers.get(path)?.close();
    watchers.delete(path);
    if (ended) return;
    setTimeout(() => void begin(path, true), RETRY).unref();
  };
  const begin = async (path: string, isBack: boolean): Promise<void> => {
    const found = await stat(path).catch(() => undefined);
    if (ended) return;
    if (found === undefined) return lost(path);
    try {
      const watcher = watchPath(path, { recursive: found.isDirectory() }, (_event, name) => {
        note(found.isDirectory() && name !== null ? resolve(path, name) : path);
        // A file that was replaced is another one, and a folder may be gone.
        void stat(path).then(({ ino }) => (ino === found.ino ? undefined : lost(path)), () => lost(path));
      });
      watcher.on("error", () => lost(path));
      watchers.set(path, watcher);
      if (isBack) note(path);
    } catch {
      lost(path);
    }
  };
  for (const path of paths) void begin(path, false);
  return () => {
    ended = true;
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}
