import type { UserState } from "./user-state.js";

/** What wrangler.jsonc binds. */
export interface Env {
  /** Snapshot and bodies as static assets. */
  ASSETS: Fetcher;
  /** The same in R2, for catalogs beyond what assets hold; used instead of ASSETS where it is bound. */
  CATALOG?: R2Bucket;
  USERS: DurableObjectNamespace<UserState>;
  LIMIT: RateLimit;
  /** JSON: SHA-256 of a key in hex → user. */
  KEYS: string;
  /** Origins with commas between; empty is none. */
  CORS_ORIGINS?: string;
}
