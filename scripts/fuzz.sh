#!/usr/bin/env bash
# Fuzzes the core with libFuzzer: bash scripts/fuzz.sh [MINUTES | --short] [TARGET]...
# MINUTES is for each target. --short starts from the seeds alone with a fixed seed and a fixed number of inputs, so that every run
# is the same. A crash is left in fuzz/artifacts/TARGET/ and ends the run.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/toolchain.sh

minutes=1 short=
case ${1:-} in
  --short) short=1 && shift ;;
  [0-9]*) minutes=$1 && shift ;;
esac
all=(catalog context options render load session estimate snapshot)
targets=("${@:-${all[@]}}")

host=$(rustc -vV | sed -n 's/^host: //p')
# What cargo-fuzz passes; the address sanitizer where the toolchain has its runtime. RUSTC_BOOTSTRAP for -Z on a stable compiler.
flags='--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-trace-compares'
flags+=' -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table'
if ls "$(rustc --print sysroot)/lib/rustlib/$host/lib/"*rt.asan.a >/dev/null 2>&1; then
  flags+=' -Zsanitizer=address'
else
  say "fuzz: this toolchain has no address sanitizer; without it"
fi
say "fuzz: compiling"
RUSTC_BOOTSTRAP=1 RUSTFLAGS=$flags cargo build --quiet --release --locked --manifest-path fuzz/Cargo.toml --target "$host"

# The seeds: the catalogs, contexts and options of the cases.
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
for target in "${all[@]}"; do mkdir -p "$seeds/$target"; done
for kind in catalog context options; do
  for file in tests/cases/*/*"$kind".json; do
    cp "$file" "$seeds/$kind/$(basename "$(dirname "$file")")-$(basename "$file")"
  done
done

failed=0
for target in "${targets[@]}"; do
  mkdir -p "fuzz/artifacts/$target" "fuzz/corpus/$target"
  limits=(-artifact_prefix="fuzz/artifacts/$target/" -max_len=8192 -timeout=20 -rss_limit_mb=3000 -print_final_stats=1)
  if [ -n "$short" ]; then
    # A fresh corpus in a folder of its own: what an earlier run has found must not change this one.
    corpus=$seeds/$target limits+=(-seed=1 -runs="${RUNS:-4000}" -verbosity=0)
  else
    corpus=fuzz/corpus/$target limits+=(-max_total_time=$((minutes * 60)))
    cp -n "$seeds/$target/"* "$corpus/" 2>/dev/null || true
  fi
  log=fuzz/artifacts/$target.log
  if "fuzz/target/$host/release/$target" "${limits[@]}" -dict=fuzz/words.dict "$corpus" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    reached=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    say "fuzz: $target: ${runs:-0} inputs${reached:+, $reached edges}, no fault"
    echo "1 passed, 0 failed"
  else
    tail -40 "$log"
    say "fuzz: $target: FAULT; the input is in fuzz/artifacts/$target/"
    echo "0 passed, 1 failed"
    failed=1
  fi
done
exit "$failed"
