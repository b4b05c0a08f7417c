"""Facts about all optimal strategies, and about opponents who make mistakes: `insight(solution).at(position)`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ruse.core.contract import declared_by
from ruse.core.registry import part
from ruse.insight.insight_file import InsightFile
from ruse.insight.model import Insight
from ruse.solution.strategy import Solution
from ruse.verify.verifier import proved

if TYPE_CHECKING:
    from ruse.present.model import Viewer


def insight(
    solution: Solution,
    *,
    symmetry: bool = True,
    file: str | Path | InsightFile | None = None,
    viewer: Viewer | None = None,
) -> Insight:
    """Return insight into a solution, by the game's own code if it has any. Raises GameError for games without a tree.

    With `symmetry`, only strategies that respect the declared symmetry count. `file` is the file of the solution,
    beside which answers are saved. `viewer` is the solution's viewer, if there is one already. The claims of a file are
    verified first: raises VerifyError if they are wrong.
    """
    solution = proved(solution)
    beside = file if file is None or isinstance(file, InsightFile) else InsightFile(Path(file))
    if (made := part(solution.game, "insight")) is not None:
        own_insight: Insight = made(solution, file=beside)
        return own_insight
    from ruse.insight.engine import TreeInsight
    from ruse.present.tree import TreeViewer

    with declared_by(solution.game, "insight into"):
        return TreeInsight(
            solution,
            symmetry=symmetry,
            file=beside,
            viewer=viewer if isinstance(viewer, TreeViewer) else None,
        )
