"""Pictures of games, which the terminal and the page share."""

from __future__ import annotations

import pytest

from playing import solved, table
from ruse.games import GAMES
from ruse.play.session import begin, play, resume
from ruse.play.shown import in_rows, numbered, picture


def test_pictures_in_a_terminal() -> None:
    session = resume(table(5), 1, 1, ["cd", "ab", "acd", "sabotage", "bc"], False, "a" * 22, None)
    assert picture(session).text() == [
        "You are the spies: c and d.",
        "5 seats, 2 of them spies.",
        "Points: resistance 1, spies 1; three win.",
        "Mission 3 of 5 is out: 2 seats, 1 sabotage fails it.",
        "  mission           1 2 3 4 5",
        "  seats sent        2 3 2 3 3",
        "  sabotages to fail 1 1 1 1 1",
        "  a                 + - .",
        "  b                 + . ?",
        "  c spy             . - ?",
        "  d spy             . - .",
        "  e                 . . .",
    ]
    board = resume(solved("tic-tac-toe"), 0, 1, ["e", "a"], False, "a" * 22, None)
    assert picture(board).text() == ["You are X.", "  O b c", "  d X f", "  g h i"]
    heaps = resume(solved("nim"), 0, 1, [], False, "a" * 22, None)
    assert picture(heaps).text() == [
        "  heap left", "  a       1 |", "  b       3 |||", "  c       5 |||||", "  d       7 |||||||",
    ]  # fmt: skip
    table_of = resume(solved("rock-paper-scissors"), 1, 1, [], False, "a" * 22, None)
    assert picture(table_of).text()[:3] == [
        "You choose a column.", "What Player 2 pays Player 1:", "           rock paper scissors",
    ]  # fmt: skip


def test_spies_are_drawn_for_the_resistance_at_the_end_only() -> None:
    session = begin(table(5), 0, seed=1)
    while not session.over:
        assert "spy" not in str(picture(session)) and "were" not in str(picture(session))
        session = play(session, session.number, session.game.label(session.choices[0]))
    first, second = session.moves[0]
    assert picture(session).lines[0] == f"The spies were {first} and {second}."


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", list(GAMES))
def test_pictures_are_tables_with_heads_and_legal_buttons(name: str, side: int) -> None:
    session = begin(solved(name), side, seed=2)
    while True:
        drawn = picture(session)
        if drawn.grid is not None:
            assert all(cell.text or cell.says for cell in drawn.grid.heads)
            for row in drawn.grid.rows:
                assert len(row) == len(drawn.grid.heads) and (row[0].text or row[0].says)
        if name in ("tic-tac-toe", "4-in-a-row"):
            assert set(session.options or ()) <= drawn.moves()
        if session.over:
            break
        session = play(session, session.number, session.game.label(session.choices[0]))


def test_moves_are_listed_in_rows() -> None:
    assert in_rows(["a1", "b1", "b2"]) == [["a1"], ["b1", "b2"]]
    assert in_rows(["1-1", "1-2", "2-1", "liar"]) == [["1-1", "1-2"], ["2-1"], ["liar"]]
    assert in_rows(["call", "raise"]) == [["call", "raise"]]
    assert numbered(["call", "raise"]) and not numbered(["1", "2"]) and not numbered(["a", "b"]) and not numbered([])
