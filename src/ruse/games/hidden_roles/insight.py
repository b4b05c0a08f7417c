"""Insight into small tables with hidden roles: any game's, on strategies seat by seat."""

from __future__ import annotations

from dataclasses import replace

from ruse.games.hidden_roles.filing import is_filed
from ruse.games.hidden_roles.rules import HiddenRoles
from ruse.games.hidden_roles.view import SeatedViewer
from ruse.insight.engine import TreeInsight, check_game
from ruse.insight.insight_file import InsightFile
from ruse.solution.strategy import Solution


def insight(solution: Solution, *, file: InsightFile | None = None) -> TreeInsight:
    """Raises GameError of a table that is too large to look at state by state."""
    game = solution.game
    assert isinstance(game, HiddenRoles)
    check_game(game)
    if not solution.written or not is_filed(game, solution.tables):
        return TreeInsight(solution, file=file)
    from ruse.games.hidden_roles.solve import seated

    return TreeInsight(
        solution, file=file, viewer=SeatedViewer(replace(solution, tables=seated(game, solution.tables)))
    )
