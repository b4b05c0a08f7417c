"""A game from the middle: a way to a position that one side knows, with what is hidden from it drawn by its odds.

The odds are those of the position's page (ruse.present): chance and the other side's strategy on the way, and where
that never leads there, as few slips as it takes. In a game without secrets a position is a state; play begins there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from ruse.core.capabilities import Open
from ruse.core.game import Game, State
from ruse.play.rival import drawn
from ruse.present.model import Viewer
from ruse.solution.strategy import Solution

if TYPE_CHECKING:  # numpy and more, which a game from the start does not need
    from ruse.present.finding import Finder

PLY = -1  # of the draw: before all plies of the game


def first_state(game: Game, opening: str | None) -> State:
    """Where a game begins that was opened at a position, or at the start. Raises PositionError."""
    if opening is None or not isinstance(game, Open):
        return game.start()
    key: Any = game  # a protocol does not say that it can be hashed
    return _finder(key).find(opening)


@lru_cache(maxsize=4)
def _finder(game: Any) -> Finder:
    """One for each solution in memory, since some list all states first."""
    from ruse.present.finding import Finder

    return Finder(game)


def line_to(solution: Solution, side: int, position: str, seed: int, views: Viewer | None) -> Sequence[str]:
    """Moves from the start, chance's included, to a state where `side` knows that. Raises PositionError."""
    if isinstance(solution.game, Open):
        return ()
    if views is None:
        from ruse.present.viewer import viewer

        views = viewer(solution)
    return views.way(position, side, partial(drawn, seed=seed, ply=PLY))
