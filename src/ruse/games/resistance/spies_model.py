"""Models of the spies: how many of those aboard a mission sabotage it, for `ruse exploit`.

A model gives odds for every number of cards, because the number is public: two sabotages on a mission of two name two
spies. `ByAboard` knows nothing but the mission, the score and how many spies are aboard, as models of people do.
`ByPosition` plays a strategy by class, with just as many cards as it takes, and sabotages whenever it can once a side
has two points, as all such strategies do (ruse.games.resistance.verify).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Protocol

from ruse.core.game import PolicyError
from ruse.core.types import Odds
from ruse.games.resistance.table import POINTS_TO_WIN, ROUNDS, Table

Score = tuple[int, int]
CardOdds = tuple[Fraction, ...]  # of 0, 1, 2, … cards
SABOTAGE_ALWAYS = POINTS_TO_WIN - 1  # points of a side at which strategies by class have nothing to decide


def stages(table: Table) -> list[tuple[int, Score, int]]:
    """Every mission with every score before it and every number of spies that can be aboard."""
    return [
        (number, (passed, number - passed), aboard)
        for number in range(ROUNDS)
        for passed in range(max(0, number - SABOTAGE_ALWAYS), min(number, SABOTAGE_ALWAYS) + 1)
        for aboard in range(1, min(table.spies, table.missions[number]) + 1)
    ]


class SpiesModel(Protocol):
    @property
    def table(self) -> Table: ...

    def cards(self, number: int, score: Score, aboard: int, position: Callable[[], str]) -> CardOdds:
        """The odds of each number of cards on a mission; `position` is what the spies know, by class."""

    def denominators(self) -> Sequence[int]:
        """For each mission, a common denominator of all odds."""


@dataclass(frozen=True)
class ByAboard:
    """Odds by mission, score and spies aboard."""

    table: Table
    odds: Mapping[tuple[int, Score, int], CardOdds]

    def cards(self, number: int, score: Score, aboard: int, position: Callable[[], str] = str) -> CardOdds:
        return self.odds[number, score, aboard] if aboard else (Fraction(1),)

    def denominators(self) -> Sequence[int]:
        wholes = [1] * ROUNDS
        for (number, _, _), odds in self.odds.items():
            wholes[number] = lcm(wholes[number], *(share.denominator for share in odds))
        return wholes

    def to_json(self) -> dict[str, list[str]]:
        """The odds by "mission score aboard", such as "1 0-0 2"."""
        return {
            f"{number + 1} {passed}-{failed} {aboard}": [str(share) for share in odds]
            for (number, (passed, failed), aboard), odds in self.odds.items()
        }

    @staticmethod
    def from_json(table: Table, rows: Mapping[str, Sequence[str]]) -> ByAboard:
        odds: dict[tuple[int, Score, int], CardOdds] = {}
        try:
            for name, shares in rows.items():
                mission, score, aboard = name.split()
                passed, failed = map(int, score.split("-"))
                odds[int(mission) - 1, (passed, failed), int(aboard)] = tuple(map(Fraction, shares))
        except (ValueError, TypeError, AttributeError, ZeroDivisionError) as error:
            raise PolicyError("the model's odds of sabotages cannot be read") from error
        for stage in stages(table):
            given = odds.get(stage, ())
            if len(given) != stage[2] + 1 or min(given) < 0 or sum(given) != 1:
                raise PolicyError(f"the model's odds of sabotages on mission {stage[0] + 1} are not odds")
        return ByAboard(table, odds)


@dataclass(frozen=True)
class ByPosition:
    """A strategy by class: the odds of pass and sabotage at the spies' positions."""

    table: Table
    odds: Mapping[str, Odds]

    def cards(self, number: int, score: Score, aboard: int, position: Callable[[], str]) -> CardOdds:
        needed = self.table.sabotages[number]
        if aboard < needed:
            return (Fraction(1), *[Fraction(0)] * aboard)
        if SABOTAGE_ALWAYS in score:
            return _exactly(needed, aboard, Fraction(1))
        place = position()
        if place not in self.odds:
            raise PolicyError(f"the model has no odds at {place}; give it pass and sabotage there")
        return _exactly(needed, aboard, Fraction(self.odds[place].get("sabotage", 0)))

    def denominators(self) -> Sequence[int]:
        wholes = [1] * ROUNDS
        for position, odds in self.odds.items():
            number = position.count("/") - 1
            wholes[number] = lcm(wholes[number], *(Fraction(share).denominator for share in odds.values()))
        return wholes


def _exactly(needed: int, aboard: int, share: Fraction) -> CardOdds:
    """Just as many cards as it takes, with these odds, or none."""
    return tuple(share if cards == needed else 1 - share if cards == 0 else Fraction(0) for cards in range(aboard + 1))


def uniform(table: Table) -> ByAboard:
    """Spies who pass and sabotage alike wherever they can fail a mission."""
    half = Fraction(1, 2)
    return ByAboard(
        table,
        {
            (number, score, aboard): _exactly(
                table.sabotages[number], aboard, half if aboard >= table.sabotages[number] else Fraction(0)
            )
            for number, score, aboard in stages(table)
        },
    )


def model_in(table: Table, fields: Mapping[str, Any], odds: Mapping[str, Odds]) -> SpiesModel:
    """The model that a file holds."""
    return ByAboard.from_json(table, fields["cards"]) if "cards" in fields else ByPosition(table, odds)
