"""Check an insight file against the rules alone, without a linear program and without trusting a solver.

First its strategies must prove the value. Then each end of a range needs an answer that proves it and a witness that
attains it (model.py), each guarantee a strategy and an answer of the other side, each unique plan an answer that leaves
no other, and each plan that is not unique two optimal plans that differ. A reference pair has to be optimal.
`ruse.insight.proof_checker` computes payoffs of strategies from the rules.
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
from ruse.insight import insight_file
from ruse.insight.memory import Key
from ruse.insight.model import Bound, Guarantee, Range, Simplest, Unique, least_denominator
from ruse.insight.proof_checker import proof_checker
from ruse.solution.container import StoreError, a_fraction, a_list, field
from ruse.solution.store import game_in
from ruse.verify.tree import VerifyError


@dataclass(frozen=True)
class CheckedInsight:
    """What an insight file was seen to prove."""

    game: Game
    value: Fraction
    certificates: int


def check(content: bytes, own: Any = None) -> CheckedInsight:
    """Check the bytes of an insight file; `own` is the game, where it is not ruse's. Raises VerifyError."""
    fields = insight_file.unpacked(content)
    game = game_in(fields, own)
    if field(fields, "identity") != identity(game):
        raise StoreError(f"this insight is about another game than {game.title}, or about older rules")
    done, value = 0, Fraction(0)
    for symmetry, part in insight_file.WHICH.items():
        if part in fields:
            value = a_fraction(field(fields[part], "value"), "value")
            done += _Check(game, symmetry, value, fields[part]).all()
    return CheckedInsight(game, value, done)


