"""The Resistance: rules seat by seat, notation, sizes, the lazy LP, and strategies in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from ruse.core.parameters import game_factory
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.table import make_table

__all__ = ["Resistance", "resistance"]


@game_factory
def resistance(
    players: Annotated[int, "seats at the table"] = 5,
    spies: Annotated[int | None, "how many of them are spies"] = None,
    missions: Annotated[Sequence[int] | None, "seats sent on each of the five missions"] = None,
    sabotages: Annotated[Sequence[int] | None, "sabotages that fail each mission"] = None,
) -> Resistance:
    """The Resistance: hidden spies sabotage missions; three points win. Official tables for 5-10 players."""
    return Resistance(make_table(players, spies, missions, sabotages))
