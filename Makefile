# Needs python3 (3.11 or newer) and make. Everything is installed into .venv, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test lint bench clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

demo: $(VENV)/.base  ## lay out a small graph, with the base dependencies only: a picture and a GEXF in out/
	$(BIN)/graphne demo --out out

test: lint  ## lint, then run every test
	$(BIN)/python -m pytest

lint: $(VENV)/.dev  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench  ## print the table of the README; ARGS="..." reaches the script
	$(BIN)/python benchmarks/run.py $(ARGS)

clean:  ## remove what the other targets made
	rm -rf $(VENV) out dist build .pytest_cache .mypy_cache .ruff_cache
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
	$(INSTALL) --group bench
	touch $@
