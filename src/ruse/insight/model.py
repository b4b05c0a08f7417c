"""What insight says of a solved game, whatever the game: ranges over all optimal strategies, each end with its proof.

Let v be the value to a side, X* its optimal plans and u(x, y) what it gets. An end of a range over X* of a ratio
n'x / d'x (a move's odds, a belief) is proved by a strategy y of the other side and a weight w >= 0 with

    n'x - L d'x + w (v - u(x, y)) >= 0   for every plan x,

for then n'x >= L d'x wherever u(x, y) >= v, so for every optimal x; the greatest is proved alike, with signs turned. To
check that is one best answer to y, without any linear program. That the end is attained is shown by an optimal plan.

Strategies in certificates are tables of odds by position, as everywhere; where they never come they say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from ruse.core import rationals
from ruse.core.jsonable import Exact
from ruse.core.types import StrategyTable

MUST, MAY, NEVER = "must", "may", "never"
MOST_LISTED = 8  # answers in a sentence


@dataclass(frozen=True)
class Bound:
    """One end of a range over all optimal plans of a side."""

    value: Fraction  # no optimal plan is beyond it
    attained: Fraction | None  # what an optimal plan has that is nearest to it; None if no plan is known
    weight: Fraction  # of the other side's strategy in the proof
    answer: StrategyTable  # that strategy
    witness: StrategyTable  # an optimal strategy that has what is attained

    @property
    def exact(self) -> bool:
        return self.value == self.attained


@dataclass(frozen=True)
class Range:
    """What a ratio is at least and at most over all optimal plans that come here."""

    least: Bound
    greatest: Bound

    @property
    def exact(self) -> bool:
        return self.least.exact and self.greatest.exact

    @property
    def kind(self) -> str | None:
        """MUST, MAY or NEVER, of a move's odds; None where it is not proved."""
        if self.least.value == 1:
            return MUST
        if self.greatest.value == 0:
            return NEVER
        least, greatest = self.least.attained, self.greatest.attained
        return MAY if least is not None and greatest is not None and least < 1 and greatest > 0 else None

    def to_json(self) -> dict[str, Any]:
        """The proved ends; where they are only bounds, what is attained too."""
        found: dict[str, Any] = {"least": rationals.write(self.least.value)}
        found["greatest"] = rationals.write(self.greatest.value)
        if not self.exact:
            ends = {"least": self.least, "greatest": self.greatest}
            found["proved"] = [name for name, bound in ends.items() if bound.exact]
            found["attained"] = {name: _write(bound.attained) for name, bound in ends.items()}
        return found


@dataclass(frozen=True)
class Guarantee:
    """The most that a side can guarantee with plans that keep some odds fixed, as the payoff to that side."""

    value: Fraction  # what the strategy guarantees
    most: Fraction  # what no plan that keeps to those odds exceeds against the answer
    strategy: StrategyTable
    answer: StrategyTable  # of the other side

    @property
    def exact(self) -> bool:
        return self.value == self.most


@dataclass(frozen=True)
class MoveInsight:
    """One move of the side that moves at a position."""

    move: str
    range: Range | None  # of its odds; None where no optimal plan comes here
    guarantee: Guarantee | None  # if it is always made here; None where there was no time to find it
    price: Fraction | None  # the value less that guarantee: the most that it costs if always made
    loss: Fraction | None  # against the stored opponent, beside the best move; None where it never comes here
    kind: str | None = None  # MUST, MAY or NEVER; None where no optimal plan comes here, or where it is not proved

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"least": None, "greatest": None}
        if self.range is not None:
            found.update(self.range.to_json())
        found.update(price=_write(self.price), loss=_write(self.loss))
        found["kind"] = self.kind
        if self.guarantee is not None and not self.guarantee.exact:
            found["price_at_least"] = _write(self.price_at_least)
        return found

    @property
    def price_at_least(self) -> Fraction | None:
        """What it costs for certain: the same as the price where that is exact."""
        if self.guarantee is None or self.price is None:
            return None
        return self.price - (self.guarantee.most - self.guarantee.value)


@dataclass(frozen=True)
class Coming:
    """A position that no optimal plan comes to, among the plans that always do if they can: the best of those."""

    price: Fraction  # of coming here
    moves: Mapping[str, Range]  # odds over the best of those plans

    def to_json(self) -> dict[str, Any]:
        return {"price": _write(self.price), "moves": {move: found.to_json() for move, found in self.moves.items()}}


@dataclass(frozen=True)
class BeliefInsight:
    """Something that the side which looks cannot see, and how likely it is."""

    fact: str  # "K", "d is a spy"
    range: Range | None  # over all optimal plans of the other side that come here; None if none does
    stored: Fraction | None  # against the stored opponent; None if that never comes here
    slip: Fraction | None  # against one who slips as often as was asked
    facts: Fraction  # against one who always moves evenly

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"least": None, "greatest": None}
        if self.range is not None:
            found.update(self.range.to_json())
        found.update(stored=_write(self.stored), facts=_write(self.facts), slip=_write(self.slip))
        return found


@dataclass(frozen=True)
class Unique:
    """Whether a side's optimal plan is one point: what a strategy would do where it never comes does not count."""

    side: int
    unique: bool | None  # None where it is not proved
    plans: Sequence[StrategyTable]  # the optimal strategy, or two that differ
    answer: StrategyTable  # optimal for the other side: best answers to it, with equations tight that it needs, are few
    freedom: int | None = None  # how many dimensions the optimal plans have at most; 0 where unique


