"""A strategy changed by hand, and the other side's best response to it, in fractions.

With x the strategy as it is changed, u the payoff to side 0 and side 1 answering (the other way round it is a maximum):

    answered = min over y of u(x, y),      kept = u(x, stored y),      gain = kept - answered.

Nothing is stored: the solution stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from ruse.core.exact import common_denominator
from ruse.core.game import PositionError
from ruse.core.types import Odds, StrategyTable
from ruse.forms.certificate import best_response, gains
from ruse.forms.sequence_form import SequenceForm, plain_form

if TYPE_CHECKING:
    from ruse.view.tree import TreeViewer

Changes = Mapping[str, Odds]  # at positions of one side


@dataclass(frozen=True)
class Deviation:
    """Where the best response does otherwise than the stored strategy."""

    position: str
    stored: Odds
    move: str  # that it always makes there
    gain: Fraction  # what that brings it, counted from the start


@dataclass(frozen=True)
class Answered:
    """What becomes of a changed strategy. Payoffs are to side 0."""

    side: int  # whose strategy was changed
    before: Fraction  # what the best response to the stored strategy leaves
    kept: Fraction  # with the changes, if the other side plays as stored
    answered: Fraction  # with the changes, if it answers them best
    deviations: Sequence[Deviation]  # that it comes to itself, the most profitable first
    tables: tuple[StrategyTable, StrategyTable]  # the changed strategy, and the best response

    @property
    def gain(self) -> Fraction:
        """What the other side gains by answering the changes rather than playing as stored."""
        return abs(self.kept - self.answered)


class Editor:
    """The form of a game, walked once, and what its solution stores."""

    def __init__(self, viewer: TreeViewer) -> None:
        self.viewer = viewer
        self.game = viewer.solution.game

    @cached_property
    def form(self) -> SequenceForm:
        return plain_form(self.game)

    @cached_property
    def positions(self) -> tuple[list[str], list[str]]:
        """Of the information sets of the form."""
        title, tell = self.game.title, self.viewer.nodes.game.tell
        first, second = ([title + tell(known) for known in side] for side in self.form.knowledge)
        return first, second

    def stored(self, side: int, position: str) -> dict[str, Fraction]:
        """The odds at a position where a side moves. Raises PositionError."""
        sets = self.viewer.nodes.sets[side]
        number = sets.index.get(position)
        if number is None:
            raise PositionError(f"expected a position where {self.game.sides[side]} moves, got {position[:80]!r}")
        return dict(zip(sets.moves[number], sets.odds[number], strict=True))

    def check(self, side: int, changes: Changes) -> None:
        """Raise PositionError of changes that are no odds."""
        for position, odds in changes.items():
            moves = self.stored(side, position)
            for move, share in odds.items():
                if move not in moves:
                    raise PositionError(f"expected a move out of {', '.join(moves)} at {position}, got {move[:40]!r}")
                if share < 0:
                    raise PositionError(f"expected odds of at least 0 at {position}, got {share} for {move}")
            if sum(odds.values()) != 1:
                raise PositionError(f"expected odds that sum to 1 at {position}, got {sum(odds.values())}")

    def answer(self, side: int, changes: Changes) -> Answered:
        """The best response to a side's strategy with some changes. Raises PositionError where those are none."""
        self.check(side, changes)
        other = 1 - side
        plan = self._plan(side, changes)
        answered, worth = best_response(self.form, other, plan)
        scale = self.form.denominator * common_denominator(plan)[1]
        moves = self._best(other, worth)
        return Answered(
            side,
            best_response(self.form, other, self._plan(side, {}))[0],
            self._payoff(plan, side),
            answered,
            self._deviations(other, worth, scale, moves),
            self._tables(side, changes, moves),
        )

    def _odds(self, side: int, changes: Changes) -> list[list[Fraction]]:
        """At each information set of the form."""
        found = []
        for position in self.positions[side]:
            stored = self.stored(side, position)
            odds = changes.get(position, stored)
            found.append([odds.get(move, Fraction(0)) for move in stored])
        return found

    def _plan(self, side: int, changes: Changes) -> list[Fraction]:
        tree = self.form.trees[side]
        plan = [Fraction(1)] * tree.sequences
        for odds, (parent, first, end) in zip(self._odds(side, changes), tree.sets(), strict=True):
            plan[first:end] = [plan[parent] * share for share in odds]
        return plan

    def _payoff(self, plan: Sequence[Fraction], side: int) -> Fraction:
        """If the other side plays as stored."""
        whole, common = common_denominator(plan)
        other, divided = common_denominator(self._plan(1 - side, {}))
        brought = gains(self.form, 1 - side, whole)
        total = sum(gain * weight for gain, weight in zip(brought, other, strict=True) if weight)
        return Fraction(total, self.form.denominator * common * divided)

    def _best(self, side: int, worth: Sequence[int]) -> list[int]:
        """The best move at each information set: of several, one that is stored."""
        sign, found = 1 - 2 * side, []
        for odds, (_, first, end) in zip(self._odds(side, {}), self.form.trees[side].sets(), strict=True):
            found.append(max(range(end - first), key=lambda place: (sign * worth[first + place], odds[place])))
        return found

    def _deviations(self, side: int, worth: Sequence[int], scale: int, moves: Sequence[int]) -> list[Deviation]:
        tree, found = self.form.trees[side], []
        comes = [True] + [False] * (tree.sequences - 1)
        odds = self._odds(side, {})
        for number, (parent, first, end) in enumerate(tree.sets()):
            best = moves[number]
            comes[first + best] = comes[parent]
            mean = sum((share * one for share, one in zip(odds[number], worth[first:end], strict=True)), Fraction(0))
            gain = abs(worth[first + best] - mean) / scale
            if comes[parent] and gain:
                stored = self.stored(side, self.positions[side][number])
                found.append(Deviation(self.positions[side][number], stored, list(stored)[best], gain))
        return sorted(found, key=lambda one: -one.gain)

    def _tables(self, side: int, changes: Changes, moves: Sequence[int]) -> tuple[StrategyTable, StrategyTable]:
        changed = {
            position: {move: changes.get(position, stored).get(move, Fraction(0)) for move in stored}
            for position in self.positions[side]
            for stored in [self.stored(side, position)]
        }
        answer = {
            position: {move: Fraction(place == best) for place, move in enumerate(self.stored(1 - side, position))}
            for position, best in zip(self.positions[1 - side], moves, strict=True)
        }
        return (changed, answer) if side == 0 else (answer, changed)
