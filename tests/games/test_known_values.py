"""What the library says of a game before it is solved is what solving it proves."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruse import games
from ruse.core.capabilities import Ranged
from ruse.core.registry import call_optional
from ruse.explorer import wording
from ruse.games.resistance.table import OFFICIAL, RESISTANCE_WINS
from ruse.solving.pipeline import solve


@pytest.mark.parametrize("players", OFFICIAL)
def test_the_official_tables_are_worth_what_is_said_at_once(players: int) -> None:
    game = games.resistance(players)
    assert isinstance(game, Ranged)
    certificate = solve(game).certificate
    assert certificate.exact and certificate.lower == game.known_value() == 2 * RESISTANCE_WINS[players] - 1


def test_other_tables_are_not_known() -> None:
    assert games.resistance(7, spies=2).known_value() is None
    assert call_optional(Ranged.known_value, games.kuhn()) is None


def test_what_is_known_is_said_with_how_sure_it_is() -> None:
    assert (
        wording.known_value(games.resistance(5))
        == f"Spies win {wording.percent(Fraction(7, 10))} (7/10, proved when opened)"
    )
    assert wording.known_value(games.kuhn()) == ""
