"""OpenSpiel's games of perfect information, solved by states: what counts as one state, and what proves the answer."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.core.certificate import DECLARED, RULES, STATES
from ruse.core.game import GameError
from ruse.formats import openspiel_open
from ruse.formats.openspiel import load
from ruse.formats.openspiel_open import TESTED, OpenSpielBoards
from ruse.solving.routes.states import BOARDS
from ruse.verify import verifier
from ruse.verify.tree import VerifyError

SMALL = [
    "breakthrough(rows=4,columns=2)",
    "clobber(rows=2,columns=3)",
    "clobber(rows=3,columns=3)",
    "connect_four(rows=2,columns=3,x_in_row=2)",
    "connect_four(rows=3,columns=3,x_in_row=3)",
    "dots_and_boxes(num_rows=1,num_cols=2)",
    "havannah(board_size=2)",
    "hex(board_size=2)",
    "hex(board_size=2,swap=True)",
    "hex(num_cols=3,num_rows=2)",
    "mnk(m=2,n=3,k=2)",
    "nim(pile_sizes=1;2;3)",
    "nim(is_misere=False,pile_sizes=2;3)",
    "y(board_size=3)",
]
LARGER = ["tic_tac_toe", "mnk(m=3,n=3,k=3)", "hex(board_size=3)", "y(board_size=4)"]  # up to some millions of plays


def disagreement(game: OpenSpielBoards, most: int = 5_000_000) -> str:
    """A board whose plays do not all go on alike, by a walk of the whole tree; nothing if there is none."""
    found: dict[str, Any] = {}
    stack = [(game.spiel.new_initial_state(), 0, 0)]
    visited = 0
    while stack:
        state, length, draws = stack.pop()
        visited += 1
        assert visited < most
        draws += state.is_chance_node()
        future: Any = tuple(state.returns()) if state.is_terminal() else ()
        if not state.is_terminal():
            numbers = state.legal_actions()
            children = [(state.child(number), length + 1, draws) for number in numbers]
            odds = tuple(state.chance_outcomes()) if state.is_chance_node() else ()
            texts = tuple(map(state.action_to_string, numbers))
            future = state.current_player(), tuple(numbers), texts, odds, tuple(game._text(*one) for one in children)
            stack += children
        board = game._text(state, length, draws - state.is_chance_node())
        if found.setdefault(board, future) != future:
            return board
    return ""


def boards_of(text: str) -> OpenSpielBoards:
    game = load(text)
    assert isinstance(game, OpenSpielBoards)
    return game


@pytest.mark.parametrize("text", SMALL)
def test_plays_that_come_to_one_board_go_on_alike(text: str) -> None:
    game = boards_of(text)
    assert game.boards_are_tested()
    assert disagreement(game) == ""


@pytest.mark.soak
@pytest.mark.parametrize("text", LARGER)
def test_so_they_do_in_larger_games(text: str) -> None:
    assert disagreement(boards_of(text)) == ""


def test_every_game_of_the_list_is_walked() -> None:
    assert {text.partition("(")[0] for text in (*SMALL, *LARGER)} == TESTED


def test_a_text_that_leaves_something_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of Pig says nothing about its horizon, which counting moves makes up for."""
    game = boards_of("pig(diceoutcomes=2,horizon=6,winscore=3)")
    assert not game.boards_are_tested() and disagreement(game) == ""
    game._tested = True
    assert disagreement(game) != ""


SOLVED: dict[str, Fraction] = {
    "tic_tac_toe": Fraction(0),
    "hex(board_size=3)": Fraction(1),  # strategy stealing
    "connect_four(columns=4,rows=3,x_in_row=3)": Fraction(1),
    "nim(pile_sizes=1;2;3)": Fraction(-1),  # Bouton 1901
    "pig(diceoutcomes=2,horizon=6,winscore=3)": Fraction(5, 32),
    "clobber(columns=3,rows=2)": Fraction(-1),
    "breakthrough(columns=2,rows=4)": Fraction(1),
}


