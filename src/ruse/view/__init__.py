"""Positions of solved games as people look at them: `viewer(solution).at(position)`."""

from __future__ import annotations

from ruse.core.capabilities import Open
from ruse.core.game import GameError
from ruse.core.registry import part
from ruse.solution.strategy import Solution
from ruse.view.model import Viewer


def viewer(solution: Solution) -> Viewer:
    """Views of a solution: its game's own, or by the kind of it. Raises GameError for one that is too large to view."""
    game = solution.game
    if not solution.written:
        raise GameError(f"expected a solution with strategies to look at, got none for {game.title}")
    brought = part(game, "view")
    own: Viewer | None = None if brought is None else brought(solution)
    if own is not None:
        return own
    if isinstance(game, Open):
        from ruse.view.states import StateViewer

        return StateViewer(solution)
    from ruse.view.tree import TreeViewer

    return TreeViewer(solution)
