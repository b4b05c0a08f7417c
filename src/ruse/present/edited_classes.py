"""Change strategies by hand where a game stores them by class, as The Resistance does.

The verifier computes the payoff of a best response, but not where it deviates. By the one-shot deviation principle, a
strategy that is not a best response loses something at a position that play reaches: those positions are listed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ruse.core.capabilities import ByClass
from ruse.core.game import PositionError, moving
from ruse.core.types import Odds, StrategyTable, Tables
from ruse.present.edited import Answered, Changes, Deviation
from ruse.solution.strategy import Solution
from ruse.verify.tree import VerifyError, check_odds
from ruse.verify.verifier import verifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruse.present.model import Viewer

MOST_LOOKED_AT = 400  # positions of the other side where deviations are looked for, which takes seconds


class ClassEditor:
    """Best responses to changed strategies of a solution by class, with the methods of `Editor`.

    Positions are representatives of their class.
    """

    def __init__(self, viewer: Viewer) -> None:
        self.viewer, self.solution = viewer, viewer.solution
        self.game = self.solution.game

    def ready(self) -> bool:
        return "_answers" in self.__dict__

    def prepare(self) -> None:
        assert self._answers

    @cached_property
    def positions(self) -> tuple[list[str], list[str]]:
        return list(self.solution.tables[0]), list(self.solution.tables[1])

    def representative_position(self, side: int, position: str) -> str:
        """The position that represents all that differ only by names."""
        assert isinstance(self.game, ByClass)
        return self.game.representative_position(position, side)[0]

    def stored(self, side: int, position: str) -> dict[str, Fraction]:
        """The odds of all moves at a representative position where a side moves. Raises PositionError."""
        view = self.viewer.at(position, side)
        if view.turn != side:
            raise PositionError(f"expected a position where {moving(self.game.sides[side])}, got {position[:80]!r}")
        if position != (representative := self.representative_position(side, position)):
            raise PositionError(f"{position[:80]} is stored as {representative}; change that position instead")
        return {option.move: option.odds for option in view.options}

    def check(self, side: int, changes: Changes) -> None:
        """Raise PositionError for changes that are not odds, or at positions that strategies do not decide."""
        way = verifier(self.game, self.solution.by_class)
        for position, odds in changes.items():
            moves = list(self.stored(side, position))
            try:
                check_odds(odds, moves, partial(str, position))
                way.check_positions(side, {position: odds})
            except VerifyError as error:
                raise PositionError(str(error)) from error

    def answer(self, side: int, changes: Changes) -> Answered:
        """Compute the best response to a side's strategy with some changes. Raises PositionError for invalid ones."""
        self.check(side, changes)
        tables = self._tables(side, changes)
        changed = replace(self.solution, tables=tables)
        answered = self._guarantee(changed, side) if changes else self._answers[side]
        from ruse.present.viewer import viewer

        views = viewer(changed) if changes else self.viewer
        kept = views.at(views.start(0), 0).value
        deviations = self._deviations(views, 1 - side) if kept != answered else []
        return Answered(side, self._answers[side], kept, answered, deviations, tables, whole=False)

    @cached_property
    def _answers(self) -> tuple[Fraction, Fraction]:
        return self._guarantee(self.solution, 0), self._guarantee(self.solution, 1)

    def _guarantee(self, solution: Solution, side: int) -> Fraction:
        """The payoff of the other side's best response; the game's advice fills in where a strategy has no odds."""
        strategy = solution.strategy(side)
        known: dict[str, Odds] = {}

        def lookup(position: str, moves: Sequence[str]) -> Odds:
            if position not in known:
                known[position] = strategy.at(position)
            return known[position]

        return verifier(self.game, solution.by_class).score(side, lookup)

    def _tables(self, side: int, changes: Changes) -> Tables:
        changed: StrategyTable = {**self.solution.tables[side], **changes}
        other = self.solution.tables[1 - side]
        return (changed, other) if side == 0 else (other, changed)

    def _deviations(self, views: Viewer, side: int) -> list[Deviation]:
        deviations = []
        for position in self.positions[side][:MOST_LOOKED_AT]:
            view = views.at(position, side)
            known = [option for option in view.options if option.loss is not None]
            lost = sum((option.odds * (option.loss or 0) for option in known), Fraction(0))
            if lost and view.reached:
                best = min(known, key=lambda option: (option.loss or 0, -option.odds))
                stored = {option.move: option.odds for option in known}
                deviations.append(Deviation(position, stored, best.move, lost * (view.reach or 1)))
        return sorted(deviations, key=lambda deviation: -deviation.gain)
