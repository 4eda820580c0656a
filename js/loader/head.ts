import { closeSync, fstatSync, open, readSync } from "node:fs";
import { MAX_FILE, MAX_HEADER } from "../skill-md/limits.js";

/** Bytes of a file, the first ones or all. */
export interface Head {
  bytes: Uint8Array;
  /** Size of the whole file. */
  size: number;
}

const CHUNK = 8192;
/** Buffers that are not in use; a file's text is decoded before its buffer goes back. */
const buffers: Buffer[] = [];

/**
 * Reads a file with few system calls: most are smaller than one chunk. `use` gets the bytes, which are reused afterwards. Only the
 * opening, which may wait for the disk's directories, runs in the thread pool: passing each small read there and back costs more than
 * the read.
 */
export async function withFile<T>(path: string, whole: boolean, use: (head: Head) => T): Promise<T> {
  const handle = await opened(path);
  const buffer = buffers.pop() ?? Buffer.allocUnsafe(CHUNK);
  try {
    return use(readHead(handle, buffer, whole));
  } finally {
    buffers.push(buffer);
    closeSync(handle);
  }
}

function readHead(handle: number, buffer: Buffer, whole: boolean): Head {
  const length = readSync(handle, buffer, 0, CHUNK, 0);
  const first = buffer.subarray(0, length);
  if (length < CHUNK) return { bytes: first, size: length };
  const size = fstatSync(handle).size;
  if (size === CHUNK) return { bytes: first, size };
  if (!whole && holdsHeader(first)) return { bytes: wholeLines(first), size };
  const wanted = Math.min(size, whole || isWide(first) ? MAX_FILE + 1 : MAX_HEADER + CHUNK);
  const more = Buffer.allocUnsafe(wanted);
  first.copy(more);
  let filled = length;
  for (let got = 1; got > 0 && filled < wanted; filled += got) got = readSync(handle, more, filled, wanted - filled, filled);
  const all = more.subarray(0, filled);
  return { bytes: filled < size ? wholeLines(all) : all, size };
}

/** A header that ends within the bytes, so that nothing more is needed. */
function holdsHeader(bytes: Buffer): boolean {
  if (isWide(bytes)) return false;
  const start = bytes.indexOf("---");
  return start < 0 || start > 256 || bytes.indexOf("\n---", start + 3) > 0;
}

function isWide(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes.subarray(0, 4).includes(0);
}

/** Without a last line that was cut, and so perhaps a character that was. */
function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(10);
  return end > 0 ? bytes.subarray(0, end + 1) : bytes;
}

function opened(path: string): Promise<number> {
  return new Promise((resolve, reject) => open(path, "r", (error, handle) => (error ? reject(error) : resolve(handle))));
}
