"""Kept insight, checked against nothing but the rules: no linear program, and no word of a solver believed.

The game is walked by its rules. Strategies that are to prove the value have to; then each end of a range has to be
proved by its answer and attained by its witness (model.py), each guarantee by its strategy and by what the other side's
answer leaves, each unique plan by equations of full rank, each other one by two optimal plans that differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ruse.core import rationals
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.core.types import StrategyTable
from ruse.forms.certificate import Certificate, Plan
from ruse.forms.sequence_form import plain_form
from ruse.insight import kept
from ruse.insight.faces import Face, point
from ruse.insight.memory import Key
from ruse.insight.model import Bound, Guarantee, Range, Simplest, Unique
from ruse.insight.places import Places
from ruse.insight.sides import Ratio, Side, odds_of
from ruse.insight.uniqueness import equations, free_columns
from ruse.solution.container import StoreError, a_fraction, a_list, field
from ruse.solution.store import game_in
from ruse.solution.strategy import Solution
from ruse.verify.tree import VerifyError, check_odds
from ruse.view.nodes import Nodes


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
        raise StoreError(f"this is insight into another game than {game.title} by its rules here")
    done, value = 0, Fraction(0)
    for symmetry, part in kept.WHICH.items():
        if part in fields:
            value = a_fraction(field(fields[part], "value"), "value")
            done += _Check(game, symmetry, value, fields[part]).all()
    return Checked(game, value, done)


class _Check:
    def __init__(self, game: Game, symmetry: bool, value: Fraction, fields: Mapping[str, Any]) -> None:
        self.game, self.value = game, value
        self.memory = kept.memory_of(fields)
        tables = kept.strategies(fields)
        try:
            first, second = (tables[number] for number in a_list(field(fields, "proof"), "proof"))
        except (TypeError, ValueError, IndexError) as error:
            raise StoreError("the two strategies do not prove the value") from error
        self.proof = (first, second)
        nodes = Nodes(Solution(game, "", ({}, {}), Certificate(value, value), 0.0, 0))
        self.places = Places(nodes, game, symmetry, plain_form)
        self.sides = (Side(self.places.form, 0), Side(self.places.form, 1))
        self._plans: dict[int, tuple[StrategyTable, Plan]] = {}  # by the object, which is kept with it

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

    @cached_property
    def _values(self) -> tuple[Fraction, Fraction]:
        return self.value, -self.value

    def _expect(self, holds: bool, what: str, where: str) -> None:
        if not holds:
            raise VerifyError(f"the certificate does not prove {what} at {where} in {self.game.title}")

    def _plan(self, side: int, table: StrategyTable) -> Plan:
        if id(table) not in self._plans:
            self._plans[id(table)] = (table, self._read(side, table))
        return self._plans[id(table)][1]

    def _read(self, side: int, table: StrategyTable) -> Plan:
        """The plan that a table says, which has to have odds wherever it comes."""
        places, own = self.places, self.sides[side]
        plan = [Fraction(1)] + [Fraction(0)] * (own.mine.sequences - 1)
        for number, (parent, first, _) in enumerate(own.sets):
            if not plan[parent]:
                continue
            position, names = places.positions[side][number], places.names(side, number)
            if position not in table:
                raise VerifyError(f"expected odds at {position}, got none")
            check_odds(table[position], names, lambda position=position: position)  # type: ignore[misc]
            for sequence, name in enumerate(names, first):
                plan[sequence] = plan[parent] * table[position].get(name, Fraction(0))
        return plan

    def _optimal(self, side: int, table: StrategyTable, where: str) -> Plan:
        plan = self._plan(side, table)
        promised = f"{rationals.brief(self._values[side])} to {self.game.sides[side]}"
        self._expect(
            self.sides[side].guarantee(plan) == self._values[side], f"a strategy that guarantees {promised}", where
        )
        return plan

    def _sequence(self, key: Key) -> int:
        number = self.places.numbers[key.side].get(key.position)
        if number is None or key.name not in (names := self.places.names(key.side, number)):
            raise VerifyError(f"expected a move of {self.game.title}, got {key.name!r} at {key.position!r}")
        return self.sides[key.side].sets[number][1] + names.index(key.name)

    def _range(self, key: Key, found: Range | Bound) -> None:
        if key.kind == "belief":
            facts = self.places.facts(key.side, key.position) if key.position in self._known[key.side] else {}
            if key.name not in facts:
                raise VerifyError(f"expected a hidden fact of {self.game.title}, got {key.name!r} at {key.position!r}")
            side, ratio = 1 - key.side, facts[key.name]
        else:
            side, ratio = key.side, odds_of(self.sides[key.side], self._sequence(key))
        where = f"{key.position} ({key.name})"
        if isinstance(found, Bound):
            self._expect(found.value == 0, "a weight of 0 where nobody comes", where)
            self._bound(side, Ratio(ratio.below, {0: Fraction(1)}), found, -1, where)
            return
        self._bound(side, ratio, found.least, 1, where)
        self._bound(side, ratio, found.greatest, -1, where)

    @property
    def _known(self) -> tuple[Any, Any]:
        return self.places.nodes.members

    def _bound(self, side: int, ratio: Ratio, bound: Bound, sign: int, where: str) -> None:
        """The least of a ratio, or with sign -1 its greatest."""
        asked = ratio if sign == 1 else ratio.turned()
        answer = self._plan(1 - side, bound.answer if bound.weight else self.proof[1 - side])
        slack = self.sides[side].slack(asked, sign * bound.value, self._values[side], bound.weight, answer)
        self._expect(slack >= 0 <= bound.weight, f"a bound of {rationals.brief(bound.value)}", where)
        if bound.attained is not None:
            plan = self._optimal(side, bound.witness, where)
            self._expect(ratio.of(plan) == bound.attained, f"a plan with {rationals.brief(bound.attained)}", where)

    def _guarantee(self, key: Key, found: Guarantee) -> None:
        """With the move always made."""
        where, own = f"{key.position} ({key.name})", self.sides[key.side]
        sequence = self._sequence(key)
        parent, first, end = own.sets[own.set_of[sequence]]
        plan = self._plan(key.side, found.strategy)
        self._expect(plan[sequence] == plan[parent], "a strategy that always makes the move", where)
        promised = f"a guarantee of {rationals.brief(found.value)}"
        self._expect(own.guarantee(plan) == found.value, promised, where)
        fixed = {own.set_of[sequence]: [Fraction(one == sequence) for one in range(first, end)]}
        answer = self._plan(1 - key.side, found.answer)
        self._expect(own.best(answer, fixed) <= found.most, f"at most {rationals.brief(found.most)}", where)

    def _unique(self, found: Unique) -> None:
        where = f"the strategy of {self.game.sides[found.side]}"
        plans = [self._optimal(found.side, table, where) for table in found.plans]
        if not found.unique:
            self._expect(len(plans) == 2 and plans[0] != plans[1], "two optimal strategies that differ", where)
            return
        answer = self._optimal(1 - found.side, found.answer, where)
        face = Face(self.sides[found.side], point(self.sides[1 - found.side], answer))
        self._expect(len(plans) == 1 and not free_columns(equations(face)[1]), "equations of full rank", where)

    def _simplest(self, found: Simplest) -> None:
        """It is optimal and mixes as seldom as it says; where it has to, every move made for sure costs something."""
        where = f"the simplest strategy of {self.game.sides[found.side]}"
        self._optimal(found.side, found.strategy, where)
        mixed = sum(sum(share > 0 for share in odds.values()) > 1 for odds in found.strategy.values())
        self._expect(mixed == found.mixed, f"{found.mixed} positions where it mixes", where)
        for position in found.must_mix:
            number = self.places.numbers[found.side].get(position)
            names = [] if number is None else self.places.names(found.side, number)
            kept_there = [self.memory.guarantees.get(Key("always", found.side, position, name)) for name in names]
            costs = [one is not None and one.most < self._values[found.side] for one in kept_there]
            self._expect(bool(costs) and all(costs), "every move to cost something", position)
