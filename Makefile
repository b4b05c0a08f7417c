# `make solve` and `make test` need nothing but Python 3.11 or later, make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help solve test lint types tests browser reports docs bench fuzz soak mutants images test-gambit wheel-test clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

solve: $(VENV)/.installed ## ten-player Resistance, from a bare checkout to exact strategies
	$(BIN)/ruse solve resistance --players 10
	@echo; echo "Look at it, and play against it: $(BIN)/ruse explore"

test: ## everything that decides whether a change is good: lint, types, tests
	@$(MAKE) --no-print-directory --jobs=3 lint types tests

lint: $(VENV)/.installed-tests ## ruff, on everything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-tests ## mypy, strict, on the package
	$(BIN)/mypy

tests: $(VENV)/.installed-tests browser ## all tests, with Debian's chromium for those in a browser
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest

# Browser tests drive Debian's chromium. The one without windows takes two thirds of the time.
APT := [ "$$(id -u)" = 0 ] && apt-get -qq update && apt-get -qq install -y --no-install-recommends
browser:
	@{ command -v chromium-headless-shell || command -v chromium || command -v chromium-browser \
		|| command -v google-chrome; } > /dev/null \
		|| { $(APT) chromium-headless-shell > /dev/null; } \
		|| { $(APT) chromium > /dev/null; } \
		|| echo "chromium is not installed and could not be: the browser tests will be skipped"

reports: $(VENV)/.installed ## the five papers computed again, in build/reproduced; some minutes
	$(BIN)/ruse reproduce --quick --out build/reproduced

# The site takes in the reports that are there, and makes them if there are none.
build/reproduced/index.html: | $(VENV)/.installed
	$(BIN)/ruse reproduce --quick --out build/reproduced

docs: $(VENV)/.installed build/reproduced/index.html ## the documentation site, in build/docs
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "open build/docs/index.html"

bench: $(VENV)/.installed ## the benchmarks, against other programs (docs/benchmarks.md)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[peers,nevergrad]'
	$(BIN)/python -m benchmarks.resistance
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks.public
	$(BIN)/python -m benchmarks.holdem
	$(BIN)/python -m benchmarks.johansson
	$(BIN)/python -m benchmarks.contests
	$(BIN)/python -m benchmarks.scale
	$(BIN)/python -m benchmarks.sweep

test-gambit: $(VENV)/.installed-tests ## games through Gambit itself; builds pygambit, which takes minutes
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pygambit
	$(BIN)/pytest gambit

wheel-test: $(VENV)/.installed-tests ## the wheel, installed into an empty environment outside the checkout
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[wheel-test]'
	$(BIN)/pytest -n 0 wheels

fuzz: $(VENV)/.installed-tests ## random games against code of their own (CONTRIBUTING.md)
	$(BIN)/python -m fuzz --games $(or $(FUZZ_GAMES),1000) --seed $(or $(FUZZ_SEED),1) --keep-going

images: $(VENV)/.installed-tests browser ## the screenshots in docs/images, which the README shows
	$(BIN)/python tests/shoot.py

soak: $(VENV)/.installed-tests ## the long tests
	$(BIN)/pytest soak
	RUSE_ALL=yes $(BIN)/pytest

mutants: $(VENV)/.installed-tests ## small changes of the code, and the share that the tests notice; an hour
	$(BIN)/python -m pip install --quiet --disable-pip-version-check coverage
	$(BIN)/python soak/mutants.py record build/mutants
	$(BIN)/python soak/mutants.py run build/mutants --sample $(or $(MUTANTS),200)

clean: ## remove what make made
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "expected Python 3.11 or later, got " + sys.version)'
	@echo "installing ruse into $(VENV): a minute or so, once"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-tests: $(VENV)/.created pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $(VENV)/.installed $@
