"""The answers of insight into a solved game: ranges over all optimal strategies, each end with its proof.

Let v be the value to a side, X* its optimal plans and u(x, y) its payoff. An end of the range over X* of a ratio
n'x / d'x (the odds of a move, or a belief) is proved by a strategy y of the other side and a weight w >= 0 with

    n'x - L d'x + w (v - u(x, y)) >= 0   for every plan x,

because then n'x >= L d'x wherever u(x, y) >= v, which holds for every optimal x. The greatest end is proved with signs
reversed. Checking a proof takes one best response to y, without a linear program. An optimal plan shows that the end is
attained.

Strategies in certificates are tables of odds by position, without positions that they never reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from ruse.core import rationals
from ruse.core.jsonable import Exact
from ruse.core.types import StrategyTable

if TYPE_CHECKING:
    from ruse.insight.costs import Costs
    from ruse.solution.strategy import Solution

MUST, MAY, NEVER = "must", "may", "never"
MOST_LISTED = 8  # answers in a sentence


@dataclass(frozen=True)
class Bound:
    """One end of a range over all optimal plans of a side."""

    value: Fraction  # no optimal plan is beyond it
    attained: Fraction | None  # the nearest value of a known optimal plan; None if no plan is known
    weight: Fraction  # the weight w in the proof
    answer: StrategyTable  # the other side's strategy y in the proof
    witness: StrategyTable  # an optimal strategy with the value `attained`

    @property
    def exact(self) -> bool:
        return self.value == self.attained


@dataclass(frozen=True)
class Range:
    """The least and the greatest of a ratio over all optimal plans that come here."""

    least: Bound
    greatest: Bound

    @property
    def exact(self) -> bool:
        return self.least.exact and self.greatest.exact

    @property
    def kind(self) -> str | None:
        """MUST, MAY or NEVER, for the odds of a move; None if it is not proved."""
        if self.least.value == 1:
            return MUST
        if self.greatest.value == 0:
            return NEVER
        least, greatest = self.least.attained, self.greatest.attained
        return MAY if least is not None and greatest is not None and least < 1 and greatest > 0 else None

    def to_json(self) -> dict[str, Any]:
        """The proved ends, and for bounds also the attained values."""
        fields: dict[str, Any] = {"least": rationals.write(self.least.value)}
        fields["greatest"] = rationals.write(self.greatest.value)
        if not self.exact:
            ends = {"least": self.least, "greatest": self.greatest}
            fields["proved"] = [name for name, bound in ends.items() if bound.exact]
            fields["attained"] = {name: _write(bound.attained) for name, bound in ends.items()}
        return fields


@dataclass(frozen=True)
class Guarantee:
    """The most that a side can guarantee with plans that keep some odds fixed, as the payoff to that side."""

    value: Fraction  # the guarantee of the strategy
    most: Fraction  # an upper bound: no plan with those odds gets more against the answer
    strategy: StrategyTable
    answer: StrategyTable  # of the other side

    @property
    def exact(self) -> bool:
        return self.value == self.most


@dataclass(frozen=True)
class MoveInsight:
    """One move of the side that moves at a position."""

    move: str
    range: Range | None  # of its odds; None if no optimal plan comes here
    guarantee: Guarantee | None  # if the move is always made here; None if there was no time to compute it
    price: Fraction | None  # its cost as a fixed habit: the value less that guarantee
    loss: Fraction | None  # against the stored opponent, compared with the best move; None if it never lets play here
    kind: str | None = None  # MUST, MAY or NEVER; None if no optimal plan comes here, or if it is not proved

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"least": None, "greatest": None}
        if self.range is not None:
            fields.update(self.range.to_json())
        fields.update(price=_write(self.price), loss=_write(self.loss))
        fields["kind"] = self.kind
        if self.guarantee is not None and not self.guarantee.exact:
            fields["price_at_least"] = _write(self.price_at_least)
        return fields

    @property
    def price_at_least(self) -> Fraction | None:
        """A lower bound on the cost as a fixed habit, equal to the price if that is exact."""
        if self.guarantee is None or self.price is None:
            return None
        return self.price - (self.guarantee.most - self.guarantee.value)


@dataclass(frozen=True)
class Coming:
    """The best plans that always reach a position, if no optimal plan reaches it."""

    price: Fraction  # the cost of always coming here
    moves: Mapping[str, Range]  # odds of moves over the best of those plans

    def to_json(self) -> dict[str, Any]:
        return {"price": _write(self.price), "moves": {move: odds.to_json() for move, odds in self.moves.items()}}


@dataclass(frozen=True)
class BeliefInsight:
    """A hidden fact and its probability."""

    fact: str  # "K", "d is a spy"
    range: Range | None  # over all optimal plans of the other side that come here; None if none does
    stored: Fraction | None  # against the stored opponent; None if that never comes here
    slip: Fraction | None  # against an opponent who slips at the given rate
    facts: Fraction  # against an opponent who always moves uniformly at random

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"least": None, "greatest": None}
        if self.range is not None:
            fields.update(self.range.to_json())
        fields.update(stored=_write(self.stored), facts=_write(self.facts), slip=_write(self.slip))
        return fields


@dataclass(frozen=True)
class Unique:
    """Whether a side has only one optimal plan; positions that a strategy never reaches do not count."""

    side: int
    unique: bool | None  # None if it is not proved
    plans: Sequence[StrategyTable]  # the optimal strategy, or two that differ
    answer: StrategyTable  # an optimal strategy of the other side, which proves the answer
    freedom: int | None = None  # an upper bound on the dimension of the optimal plans; 0 if unique


@dataclass(frozen=True)
class Simplest:
    """An optimal strategy that mixes at few positions, and a bound on how few any optimal strategy needs."""

    side: int
    strategy: StrategyTable
    mixed: int  # positions where it mixes
    at_least: int  # positions where every optimal strategy comes and mixes
    denominator: int  # the largest of its odds
    must_mix: Sequence[str] = ()  # those positions
    denominator_at_least: int = 1  # a denominator that every optimal strategy needs at one of those positions

    @property
    def words(self) -> int:
        """Its length in words: one for each position that it reaches, each move, and each of its odds."""
        moves = [sum(share > 0 for share in odds.values()) for odds in self.strategy.values()]
        return sum(1 + (1 if count == 1 else 2 * count) for count in moves)

    def to_json(self) -> dict[str, Any]:
        return {
            "mixed": self.mixed,
            "at_least": self.at_least,
            "denominator": self.denominator,
            "denominator_at_least": self.denominator_at_least,
            "words": self.words,
            "must_mix": list(self.must_mix),
            "strategy": _table(self.strategy),
        }


@dataclass(frozen=True)
class RuleInsight:
    """A rule of thumb with its guarantee, and the best strategy that follows it, as payoffs to its side."""

    side: int
    guarantee: Guarantee  # of the best strategy that follows it
    price: Fraction  # the value less that guarantee
    alone: Fraction | None  # the guarantee of the rules by themselves; None if they leave positions open

    def to_json(self) -> dict[str, Any]:
        return {
            "guarantees": _write(self.alone),
            "best": rationals.write(self.guarantee.value),
            "price": rationals.write(self.price),
            "exact": self.guarantee.exact,
            "strategy": _table(self.guarantee.strategy),
        }


@dataclass(frozen=True)
class PositionInsight:
    """Insight into a position: its moves, if the side that knows it moves there, and its hidden facts."""

    position: str
    side: int
    moves: Sequence[MoveInsight] = ()
    beliefs: Sequence[BeliefInsight] = ()
    slip: Fraction = Fraction(0)
    notes: Sequence[str] = field(default=())  # sentences on symmetry and on answers that are only bounds

    @property
    def exact(self) -> bool:
        """Whether every range and price is proved, rather than bounded."""
        ranges = [*(answer.range for answer in self.moves), *(answer.range for answer in self.beliefs)]
        prices = [move.guarantee for move in self.moves]
        return all(answer is None or answer.exact for answer in ranges) and all(
            answer is not None and answer.exact for answer in prices
        )

    def to_json(self, sides: Sequence[str]) -> dict[str, Any]:
        return {
            "position": self.position,
            "side": sides[self.side],
            "moves": {move.move: move.to_json() for move in self.moves},
            "beliefs": {belief.fact: belief.to_json() for belief in self.beliefs},
            "slip": rationals.write(self.slip),
            "exact": self.exact,
            "notes": list(self.notes),
        }


def bounded(there: PositionInsight) -> str:
    """Say which answers at a position are proved and which are only bounds."""
    odds = {f"the odds of {move.move}": move.range is None or move.range.exact for move in there.moves}
    odds |= {f"the odds that {belief.fact}": belief.range is None or belief.range.exact for belief in there.beliefs}
    prices = {f"the cost of {move.move}": move.guarantee is not None and move.guarantee.exact for move in there.moves}
    every = odds | prices
    proved, open_still = ([name for name, holds in every.items() if holds == wanted] for wanted in (True, False))
    sentence = f"{_listed(proved)} {'is' if len(proved) == 1 else 'are'} proved; " if proved else ""
    sentence += f"{_listed(open_still)} {'is' if len(open_still) == 1 else 'are'} only bounded: more time may prove it."
    return sentence[0].upper() + sentence[1:]


def least_denominator(ranges: Iterable[Range | None]) -> int:
    """The largest denominator that odds within the ranges need."""
    ends = [(odds.least.value, odds.greatest.value) for odds in ranges if odds is not None]
    return max((rationals.simplest_between(low, high).denominator for low, high in ends), default=1)


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_LISTED:
        return f"{', '.join(names[:MOST_LISTED])} and {len(names) - MOST_LISTED} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


@dataclass(frozen=True)
class Worst:
    """The worst case for a side that follows its stored strategy against an opponent who knows the hidden fact."""

    value: Exact
    """payoff to side 0"""
    fact: str
    """the hidden fact in that case"""


class Insight(Protocol):
    """Insight into one solution. A game brings its own as its part "insight": Solution, file -> Insight."""

    @property
    def solution(self) -> Solution:
        """The solution."""

    @property
    def costs(self) -> Costs | None:
        """The costs of moves against a reference pair; None where there is no such pair."""

    @property
    def facts(self) -> str:
        """A sentence that explains the beliefs by the facts alone."""

    @property
    def value(self) -> Fraction:
        """The payoff to side 0."""

    def unique(self) -> tuple[Unique, Unique]:
        """Whether each side has only one optimal plan."""

    def at(
        self, position: str, side: int | str | None = None, slip: Fraction = Fraction(0), *, own: str = ""
    ) -> PositionInsight:
        """Insight into a position; give `side` if both sides know the same text. Raises PositionError.

        `own` is one of `own_facts`: what one person knows beyond the side.
        """

    def moves(self, position: str, side: int) -> Sequence[MoveInsight]:
        """Insight into the moves alone, which takes half as long as `at`."""

    def own_facts(self, position: str, side: int) -> Mapping[str, str]:
        """Facts that one person of a side may know beyond the side, with their texts; usually empty."""

    def worst(self, position: str, side: int) -> Worst | None:
        """The worst case that the facts allow from here on; None if nothing is hidden from the side."""

    def positions(self) -> Iterator[tuple[int, str]]:
        """Every position where a side moves, and the side."""

    def kinds(self, position: str, side: int) -> Mapping[str, str | None]:
        """MUST, MAY or NEVER for each move, without its range; None if no optimal plan comes here."""

    def simplest(self, side: int) -> Simplest: ...

    def watched(self, watch: Callable[[int, int], object]) -> None:
        """Call `watch` with the number of answers so far and their total, after each answer at a position."""

    def keep(self) -> None:
        """Save new answers beside the solution file, if there is one (insight_file.py)."""

    def rule(self, side: int, odds: Mapping[str, Mapping[str, Fraction]]) -> RuleInsight:
        """The price of a rule of thumb, which fixes the odds at some positions."""


def _write(number: Fraction | None) -> str | None:
    return None if number is None else rationals.write(number)


def _table(table: StrategyTable) -> dict[str, dict[str, str]]:
    return {
        position: {move: rationals.write(share) for move, share in odds.items()} for position, odds in table.items()
    }
