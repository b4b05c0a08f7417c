"""Tables with other missions, points to win, or a spy who knows nobody, against the plain rules seat by seat."""

from __future__ import annotations

import pytest

import ruse
from ruse.core.game import GameError
from ruse.forms.sequence_form import plain_form
from ruse.games import avalon, game_of, resistance
from ruse.games.hidden_roles.rules import HiddenRoles
from ruse.games.resistance.rules import ResistanceRules
from ruse.games.resistance.table import make_table
from ruse.solvers.lp import lp

TABLES = [
    {"players": 4, "spies": 1, "missions": [2, 2, 2]},
    {"players": 4, "spies": 2, "missions": [2, 3, 2], "points": 1},
    {"players": 4, "spies": 2, "missions": [2, 1], "points": 1},
    {"players": 3, "spies": 1, "missions": [1, 2, 1, 2, 2], "points": 2},
    {"players": 3, "spies": 1, "missions": [1, 2, 2, 1], "points": 3},
    {"players": 3, "spies": 1, "missions": [2, 1, 1, 1, 2], "points": 4},
]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_table_is_worth_what_its_plain_rules_say(table: dict[str, object]) -> None:
    game = resistance(**table)  # type: ignore[arg-type]
    plain = lp(plain_form(ResistanceRules(make_table(**table)))).certificate  # type: ignore[arg-type]
    solution = ruse.solve(game)
    assert solution.certificate.exact and solution.value == plain.lower == plain.upper
    assert solution.certificate.proof == "game-verifier"
    assert game_of(game.title).parameters == game.parameters
    assert game.sides == ("resistance", "spies")


@pytest.mark.parametrize(
    "game",
    [
        resistance(4, 2, [2, 2, 1], stranger=True),
        avalon(4, 1, [2, 2, 1], talk="none"),
        avalon(4, 1, [1, 2, 1], talk="none", points=3),
        avalon(4, 1, [2, 2], roles=["merlin", "assassin"], points=1),
    ],
    ids=lambda game: game.title,
)
def test_roles_and_strangers_at_such_a_table(game: HiddenRoles) -> None:
    plain = HiddenRoles(game.name, game.table, game.cast, game.talk, game.truth)
    value = lp(plain_form(plain)).certificate.lower
    solution = ruse.solve(game)
    assert solution.certificate.exact and solution.value == value


def test_official_tables_stay_what_they_are() -> None:
    assert resistance(5, missions=[2, 3, 2, 3, 3], points=3).title == "resistance-5"
    assert resistance(7, points=3).parameters == resistance(7).parameters
    assert resistance(5, points=4).title == "resistance(players=5,points=4)"
    assert resistance(5, missions=[2, 3, 2]).title == "resistance(players=5,missions=2-3-2)"
    assert resistance(5, stranger=True).title == "resistance(players=5,stranger=yes)"
    assert avalon(5, points=3).title == "avalon-5"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"points": 6}, "expected 1 to 5 points to win in 5 missions, got 6"),
        ({"missions": [2] * 10}, "expected 1 to 9 mission sizes, got 10"),
        ({"missions": [2, 2, 2], "sabotages": [1]}, "expected 3 sabotage counts, one for each mission, got 1"),
        ({"spies": 1, "stranger": True}, "one spy at most who plays alone, and others beside"),
    ],
)
def test_nonsense_is_refused(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        resistance(5, **given)  # type: ignore[arg-type]
