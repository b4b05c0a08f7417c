"""What holds for all optimal strategies, and against opponents who slip: `insight(solution).at(position)`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ruse.core.contract import declared_by
from ruse.core.registry import part
from ruse.insight.kept import Beside
from ruse.insight.model import Insight
from ruse.solution.strategy import Solution
from ruse.verify.dispatch import proved

if TYPE_CHECKING:
    from ruse.present.model import Viewer


def insight(
    solution: Solution, *, symmetry: bool = True, file: str | Path | Beside | None = None, viewer: Viewer | None = None
) -> Insight:
    """Insight into a solution, by the game's own way where it brings one. Raises GameError for games without a tree.

    `symmetry`: over strategies up to the symmetry that the game declares, if any; else over all. `file`: where the
    solution was read from, beside which answers are kept. `viewer`: of the solution, if there is one already.
    What a file claims is verified before anything is built on it: raises VerifyError where it does not hold.
    """
    solution = proved(solution)
    beside = file if file is None or isinstance(file, Beside) else Beside(Path(file))
    if (made := part(solution.game, "insight")) is not None:
        found: Insight = made(solution, file=beside)
        return found
    from ruse.insight.engine import TreeInsight
    from ruse.present.tree import TreeViewer

    with declared_by(solution.game, "insight into"):
        return TreeInsight(
            solution,
            symmetry=symmetry,
            file=beside,
            viewer=viewer if isinstance(viewer, TreeViewer) else None,
        )
