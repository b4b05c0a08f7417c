"""Games that bring their own way of being solved, as their part `solve`."""

from __future__ import annotations

from typing import Protocol

from ruse.core.game import Game
from ruse.core.registry import part
from ruse.core.types import Report
from ruse.solvers import AUTO
from ruse.solving.found import Found
from ruse.solving.options import Asked


class OwnWay(Protocol):
    """A module, or anything else that has these. What games bring that are not ruse's own is certified again."""

    SOLVER: str  # the name of this way, by which it can be asked for

    def refusal(self, asked: Asked) -> str:
        """Why what is asked for cannot be had this way, in a sentence; nothing where it can."""

    def solve(self, game: Game, solver: str, asked: Asked, report: Report) -> Found:
        """Go it. `solver` is its name, or auto; `why` of what was found says why it was chosen."""


def own_way(game: Game, solver: str) -> OwnWay | None:
    """The way that a game brings, if a solver leads to it."""
    found: OwnWay | None = part(game, "solve")
    return found if found is not None and solver in (AUTO, found.SOLVER) else None
