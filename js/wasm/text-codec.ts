// jest-environment-jsdom has neither TextDecoder nor TextEncoder. js/build.mjs puts these names in place of the globals everywhere
// in the bundle, the glue of wasm-bindgen included.

/** As the global of that name with `{ ignoreBOM: true }`, or a plain loop over the bytes. */
class PlainDecoder {
  decode(bytes: Uint8Array = new Uint8Array()): string {
    let text = "";
    for (let at = 0; at < bytes.length; ) {
      const lead = bytes[at]!;
      const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      let code = length === 1 ? lead : lead & (0xff >> (length + 1));
      for (let i = 1; i < length; i++) code = (code << 6) | (bytes[at + i]! & 0x3f);
      text += String.fromCodePoint(code);
      at += length;
    }
    return text;
  }
}

/** As the global of that name. */
class PlainEncoder {
  encode(text: string): Uint8Array {
    const bytes: number[] = [];
    for (const char of text) {
      const point = char.codePointAt(0)!;
      // A surrogate that stands alone is no character; the global encoder replaces it as well.
      const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
      if (code < 0x80) bytes.push(code);
      else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
      else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
      else {
        bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
      }
    }
    return Uint8Array.from(bytes);
  }

  encodeInto(text: string, into: Uint8Array): { read: number; written: number } {
    const bytes = this.encode(text);
    into.set(bytes);
    return { read: text.length, written: bytes.length };
  }
}

const platform = globalThis as { TextDecoder?: unknown; TextEncoder?: unknown };
const Decoder = (platform.TextDecoder ?? PlainDecoder) as typeof globalThis.TextDecoder;
const Encoder = (platform.TextEncoder ?? PlainEncoder) as typeof globalThis.TextEncoder;
export { Decoder as TextDecoder, Encoder as TextEncoder };