@pytest.mark.cases(4)
@pytest.mark.parametrize("text", SOLVED)
def test_they_are_solved_by_states_and_proved_by_the_rules(text: str, tmp_path: Path) -> None:
    solution = ruse.solve(load(text))
    assert solution.solver == "backward-induction"
    assert solution.certificate.exact and solution.certificate.proof == RULES
    assert solution.value == SOLVED[text]
    again = ruse.load(solution.save(tmp_path / "open.ruse"))
    assert again.tables == solution.tables and again.verify() == solution.certificate


@pytest.mark.parametrize("text", ["clobber(columns=3,rows=2)", "pig(diceoutcomes=2,horizon=4,winscore=2)"])
def test_solvers_by_the_tree_still_take_them(text: str) -> None:
    game = load(text)
    by_states = ruse.solve(game)
    for solver in ("lp", "cfr+"):
        solution = ruse.solve(game, solver, **({} if solver == "lp" else {"gap": 1e-3}))
        assert solution.certificate.lower <= by_states.value <= solution.certificate.upper
        assert solution.verify() == solution.certificate


@pytest.mark.parametrize(
    ("text", "proof", "note", "headline"),
    [
        ("hex(board_size=2)", STATES, "", "exact"),
        ("pig(diceoutcomes=2,horizon=6,winscore=3)", DECLARED, BOARDS, "exact if the game's declarations are true"),
    ],
)
def test_larger_ones_are_checked_board_by_board(
    text: str, proof: str, note: str, headline: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(text)
    by_rules = ruse.solve(game)
    monkeypatch.setattr(verifier, "fits", lambda game: False)
    solution = ruse.solve(game)
    assert solution.tables == by_rules.tables and solution.certificate == by_rules.certificate
    assert solution.certificate.proof == proof and solution.verify().proof == proof
    assert solution.note == note
    assert f"; {headline}, by" in repr(solution)
    table = dict(solution.tables[0])
    position, _ = game.representative_position(game.title, 0)  # the start
    odds = table[position]
    worst = {move: Fraction(not share) / (len(odds) - 1) for move, share in odds.items()}
    for broken in ({**table, position: worst}, {**table, f"{game.title}@nowhere": odds}):
        with pytest.raises(VerifyError):
            replace(solution, tables=(broken, solution.tables[1])).verify()
    del table[position]
    with pytest.raises(VerifyError, match="expected odds at"):
        replace(solution, tables=(table, solution.tables[1])).verify()


def test_where_boards_mislead_the_tree_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    game = boards_of("pig(diceoutcomes=2,horizon=6,winscore=3)")
    game._tested = True  # the moves so far do not count
    solution = ruse.solve(game)
    assert solution.solver == "lp" and solution.value == Fraction(5, 32)
    with pytest.raises(GameError):
        ruse.solve(game, "backward-induction")


def test_positions_are_plays_or_boards() -> None:
    game = boards_of("tic_tac_toe")
    solution = ruse.solve(game)
    one, other = ("openspiel:tic_tac_toe" + text for text in ("/x(0,0)/o(1,1)/x(2,2)", "/x(2,2)/o(1,1)/x(0,0)"))
    board, _ = game.representative_position(one, 1)
    assert (
        board
        == game.representative_position(other, 1)[0]
        == game.representative_position(board, 1)[0]
        == "openspiel:tic_tac_toe@1+x..|.o.|..x"
    )
    odds = solution.strategy(1).at(one)
    assert odds == solution.strategy(1).at(other) == solution.strategy(1).at(board)
    assert odds["o(0,2)"] == odds["o(2,0)"] == 0  # which lose
    assert solution.tables[1][board] == odds
    found = game.search(board)
    assert found is not None and game.board(found) == "1 x..\n.o.\n..x"
    for nonsense in ("openspiel:tic_tac_toe/x(9,9)", "openspiel:tic_tac_toe@nowhere", "kuhn/J"):
        assert (game.search if "@" in nonsense else game.read)(nonsense) is None


def test_too_many_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_open, "MOST_BOARDS", 50)
    monkeypatch.setattr("ruse.core.size_estimate.fits", lambda game: False)
    with pytest.raises(GameError, match=r"too large for the solver backward-induction: it has more than 50 states"):
        ruse.solve(load("tic_tac_toe"), "backward-induction")
