"""Start a game at a position that one side knows, and draw what is hidden from it by its odds.

The odds are those on the position's page (ruse.present): chance and the other side's strategy, or the fewest possible
mistakes if that strategy never leads there. Without hidden information a position is a state, and play starts there.
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

PLY = -1  # the number of this draw in the random stream, before all plies of the game


def first_state(game: Game, opening: str | None) -> State:
    """The first state of a game that starts at a position, or at its usual start. Raises PositionError."""
    if opening is None or not isinstance(game, Open):
        return game.start()
    key: Any = game  # a protocol does not say that it can be hashed
    return _finder(key).find(opening)


@lru_cache(maxsize=4)
def _finder(game: Any) -> Finder:
    """A finder per game, cached because some finders list all states first."""
    from ruse.present.finding import Finder

    return Finder(game)


def line_to(solution: Solution, side: int, position: str, seed: int, views: Viewer | None) -> Sequence[str]:
    """The moves, chance's included, from the start to a state where `side` knows the position. Raises PositionError."""
    if isinstance(solution.game, Open):
        return ()
    if views is None:
        from ruse.present.viewer import viewer

        views = viewer(solution)
    return views.way(position, side, partial(drawn, seed=seed, ply=PLY))
