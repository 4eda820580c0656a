# What you run here. `make demo` and `make test` set up what is missing on a fresh machine; see scripts/bootstrap.sh.
.DEFAULT_GOAL := help
.PHONY: help setup setup-test demo test test-fast wasm dist package docs bench bench-quality bench-cache bench-complexity fuzz worker worker-test worker-load playground playground-test clean

RUST := Cargo.toml Cargo.lock $(wildcard src/*.rs src/*/*.rs)
JS := package.json $(wildcard tsconfig*.json) js/build.mjs $(shell find js -name '*.ts' 2>/dev/null)
WASM := target-wasm/skillpick/skillpick.wasm

help: ## What there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

demo: setup dist ## Print the block for the example catalog, and who got what and why
	@node scripts/demo.mjs

test: setup setup-test ## Everything: formatting, lints, native and wasm tests, types, package tests in every runtime
	@node scripts/test.mjs

test-fast: setup ## Formatting, lints, native tests, types
	@node scripts/test.mjs --fast

setup:
	@bash scripts/bootstrap.sh build

setup-test:
	@bash scripts/bootstrap.sh test

wasm: $(WASM) ## The optimised wasm and its glue
$(WASM): $(RUST) scripts/wasm.sh
	@bash scripts/wasm.sh

dist: target-wasm/dist.built ## The npm package's files
target-wasm/dist.built: $(WASM) $(JS)
	@node js/build.mjs && node scripts/sbom.mjs

package: setup dist ## dist/ and the packed skillpick-*.tgz
	@rm -f skillpick-*.tgz && npm pack --silent

playground: setup dist ## The playground at http://127.0.0.1:4173: skillpick in one page
	@bash scripts/bootstrap.sh playground
	@cd www && node_modules/.bin/vite build --logLevel warn && node serve.mjs $(PORT)

playground-test: setup setup-test dist ## The playground in Chromium, Firefox and WebKit
	@node www/tests/run.mjs

worker: setup dist ## The Worker of examples/cloudflare-worker at http://127.0.0.1:8787, for the key "local"
	@cd examples/cloudflare-worker && node test/run.mjs --install && node scripts/catalog.mjs && node scripts/dev.mjs

worker-test: setup setup-test dist ## The Worker's tests, in workerd
	@node examples/cloudflare-worker/test/run.mjs

worker-load: setup setup-test dist ## Its requests per second, start-up and memory, on loopback
	@node examples/cloudflare-worker/test/run.mjs --install && node examples/cloudflare-worker/test/load.mjs

docs: setup ## The references: docs/reference from the types, target/doc from the crate
	@node scripts/docs.mjs
	@RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked

bench-cache: ## What prompt caches keep, by placement of the block
	@cargo bench --quiet --bench cache

bench-complexity: ## Instructions at n, 2n and 4n of hostile inputs (valgrind)
	@node scripts/complexity.mjs

MINUTES := 1
fuzz: ## Fuzz the core, $(MINUTES) minutes a target: make fuzz MINUTES=10
	@bash scripts/fuzz.sh $(MINUTES)

bench: setup dist ## Speed, native and through the package
	@bash scripts/bench.sh

bench-quality: setup ## Ranking quality on labelled sets ($$SKILLPICK_SHARED), beside other search libraries
	@bash benches/quality/run.sh

clean: ## Everything that was built (not what was installed)
	rm -rf dist docs/reference target target-wasm pkg-tests/.work www/dist skillpick-*.tgz
