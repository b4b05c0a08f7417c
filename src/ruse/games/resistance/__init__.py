"""The Resistance: rules seat by seat, notation, sizes, the lazy LP, and strategies in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from ruse.core.game import Game
from ruse.core.parameters import game_factory
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.table import Table, make_table

__all__ = ["Resistance", "resistance"]


@game_factory
def resistance(
    players: Annotated[int, "seats at the table"] = 5,
    spies: Annotated[int | None, "how many of them are spies"] = None,
    missions: Annotated[Sequence[int] | None, "seats sent on each mission, usually five"] = None,
    sabotages: Annotated[Sequence[int] | None, "sabotages that fail each mission"] = None,
    points: Annotated[int | None, "passed missions that win, if not more than half"] = None,
    stranger: Annotated[bool, "whether one spy and the others do not know each other; it always sabotages"] = False,
) -> Game:
    """The Resistance: hidden spies sabotage missions; three points win. Official tables for 5-10 players."""
    table = make_table(players, spies, missions, sabotages, points)
    return Resistance(table) if table.is_usual and not stranger else _variant(table, stranger)


def _variant(table: Table, stranger: bool) -> Game:
    """A table that the methods for three of five missions do not know: hidden roles, and no talk and nobody to hunt."""
    from ruse.games.hidden_roles.game import HiddenRolesVariant
    from ruse.games.hidden_roles.roles import Cast, Role
    from ruse.games.hidden_roles.rules import NONE

    roles = [Role("stranger", evil=True, alone=True)] * stranger
    inside = table.title.partition("(")[2].rstrip(")") or f"players={table.players}"
    title = f"resistance({inside},stranger=yes)" if stranger else table.title
    parameters = {**table.parameters, **({"stranger": True} if stranger else {})}
    game = HiddenRolesVariant(
        "resistance", table, Cast(table.players, table.spies, roles), NONE, title=title, parameters=parameters
    )
    game.sides = game.wins = Resistance.sides
    return game
