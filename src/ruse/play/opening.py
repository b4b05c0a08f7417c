"""A game from the middle: a way to a position that one side knows, with what is hidden from it drawn by its odds.

The odds are those of the position's page (ruse.view): chance and the other side's strategy on the way, and where that
never leads there, as few slips as it takes. In a game without secrets a position is a state, and play begins there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ruse.core.capabilities import Open
from ruse.core.game import END, Game, Move, State
from ruse.core.plain_games.at_once import HIDDEN
from ruse.forms.reductions import Teams
from ruse.games.resistance.places import Place
from ruse.games.resistance.rules import SPIES
from ruse.play.rival import drawn
from ruse.solution.strategy import Solution
from ruse.view.model import Viewer
from ruse.view.nodes import told

if TYPE_CHECKING:  # numpy and more, which a game from the start does not need
    from ruse.games.resistance.view import ResistanceViewer
    from ruse.view.finding import Finder
    from ruse.view.tree import TreeViewer

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
    from ruse.view.finding import Finder

    return Finder(game)


def line_to(solution: Solution, side: int, position: str, seed: int, views: Viewer | None) -> Sequence[str]:
    """Moves from the start, chance's included, to a state where `side` knows that. Raises PositionError."""
    if isinstance(solution.game, Open):
        return ()
    if views is None:
        from ruse.view import viewer

        views = viewer(solution)
    from ruse.games.resistance.view import ResistanceViewer
    from ruse.view.tree import TreeViewer

    if isinstance(views, TreeViewer):
        return _walked(views, side, position, seed)
    if isinstance(views, ResistanceViewer):
        return _sent(views, side, position, seed)
    lists = views.at(position, side).position.removeprefix(solution.game.title).split("/")[1:]
    return [one for one in lists if one != HIDDEN]  # a list that is hidden has yet to be drawn


def _walked(views: TreeViewer, side: int, position: str, seed: int) -> list[str]:
    """The way to one of the states that have this knowledge, among those where play goes on if there are any."""
    nodes = views.nodes
    known = nodes.members[views.side(position, side)][position]
    states = [at for at in known if nodes.turn[at] != END] or known
    shares = [told(share) for share in views.beliefs(states, side)]
    at = drawn({state: share / sum(shares) for state, share in zip(states, shares, strict=True)}, seed, PLY)
    moves = []
    while at:
        moves.append(nodes.step[at])
        at = nodes.parent[at]
    return moves[::-1]


def _sent(views: ResistanceViewer, side: int, position: str, seed: int) -> list[str]:
    """The missions of a position, with spies who can have caused these results."""
    place = Place.at(views.table, position, side)
    spies = place.read.spies
    if spies is None:
        suspects = views.worth.suspects(place.cells)
        sets = combinations(range(views.table.players), views.table.spies)
        spies = drawn({seats: suspects.odds(place.counts(seats)) for seats in sets}, seed, PLY)
    game, state, moves = Teams(views.game), views.game.start(), list[str]()

    def make(move: Move) -> None:
        nonlocal state
        moves.append(game.label(move))
        state = game.play(state, move)

    make(spies)
    for mission, passed in place.read.done:
        make(mission)
        if game.turn(state) == SPIES:
            make("pass" if passed else "sabotage")
    if place.read.out is not None:
        make(place.read.out)
    return moves
