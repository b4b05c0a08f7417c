"""What a route is given: a game, the solver and the options, and what several routes need to know of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from ruse.core.capabilities import ByClass, Public
from ruse.core.game import Game
from ruse.core.types import Report
from ruse.solvers import AUTO, SolverSpec
from ruse.solving import form_memory
from ruse.solving.by_class import walked_as_it_is, writable
from ruse.solving.on_public import suits_public_tree
from ruse.solving.options import SolveOptions


@dataclass(eq=False)
class SolveRequest:
    """A game to solve, by a solver, with options. `tried` names the routes that were tried so far."""

    game: Game
    spec: SolverSpec
    options: SolveOptions
    report: Report
    tried: list[str] = field(default_factory=list)

    @property
    def auto(self) -> bool:
        """Whether the choice of the solver is ours."""
        return self.spec.name == AUTO

    @property
    def samples(self) -> bool:
        return self.spec.goes_by == "samples"

    @property
    def listed(self) -> bool:
        """Whether strategies can be written down position by position."""
        return writable(self.game) if isinstance(self.game, ByClass) else True

    @cached_property
    def needs(self) -> form_memory.Needs | None:
        """The memory that the sequence form of the game takes; None where the game is not walked as it is."""
        if isinstance(self.game, ByClass) and not walked_as_it_is(self.game, self.options):
            return None
        return form_memory.needs(self.game, self.spec, self.listed)

    @cached_property
    def public(self) -> Public | None:
        """The game, if its public tree suits it."""
        game = self.game
        return game if isinstance(game, Public) and suits_public_tree(game, self.spec, self.options) else None
