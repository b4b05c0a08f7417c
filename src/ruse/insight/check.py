"""Kept insight, checked against nothing but the rules: no linear program, and no word of a solver believed.

Strategies that are to prove the value have to; then each end of a range has to be proved by its answer and attained by
its witness (model.py), each guarantee by its strategy and by what the other side's answer leaves, each unique plan by
an answer that leaves no other, each other one by two optimal plans that differ. What a strategy is worth by the rules,
`ruse.insight.grounds` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ruse.core import rationals
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.core.types import StrategyTable
from ruse.insight import kept
from ruse.insight.grounds import grounds
from ruse.insight.memory import Key
from ruse.insight.model import Bound, Guarantee, Range, Simplest, Unique, least_denominator
from ruse.solution.container import StoreError, a_fraction, a_list, field
from ruse.solution.store import game_in
from ruse.verify.tree import VerifyError


@dataclass(frozen=True)
class Checked:
    """What an insight file was seen to prove."""

    game: Game
    value: Fraction
    certificates: int


def check(content: bytes, own: Any = None) -> Checked:
    """Check the bytes of an insight file; `own` is the game, where it is not ruse's. Raises VerifyError."""
    fields = kept.unpacked(content)
    game = game_in(fields, own)
    if field(fields, "identity") != identity(game):
        raise StoreError(f"this insight is about another game than {game.title}, or about older rules")
    done, value = 0, Fraction(0)
    for symmetry, part in kept.WHICH.items():
        if part in fields:
            value = a_fraction(field(fields[part], "value"), "value")
            done += _Check(game, symmetry, value, fields[part]).all()
    return Checked(game, value, done)