@dataclass(frozen=True)
class Simplest:
    """An optimal strategy that mixes at few positions, and how few any optimal strategy can do with."""

    side: int
    strategy: StrategyTable
    mixed: int  # positions where it mixes
    at_least: int  # positions where every optimal strategy comes and mixes
    denominator: int  # the largest of its odds
    must_mix: Sequence[str] = ()  # those positions
    denominator_at_least: int = 1  # what every optimal strategy has somewhere, by the ranges of odds at those positions

    @property
    def words(self) -> int:
        """How long it is to tell: a word for each position where it comes, and one for each move, and its odds."""
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
    """A rule of thumb: what it guarantees, and the best strategy that obeys it, as payoffs to its side."""

    side: int
    guarantee: Guarantee  # of the best strategy that obeys it
    price: Fraction  # the value less that
    alone: Fraction | None  # what the rules guarantee as they stand; None where they leave positions open

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
    """What holds at a position: of the moves if the side that knows it moves there, and of what it cannot see."""

    position: str
    side: int
    moves: Sequence[MoveInsight] = ()
    beliefs: Sequence[BeliefInsight] = ()
    slip: Fraction = Fraction(0)
    notes: Sequence[str] = field(default=())  # sentences worth saying: symmetry, what is only bounded

    @property
    def exact(self) -> bool:
        """Whether every range and price is proved, rather than bounded."""
        ranges = [*(one.range for one in self.moves), *(one.range for one in self.beliefs)]
        prices = [one.guarantee for one in self.moves]
        return all(one is None or one.exact for one in ranges) and all(one is not None and one.exact for one in prices)

    def to_json(self, sides: Sequence[str]) -> dict[str, Any]:
        return {
            "position": self.position,
            "side": sides[self.side],
            "moves": {one.move: one.to_json() for one in self.moves},
            "beliefs": {one.fact: one.to_json() for one in self.beliefs},
            "slip": rationals.write(self.slip),
            "exact": self.exact,
            "notes": list(self.notes),
        }


def bounded(there: PositionInsight) -> str:
    """Which answers at a position are proved and which are only bounds, in a sentence or two."""
    odds = {f"the odds of {one.move}": one.range is None or one.range.exact for one in there.moves}
    odds |= {f"the odds that {one.fact}": one.range is None or one.range.exact for one in there.beliefs}
    prices = {f"the price of {one.move}": one.guarantee is not None and one.guarantee.exact for one in there.moves}
    every = odds | prices
    proved, open_still = ([name for name, holds in every.items() if holds == wanted] for wanted in (True, False))
    told = f"{_listed(proved)} {'is' if len(proved) == 1 else 'are'} proved; " if proved else ""
    told += f"{_listed(open_still)} {'is' if len(open_still) == 1 else 'are'} only bounded: more time may prove it."
    return told[0].upper() + told[1:]


def least_denominator(ranges: Iterable[Range | None]) -> int:
    """The largest denominator that odds must have which are in ranges."""
    ends = [(one.least.value, one.greatest.value) for one in ranges if one is not None]
    return max((rationals.simplest_between(low, high).denominator for low, high in ends), default=1)


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_LISTED:
        return f"{', '.join(names[:MOST_LISTED])} and {len(names) - MOST_LISTED} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


@dataclass(frozen=True)
class Worst:
    """The hidden fact that is worst for a side that goes on by its stored strategy, if the other does its worst."""

    value: Exact
    """payoff to side 0"""
    fact: str
    """what would be hidden"""


class Insight(Protocol):
    """Insight into one solution. A game brings its own as its part "insight": Solution, file -> Insight."""

    @property
    def facts(self) -> str:
        """What is meant by the facts alone, in a sentence."""

    @property
    def value(self) -> Fraction:
        """The payoff to side 0."""

    def unique(self) -> tuple[Unique, Unique]:
        """Of each side."""

    def at(
        self, position: str, side: int | str | None = None, slip: Fraction = Fraction(0), *, own: str = ""
    ) -> PositionInsight:
        """All of a position; `side` where both sides know the same text. Raises PositionError.

        `own`: what one person of the side knows beyond it, one of `own_facts`.
        """

    def moves(self, position: str, side: int) -> Sequence[MoveInsight]:
        """The same of the moves alone, which takes half as long."""

    def own_facts(self, position: str, side: int) -> Mapping[str, str]:
        """What one person of a side may know of itself that its side does not, and in words; mostly nothing."""

    def worst(self, position: str, side: int) -> Worst | None:
        """The worst that the facts allow from here on; None where nothing is hidden from the side."""

    def positions(self) -> Iterator[tuple[int, str]]:
        """Every position where a side moves, and the side."""

    def kinds(self, position: str, side: int) -> Mapping[str, str | None]:
        """MUST, MAY or NEVER of each move, without finding how often; None where no optimal plan comes here."""

    def simplest(self, side: int) -> Simplest: ...

    def watched(self, watch: Callable[[int, int], object]) -> None:
        """Tell somebody of every answer at a position: how many there are by now, and of how many."""

    def keep(self) -> None:
        """Write new answers beside the solution file, where there is one (kept.py)."""

    def rule(self, side: int, odds: Mapping[str, Mapping[str, Fraction]]) -> RuleInsight:
        """The price of a rule of thumb, which fixes the odds at some positions."""


def _write(number: Fraction | None) -> str | None:
    return None if number is None else rationals.write(number)


def _table(table: StrategyTable) -> dict[str, dict[str, str]]:
    return {
        position: {move: rationals.write(share) for move, share in odds.items()} for position, odds in table.items()
    }
