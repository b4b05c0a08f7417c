"""The documentation: its tutorial and its examples run, and every page, name and parameter has a place in it.

`make docs` builds the site; tests/browser/test_site.py builds it strictly and looks at it.
"""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ruse as package
from pages import DOCS, run_examples
from ruse.core import named_games

CONFIG = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
PAGES = sorted(DOCS.glob("reference/python*.md"))
DIRECTIVES = [name for page in PAGES for name in re.findall(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.M)]
HOW_TO = [
    DOCS / "how-to" / f"{name}.md" for name in ("completion", "environments", "evolve", "proofs", "score")
]  # that no other test runs
FUNCTIONS = [name for name in package.__all__ if inspect.isfunction(getattr(package, name))]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own, where nothing is named yet and what is kept is kept."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with named_games.only_here():
        yield tmp_path


@pytest.mark.slow
def test_the_tutorial_runs(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_examples("tutorial.md", monkeypatch, capsys) >= 12


@pytest.mark.parametrize("page", [*PAGES, *HOW_TO], ids=lambda page: page.stem)
def test_examples_of_other_pages_run(
    page: Path, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_examples(str(page.relative_to(DOCS)), monkeypatch, capsys)


def test_each_page_has_a_place_in_the_site() -> None:
    listed = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", CONFIG, re.MULTILINE)
    found = [*DOCS.glob("**/*.md"), *DOCS.glob("notebooks/*.ipynb")]  # of which docs/notebook_pages.py makes pages
    pages = {str(page.relative_to(DOCS).with_suffix(".md")) for page in found}
    assert (pages - set(listed), set(listed) - pages) == (set(), set()) and len(listed) == len(pages)


def test_each_name_of_the_reference_exists() -> None:
    for name in DIRECTIVES:
        _found(name)


def test_each_public_name_is_in_the_reference() -> None:
    assert {f"ruse.{name}" for name in package.__all__} - {"ruse.games"} <= set(DIRECTIVES)
    missing = []
    for name in package.games.__all__:
        made = getattr(getattr(package.games, name), "__module__", "")  # whose name hides that of its function
        full = f"{made}.{name}" if made.startswith("ruse.games.") else f"ruse.games.{name}"
        missing += [full] * (full not in DIRECTIVES)
    assert not missing
    for room in ("ruse.present.viewer", "ruse.insight"):
        module = import_module(room)
        public = [name for name, one in vars(module).items() if inspect.isfunction(one) and one.__module__ == room]
        assert public and {f"{room}.{name}" for name in public} <= set(DIRECTIVES)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_tell_their_parameters_and_what_they_return_with_examples_that_run(
    name: str, here: Path
) -> None:
    function = getattr(package, name)
    text = inspect.getdoc(function) or ""
    heads = re.split(r"^(Parameters|Returns|Raises|Examples)\n-+$", text, flags=re.MULTILINE)
    sections = dict(zip(heads[1::2], heads[2::2], strict=True))
    told = {one.strip(" *") for line in re.findall(r"^\S.*$", sections["Parameters"], re.M) for one in line.split(",")}
    assert told == set(inspect.signature(function).parameters)
    assert sections["Returns"].strip()
    examples = doctest.DocTestParser().get_doctest(sections["Examples"], {}, name, name, 0)
    assert examples.examples and doctest.DocTestRunner(verbose=False).run(examples).failed == 0


def test_each_class_and_function_of_the_reference_says_what_it_is() -> None:
    for name in DIRECTIVES:
        one = _found(name)
        public = vars(one).values() if isinstance(one, ModuleType) else [one]
        for thing in public:
            ours = getattr(thing, "__module__", "").startswith("ruse") and not thing.__name__.startswith("_")
            if ours and (inspect.isclass(thing) or inspect.isfunction(thing)):
                told = thing.__doc__
                assert told and not told.startswith(f"{thing.__name__}("), thing


def _found(name: str) -> Any:
    """A module, or what a module has under that name."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        module, _, last = name.rpartition(".")
        return getattr(import_module(module), last)
