#!/usr/bin/env bash
# Speed, native (cargo bench) and through the package.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo bench
[ -d benches/speed/node_modules ] || npm install --silent --no-audit --no-fund --no-package-lock --prefix benches/speed
node benches/speed/run.mjs
node benches/speed.mjs
node benches/tokens.mjs
node benches/memory.mjs
node benches/scale.mjs