class _Check:
    def __init__(self, game: Game, symmetry: bool, value: Fraction, fields: Mapping[str, Any]) -> None:
        self.game, self.values = game, (value, -value)
        self.memory = insight_file.memory_of(fields)
        tables = insight_file.strategies(fields)
        try:
            first, second = (tables[number] for number in a_list(field(fields, "proof"), "proof"))
        except (TypeError, ValueError, IndexError) as error:
            raise StoreError("the two strategies do not prove the value") from error
        self.proof = (first, second)
        self.checker = proof_checker(game, symmetry)
        self._guaranteed: dict[tuple[int, int], tuple[StrategyTable, Fraction]] = {}  # by side and the object itself

    def all(self) -> int:
        """How many certificates hold: all of them."""
        for side in (0, 1):
            self._optimal(side, self.proof[side], "the proof of the value")
        for key, answer in self.memory.ranges.items():
            self._range(key, answer)
        for key, guarantee in self.memory.guarantees.items():
            self._guarantee(key, guarantee)
        for unique in self.memory.uniques.values():
            self._unique(unique)
        for simple in self.memory.simple.values():
            self._simplest(simple)
        memory = self.memory
        for side, table in enumerate(memory.pair or ()):
            self._optimal(side, table, "the reference pair")
        answers = len(memory.guarantees) + len(memory.uniques) + len(memory.simple) + (memory.pair is not None)
        return 2 * len(memory.ranges) + answers + 1

    def _expect(self, holds: bool, claim: str, place: str) -> None:
        if not holds:
            raise VerifyError(f"the certificate does not prove {claim} at {place} in {self.game.title}")

    def _guarantee_of(self, side: int, table: StrategyTable) -> Fraction:
        if (side, id(table)) not in self._guaranteed:
            self._guaranteed[side, id(table)] = table, self.checker.guarantee(side, table)
        return self._guaranteed[side, id(table)][1]

    def _optimal(self, side: int, table: StrategyTable, place: str) -> None:
        promised = f"{rationals.brief(self.values[side])} to {self.game.sides[side]}"
        self._expect(
            self._guarantee_of(side, table) == self.values[side], f"a strategy that guarantees {promised}", place
        )

    def _range(self, key: Key, odds: Range | Bound) -> None:
        side, place = self.checker.owner(key), f"{key.position} ({key.name})"
        if isinstance(odds, Bound):
            self._expect(odds.value == 0, "a weight of 0 where nobody comes", place)
            answer = self._answer(side, odds)
            slack = self.checker.absence(key, odds.weight, self.values[side], answer)
            self._expect(slack >= 0 <= odds.weight, "that nobody comes", place)
            return
        self._bound(key, odds.least, 1, place)
        self._bound(key, odds.greatest, -1, place)

    def _bound(self, key: Key, bound: Bound, sign: int, place: str) -> None:
        """The least of a ratio, or with sign -1 its greatest."""
        side = self.checker.owner(key)
        answer = self._answer(side, bound)
        slack = self.checker.slack(key, sign, bound.value, bound.weight, self.values[side], answer)
        self._expect(slack >= 0 <= bound.weight, f"a bound of {rationals.brief(bound.value)}", place)
        if bound.attained is not None:
            self._optimal(side, bound.witness, place)
            promised = f"a plan with {rationals.brief(bound.attained)}"
            self._expect(self.checker.share(key, bound.witness) == bound.attained, promised, place)

    def _answer(self, side: int, bound: Bound) -> StrategyTable:
        return bound.answer if bound.weight else self.proof[1 - side]

    def _guarantee(self, key: Key, guarantee: Guarantee) -> None:
        """With the move always made."""
        place = f"{key.position} ({key.name})"
        self._expect(self.checker.always(key, guarantee.strategy), "a strategy that always makes the move", place)
        promised = f"a guarantee of {rationals.brief(guarantee.value)}"
        self._expect(self._guarantee_of(key.side, guarantee.strategy) == guarantee.value, promised, place)
        most = self.checker.best(key, guarantee.answer)
        self._expect(most <= guarantee.most, f"at most {rationals.brief(guarantee.most)}", place)

    def _unique(self, unique: Unique) -> None:
        place = f"the strategy of {self.game.sides[unique.side]}"
        plans = list(unique.plans)
        for table in plans:
            self._optimal(unique.side, table, place)
        if not unique.unique:
            differ = len(plans) == 2 and self.checker.differ(unique.side, *plans)
            self._expect(differ, "two optimal strategies that differ", place)
            if unique.freedom is not None:
                self._optimal(1 - unique.side, unique.answer, place)
                left = self.checker.freedom(unique.side, unique.answer)
                self._expect(left == unique.freedom, f"a family of at most {unique.freedom} dimensions", place)
            return
        self._expect(unique.freedom in (0, None), "a family of more than one strategy", place)
        self._optimal(1 - unique.side, unique.answer, place)
        only = len(plans) == 1 and self.checker.only(unique.side, plans[0], unique.answer, self._pinned)
        self._expect(only, "that there is no other", place)

    def _pinned(self, key: Key) -> bool:
        """Whether the file also holds a range with equal ends for a key."""
        known = self.memory.ranges.get(key)
        return isinstance(known, Range) and known.least.value == known.greatest.value

    def _simplest(self, simplest: Simplest) -> None:
        """Check that a strategy is optimal and mixes as rarely as claimed, and that it must mix where it says so."""
        place = f"the simplest strategy of {self.game.sides[simplest.side]}"
        self._optimal(simplest.side, simplest.strategy, place)
        mixed = sum(sum(share > 0 for share in odds.values()) > 1 for odds in simplest.strategy.values())
        self._expect(mixed == simplest.mixed, f"{simplest.mixed} positions where it mixes", place)
        odds = [share for there in simplest.strategy.values() for share in there.values()]
        largest = max((share.denominator for share in odds), default=1)
        self._expect(largest == simplest.denominator, f"odds in parts of at most {simplest.denominator}", place)
        self._expect(
            len(set(simplest.must_mix)) == simplest.at_least, f"{simplest.at_least} positions to mix at", place
        )
        for position in simplest.must_mix:
            names = self.checker.moves(simplest.side, position)
            kept_there = [self.memory.guarantees.get(Key("always", simplest.side, position, name)) for name in names]
            costs = [guarantee is not None and guarantee.most < self.values[simplest.side] for guarantee in kept_there]
            self._expect(bool(costs) and all(costs), "every move to cost something", position)
        ranges = [
            known if isinstance(known, Range) else None
            for position in simplest.must_mix
            for name in self.checker.moves(simplest.side, position)
            if (known := self.memory.ranges.get(Key("move", simplest.side, position, name))) is not None
        ]
        least = f"odds in parts of at least {simplest.denominator_at_least}"
        self._expect(simplest.denominator_at_least <= least_denominator(ranges), least, place)
