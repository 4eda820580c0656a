/** Limits of one file. They are generous: of 120,000 public skills none comes near them, except on purpose. */

/** Bytes of one file; a larger one is refused. */
export const MAX_FILE = 8 * 1024 * 1024;
/** Characters of one header; what stands after them is body. */
export const MAX_HEADER = 64 * 1024;
/** Nesting of values; what is deeper is cut. */
export const MAX_DEPTH = 32;
/** Characters of one key. */
export const MAX_KEY = 256;
/** Values of one header, aliases expanded. */
export const MAX_NODES = 10_000;
/**
 * Opening brackets of one header that the YAML parser is given. It builds a regular expression as long as the nesting, so that a
 * few thousand `[` end the process.
 */
export const MAX_OPENERS = 400;
/** Characters with a meaning in YAML that the parser is given at once; they, not the length, cost its time. */
export const MAX_MARKS = 3000;
/** Keys of a header that has to be read key by key. */
export const MAX_KEYS = 64;
/** Diagnostics of one file; more help nobody. */
export const MAX_DIAGNOSTICS = 100;
