import type { Handle } from "#glue";
import type { CatalogOptions, CountTokens } from "./types.js";

/** What the package's own modules may do with a catalog. */
export interface Core {
  readonly options: CatalogOptions;
  /** Runs `work` on the catalog's memory. */
  call<T>(work: (handle: Handle) => T): T;
  /** As `call`, with the counter: this one, else the catalog's. */
  counted<T>(own: CountTokens | undefined, work: (handle: Handle, count?: CountTokens) => T): T;
}

/** The core of each catalog; beside the class, so that it is no part of its surface. */
export const cores = new WeakMap<object, Core>();
