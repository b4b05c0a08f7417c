"""The pair of strategies that metrics rest on, one for each side, and how sure it is that both are optimal.

The reference pair (docs/explanation/costs.md) makes every move that some optimal strategy makes, so it stands best for
optimal play. It is used wherever it is quick to find. Elsewhere the stored strategies are.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ruse.core import clock, size_estimate
from ruse.core.capabilities import ByClass, Open
from ruse.core.contract import checked
from ruse.core.game import GameError
from ruse.insight.costs import Costs
from ruse.insight.insight_file import InsightFile
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.insight.model import Insight

REFERENCE, STORED, APPROXIMATE = "reference", "stored", "approximate"
MOST_REFERENCE = 30_000  # nodes of a game whose reference pair takes seconds at most
SENTENCES = {
    REFERENCE: "These figures are of the reference pair of optimal strategies, which makes every move that some "
    "optimal strategy makes.",
    STORED: "These figures are of the stored optimal strategies; other optimal strategies may have other figures.",
    APPROXIMATE: "These figures are of the stored strategies, which are not proved optimal.",
}


@dataclass(frozen=True)
class Pair:
    """A solution whose strategies metrics describe."""

    solution: Solution
    basis: str
    costs: Costs | None = None  # what moves cost against the reference pair
    insight: Insight | None = None  # what holds for all optimal strategies

    @property
    def exact(self) -> bool:
        """Whether figures are fractions."""
        return self.solution.certificate.exact

    @property
    def sentence(self) -> str:
        """Say what the figures are of."""
        return SENTENCES[self.basis]


def pair_of(solution: Solution, file: str | Path | InsightFile | None = None) -> Pair:
    """The reference pair of a solution, or its own strategies if the reference pair would take long.

    `file` is the file of the solution, beside which the reference pair may be saved. Raises GameError for a solution
    without strategies.
    """
    if not solution.written:
        raise GameError(f"the solution of {solution.game.title} has no strategies, which metrics need")
    if not solution.certificate.exact:
        return Pair(solution, APPROXIMATE)
    game = solution.game
    if isinstance(game, Open):
        return Pair(solution, STORED)
    if not isinstance(game, ByClass) and size_estimate.nodes(checked(game), MOST_REFERENCE) > MOST_REFERENCE:
        return Pair(solution, STORED)
    with suppress(GameError, clock.TimeIsUp), clock.leaving(clock.left()):  # half of it
        from ruse.insight import insight

        explained = insight(solution, file=file)
        if explained.costs is not None and (reference := explained.costs.reference) is not None:
            return Pair(reference, REFERENCE, explained.costs, explained)
    return Pair(solution, STORED)
