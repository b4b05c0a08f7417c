"""A request to solve a game, with facts about it that several routes need."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ruse.core.capabilities import Bulk, ByClass
from ruse.core.game import Game
from ruse.core.types import Report
from ruse.solvers import AUTO, SolverSpec
from ruse.solving.options import SolveOptions

if TYPE_CHECKING:
    from ruse.solving.form_memory import MemoryEstimate


class NextRoute(Exception):
    """The reason for which a route that runs leaves the request to another one."""


@dataclass(eq=False)
class SolveRequest:
    """A game to solve, with a solver and options.

    `tried` names the routes that have run so far, and `declined` says why each route that was asked did not solve it.
    """

    game: Game
    spec: SolverSpec
    options: SolveOptions
    report: Report
    tried: list[str] = field(default_factory=list)
    declined: dict[str, str] = field(default_factory=dict)

    @property
    def auto(self) -> bool:
        """Whether ruse chooses the solver."""
        return self.spec.name == AUTO

    @property
    def samples(self) -> bool:
        return self.spec.goes_by == "samples"

    @cached_property
    def estimate(self) -> MemoryEstimate | None:
        """The memory for the sequence form of the game; None if the game is not walked without reductions."""
        from ruse.solving import form_memory

        reduced = self.options.symmetry or self.options.teams
        if isinstance(self.game, ByClass) and (reduced or not isinstance(self.game, Bulk)):
            return None
        return form_memory.estimate_memory(self.game, self.spec, self.is_listed)

    @property
    def is_listed(self) -> bool:
        """Whether strategies can be written down position by position."""
        from ruse.solving.writing import writable

        return writable(self.game) if isinstance(self.game, ByClass) else True

    @cached_property
    def public_refusal(self) -> str:
        """Why a run on the public tree does not suit the game; "" if it does."""
        from ruse.solving.routes.public_tree import unsuited

        return unsuited(self.game, self.spec, self.options)
