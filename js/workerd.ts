/**
 * The entry for workerd (Cloudflare Workers): the same, with the wasm imported as a module. See js/build.mjs.
 *
 * @packageDocumentation
 */
export * from "./index.js";
