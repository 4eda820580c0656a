// What js/build.mjs puts in place when it bundles.

/** The wasm file: its bytes' number, and the bytes deflated as base64. */
declare module "#inlined" {
  export const size: number;
  export const deflated: string;
}

/** How this entry gets its compiled module: from-bytes.ts, or from-import.ts on workerd. */
declare module "#module" {
  export function compile(): WebAssembly.Module;
}

/** The file itself, where the platform's bundler makes a module of it. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
