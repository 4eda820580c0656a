// Snapshots into the core's memory, piece by piece: they are never held twice, and no view of that memory outlives a call, since
// memory that grows detaches its views.
import type { Arriving, Handle } from "#glue";
import { SkillpickError } from "./errors.js";
import { bytesOf, catalogSettings, kindName, messageOf } from "./inputs.js";
import type * as types from "./types.js";
import { currentGeneration, enter } from "./wasm/instance.js";

/** Bytes that cross at once: each piece is copied beside the snapshot for as long as the call takes. */
const PIECE = 1 << 18;

/** A catalog's memory from all bytes of a snapshot. */
export function fromBytes(snapshot: Uint8Array, options: types.CatalogOptions): Handle {
  const bytes = bytesFrom(snapshot);
  const settings = catalogSettings(options);
  return enter(({ Arriving }) => {
    const arriving = new Arriving(bytes.length);
    try {
      push(arriving, bytes);
    } catch (thrown) {
      arriving.free();
      throw thrown;
    }
    return arriving.finish(settings);
  });
}

/** The same from a stream; stops reading at the first bytes that can't be right. */
export async function fromStream(snapshot: types.ByteStream, options: types.CatalogOptions): Promise<Handle> {
  const settings = catalogSettings(options);
  const reader = readerOf(snapshot);
  const born = enter(currentGeneration);
  const arriving = enter(({ Arriving }) => new Arriving());
  const live = (): void => {
    if (born === currentGeneration()) return;
    throw new SkillpickError("stale_catalog", "the instance that received the snapshot is gone (reset() or a failure); read it again");
  };
  try {
    for (let next = await readNext(reader); !next.done; next = await readNext(reader)) {
      live();
      const bytes = bytesFrom(next.value);
      enter(() => push(arriving, bytes));
    }
    live();
  } catch (thrown) {
    if (born === currentGeneration()) enter(() => arriving.free());
    reader.cancel(thrown).catch(() => {});
    throw thrown;
  }
  return enter(() => arriving.finish(settings));
}

function push(arriving: Arriving, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += PIECE) arriving.push(bytes.subarray(at, at + PIECE));
}

function bytesFrom(value: unknown): Uint8Array {
  const bytes = typeof value === "object" && value !== null ? bytesOf(value) : undefined;
  if (bytes) return bytes;
  throw new SkillpickError("invalid_argument", `the bytes of a snapshot are needed, this is ${kindName(value)}`, {
    path: "snapshot",
  });
}

type Reader = ReturnType<types.ByteStream["getReader"]>;

function readerOf(snapshot: types.ByteStream): Reader {
  if (typeof (snapshot as Partial<types.ByteStream> | null)?.getReader === "function") return snapshot.getReader();
  throw new SkillpickError("invalid_argument", "a ReadableStream of bytes is needed", { path: "snapshot" });
}

async function readNext(reader: Reader): Promise<{ done: boolean; value?: unknown }> {
  try {
    return await reader.read();
  } catch (cause) {
    throw new SkillpickError("stream_failed", `the snapshot could not be read: ${messageOf(cause)}`, { path: "snapshot", cause });
  }
}
