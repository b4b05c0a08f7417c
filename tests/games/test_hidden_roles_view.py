"""Pages of games with hidden roles: by class at large tables, seat by seat at small ones, and both say the same."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import ruse
from ruse.core.registry import presentation
from ruse.games import make
from ruse.games.hidden_roles.solve import seated
from ruse.games.hidden_roles.view import HiddenRolesViewer, SeatedViewer, alike
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution

THREE: dict[str, Any] = {"players": 3, "spies": 1, "missions": [1, 2, 3, 3, 3]}
SMALL: list[dict[str, Any]] = [
    THREE,
    {**THREE, "talk": "none"},
    {**THREE, "missions": [1, 3, 3, 3, 3], "talk": "round", "truth": "1/3"},
    {**THREE, "missions": [1, 3, 3, 3, 3], "roles": "merlin,assassin,percival"},
    {**THREE, "spies": 2, "missions": [3] * 5, "sabotages": [2] * 5, "roles": "merlin,assassin,mordred"},
    {**THREE, "spies": 2, "missions": [1, 3, 3, 3, 3], "sabotages": [1, 2, 1, 2, 1], "roles": "merlin,assassin,oberon"},
    {**THREE, "players": 4, "spies": 2, "missions": [2, 1, 2, 4, 4], "roles": "merlin,assassin,oberon", "talk": "none"},
]


def title(parameters: dict[str, Any]) -> str:
    return make("avalon", parameters).title


@cache
def solved(name: str) -> Solution:
    """By class, which tables as small as these are not stored by."""
    game = next(make("avalon", one) for one in SMALL if title(one) == name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ruse.games.hidden_roles.solve.seated", lambda _, filed: filed)
        return ruse.solve(game)


def seat_by_seat(solution: Solution) -> Solution:
    return replace(solution, tables=seated(solution.game, solution.tables))  # type: ignore[arg-type]


@pytest.mark.cases(2)
@pytest.mark.slow
@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_views_by_class_say_what_views_of_every_state_say(parameters: dict[str, Any]) -> None:
    solution = solved(title(parameters))
    by_class, by_state = viewer(solution), viewer(seat_by_seat(solution))
    assert isinstance(by_class, HiddenRolesViewer) and isinstance(by_state, SeatedViewer)
    looked = 0
    for side in (0, 1):
        for position in list(by_state.nodes.members[side])[:: max(1, len(by_state.nodes.members[side]) // 60)]:
            there = by_state.at(position, side)
            if not there.reached or position == solution.game.title:
                continue
            here = by_class.at(position, side)
            assert (here.value, here.turn, here.seats) == (there.value, there.turn, there.seats), position
            if there.turn == side:
                for option in there.options:
                    ours = next(
                        one for one in here.options if option.move in alike_of(by_class, position, side, one.move)
                    )
                    if there.value == option.value or option.odds:
                        assert ours.value == option.value, (position, option.move)
                shares = {option.move: option.odds for option in there.options}
                for one in here.options:
                    assert one.odds == sum(shares[move] for move in alike_of(by_class, position, side, one.move))
                shown = {move: odds for move, odds in solution.strategy(side).at(position).items() if odds}
                assert shown == {one.move: one.odds for one in here.options if one.odds}, position
                if not position.endswith("?"):  # cards need no word
                    glosses = {one.move: one.gloss for one in here.options}
                    assert all(
                        presentation(solution.game).explain_move(position, move) == glosses[move] for move in shown
                    ), position
            looked += 1
    assert looked > 2


def alike_of(views: HiddenRolesViewer, position: str, side: int, move: str) -> list[str]:
    from ruse.games.hidden_roles.notation import read

    return alike(views.evaluator, side, read(views.game, position, side)[1], move)


def test_a_mission_that_ends_at_once_may_end_in_two_ways() -> None:
    """With Oberon alone aboard it fails, without any spy it passes, and nobody else has a card to choose."""
    solution = ruse.solve(ruse.games.avalon(talk="none", roles=["merlin", "assassin", "oberon"]))
    view = viewer(solution).at(f"{solution.game.title}/ab-/abc+", 0)
    assert view.value == max(option.value for option in view.options if option.value is not None)
