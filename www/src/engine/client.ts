import { scriptUrl } from "../trusted.js";
import type { Calls, Failure } from "./protocol.js";
import workerUrl from "./worker.js?worker&url";

interface Open {
  resolve(value: unknown): void;
  reject(error: EngineError): void;
}

/** What went wrong in the worker. */
export class EngineError extends Error {
  readonly code: string;
  constructor({ code, message, path }: Failure) {
    super(path && !message.startsWith(path) ? `${path}: ${message}` : message);
    this.code = code;
  }
}

/** The worker, called like functions. */
export class Engine {
  readonly #worker = new Worker(scriptUrl(workerUrl) as string, { type: "module" });
  readonly #open = new Map<number, Open>();
  #last = 0;

  constructor(onBroken: (message: string) => void) {
    this.#worker.onmessage = ({ data }: MessageEvent<{ id: number; value?: unknown; failure?: Failure }>) => {
      const open = this.#open.get(data.id);
      this.#open.delete(data.id);
      if (data.failure) open?.reject(new EngineError(data.failure));
      else open?.resolve(data.value);
    };
    this.#worker.onerror = (event) => onBroken(event.message);
  }

  call<K extends keyof Calls>(call: K, ...args: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.postMessage({ id, call, args });
    });
  }
}

/**
 * One call at a time; of those that come meanwhile only the newest is made. So a slow answer never overtakes a newer one, and typing
 * never piles up work.
 */
export class Latest<A, R> {
  readonly #work: (argument: A) => Promise<R>;
  readonly #done: (result: R, argument: A) => void;
  readonly #failed: (error: unknown, argument: A) => void;
  #next: { argument: A } | undefined;
  #busy = false;

  constructor(work: (argument: A) => Promise<R>, done: (result: R, argument: A) => void, failed: (error: unknown, argument: A) => void) {
    this.#work = work;
    this.#done = done;
    this.#failed = failed;
  }

  ask(argument: A): void {
    this.#next = { argument };
    if (!this.#busy) void this.#run();
  }

  /** Forgets what waits; an answer under way is still given. */
  drop(): void {
    this.#next = undefined;
  }

  /** Whether something newer than the answer that is given waits. */
  get waiting(): boolean {
    return this.#next !== undefined;
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let next = this.#next; next; next = this.#next) {
      this.#next = undefined;
      try {
        this.#done(await this.#work(next.argument), next.argument);
      } catch (error) {
        this.#failed(error, next.argument);
      }
    }
    this.#busy = false;
  }
}
