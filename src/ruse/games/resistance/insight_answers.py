"""Best responses in The Resistance with a bonus at one position, for the check of certificates (insight_check.py).

Only the way to the position is computed again: beside it every position has its value without a bonus (verify.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

from ruse.core.types import StrategyTable
from ruse.games.resistance.notation import read_seats
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.games.resistance.verify import ORDERS, LeastWins, Masses, MostWins, spies_position
from ruse.games.resistance.verify_endgames import Guesses
from ruse.games.resistance.verify_public import Counts, PublicHistory, Sent, start

NONE, ALL = Fraction(0), Fraction(1)
Bonus = Callable[[Counts], Fraction]  # of the mass of a class, at a position


@dataclass(frozen=True)
class CheckedPosition:
    """A position, the way to it, and what a key asks about there."""

    way: Sequence[tuple[PublicHistory, Sent, bool]]  # what was sent on the way, from where, and whether it passed
    public: PublicHistory  # where no mission is out yet
    out: Sent | None  # the mission that is
    spies: Counts | None  # who decides, of the spies
    name: str


class SpiesAnswer:
    """The best answer of the spies to a strategy of the resistance, with a bonus."""

    def __init__(self, table: Table, strategy: StrategyTable) -> None:
        self.table, self.wins = table, LeastWins(table, strategy.__getitem__)

    def least(
        self, asked: CheckedPosition, weight: Fraction, bonus: Bonus, orders: Mapping[str, Fraction | None]
    ) -> Fraction:
        """The least of 2 weight (how often the resistance wins) + bonus, over all plans.

        The bonus is one for each unit of mass of a class at the position asked about; `orders` are more for an order
        that those asked about give, None where they must not.
        """
        reach = 2 * weight  # times the odds that the resistance sends what led to a position

        def going(step: int, public: PublicHistory, spies: Counts, reach: Fraction) -> Fraction:
            """On the way: of a unit of mass."""
            there = step == len(asked.way)
            if there and asked.out is None:
                return self._value(public, spies, reach) + bonus(spies)
            sent = asked.out if there else asked.way[step][1]
            assert sent is not None
            missions = self.wins.missions(public) if reach else {}
            total = NONE
            for other, share in missions.items():
                if other != sent:
                    each = self.wins.win_sent(public, other, spies)
                    total += reach * share * self._part(public, spies) * each
            for aboard, _, counts in public.splits(sent, spies):
                total += out(step, public, sent, aboard, counts, reach * missions.get(sent, NONE))
            return total

        def out(step: int, public: PublicHistory, sent: Sent, aboard: int, spies: Counts, reach: Fraction) -> Fraction:
            """With a mission out."""
            there, values = step == len(asked.way), list[Fraction]()
            for order in self._orders(public, aboard):
                then = self.wins.after(public, sent)[ORDERS.index(order)]
                more = orders.get(order, NONE) if there and spies == asked.spies else NONE
                if not there and asked.way[step][2] == (order == "pass"):
                    values.append(going(step + 1, then, spies, reach))
                elif more is not None:
                    values.append(self._value(then, spies, reach) + more)
            return min(values) + (bonus(spies) if there else NONE)

        return going(0, start(self.table), (self.table.spies,), reach)

    def strays(self, strategy: StrategyTable) -> bool:
        """Whether a best answer gives an order that a strategy of the spies never gives where it comes."""

        def going(public: PublicHistory, spies: Counts, reach: Fraction) -> tuple[Fraction, int]:
            """What is conceded at least, and minus how many such orders may be given for that."""
            if POINTS_TO_WIN - 1 in public.score:
                return self._value(public, spies, reach), 0
            missions = self.wins.missions(public) if reach else {}
            total, strayed = NONE, 0
            for sent in public.sendings(self.table.missions[len(public.done)]):
                for aboard, _, counts in public.splits(sent, spies):
                    conceded, more = out(public, sent, aboard, counts, reach * missions.get(sent, NONE))
                    total, strayed = total + conceded, strayed + more
            return total, strayed

        def out(public: PublicHistory, sent: Sent, aboard: int, spies: Counts, reach: Fraction) -> tuple[Fraction, int]:
            orders = self._orders(public, aboard)
            given = strategy[spies_position(self.table, public, sent, spies)] if len(orders) > 1 else {"pass": ALL}
            answers = list[tuple[Fraction, int]]()
            for order in orders:
                then = self.wins.after(public, sent)[ORDERS.index(order)]
                gives = given.get(order)
                answers.append(going(then, spies, reach) if gives else (self._value(then, spies, reach), -1))
            return min(answers)

        return going(start(self.table), (self.table.spies,), ALL)[1] < 0

    def _value(self, public: PublicHistory, spies: Counts, reach: Fraction) -> Fraction:
        """Of a unit of mass, without a bonus."""
        return reach * self._part(public, spies) * self.wins.win(public, spies) if reach else NONE

    def _part(self, public: PublicHistory, spies: Counts) -> Fraction:
        """How much of all spy sets a class is."""
        sets = prod(comb(cell, count) for cell, count in zip(public.cells, spies, strict=True))
        return Fraction(sets, self.table.spy_sets)

    def _orders(self, public: PublicHistory, aboard: int) -> Sequence[str]:
        """What spies may do about a mission that so many of them are aboard."""
        if aboard < self.table.sabotages[len(public.done)]:
            return ORDERS[:1]
        return ORDERS[1:] if POINTS_TO_WIN - 1 in public.score else ORDERS


class ResistanceAnswer:
    """The best response of the resistance to a strategy of the spies, with a bonus for what it sends at a position."""

    def __init__(self, table: Table, strategy: StrategyTable, guesses: Guesses) -> None:
        self.table, self.guesses = table, guesses
        self.wins = MostWins(table, strategy.__getitem__, guesses)

    def most(
        self, asked: CheckedPosition, weight: Fraction, chosen: Mapping[str, Fraction], other: Fraction | None
    ) -> Fraction:
        """The most of 2 weight (how often it wins) + bonus, over all plans.

        `chosen` are the bonuses of missions at the position asked about, `other` that of all others there; None where
        those must not be sent.
        """
        named = {asked.public.sent(read_seats(name, self.table)): more for name, more in chosen.items()}
        scale = 2 * weight

        def choosing(step: int, sent: Sent) -> Fraction | None:
            """The bonus of a mission that is no step on the way; None where it must not be sent."""
            return named.get(sent, other) if step == len(asked.way) else NONE

        def going(step: int, public: PublicHistory, masses: Masses) -> Fraction:
            if POINTS_TO_WIN - 1 in public.score:
                return ending(step, public, masses)
            values = list[Fraction]()
            for sent in public.sendings(self.table.missions[len(public.done)]):
                more = choosing(step, sent)
                if step < len(asked.way) and sent == asked.way[step][1]:
                    after = dict(zip((True, False), self.wins.handed_on(public, sent, masses), strict=True))
                    passed = asked.way[step][2]
                    beside = self.wins.most(public.after(sent, not passed), after[not passed])
                    values.append(going(step + 1, public.after(sent, passed), after[passed]) + scale * beside)
                elif more is not None:
                    values.append(scale * self.wins.sent(public, sent, masses) + more)
            return max(values)

        def ending(step: int, public: PublicHistory, masses: Masses) -> Fraction:
            dealt, enough, sure, unit = self.guesses.dealt(public, masses)

            def rest(step: int, public: PublicHistory, dealt: Mapping[int, int]) -> Fraction:
                values = list[Fraction]()
                for sent, stays in self.guesses.staying(public, dealt, enough):
                    then, more = public.after(sent, not enough), choosing(step, sent)
                    if step < len(asked.way) and sent == asked.way[step][1]:
                        values.append(rest(step + 1, then, stays))
                    elif more is not None:
                        values.append(scale * Fraction(self.guesses.most(then, stays, enough), unit) + more)
                return max(values)

            return scale * Fraction(sure, unit) + rest(step, public, dealt)

        return going(0, start(self.table), dict(self.wins.dealt) if weight else {})
