"""What the runner asks of a solver that comes nearer to the optimum step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ruse.core.arrays import Array
from ruse.core.game import RuseError


class NotANumber(RuseError):
    """Iterations that have run out of digits."""


class Iterating(Protocol):
    """A run that can be stopped, saved and taken up again after any iteration.

    The same iterations in other portions give the same arrays, bit for bit: nothing depends on clocks or on how
    often the runner looks. The runner turns `weights` into exact plans and certifies them.
    """

    @property
    def iterations(self) -> int:
        """Done so far."""

    @property
    def ended(self) -> bool:
        """Whether more iterations would change nothing, or have no room."""

    def run(self, iterations: int) -> None:
        """Do so many more."""

    def weights(self) -> tuple[Array, Array]:
        """float64[sequences] a side: in each information set in proportion to the odds that the run would play."""

    def state(self) -> dict[str, Array]:
        """All that `restore` needs to go on from here, as arrays."""

    def restore(self, state: Mapping[str, Array]) -> None: ...
