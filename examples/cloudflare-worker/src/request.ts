import { Validator } from "@cfworker/json-schema";
import { ApiError } from "./errors.js";

/** A body a few times too large is read on, but not kept: a connection that closes under a client that sends hides the answer. */
const DRAINED = 4;

/** The body of a request, no more than `limit` bytes of it kept whatever its header says, and of the schema's shape. */
export async function readBody<T>(request: Request, schema: Validator, limit: number): Promise<T> {
  const tooLarge = new ApiError("body_too_large", `the limit is ${limit} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > limit * DRAINED) throw tooLarge;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body ?? []) {
    size += piece.length;
    if (size > limit * DRAINED) throw tooLarge;
    if (size <= limit) pieces.push(piece);
  }
  if (size > limit) throw tooLarge;
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new ApiError("unsupported_media_type", "the content-type has to be application/json");
  }
  const value = parse(await new Blob(pieces).arrayBuffer());
  const { valid, errors } = schema.validate(value);
  if (valid) return value as T;
  const worst = errors.reduce((deepest, error) => (error.instanceLocation.length >= deepest.instanceLocation.length ? error : deepest));
  throw new ApiError("invalid_request", worst.error.slice(0, 300), { path: worst.instanceLocation.slice(0, 200) });
}

export const validator = (schema: object): Validator => new Validator(schema, "2020-12", false);

/** Deeper than any conversation; what recurses over a value later relies on it. */
const DEPTH = 64;

function parse(bytes: ArrayBuffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new ApiError("invalid_json", "the body is no JSON in UTF-8");
  }
  const open = [{ value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    if (next.depth >= DEPTH) throw new ApiError("invalid_request", `nested deeper than ${DEPTH}`);
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 });
  }
  return value;
}
