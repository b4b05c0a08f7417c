"""Positions of solved games as people look at them: `viewer(solution).at(position)`."""

from __future__ import annotations

from ruse.core.capabilities import Open
from ruse.core.game import Game, GameError
from ruse.core.registry import presentation
from ruse.present.model import Viewer
from ruse.present.nodes import refusal
from ruse.solution.strategy import Solution


def viewer(solution: Solution) -> Viewer:
    """Views of a solution: its game's own, or by the kind of it. Raises GameError for one that is too large to view."""
    game = solution.game
    if not solution.written:
        raise GameError(f"the solution of {game.title} has no strategies to show")
    if (own := presentation(game).viewer(solution)) is not None:
        return own
    if isinstance(game, Open):
        from ruse.present.states import StateViewer

        return StateViewer(solution)
    from ruse.present.tree import TreeViewer

    return TreeViewer(solution)


def too_large(game: Game) -> str:
    """Why the positions of a game cannot be looked at one by one, in a sentence; nothing where they can."""
    if isinstance(game, Open) or not presentation(game).views_list_states:
        return ""  # whose views need not hold every state
    error = refusal(game)
    return "" if error is None else str(error)
