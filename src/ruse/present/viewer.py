"""Views of positions in solved games: `viewer(solution).at(position)`."""

from __future__ import annotations

from ruse.core.capabilities import Open
from ruse.core.game import Game, GameError
from ruse.core.registry import presentation
from ruse.present.model import Viewer
from ruse.present.nodes import refusal
from ruse.solution.strategy import Solution


def viewer(solution: Solution) -> Viewer:
    """Return views of a solution: the game's own, or general ones. Raises GameError if the game is too large."""
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
    """Explain why a game is too large to view; empty if it is not."""
    if isinstance(game, Open) or not presentation(game).views_list_states:
        return ""  # these views do not hold every state
    error = refusal(game)
    return "" if error is None else str(error)
