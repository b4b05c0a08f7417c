"""What a route is given: a game, the solver and the options, and facts about them that several routes need."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ruse.core.capabilities import ByClass, Public
from ruse.core.game import Game
from ruse.core.types import Report
from ruse.solvers import AUTO, SolverSpec
from ruse.solving.options import SolveOptions

if TYPE_CHECKING:
    from ruse.solving.form_memory import MemoryEstimate


class NextRoute(Exception):
    """A route has found out on the way that another one suits better."""


@dataclass(eq=False)
class SolveRequest:
    """A game to solve, with a solver and options. `tried` names the routes that have run so far."""

    game: Game
    spec: SolverSpec
    options: SolveOptions
    report: Report
    tried: list[str] = field(default_factory=list)

    @property
    def auto(self) -> bool:
        """Whether ruse chooses the solver."""
        return self.spec.name == AUTO

    @property
    def samples(self) -> bool:
        return self.spec.goes_by == "samples"

    @property
    def listed(self) -> bool:
        """Whether strategies can be written down position by position."""
        from ruse.solving.by_class import writable

        return writable(self.game) if isinstance(self.game, ByClass) else True

    @cached_property
    def estimate(self) -> MemoryEstimate | None:
        """The memory for the sequence form of the game; None if the game is not walked without reductions."""
        from ruse.solving import form_memory
        from ruse.solving.by_class import is_walked_unreduced

        if isinstance(self.game, ByClass) and not is_walked_unreduced(self.game, self.options):
            return None
        return form_memory.estimate_memory(self.game, self.spec, self.listed)

    @cached_property
    def public(self) -> Public | None:
        """The game, if a run on its public tree suits it."""
        from ruse.solving.on_public import suits_public_tree

        game = self.game
        return game if isinstance(game, Public) and suits_public_tree(game, self.spec, self.options) else None
