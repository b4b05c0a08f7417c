"""4-in-a-row: the rules on bits, alpha-beta against backward induction and published values, proofs that verify."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ruse
from golden import GOLDEN
from ruse.core.game import END, GameError, PositionError
from ruse.core.walk import check, count
from ruse.forms.certificate import Certificate
from ruse.games import four_in_a_row
from ruse.games.four_in_a_row import solve as solve_module
from ruse.games.four_in_a_row.rules import FourInARow, Stones
from ruse.games.four_in_a_row.solve import AlphaBeta
from ruse.games.phantom.rules import straight_lines
from ruse.solvers.backward_induction import backward_induction
from ruse.verify import VerifyError


def value_of(game: FourInARow, state: Stones) -> int:
    """What the side to move gets, by alpha-beta."""
    search = AlphaBeta(game)
    mine, theirs = state if game.turn(state) == 0 else (state.second, state.first)
    wins, draws = (search.at_least(target, mine, theirs, 10**8) for target in (1, 0))
    assert wins is not None and draws is not None and draws >= wins
    return wins + draws - 1


@given(st.integers(1, 6), st.integers(1, 7), st.integers(2, 5), st.integers(0, 10**6))
def test_lines_on_bits_are_straight_lines(rows: int, columns: int, line: int, seed: int) -> None:
    """A random play ends when, and only when, some line has stones of one side alone, or the board is full."""
    if line > max(rows, columns):
        return
    game, random = four_in_a_row(rows, columns, line), Random(seed)
    state, board = game.start(), {}
    while True:
        lined = [{board.get(cell) for cell in cells} for cells in straight_lines(rows, columns, line)]
        won = [side for side in (0, 1) if {side} in lined]
        ended = bool(won) or len(board) == rows * columns
        assert (game.turn(state) == END) == ended
        if ended:
            assert game.payoff(state) == (0 if not won else 1 - 2 * won[0])
            return
        assert game.read(game.title + game.format_position(state)) == state
        move = random.choice(list(game.moves(state)))
        height = sum(column == move for _, column in board)
        board[height, move] = game.turn(state)
        state = game.play(state, move)


def test_positions_name_boards() -> None:
    game = four_in_a_row()
    state = game.start()
    for move in (3, 3, 4):
        state = game.play(state, move)
    assert game.title + game.format_position(state) == "4-in-a-row@-,-,-,xo,x,-,-"
    assert ruse.games.game_of("4-in-a-row@-,-,-,xo,x,-,-").title == "4-in-a-row"
    for wrong in ("-,-,-,x", "x,x,-,-,-,-,-", "xoxoxox,-,-,-,-,-,-", "z,-,-,-,-,-,-", "xxxx,ooo,-,-,-,-,-", ""):
        with pytest.raises(PositionError, match="expected a board such as 4-in-a-row@-,-"):
            game.read(f"4-in-a-row@{wrong}")


@pytest.mark.soak
@pytest.mark.slow
def test_positions_of_a_small_board() -> None:
    """John Tromp, "John's Connect Four Playground": 161,029 positions on a board of 4 × 4."""
    assert count(four_in_a_row(4, 4)).states == 161_029


@pytest.mark.parametrize(
    ("rows", "columns", "value"),
    [(*board, int(value)) for value, boards in GOLDEN["four"][0]["values"].items() for board in boards],
)
def test_published_values(rows: int, columns: int, value: int) -> None:
    game = four_in_a_row(rows, columns)
    assert value_of(game, game.start()) == value


@given(st.sampled_from([(3, 3, 3), (2, 4, 3), (4, 3, 3), (2, 5, 2), (3, 4, 3), (2, 4, 4)]), st.integers(0, 10**6))
def test_alpha_beta_against_backward_induction(sizes: tuple[int, int, int], seed: int) -> None:
    """From positions of a random play."""
    game, random = four_in_a_row(*sizes), Random(seed)
    state = game.start()
    for _ in range(random.randrange(2, 6)):
        if game.turn(state) == END:
            return
        before, state = state, game.play(state, random.choice(list(game.moves(state))))
    state = before if game.turn(state) == END else state
    game.start = lambda: state  # type: ignore[method-assign]
    expected = backward_induction(game).value
    assert value_of(game, state) == expected * (1 - 2 * game.turn(state))


@pytest.mark.parametrize(("rows", "columns", "line", "value"), [(4, 4, 4, 0), (3, 3, 3, 0), (2, 4, 2, 1), (4, 3, 4, 0)])
def test_proofs_verify(rows: int, columns: int, line: int, value: int) -> None:
    solution = ruse.solve(four_in_a_row(rows, columns, line))
    assert solution.solver == "alpha-beta" and solution.judged
    assert solution.verify() == solution.certificate == Certificate(Fraction(value), Fraction(value))
    assert sum(solution.win.values()) == 1
    if rows * columns <= 12:
        assert ruse.solve(solution.game, "backward-induction").value == value


def test_proofs_that_are_none() -> None:
    solution = ruse.solve(four_in_a_row(3, 3, 3))
    first, second = solution.tables
    title = solution.game.title
    missing = dict(list(first.items())[:-1])
    with pytest.raises(VerifyError, match="expected odds at"):
        replace(solution, tables=(missing, second)).verify()
    with pytest.raises(VerifyError, match="where Player 1 moves"):
        replace(solution, tables=({**first, f"{title}@x,-,-": {"a": Fraction(1)}}, second)).verify()
    with pytest.raises(VerifyError, match="expected a board such as"):
        replace(solution, tables=({**first, f"{title}@x,-": {"a": Fraction(1)}}, second)).verify()
    with pytest.raises(VerifyError, match="expected one of the moves a, b, c"):
        replace(solution, tables=({**first, f"{title}@-,-,-": {"d": Fraction(1)}}, second)).verify()


def test_what_cannot_be_proved_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_module, "MOST_WRITTEN", 50)
    solution = ruse.solve(four_in_a_row(4, 4))
    assert solution.certificate == Certificate(Fraction(-1), Fraction(1))
    assert not solution.judged and not solution.win and solution.note.startswith("alpha-beta finds that it is a draw")
    assert solution.note.endswith("b is a best first move")
    monkeypatch.setattr(solve_module, "BUDGET", 1000)
    monkeypatch.setattr("ruse.kernels._compiling_takes", lambda _: 0.0)  # of sweeps that other tests have imported
    monkeypatch.setattr("ruse.core.clock.perf_counter", lambda: 0.0)  # nobody but alpha-beta is late
    solution = ruse.solve(four_in_a_row(), time=1e-3)
    assert not solution.judged and "ran out of time" in solution.note


def test_every_position_of_a_large_board_is_too_many() -> None:
    with pytest.raises(GameError, match="expected a board of at most 16 cells for the solver backward-induction"):
        ruse.solve(four_in_a_row(), "backward-induction")
    with pytest.raises(GameError, match="columns × \\(rows \\+ 1\\) of at most 62, got 10 and 10"):
        four_in_a_row(10, 10)
    with pytest.raises(GameError, match="expected a line of 2 to 7 stones, got 8"):
        four_in_a_row(line=8)
    check(four_in_a_row(), 500)
