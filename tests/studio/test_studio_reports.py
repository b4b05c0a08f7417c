"""Reports to share: what stands in them is what the commands print, and they need nothing else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

GAMES = Path(__file__).parents[1] / "designer_games"


class _Page(HTMLParser):
    """The text of a page, the rows of its tables, and everything that it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.rows: list[list[str]] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.loaded += [str(given[name]) for name in ("src", "href") if name in given]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def _read(path: Path) -> tuple[_Page, Any]:
    text = path.read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return _Page(text), json.loads(data)


def test_a_sweep_of_a_game_of_ones_own(ruse: Any, tmp_path: Path) -> None:
    path = tmp_path / "sweep.html"
    given = ("sweep", str(GAMES / "paydice.py"), "--faces", "2..3", "--wild", "yes|no", "--report", str(path))
    assert ruse(*given)[0] == 0
    page, data = _read(path)
    assert page.loaded == [] and len(data["rows"]) == 4
    assert ["3", "yes", "2/3", "+2/3", "rules"] in page.rows  # the table; the map has the values alone
    assert "4 exact values rest on both best responses, computed from the rules." in page.text
    assert "whoever is wrong pays the bid" in page.text
    assert f"ruse sweep {quote(str(GAMES / 'paydice.py'))} --faces 2..3 --wild 'yes|no'" in page.text


def test_a_search_and_single_changes(ruse: Any, tmp_path: Path) -> None:
    path = tmp_path / "balance.html"
    words = ("balance", "liars-dice", "--faces", "2..4", "--target", "1/2", "--report", str(path))
    status, out, _ = ruse(*words)
    page, data = _read(path)
    proved = next(line for line in out.splitlines() if line.startswith("Proved"))
    assert status == 0 and proved in page.text and data["proved"] is True
    assert ruse("sweep", "resistance", "--around", "--report", str(path))[0] == 0
    page, data = _read(path)
    assert page.rows[1][:3] == ["spies: 2 → 1", "+70 pp", "100% (1)"] and "The rules" in page.text
    assert len(data["changes"]) + 1 == len(page.rows)


def test_a_comparison_is_short_first(ruse: Any, tmp_path: Path) -> None:
    path = tmp_path / "compare.html"
    own = str(GAMES / "paydice.py")
    words = ("compare", "pay-dice", "pay-dice(wild=no)", "--game", own, "--report", str(path))
    status, out, _ = ruse(*words)
    assert status == 0 and len(out.splitlines()) <= 10 and "Changed: wild yes → no." in out
    page, _ = _read(path)
    assert out.splitlines()[3] in page.text and "<details>" in path.read_text(encoding="utf-8")
    assert f"ruse compare pay-dice 'pay-dice(wild=no)' --game {quote(own)}" in page.text


@pytest.mark.parametrize("verb", [("sweep", "kuhn"), ("balance", "kuhn", "--target", "0"), ("compare", "kuhn", "kuhn")])
def test_another_kind_of_file_is_refused_first(ruse: Any, tmp_path: Path, verb: tuple[str, ...]) -> None:
    status, out, err = ruse(*verb, "--report", str(tmp_path / "report.pdf"))
    assert status == 1 and "expected a report to be a file ending in .html" in err and not out
