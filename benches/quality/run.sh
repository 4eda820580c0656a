#!/usr/bin/env bash
# Ranking quality: one table with other systems, then small catalogs, typing errors, confidence, speed.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ ! -d "${SKILLPICK_SHARED:-../shared}/quality/sets" ]; then
  echo "bench-quality: no labelled sets at ${SKILLPICK_SHARED:-../shared}/quality/sets; set SKILLPICK_SHARED"
  exit 0
fi
[ -d benches/quality/node_modules ] || npm install --silent --no-audit --no-fund --no-package-lock --prefix benches/quality
node benches/quality/peers.mjs
cargo bench --quiet --bench quality -- small typos confidence speed
