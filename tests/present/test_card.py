"""The printable card: what it says, that it stands alone, and how it is printed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import ruse
from golden import tables
from ruse.formats.efg import read_efg
from ruse.present import card as module
from ruse.present.card import CardError, card, write_card
from ruse.present.rules import rules_of, score_rules
from ruse.solution.strategy import Solution
from toys import ManyPennies

VOID = {"meta", "link", "br"}


class Reader(HTMLParser):
    """A page's text by cells, and whether its elements close in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rules: list[list[str]] = []
        self.addresses: list[str] = []
        self._text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag == "tr":
            self.rules.append([])
        self._text = ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in ("th", "td"):
            self.rules[-1].append(self._text)

    def handle_data(self, text: str) -> None:
        self._text += text


def solved(players: int) -> Solution:
    return ruse.solve(ruse.games.resistance(players))


@pytest.mark.cases(2)
@pytest.mark.parametrize("players", [players for players, _ in tables()])
def test_every_table_has_a_card(players: int) -> None:
    """The rules on the card, typed in again, are worth what the card says."""
    solution = solved(players)
    page = card(solution)
    read = Reader(page)
    for side in (0, 1):
        lines = rules_of(solution, side)[1]
        told = [": ".join(row) for row in read.rules if len(row) == 2]
        assert [line for line in told if line in lines] == lines
        text = "\n".join([f"side: {solution.game.sides[side]}", *(line for line in told if line in lines)])
        assert score_rules(solution.game, text)[0].payoff == solution.value
    assert f"{players} players" in page and "so both are optimal" in page
    assert str(solution.win["resistance"]) in page
    assert f"ruse solve resistance --players {players} --out" in page


def test_the_page_stands_alone() -> None:
    page = card(solved(5))
    assert Reader(page).addresses == []
    assert "<script" not in page and "http" not in page and "url(" not in page
    assert "@media print" in page and page.startswith("<!doctype html>")


def test_other_games_and_tables() -> None:
    page = card(ruse.solve(ruse.games.kuhn()))
    assert "With a jack: always fold." in page and "worth -1/18" in page
    table = ruse.games.resistance(7, missions=(2, 4, 3, 3, 4), sabotages=(1, 2, 1, 1, 2))
    page = card(ruse.solve(table))
    Reader(page)
    assert "--missions 2,4,3,3,4 --sabotages 1,2,1,1,2" in page
    rough = card(ruse.solve(ruse.games.kuhn(), "cfr+", iterations=3))
    assert "so both are optimal" not in rough and "not exact" in rough


def test_long_strategies_are_cut() -> None:
    page = card(ruse.solve(ManyPennies(40)))
    assert len([row for row in Reader(page).rules if len(row) == 2]) <= 2 * module.MOST_RULES
    assert re.search(r"and [\d,]+ more lines", page)


def test_long_fractions_and_tables_are_told_short() -> None:
    solution = ruse.solve(ruse.games.leduc())
    page = card(solution)
    assert (
        page.count(f"{solution.value}") == 3 and "≈ -0.0856064 to Player 1; exact" in page
    )  # the value and both bounds
    assert not re.search(r"\d{20}", page.replace(f"{solution.value}", ""))
    page = card(ruse.solve(ruse.games.pig(goal=20)))
    assert "<pre>" in page and "The same rules as Player 1." in page and "# " not in page


def test_names_are_escaped() -> None:
    text = """EFG 2 R "<u>game</u>" { "<b>one</b>" "two" }
p "" 1 1 "" { "<i>" "b" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
"""
    page = card(ruse.solve(read_efg(text)))
    Reader(page)
    assert "<u>" not in page and "<b>" not in page and "<i>" not in page


def test_a_page_is_written_whole(tmp_path: Path) -> None:
    solution = solved(5)
    path = write_card(solution, tmp_path / "card.HTML")
    assert path.read_text(encoding="utf-8") == card(solution)


def test_bad_paths(tmp_path: Path) -> None:
    solution = solved(5)
    with pytest.raises(CardError, match=r"expected a card to be a file ending in .html, .pdf or .png, got .*card.doc"):
        write_card(solution, tmp_path / "card.doc")
    with pytest.raises(CardError, match=r"cannot write to .*: no such file or directory"):
        write_card(solution, tmp_path / "none" / "card.html")


def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A chromium that does as it is told here."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "chromium"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.parametrize(("suffix", "option"), [("pdf", "--print-to-pdf="), ("png", "--screenshot=")])
def test_a_browser_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, option: str) -> None:
    fake(
        tmp_path,
        monkeypatch,
        'for word; do case "$word" in\n'
        f'{option}*) out="${{word#{option}}}";; file:*) page="${{word#file://}}";; esac; done\n'
        'cp "$page" "$out"',
    )
    solution = solved(5)
    assert write_card(solution, tmp_path / f"card.{suffix}").read_text(encoding="utf-8") == card(solution)


def test_browsers_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "exit 3")
    with pytest.raises(CardError, match=r".*/bin/chromium could not print the card .CalledProcessError"):
        write_card(solved(5), tmp_path / "card.pdf")
    assert not (tmp_path / "card.pdf").exists()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CardError, match="printing a card needs Chromium or Chrome, but ruse found none of"):
        write_card(solved(5), tmp_path / "card.png")


def test_the_installed_browser_prints_one_page(tmp_path: Path) -> None:
    """Where there is one; where there is none, the sentence says so."""
    try:
        module.browser()
    except CardError as error:
        with pytest.raises(CardError, match=re.escape(str(error))):
            write_card(solved(10), tmp_path / "card.pdf")
        return
    content = write_card(solved(10), tmp_path / "card.pdf").read_bytes()
    assert content.startswith(b"%PDF") and re.findall(rb"/Count (\d+)", content) == [b"1"]
