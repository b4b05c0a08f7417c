"""Change a strategy by hand and compute the other side's best response, in exact fractions.

Let x be the changed strategy of side 0 and u the payoff to side 0 (for side 1 the minimum is a maximum):

    answered = min over y of u(x, y),      kept = u(x, stored y),      gain = kept - answered.

The solution itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ruse.core.exact import common_denominator
from ruse.core.game import PositionError, moving
from ruse.core.jsonable import Exact
from ruse.core.types import Odds, StrategyTable
from ruse.forms.certificate import best_response, gains
from ruse.forms.sequence_form import FormArrays, plain_form

if TYPE_CHECKING:
    from ruse.present.edited_classes import ClassEditor
    from ruse.present.tree import TreeViewer

Changes = Mapping[str, Odds]  # at positions of one side


@dataclass(frozen=True)
class Deviation:
    """A position where the best response differs from the stored strategy."""

    position: str
    stored: Odds
    """the stored odds there"""
    move: str
    """the move that the best response always makes there"""
    gain: Exact
    """what that gains, counted from the start of the game"""


@dataclass(frozen=True)
class Answered:
    """The payoffs of a changed strategy. Payoffs are to side 0."""

    side: int  # the side whose strategy is changed
    before: Fraction  # the payoff of the best response to the stored strategy
    kept: Fraction  # the payoff with the changes, if the other side plays as stored
    answered: Fraction  # the payoff with the changes, if the other side plays its best response
    deviations: Sequence[Deviation]  # at positions that the best response reaches, the most profitable first
    tables: tuple[StrategyTable, StrategyTable]  # the changed strategy, and the best response
    whole: bool = True  # if false, `tables` holds the other side's stored strategy: only the best payoff is known

    @property
    def gain(self) -> Fraction:
        """The gain of the other side if it responds to the changes rather than play as stored."""
        return abs(self.kept - self.answered)


@runtime_checkable
class Editable(Protocol):
    """Views of a solution whose strategies can be changed by hand."""

    @property
    def editor(self) -> Editor | ClassEditor: ...


class Editor:
    """Best responses to changed strategies of one solution, on the sequence form of its game."""

    def __init__(self, viewer: TreeViewer) -> None:
        self.viewer = viewer
        self.game = viewer.solution.game

    def representative_position(self, side: int, position: str) -> str:
        """The position that represents all that differ only by names: here each position itself."""
        return position

    def ready(self) -> bool:
        """Whether `prepare` is done."""
        return "_answers" in self.__dict__

    def prepare(self) -> None:
        """Compute what all answers need; this takes seconds for the largest games."""
        assert self._answers

    @cached_property
    def form(self) -> FormArrays:
        return plain_form(self.game)

    @cached_property
    def positions(self) -> tuple[list[str], list[str]]:
        """The positions of the information sets of the form."""
        title, knowledge_text = self.game.title, self.viewer.nodes.game.format_position
        first, second = ([title + knowledge_text(known) for known in side] for side in self.form.knowledge)
        return first, second

    def stored(self, side: int, position: str) -> dict[str, Fraction]:
        """The odds at a position where a side moves. Raises PositionError."""
        sets = self.viewer.nodes.sets[side]
        number = sets.index.get(position)
        if number is None:
            raise PositionError(f"expected a position where {moving(self.game.sides[side])}, got {position[:80]!r}")
        return dict(zip(sets.moves[number], sets.odds[number], strict=True))

    def check(self, side: int, changes: Changes) -> None:
        """Raise PositionError if the changes are not odds of the moves there."""
        for position, odds in changes.items():
            moves = self.stored(side, position)
            for move, share in odds.items():
                if move not in moves:
                    raise PositionError(
                        f"expected one of the moves {', '.join(moves)} at {position}, got {move[:40]!r}"
                    )
                if share < 0:
                    raise PositionError(f"expected odds of at least 0 at {position}, got {share} for {move}")
            if sum(odds.values()) != 1:
                raise PositionError(f"expected odds that sum to 1 at {position}, got {sum(odds.values())}")

    def answer(self, side: int, changes: Changes) -> Answered:
        """Compute the best response to a side's strategy with some changes. Raises PositionError for invalid ones."""
        self.check(side, changes)
        other = 1 - side
        whole, common = common_denominator(self._plan(side, changes))
        values, scale = gains(self.form, other, whole), self.form.denominator * common
        theirs, divided = self._plans[other]
        kept = sum(gain * weight for gain, weight in zip(values, theirs, strict=True) if weight)
        moves = self._best(other, values)
        return Answered(
            side,
            self._answers[side],
            Fraction(kept, scale * divided),
            Fraction(values[0], scale),
            self._deviations(other, values, scale, moves),
            self._tables(side, changes, moves),
        )

    @cached_property
    def _stored(self) -> tuple[list[dict[str, Fraction]], list[dict[str, Fraction]]]:
        """The stored odds at each information set of the form."""
        first, second = ([self.stored(side, position) for position in self.positions[side]] for side in (0, 1))
        return first, second

    @cached_property
    def _plans(self) -> tuple[tuple[list[int], int], tuple[list[int], int]]:
        """The stored strategies as plans: whole numbers and their common denominator."""
        return common_denominator(self._plan(0, {})), common_denominator(self._plan(1, {}))

    @cached_property
    def _answers(self) -> tuple[Fraction, Fraction]:
        """The payoffs of best responses to the stored strategies."""
        first, second = (
            best_response(self.form, 1 - side, [Fraction(weight, common) for weight in whole])[0]
            for side, (whole, common) in enumerate(self._plans)
        )
        return first, second

    def _plan(self, side: int, changes: Changes) -> list[Fraction]:
        tree = self.form.trees[side]
        plan = [Fraction(1)] * tree.sequences
        for position, stored, (parent, first, _) in zip(
            self.positions[side], self._stored[side], tree.sets(), strict=True
        ):
            odds = changes.get(position, stored)
            for place, move in enumerate(stored, first):
                plan[place] = plan[parent] * odds.get(move, 0)
        return plan

    def _best(self, side: int, values: list[int]) -> list[int]:
        """The best move at each information set; of several equally good ones, one that the stored strategy plays.

        `values` holds the payoff of each sequence by itself, and is changed to the payoff with its best continuation.
        """
        sign, sets = 1 - 2 * side, list(self.form.trees[side].sets())
        best_moves = [0] * len(sets)
        for number, (parent, first, end) in reversed(list(enumerate(sets))):
            odds = list(self._stored[side][number].values())
            best = max(range(end - first), key=lambda place: (sign * values[first + place], odds[place]))
            values[parent] += values[first + best]
            best_moves[number] = best
        return best_moves

    def _deviations(self, side: int, values: Sequence[int], scale: int, moves: Sequence[int]) -> list[Deviation]:
        tree, deviations = self.form.trees[side], []
        comes = [True] + [False] * (tree.sequences - 1)
        for number, (parent, first, end) in enumerate(tree.sets()):
            best, stored = moves[number], self._stored[side][number]
            comes[first + best] = comes[parent]
            if not comes[parent] or len(set(values[first:end])) == 1:
                continue
            weighted = (share * value for share, value in zip(stored.values(), values[first:end], strict=True))
            mean = sum(weighted, Fraction(0))
            if gain := abs(values[first + best] - mean) / scale:
                deviations.append(Deviation(self.positions[side][number], stored, list(stored)[best], gain))
        return sorted(deviations, key=lambda deviation: -deviation.gain)

    def _tables(self, side: int, changes: Changes, moves: Sequence[int]) -> tuple[StrategyTable, StrategyTable]:
        changed = {
            position: {move: changes.get(position, stored).get(move, Fraction(0)) for move in stored}
            for position, stored in zip(self.positions[side], self._stored[side], strict=True)
        }
        answer = {
            position: {move: Fraction(place == best) for place, move in enumerate(stored)}
            for position, stored, best in zip(self.positions[1 - side], self._stored[1 - side], moves, strict=True)
        }
        return (changed, answer) if side == 0 else (answer, changed)
