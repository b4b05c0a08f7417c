"""Shapes that many rooms share: odds, strategies as tables, policies by state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Protocol, runtime_checkable

from ruse.core.game import Move, State
from ruse.core.jsonable import Exact

Odds = Mapping[str, Exact]  # move, as people write it -> odds
StrategyTable = Mapping[str, Odds]  # position -> odds
Tables = tuple[StrategyTable, StrategyTable]  # a table a side
Lookup = Callable[[str, Sequence[str]], Odds]  # a position and the moves there -> odds
Report = Callable[[str, float | None, float | None], None]  # what is being done, and the bounds so far
Policy = Callable[[State], Mapping[Move, Fraction]]  # the odds of each move, at states where its side moves


@runtime_checkable
class Digested(Protocol):
    """A table too long to go through, with what tells it from others."""

    @property
    def kept_as(self) -> str:
        """How files keep it: "rows", "bids" or "weights" (ruse.solution.store)."""

    def digest(self) -> str: ...
