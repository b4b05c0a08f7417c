"""What holds for all optimal strategies, and against opponents who slip: `insight(solution).at(position)`."""

from __future__ import annotations

from pathlib import Path

from ruse.core.registry import part
from ruse.insight.model import Insight
from ruse.solution.strategy import Solution


def insight(solution: Solution, *, symmetry: bool = True, file: str | Path | None = None) -> Insight:
    """Insight into a solution, by the game's own way where it brings one. Raises GameError for games without a tree.

    `symmetry`: over strategies up to the symmetry that the game declares, if any; else over all. `file`: where the
    solution was read from, beside which answers are kept.
    """
    if (made := part(solution.game, "insight")) is not None:
        found: Insight = made(solution)
        return found
    from ruse.insight.engine import TreeInsight

    return TreeInsight(solution, symmetry=symmetry, file=None if file is None else Path(file))
