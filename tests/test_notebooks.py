"""The notebooks of the documentation run, and show what is stored in them.

After a change that is meant: python tests/regenerate.py, and read the diff.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from notebooks import NOTEBOOKS, code, read, run
from pages import DOCS
from test_readme import SECONDS

MOST_BYTES = 60_000


@pytest.mark.cases(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_say(path: Path) -> None:
    notebook = read(path)
    shown = run(notebook)
    for cell, outputs in zip(code(notebook), shown, strict=True):
        if "varies" in cell["metadata"].get(
            "tags", ()
        ):  # with the machine: how many iterations, which optimal strategy
            assert outputs and cell["outputs"]
        else:
            assert _told(outputs) == _told(cell["outputs"])


def test_notebooks_are_small_and_the_page_about_them_lists_each() -> None:
    page = (DOCS / "how-to" / "notebooks.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) >= 5
    for path in NOTEBOOKS:
        assert path.stat().st_size < MOST_BYTES and f"(../notebooks/{path.name})" in page


def _told(outputs: list[dict[str, Any]]) -> str:
    return SECONDS.sub("… s", json.dumps(outputs, ensure_ascii=False, sort_keys=True))
