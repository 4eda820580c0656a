# Sourced by the other scripts: which compiler builds the wasm, and which wasm-bindgen writes its glue.
# rustup's own wasm target is used where it is installed, else Debian's rustc-web with the standard library built from source.

say() { printf '\033[2m[skillpick]\033[0m %s\n' "$*"; }
fail() {
  printf '\033[31m[skillpick] %s\033[0m\n' "$1" >&2
  shift
  for hint in "$@"; do printf '            %s\n' "$hint" >&2; done
  exit 1
}

# "rustup", "debian", or nothing.
wasm_toolchain() {
  local libdir
  if libdir=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) && [ -d "$libdir" ]; then
    echo rustup
  elif [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && command -v wasm-ld-19 >/dev/null &&
    [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/std" ]; then
    echo debian
  fi
}

# With the standard library built from source it can be built for size and without the texts of panics, which saves a fifth of
# the module; -Z and -C panic=immediate-abort want RUSTC_BOOTSTRAP on a stable compiler.
# Inlining only what is tiny costs a tenth of the speed and saves a sixth of the size.
SMALL_STD=(-Z build-std=std,panic_abort -Z build-std-features=optimize_for_size)
SMALL_FLAGS='-Zunstable-options -Cpanic=immediate-abort -Cllvm-args=-inline-threshold=20'

wasm_cargo() {
  local verb=$1
  shift
  local target=(--target wasm32-unknown-unknown --target-dir target-wasm)
  case $(wasm_toolchain) in
    rustup)
      if [ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library/std" ]; then
        RUSTC_BOOTSTRAP=1 RUSTFLAGS=$SMALL_FLAGS cargo "$verb" "${target[@]}" "${SMALL_STD[@]}" "$@"
      else
        say "wasm: larger than what is published; for the same: rustup component add rust-src"
        cargo "$verb" "${target[@]}" "$@"
      fi
      ;;
    debian)
      RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 \
        RUSTFLAGS=$SMALL_FLAGS /usr/bin/cargo "$verb" "${target[@]}" "${SMALL_STD[@]}" "$@"
      ;;
    *) fail "no compiler for wasm32-unknown-unknown" "run: bash scripts/bootstrap.sh build" ;;
  esac
}

bindgen_version() { sed -n 's/^wasm-bindgen = "=\([0-9.]*\)".*/\1/p' Cargo.toml; }

# The path of a wasm-bindgen of exactly the crate's version; its glue and the crate only fit each other then.
bindgen() {
  local want candidate
  want=$(bindgen_version)
  for candidate in .tools/bin/wasm-bindgen "$(command -v wasm-bindgen || true)" "$HOME/.cargo/bin/wasm-bindgen"; do
    if [ -x "$candidate" ] && [ "$("$candidate" --version 2>/dev/null)" = "wasm-bindgen $want" ]; then
      echo "$candidate"
      return
    fi
  done
}
