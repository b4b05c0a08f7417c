"""What to do in a game with hidden roles where a stored strategy says nothing: what the page of the position shows.

Spies who have nothing to decide do the one thing left; a side that never comes to a position by itself plays a best
response from there on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ruse.core.game import PositionError, moving
from ruse.core.types import Odds, Tables
from ruse.games.hidden_roles.options import Options, turn_at
from ruse.games.hidden_roles.places import read
from ruse.games.hidden_roles.rules import SPIES, HiddenRoles
from ruse.games.hidden_roles.worth import Worth

ADVICE = "The strategy never reaches this position; this is a best response from here on."
SPIES_ADVICE = (
    "There is nothing to decide here, or the strategy never reaches this position and this is a best response."
)


def adviser(game: HiddenRoles, side: int, tables: Tables) -> Callable[[str], Odds]:
    """Sensible odds at any filed position where a side moves, given both strategies."""

    @cache
    def worth() -> Worth:
        return Worth(game, tables)

    def advise(position: str) -> Odds:
        _, known = read(game, position, side)
        if known.said is None or turn_at(game, known) != side:
            raise PositionError(
                f"expected a position of {game.title} where {moving(game.sides[side])}, got {position!r}"
            )
        ways = [way for way in worth().ways(side, known) if way.weight]
        options, _ = Options(game, worth()).at(side, known, side, ways)
        return {option.move: option.odds for option in options if option.odds}

    return advise


def reason(side: int) -> str:
    """Why a strategy of a side can leave a position out."""
    return SPIES_ADVICE if side == SPIES else ADVICE