class _Check:
    def __init__(self, game: Game, symmetry: bool, value: Fraction, fields: Mapping[str, Any]) -> None:
        self.game, self.values = game, (value, -value)
        self.memory = kept.memory_of(fields)
        tables = kept.strategies(fields)
        try:
            first, second = (tables[number] for number in a_list(field(fields, "proof"), "proof"))
        except (TypeError, ValueError, IndexError) as error:
            raise StoreError("the two strategies do not prove the value") from error
        self.proof = (first, second)
        self.grounds = grounds(game, symmetry)
        self._guaranteed: dict[tuple[int, int], tuple[StrategyTable, Fraction]] = {}  # by side and the object itself

    def all(self) -> int:
        """How many certificates hold: all of them."""
        for side in (0, 1):
            self._optimal(side, self.proof[side], "the proof of the value")
        for key, found in self.memory.ranges.items():
            self._range(key, found)
        for key, guarantee in self.memory.guarantees.items():
            self._guarantee(key, guarantee)
        for unique in self.memory.uniques.values():
            self._unique(unique)
        for simple in self.memory.simple.values():
            self._simplest(simple)
        memory = self.memory
        return 2 * len(memory.ranges) + len(memory.guarantees) + len(memory.uniques) + len(memory.simple) + 1

    def _expect(self, holds: bool, what: str, where: str) -> None:
        if not holds:
            raise VerifyError(f"the certificate does not prove {what} at {where} in {self.game.title}")

    def _worth(self, side: int, table: StrategyTable) -> Fraction:
        if (side, id(table)) not in self._guaranteed:
            self._guaranteed[side, id(table)] = table, self.grounds.guarantee(side, table)
        return self._guaranteed[side, id(table)][1]

    def _optimal(self, side: int, table: StrategyTable, where: str) -> None:
        promised = f"{rationals.brief(self.values[side])} to {self.game.sides[side]}"
        self._expect(self._worth(side, table) == self.values[side], f"a strategy that guarantees {promised}", where)

    def _range(self, key: Key, found: Range | Bound) -> None:
        side, where = self.grounds.owner(key), f"{key.position} ({key.name})"
        if isinstance(found, Bound):
            self._expect(found.value == 0, "a weight of 0 where nobody comes", where)
            answer = self._answer(side, found)
            slack = self.grounds.absence(key, found.weight, self.values[side], answer)
            self._expect(slack >= 0 <= found.weight, "that nobody comes", where)
            return
        self._bound(key, found.least, 1, where)
        self._bound(key, found.greatest, -1, where)

    def _bound(self, key: Key, bound: Bound, sign: int, where: str) -> None:
        """The least of a ratio, or with sign -1 its greatest."""
        side = self.grounds.owner(key)
        answer = self._answer(side, bound)
        slack = self.grounds.slack(key, sign, bound.value, bound.weight, self.values[side], answer)
        self._expect(slack >= 0 <= bound.weight, f"a bound of {rationals.brief(bound.value)}", where)
        if bound.attained is not None:
            self._optimal(side, bound.witness, where)
            promised = f"a plan with {rationals.brief(bound.attained)}"
            self._expect(self.grounds.share(key, bound.witness) == bound.attained, promised, where)

    def _answer(self, side: int, bound: Bound) -> StrategyTable:
        return bound.answer if bound.weight else self.proof[1 - side]

    def _guarantee(self, key: Key, found: Guarantee) -> None:
        """With the move always made."""
        where = f"{key.position} ({key.name})"
        self._expect(self.grounds.always(key, found.strategy), "a strategy that always makes the move", where)
        promised = f"a guarantee of {rationals.brief(found.value)}"
        self._expect(self._worth(key.side, found.strategy) == found.value, promised, where)
        most = self.grounds.best(key, found.answer)
        self._expect(most <= found.most, f"at most {rationals.brief(found.most)}", where)

    def _unique(self, found: Unique) -> None:
        where = f"the strategy of {self.game.sides[found.side]}"
        plans = list(found.plans)
        for table in plans:
            self._optimal(found.side, table, where)
        if not found.unique:
            differ = len(plans) == 2 and self.grounds.differ(found.side, *plans)
            self._expect(differ, "two optimal strategies that differ", where)
            if found.freedom is not None:
                self._optimal(1 - found.side, found.answer, where)
                left = self.grounds.freedom(found.side, found.answer)
                self._expect(left == found.freedom, f"a family of at most {found.freedom} dimensions", where)
            return
        self._expect(found.freedom in (0, None), "a family of more than one strategy", where)
        self._optimal(1 - found.side, found.answer, where)
        only = len(plans) == 1 and self.grounds.only(found.side, plans[0], found.answer, self._pinned)
        self._expect(only, "that there is no other", where)

    def _pinned(self, key: Key) -> bool:
        """Whether a range that is checked too has equal ends."""
        found = self.memory.ranges.get(key)
        return isinstance(found, Range) and found.least.value == found.greatest.value

    def _simplest(self, found: Simplest) -> None:
        """It is optimal and mixes as seldom as it says; where it has to, every move made for sure costs something."""
        where = f"the simplest strategy of {self.game.sides[found.side]}"
        self._optimal(found.side, found.strategy, where)
        mixed = sum(sum(share > 0 for share in odds.values()) > 1 for odds in found.strategy.values())
        self._expect(mixed == found.mixed, f"{found.mixed} positions where it mixes", where)
        odds = [share for there in found.strategy.values() for share in there.values()]
        largest = max((share.denominator for share in odds), default=1)
        self._expect(largest == found.denominator, f"odds in parts of at most {found.denominator}", where)
        self._expect(len(set(found.must_mix)) == found.at_least, f"{found.at_least} positions to mix at", where)
        for position in found.must_mix:
            names = self.grounds.moves(found.side, position)
            kept_there = [self.memory.guarantees.get(Key("always", found.side, position, name)) for name in names]
            costs = [one is not None and one.most < self.values[found.side] for one in kept_there]
            self._expect(bool(costs) and all(costs), "every move to cost something", position)
        ranges = [
            one if isinstance(one, Range) else None
            for position in found.must_mix
            for name in self.grounds.moves(found.side, position)
            if (one := self.memory.ranges.get(Key("move", found.side, position, name))) is not None
        ]
        least = f"odds in parts of at least {found.denominator_at_least}"
        self._expect(found.denominator_at_least <= least_denominator(ranges), least, where)
