"""Views of games without secrets, state by state, and of games whose moves nobody sees."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import ruse
from ruse.core.game import END, PositionError, describe
from ruse.games import make
from ruse.present.states import StateViewer
from ruse.present.viewer import viewer
from viewing import check_view, viewed

F = Fraction
BY_STATE: list[tuple[str, dict[str, object]]] = [
    ("guess-who", {"mine": 6, "theirs": 5}),
    ("nim", {"heaps": "1,2,3"}),
    ("pig", {"goal": 10}),
    ("tic-tac-toe", {}),
    ("4-in-a-row", {"rows": 3, "columns": 3, "line": 3}),
]


@pytest.mark.cases(3)
@pytest.mark.parametrize(("name", "parameters"), BY_STATE)
def test_random_walks_through_open_games(name: str, parameters: dict[str, object]) -> None:
    views = viewed(name, *parameters.items())
    start = views.at(views.start(0))
    bounds = views.solution.certificate
    assert bounds.lower - F(1, 10**8) <= start.value <= bounds.upper + F(1, 10**8) and start.reached
    random = Random(0)
    for _ in range(30):
        view = start
        for _ in range(40):
            check_view(views, view)
            check_view(views, views.at(view.position, 1 - view.side))
            anew = views.resolve(view.position)
            check_view(views, replace(anew, assumption=view.assumption))
            if not view.options:
                break
            after = random.choice(view.options).after
            assert after is not None
            view = views.at(after)


def test_open_games_have_best_moves_without_loss() -> None:
    """Stored strategies of backward induction are best everywhere, so what they play loses nothing."""
    for name, *parameters in (("guess-who", ("mine", 6), ("theirs", 5)), ("nim", ("heaps", "1,2,3"))):
        views = viewed(name, *parameters)  # type: ignore[arg-type]
        assert isinstance(views, StateViewer)
        for position in (*views.solution.tables[0], *views.solution.tables[1]):
            view = views.at(position)
            assert all(option.loss == 0 for option in view.options if option.odds), position
            assert views.resolve(position).value == view.value


def test_reach_is_how_often_play_comes() -> None:
    """What both strategies lead to from a start where ways part and meet again: ends sum up to the value."""
    views = viewer(ruse.solve(make("guess-who", {"mine": 12, "theirs": 12})))
    game, stack, seen = views.solution.game, [views.solution.game.start()], set()
    total = value = F(0)
    while stack:
        state = stack.pop()
        view = views.at(describe(game, state))
        if state in seen or not view.reached:
            continue
        seen.add(state)
        assert view.reach is not None
        if view.turn == END:
            total, value = total + view.reach, value + view.reach * view.value
            continue
        stack += [game.play(state, move) for move in game.moves(state)]
    assert total == 1 and value == views.solution.value


def test_guess_who_by_hand() -> None:
    """With 2 against 2, first asks about one, and whatever the answer is, it knows."""
    views = viewer(ruse.solve(make("guess-who", {"mine": 2, "theirs": 2})))
    view = views.at("guess-who(mine=2,theirs=2)@first/2,2")
    assert view.value == 1  # either answer leaves one character
    assert view.table[0] == ["", "1", "2"] and view.table[2] == ["2", "0.0", "100.0"]


def test_grids() -> None:
    pig = viewed("pig", ("goal", 10)).at("pig(goal=10)@second/3,4,0")
    assert pig.table[0] == ["", *map(str, range(10))] and len(pig.table) == 11 and not pig.exact and pig.reach is None
    board = viewed("tic-tac-toe").at("tic-tac-toe/e/a").table
    assert [row[1:] for row in board[1:]] == [["O", "b", "c"], ["d", "X", "f"], ["g", "h", "i"]]
    four = viewed("4-in-a-row", ("rows", 3), ("columns", 3), ("line", 3)).at(
        "4-in-a-row(rows=3,columns=3,line=3)@xo,-,x"
    )
    assert four.table == [["", "a", "b", "c"], ["3", "", "", ""], ["2", "o", "", ""], ["1", "x", "", "x"]]


def test_where_a_strategy_says_nothing_both_play_best() -> None:
    """The tables of 4-in-a-row have the positions that each side's own moves lead to."""
    views = viewed("4-in-a-row", ("rows", 3), ("columns", 3), ("line", 3))
    assert isinstance(views, StateViewer)
    odd = "4-in-a-row(rows=3,columns=3,line=3)@xo,ox,x"
    view = views.at(odd)
    assert view.turn == 1 and sum(option.odds for option in view.options) == 1
    assert all(option.loss == 0 for option in view.options if option.odds)


# Unseen games


def test_unseen_games() -> None:
    views = viewed("phantom-tic-tac-toe", ("board", "2x2"), ("line", 2))
    title = views.start(0)
    for position, side in ((title, 0), (title, 1), (f"{title}/?", 1), (f"{title}/abcd", 0), (f"{title}/abcd/badc", 1)):
        view = views.at(position, side)
        check_view(views, view)
    assert views.at(title).value == views.solution.value == 1  # any two cells of 2x2 are a line
    assert views.at(f"{title}/abcd/badc").value == 1
    for wrong in (f"{title}/abca", f"{title}/abcd/?", f"{title}/abcd/badc/x", "phantom"):
        with pytest.raises(PositionError, match="expected"):
            views.at(wrong)


def test_unseen_lists_are_worth_the_same() -> None:
    views = viewed("phantom-tic-tac-toe", ("board", "2x3"))
    for side, position in enumerate((views.start(0), f"{views.start(0)}/?")):
        view = views.at(position, side)
        assert all(option.loss == 0 for option in view.options) and view.value == views.solution.value
