#!/usr/bin/env bash
# Builds target-wasm/skillpick/: the optimised skillpick.wasm and the glue that wasm-bindgen writes for it.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/toolchain.sh

out=target-wasm/skillpick
[ -n "$(wasm_toolchain)" ] && [ -n "$(bindgen)" ] || fail "what builds the wasm is missing" "run: bash scripts/bootstrap.sh build"
say "wasm: compiling the core ($(wasm_toolchain))"
wasm_cargo build --release --lib --locked

say "wasm: writing the glue (wasm-bindgen $(bindgen_version))"
# --omit-default-module-path: bundlers would otherwise ship a second copy of the wasm beside the inlined one.
# --experimental-reset-state-function: a way to drop the instance and its memory, and to start anew after a trap.
"$(bindgen)" target-wasm/wasm32-unknown-unknown/release/skillpick.wasm --out-dir "$out" --out-name skillpick \
  --target web --omit-default-module-path --no-typescript --experimental-reset-state-function

# Features are named one by one: the output of --all-features is refused by Node and Bun.
say "wasm: optimising"
node_modules/.bin/wasm-opt "$out/skillpick_bg.wasm" -o "$out/skillpick.wasm" -Oz --converge \
  --enable-bulk-memory --enable-multivalue --enable-mutable-globals --enable-nontrapping-float-to-int \
  --enable-reference-types --enable-sign-ext \
  --strip-debug --strip-producers --strip-target-features
rm "$out/skillpick_bg.wasm"
say "wasm: $(wc -c <"$out/skillpick.wasm") bytes, $(gzip -9c "$out/skillpick.wasm" | wc -c) gzipped"
