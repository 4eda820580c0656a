// workerd refuses to compile bytes; there the module is imported, and the platform has compiled it before.
import module from "./skillpick.wasm";

/** The imported module. */
export function compile(): WebAssembly.Module {
  return module;
}
