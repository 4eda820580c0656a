#!/usr/bin/env bash
# Sets up what is missing on this machine, and says what it does. A re-run with nothing to do takes about a second.
#   bootstrap.sh build   what builds the package: a wasm compiler, wasm-bindgen, npm packages
#   bootstrap.sh playground   what builds the playground: npm packages in www
#   bootstrap.sh test    what the package tests run in besides: browsers (Debian), other runtimes (npm, in pkg-tests/.work)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/toolchain.sh

# Installs Debian packages as root; tells everybody else the command.
apt_install() {
  local why=$1
  shift
  if ! command -v apt-get >/dev/null; then
    return 1
  elif [ "$(id -u)" != 0 ]; then
    say "$why: run  sudo apt-get install --no-install-recommends $*"
    return 1
  fi
  say "$why: installing $* (Debian)"
  mkdir -p .tools
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >.tools/apt.log 2>&1; then
    tail -5 .tools/apt.log >&2
    say "apt-get failed; its whole output is in .tools/apt.log"
    return 1
  fi
}

need_basics() {
  command -v cargo >/dev/null || fail "cargo is missing" "install Rust 1.88 or newer: https://rustup.rs"
  command -v node >/dev/null || fail "node is missing" "install Node.js 20 or newer"
  command -v cc >/dev/null || apt_install "a C linker for native builds" gcc libc6-dev ||
    fail "no C linker (cc)" "install gcc or clang"
  local major
  major=$(node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 20 ] || fail "node $major is too old" "install Node.js 20 or newer"
}

need_wasm_target() {
  [ -z "$(wasm_toolchain)" ] || return 0
  if command -v rustup >/dev/null; then
    say "wasm target: rustup target add wasm32-unknown-unknown"
    rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || say "rustup could not get it; trying Debian's compiler"
    [ -z "$(wasm_toolchain)" ] || return 0
  fi
  apt_install "wasm target" rustc-web cargo-web rust-web-src lld-19 || true
  [ -n "$(wasm_toolchain)" ] || fail "no compiler for wasm32-unknown-unknown" \
    "with rustup:  rustup target add wasm32-unknown-unknown" \
    "on Debian:    apt-get install --no-install-recommends rustc-web cargo-web rust-web-src lld-19"
}

need_bindgen() {
  [ -z "$(bindgen)" ] || return 0
  local want
  want=$(bindgen_version)
  say "wasm-bindgen: building its command-line tool $want into .tools/ (once, a few minutes)"
  mkdir -p .tools
  cargo install wasm-bindgen-cli --version "$want" --root .tools --quiet >.tools/bindgen.log 2>&1 || {
    tail -5 .tools/bindgen.log >&2
    fail "wasm-bindgen-cli $want could not be built" "its output is in .tools/bindgen.log" \
      "by hand:  cargo install wasm-bindgen-cli --version $want --root .tools"
  }
}

# npm writes what it installed to node_modules/.package-lock.json; it is older than the lock file after a change of that.
need_npm() {
  local folder=$1
  [ ! "$folder/node_modules/.package-lock.json" -ot "$folder/package-lock.json" ] && [ -d "$folder/node_modules" ] && return 0
  say "npm: installing the packages of $folder"
  (cd "$folder" && npm ci --ignore-scripts --loglevel=error) ||
    fail "npm ci failed in $folder" "is the npm registry reachable?  npm ping" "is the lock file in step?  npm install"
  touch "$folder/node_modules/.package-lock.json"
}

need_browsers() {
  local missing=()
  command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
  command -v firefox-esr >/dev/null || command -v firefox >/dev/null || missing+=(firefox-esr)
  command -v WebKitWebDriver >/dev/null || missing+=(webkit2gtk-driver)
  command -v Xvfb >/dev/null || missing+=(xvfb)
  command -v xmllint >/dev/null || missing+=(libxml2-utils)
  command -v valgrind >/dev/null || missing+=(valgrind)
  command -v c++ >/dev/null || missing+=(g++)
  [ ${#missing[@]} = 0 ] && return 0
  apt_install "browsers for the package tests" "${missing[@]}" ||
    say "package tests skip what needs: ${missing[*]}"
}

case ${1:-build} in
  build)
    need_basics
    need_wasm_target
    need_bindgen
    need_npm .
    ;;
  test)
    need_browsers
    need_npm pkg-tests
    need_npm www
    ;;
  playground)
    need_npm www
    ;;
  *) fail "unknown part: $1" "bootstrap.sh build|test|playground" ;;
esac
