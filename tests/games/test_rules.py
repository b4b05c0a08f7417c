"""The rules of the games, against the papers they come from and against counts by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ruse.games
from ruse.core.game import CHANCE, END, GameError, RuseError
from ruse.games import make
from ruse.games.leduc.rules import Hand
from ruse.games.resistance.rules import PASS, SABOTAGE, ResistancePlay


def test_rock_paper_scissors_pays_as_in_the_thesis() -> None:
    """Bossle 2018, Table 2.2, whose rows are player 2 and columns player 1."""
    table = {
        "rock": {"rock": "0", "paper": "1/2", "scissors": "-1"},
        "paper": {"rock": "-1/2", "paper": "0", "scissors": "1"},
        "scissors": {"rock": "1", "paper": "-1", "scissors": "0"},
    }
    game = ruse.games.rock_paper_scissors("1/2")
    for second, row in table.items():
        for first, payoff in row.items():
            assert game.payoff((first, second)) == Fraction(payoff)


def test_mini_poker_passing_is_worth_a_quarter() -> None:
    """method.md: with an ante of 1 and four equally likely deals, passing is worth -1/4 with 0 and +1/4 with 1."""
    game = ruse.games.mini_poker()
    deals = game.moves(game.start())
    for card, worth in (("0", Fraction(-1, 4)), ("1", Fraction(1, 4))):
        passed = [game.play(game.play(game.start(), deal), "pass") for deal in deals if deal[0] == card]
        assert sum(Fraction(1, 4) * game.payoff(state) for state in passed) == worth


def test_kubiceks_normal_form() -> None:
    """The 8 x 4 table printed in the slides: plans of the first side, in order, against gi, gj, hi, hj."""
    printed = {
        "ACE": (3, 3, 1, 1),
        "ACF": (3, 3, 1, 1),
        "ADE": (-2, -2, 3, 3),
        "ADF": (-2, -2, 3, 3),
        "BCE": (2, 0, 2, 0),
        "BCF": (1, 3, 1, 3),
        "BDE": (2, 0, 2, 0),
        "BDF": (1, 3, 1, 3),
    }
    game = ruse.games.kubicek()
    for plan, row in printed.items():
        for answers, payoff in zip(("gi", "gj", "hi", "hj"), row, strict=True):
            state = game.start()
            while game.turn(state) != END:
                state = game.play(state, next(move for move in game.moves(state) if move in plan + answers))
            assert game.payoff(state) == payoff


@pytest.mark.parametrize(
    ("cards", "public", "rounds", "payoff"),
    [
        (("Ks", "Qs"), "", (("raise", "fold"),), 1),
        (("Ks", "Qs"), "", (("call", "raise", "fold"),), -1),
        (("Ks", "Qs"), "", (("raise", "raise", "fold"),), -3),
        (("Js", "Qs"), "Jh", (("call", "call"), ("call", "call")), 1),  # a pair of jacks beats a queen
        (("Js", "Qs"), "Kh", (("call", "call"), ("raise", "call")), -5),
        (("Js", "Jh"), "Kh", (("raise", "raise", "call"), ("raise", "raise", "call")), 0),
        (("Ks", "Jh"), "Kh", (("raise", "raise", "call"), ("raise", "raise", "call")), 13),  # the most there is
        (("Ks", "Jh"), "Kh", (("raise", "call"), ("raise", "raise", "fold")), -7),
        (("Ks", "Jh"), "Kh", (("raise", "call"), ("call", "raise", "raise", "fold")), 7),
    ],
)
def test_leduc_payoffs(cards: tuple[str, str], public: str, rounds: tuple[tuple[str, ...], ...], payoff: int) -> None:
    """Chips won, counted by hand: antes of 1, raises of 2 and of 4."""
    game = ruse.games.leduc()
    state = Hand(cards, public, rounds)
    assert game.turn(state) == END
    assert game.payoff(state) == payoff


def test_leduc_offers_fold_only_against_a_raise() -> None:
    game = ruse.games.leduc()
    dealt = Hand(("Ks", "Qs"), "", ((),))
    assert game.moves(dealt) == ["call", "raise"]
    assert game.moves(game.play(dealt, "raise")) == ["fold", "call", "raise"]
    assert game.moves(dealt._replace(rounds=(("raise", "raise"),))) == ["fold", "call"]
    assert game.turn(dealt._replace(rounds=(("call", "call"),))) == CHANCE


@pytest.mark.parametrize(
    ("payoffs", "message"),
    [
        ("", "at least one payoff, got none"),
        (";", "at least one payoff, got none"),
        ("1 2; 3", "2 payoffs in every row, got 1 in row 2"),
        ("1 x", "a number of at most 300 digits such as .*, got 'x'"),
        ("1 1/0", "a number of at most 300 digits such as .*, got '1/0'"),
        ("1 nan", "a number of at most 300 digits such as .*, got 'nan'"),
        ("1 1e999999999", "a number of at most 300 digits such as .*, got '1e999999999'"),
    ],
)
def test_bad_payoffs(payoffs: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        ruse.games.matrix(payoffs)


def test_payoffs_are_exact() -> None:
    game = ruse.games.matrix("0.1, 1/3; -2  1e-1;")
    assert game.payoffs == {
        ("r1", "c1"): Fraction(1, 10),
        ("r1", "c2"): Fraction(1, 3),
        ("r2", "c1"): Fraction(-2),
        ("r2", "c2"): Fraction(1, 10),
    }


@pytest.mark.parametrize(
    ("table", "rows", "columns"),
    [
        ("3,1\n-2,3\n", ("r1", "r2"), ("c1", "c2")),
        (",left,go right\nup,3,1\ndown,-2,3\n", ("up", "down"), ("left", "go-right")),
        ("left,right\n3,1\n-2,3\n", ("r1", "r2"), ("left", "right")),
        ("up,3,1\ndown,-2,3\n", ("up", "down"), ("c1", "c2")),
    ],
)
def test_tables_in_files(tmp_path: Path, table: str, rows: tuple[str, ...], columns: tuple[str, ...]) -> None:
    path = tmp_path / "table.csv"
    path.write_text(table, encoding="utf-8")
    game = ruse.games.matrix(file=str(path))
    path.unlink()  # the game is rebuilt without the file
    again = make("matrix", json.loads(json.dumps(game.parameters)))
    assert (game.rows, game.columns) == (rows, columns) == (again.moves(()), again.moves((rows[0],)))
    assert [game.payoff((row, column)) for row in rows for column in columns] == [3, 1, -2, 3]
    assert [again.payoff((row, column)) for row in rows for column in columns] == [3, 1, -2, 3]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (None, "cannot read the payoffs .*: no such file"),
        ("", "the payoffs .*table.csv are empty"),
        ("a,b\n1,2\n3,y\n", "a number of at most 300 digits such as .*, got 'y'"),
        ("1,2\n3\n", "2 payoffs in every row, got 1 in row 2"),
        (",a,a\nup,1,2\n", "expected different column names, got a, a"),
        (",a,b\nup/down,1,2\n", "a row name without / @ . or brackets, got 'up/down'"),
    ],
)
def test_bad_files(tmp_path: Path, table: str | None, message: str) -> None:
    path = tmp_path / "table.csv"
    if table is not None:
        path.write_text(table, encoding="utf-8")
    with pytest.raises(RuseError, match=message):
        ruse.games.matrix(file=str(path))


@pytest.mark.parametrize("given_", [{}, {"payoffs": "1", "file": "x.csv"}])
def test_a_matrix_comes_from_one_place(given_: dict[str, str]) -> None:
    with pytest.raises(GameError, match=r"expected either --payoffs or --file, got (neither|both)"):
        ruse.games.matrix(**given_)


def test_the_resistance_does_not_see_who_sabotaged() -> None:
    """Two spies aboard: who of them sabotaged is the spies' knowledge, how many is everybody's."""
    game = ruse.games.resistance(3, 2, [2, 1, 2, 2, 1], [2, 1, 1, 2, 1])

    def played(*cards: int) -> ResistancePlay:
        state = game.play(game.play(game.start(), (0, 1)), (0, 1))  # spies a and b, both aboard
        for card in cards:
            state = game.play(state, card)
        return state

    one, other, none = played(PASS, SABOTAGE), played(SABOTAGE, PASS), played(PASS, PASS)
    assert game.knows(one, 0) == game.knows(other, 0) != game.knows(none, 0)
    assert game.knows(one, 1) != game.knows(other, 1)
    assert one.score == (1, 0)  # this mission takes two sabotages
    assert played(SABOTAGE, SABOTAGE).score == (0, 1)


@given(st.permutations("abcdefghi"), st.integers(0, 9))
def test_tic_tac_toe_boards(cells: list[str], length: int) -> None:
    """A play is filed under a legal play with the same board, and so is every play with that board."""
    game = ruse.games.tic_tac_toe()
    state: tuple[str, ...] = ()
    for cell in cells[:length]:
        if game.turn(state) == END:
            break
        state = game.play(state, cell)
    filed, here = game.representative_position(game.title + game.format_position(state), 0)
    other = game.read(filed)  # refuses moves after the end
    assert game.board(other) == game.board(state)
    assert game.turn(other) == game.turn(state)
    assert game.representative_position(filed, 0)[0] == filed
    assert here("e") == "e"
    if game.turn(state) != END:
        assert list(other[::2]) == sorted(state[::2])


def test_tic_tac_toe_files_every_order_of_a_won_board_under_one() -> None:
    """X wins with its fourth cell; some orders of the same cells would have won before."""
    game = ruse.games.tic_tac_toe()
    orders = set()
    for first in permutations("aeif"):
        state = (first[0], "b", first[1], "c", first[2], "d", first[3])
        if game.turn(state[:5]) != END:
            orders.add(game.representative_position(game.title + game.format_position(state), 0)[0])
    assert orders == {"tic-tac-toe/a/b/e/c/f/d/i"}
