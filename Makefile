# Needs python3 (3.11 or newer) and make; test, lint and bench also Node (20.19 or newer), and demo for its page.
# Python's packages are installed into .venv, Node's into js/node_modules, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
NPM := cd js && npm --loglevel=error
MODULES := js/node_modules/.installed
OTHER_VIEWERS := benchmarks/viewer/node_modules/.installed
BUNDLE := graphne_viz/viewer/static/widget.js
# Processes for the tests; WORKERS=0 runs them one after the other.
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test lint fuzz matrix soak bench docs bundle browser clean
.NOTPARALLEL:

help:  ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

demo: $(VENV)/.base  ## lay out a small graph, with the base dependencies only: a picture, a GEXF and a page in out/
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory bundle || true; fi
	$(BIN)/graphne demo --out out

test: lint $(BUNDLE) browser  ## lint, then run every test, those in the browser too
	$(NPM) test
	$(BIN)/python -m pytest -n $(WORKERS) || { \
	  [ $$? = 1 ] && echo "once more, alone: a test that passes only now is unstable, and to be mended" \
	    && $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }

lint: $(VENV)/.dev $(MODULES)  ## ruff, mypy, tsc and Biome
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(NPM) run check

# Each failure prints the example that shows it, and how to try that again. A round ends each command that writes once by
# each of three signals, and takes about a minute.
EXAMPLES ?= 20000
ROUNDS ?= 5
fuzz: $(VENV)/.dev  ## try new damaged files, graphs, options, messages and command lines for hours, and end commands at random; EXAMPLES=2000 ROUNDS=1 for less
	FUZZ_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -n $(WORKERS) tests/fuzz
	FAULT_ROUNDS=$(ROUNDS) FAULT_SEED=$$(date +%s) $(BIN)/python -m pytest -n $(WORKERS) tests/test_interruptions.py

matrix: $(VENV)/.dev $(BUNDLE) browser  ## try the oldest and newest Python and packages, the wheel with each extra, and every host; ARGS="--only hosts"
	$(BIN)/python scripts/matrix $(ARGS)

HOURS ?= 0.1
soak: $(VENV)/.dev $(BUNDLE) browser  ## open, steer, update, export and close views for minutes and see that nothing grows; HOURS=8 for longer
	$(BIN)/python scripts/soak --hours $(HOURS) $(ARGS)

bench: $(VENV)/.bench $(BUNDLE) $(OTHER_VIEWERS) browser  ## print the tables of the README; ARGS="..." reaches the script
	$(BIN)/python benchmarks/run.py $(ARGS)

# The theme's makers advertise their next one in every build.
docs: $(VENV)/.docs  ## build the documentation into site/, where index.html opens from the disk; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

bundle: $(BUNDLE)  ## build the viewer's JavaScript, where something changed

clean:  ## remove what the other targets made
	rm -rf $(VENV) .matrix out site dist build js/node_modules benchmarks/viewer/node_modules graphne_viz/viewer/static .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The pip that comes with Python may be too old for dependency groups, so it is replaced first.
$(VENV)/.pip: constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "graphne_viz needs Python 3.11 or newer; make PYTHON=python3.12 names another one" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade pip
	touch $@

$(VENV)/.base: $(VENV)/.pip pyproject.toml
	$(INSTALL) --build-constraint constraints.txt --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.base
	$(INSTALL) --group test --group lint
	touch $@

$(VENV)/.bench: $(VENV)/.base
	$(INSTALL) --group test --group bench
	touch $@

$(VENV)/.docs: $(VENV)/.base
	$(INSTALL) --group docs
	touch $@

$(MODULES): js/package.json js/package-lock.json
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' \
	  2>/dev/null && command -v npm >/dev/null || { \
	  echo "the viewer needs Node 20.19 or newer with npm; see https://nodejs.org, or make demo, which does without" >&2; exit 1; }
	$(NPM) ci --no-audit --no-fund
	touch $@

# What the viewer is measured against.
$(OTHER_VIEWERS): benchmarks/viewer/package.json benchmarks/viewer/package-lock.json $(MODULES)
	cd benchmarks/viewer && npm --loglevel=error ci --no-audit --no-fund
	touch $@

# The folders stand for the files that are no longer there.
$(BUNDLE): $(shell find js/src) js/build.mjs $(MODULES)
	$(NPM) run build
	touch $@

# Debian's packages, because browsers that come by other ways lack the libraries they need.
browser:
	@command -v chromium >/dev/null && { command -v firefox-esr || command -v firefox; } >/dev/null || { \
	  run=; [ "$$(id -u)" = 0 ] || run=sudo; \
	  command -v apt-get >/dev/null && command -v $${run:-env} >/dev/null && $$run apt-get update -qq \
	    && $$run env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium firefox-esr fonts-dejavu-core >/dev/null; \
	  command -v chromium >/dev/null && { command -v firefox-esr || command -v firefox; } >/dev/null; } || { \
	  echo "the tests in the browser need the commands chromium and firefox, and apt-get cannot install them here" >&2; exit 1; }
