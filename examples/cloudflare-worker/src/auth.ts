import type { Env } from "./env.js";
import { ApiError } from "./errors.js";

/** The user of a bearer key. Only hashes are stored; all are compared, each in constant time, so that time tells nothing. */
export async function authenticate(header: string | undefined, env: Env): Promise<string> {
  const known: Record<string, string> = JSON.parse(env.KEYS);
  const key = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(header ?? "")?.[1];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key ?? ""));
  let user: string | undefined;
  for (const [hash, name] of Object.entries(known)) {
    const bytes = Uint8Array.from(hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    if (bytes.length === digest.byteLength && crypto.subtle.timingSafeEqual(bytes, digest)) user = name;
  }
  if (key === undefined || user === undefined) throw new ApiError("unauthorized", "a valid bearer key is needed");
  return user;
}
