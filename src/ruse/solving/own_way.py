"""Games that bring their own way of being solved, as their part `solve`."""

from __future__ import annotations

from typing import Protocol

from ruse.core.contract import built_in
from ruse.core.entry_points import theirs
from ruse.core.game import Game
from ruse.core.registry import part
from ruse.core.types import Report
from ruse.solvers import AUTO
from ruse.solving.certify import by_verifier
from ruse.solving.found import Found
from ruse.solving.options import Asked


class OwnWay(Protocol):
    """A module, or anything else that has these."""

    SOLVER: str  # the name of this way; where a solver of ruse has it, asking for that leads here

    def refusal(self, asked: Asked) -> str:
        """Why what is asked for cannot be had this way, in a sentence; nothing where it can."""

    def solve(self, game: Game, solver: str, asked: Asked, report: Report) -> Found:
        """Go it. `solver` is its name, or auto; `why` of what was found says why it was chosen."""


def go(own: OwnWay, game: Game, solver: str, asked: Asked, report: Report) -> Found:
    """What a game's own way finds; that of somebody else's game is anybody's code, and is not believed."""
    if built_in(game):
        return by_verifier(game, own.solve(game, solver, asked, report), report)
    with theirs(game.name, f"be solved by {own.SOLVER}"):
        found = own.solve(game, solver, asked, report)
    return by_verifier(game, found, report)


def own_way(game: Game, solver: str) -> OwnWay | None:
    """The way that a game brings, if a solver leads to it."""
    found: OwnWay | None = part(game, "solve")
    return found if found is not None and solver in (AUTO, found.SOLVER) else None
