#!/usr/bin/env bash
# Speed, native (cargo bench) and through the package.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo bench
node benches/speed.mjs
node benches/tokens.mjs
node benches/memory.mjs
node benches/scale.mjs
