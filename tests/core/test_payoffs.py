"""Payoffs as people type them: over several lines, with ; or without, in the page, on the command line, in files."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruse
from ruse import games
from ruse.cli.program import main
from ruse.core.game import GameError
from ruse.core.plain_games.matrix import read_payoffs
from ruse.explorer.forms import _from_json

TABLE = [[3, -1], [-2, 1]]  # worth (3·1 − 2·1)/(3 + 1 + 2 + 1) = 1/7


@pytest.mark.parametrize(
    "typed",
    [
        "3 -1\n-2 1",
        "3 -1\r\n-2 1\r\n",
        "3 -1\r-2 1",
        "\n\n3 -1\n\n  \n-2 1\n\n",
        "3 -1;\n-2 1;\n",
        "3 -1; -2 1",
        "3 -1 ;-2 1;",
        "3, -1\n-2, 1",
        "3,-1,\r\n-2,1,",
        "3\t-1\n-2\t1",
        "3 -1\u2028-2 1",
    ],
)
def test_a_line_ends_a_row_and_so_does_a_semicolon(typed: str) -> None:
    assert read_payoffs(typed) == TABLE
    assert str(ruse.solve(games.matrix(typed)).value) == "1/7"
    assert games.make("matrix", {"payoffs": typed}).parameters == {"payoffs": "3 -1; -2 1"}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("3 -1, -2 1", "expected a number of at most 300 digits such as -1, 0.25 or 1/2, got '3 -1'"),
        ("3,,1", "got ''"),
        ("1 2;;3 4", "expected 2 payoffs in every row, got 0 in row 2"),
        ("1 2\n3", "expected 2 payoffs in every row, got 1 in row 2"),
        ("\n \n", "expected at least one payoff, got none"),
    ],
)
def test_what_is_no_table_is_not_guessed_at(typed: str, said: str) -> None:
    with pytest.raises(GameError) as caught:
        games.matrix(typed)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["3 -1\n-2 1\n", "3 -1; -2 1", "3 -1\r\n-2 1\r\n", "3,-1\n-2,1", "3,-1\r-2,1\r", ",l,r\nup,3,-1\n\ndown,-2,1"],
)
def test_files_hold_tables_as_they_are_typed_or_as_csv(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode())
    assert str(ruse.solve(games.matrix(file=str(path))).value) == "1/7"


@pytest.mark.parametrize(
    "text", ["3;-1\n-2;1\n", '1,"2\n3"\n4,5\n', f'"{"x" * 200_000}",1\n2,3\n'], ids=["semicolons", "cell", "long"]
)
def test_files_that_may_mean_another_table_are_refused(tmp_path: Path, text: str) -> None:
    """Semicolons for commas would be four rows of one; a cell over two lines was read as 23."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(GameError, match=r"expected|cannot read"):
        games.matrix(file=str(path))


def test_lines_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "matrix", "--payoffs", "3 -1\n-2 1"]) == 0
    assert "worth 1/7" in capsys.readouterr().out


def test_a_list_of_rows_is_no_row() -> None:
    """A list in JSON is joined by commas, as missions are; rows joined so must not be read as one."""
    sent = _from_json({"game": "matrix", "parameters": {"payoffs": ["3 -1", "-2 1"]}})
    with pytest.raises(GameError, match="expected a number"):
        games.make("matrix", {"payoffs": sent["p-payoffs"]})
