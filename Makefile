# `make solve` and `make test` need nothing but Python 3.11 or later, make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: solve test lint types tests browser bench fuzz soak images test-gambit wheel-test clean

solve: $(VENV)/.installed
	$(BIN)/ruse solve resistance --players 10

test: lint types tests

lint: $(VENV)/.installed-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-tests
	$(BIN)/mypy

tests: $(VENV)/.installed-tests browser
	$(BIN)/pytest

# Browser tests drive Debian's chromium.
browser:
	@command -v chromium chromium-browser google-chrome > /dev/null \
		|| { [ "$$(id -u)" = 0 ] && apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium > /dev/null; } \
		|| echo "chromium is not installed and could not be: the browser tests will be skipped"

bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[peers,nevergrad]'
	$(BIN)/python -m benchmarks.resistance
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks.public
	$(BIN)/python -m benchmarks.johansson
	$(BIN)/python -m benchmarks.contests
	$(BIN)/python -m benchmarks.scale

test-gambit: $(VENV)/.installed-tests
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pygambit
	$(BIN)/pytest gambit

# The wheel, installed into an empty environment outside the checkout.
wheel-test: $(VENV)/.installed-tests
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[wheel-test]'
	$(BIN)/pytest -n 0 wheels

# Random games against code of their own: CONTRIBUTING.md.
fuzz: $(VENV)/.installed-tests
	$(BIN)/python -m fuzz --games $(or $(FUZZ_GAMES),1000) --seed $(or $(FUZZ_SEED),1) --keep-going

# The screenshots in docs/images, which the README shows.
images: $(VENV)/.installed-tests browser
	$(BIN)/python tests/shoot.py

soak: $(VENV)/.installed-tests
	$(BIN)/pytest soak

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.created:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "expected Python 3.11 or later, got " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-tests: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@
