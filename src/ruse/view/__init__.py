"""Positions of solved games as people look at them: `viewer(solution).at(position)`."""

from __future__ import annotations

from ruse.core.capabilities import Open
from ruse.core.game import Game, GameError
from ruse.games.phantom.rules import Unseen
from ruse.games.resistance import Resistance
from ruse.solution.strategy import Solution
from ruse.view.model import Viewer
from ruse.view.nodes import refusal


def viewer(solution: Solution) -> Viewer:
    """Views of a solution, by the kind of its game. Raises GameError for a game that is too large to look at."""
    game = solution.game
    if not solution.written:
        raise GameError(f"expected a solution with strategies to look at, got none for {game.title}")
    if isinstance(game, Resistance) and solution.by_class:
        from ruse.games.resistance.view import ResistanceViewer

        return ResistanceViewer(solution)
    if isinstance(game, Unseen):
        from ruse.games.phantom.view import UnseenViewer

        return UnseenViewer(solution)
    if isinstance(game, Open):
        from ruse.view.states import StateViewer

        return StateViewer(solution)
    from ruse.view.tree import TreeViewer

    return TreeViewer(solution)


def too_large(game: Game) -> str:
    """Why the positions of a game cannot be looked at one by one, in a sentence; nothing where they can."""
    if isinstance(game, Resistance | Unseen | Open):
        return ""  # whose views need not hold every state
    error = refusal(game)
    return "" if error is None else str(error)
