"""Check certificates of insight by the rules of a game, without trusting a solver (check.py).

Let x be the plans of a side, u(x, y) its payoff, v its value, and n'x / d'x the ratio of a key: the odds of a move, or
a belief about the side. A game with a small tree is walked. A larger game of ruse's brings its own checker, as its part
"verify" (ruse.core.registry), which shares nothing with the code that finds its insight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

from ruse.core.certificate import Certificate
from ruse.core.game import Game
from ruse.core.registry import part
from ruse.core.types import StrategyTable
from ruse.forms.certificate import Plan
from ruse.forms.sequence_form import plain_form
from ruse.insight.faces import Face, point
from ruse.insight.memory import Key
from ruse.insight.places import Places
from ruse.insight.sides import FormSide, Ratio, odds_of
from ruse.insight.uniqueness import equations, free_columns
from ruse.present.nodes import SolvedNodes
from ruse.solution.strategy import Solution
from ruse.verify.tree import VerifyError, check_odds

Pinned = Callable[[Key], bool]  # whether all optimal plans are known to make a move equally often


class ProofChecker(Protocol):
    """Computes payoffs of strategies in exact fractions. Raises VerifyError for impossible tables and keys."""

    def owner(self, key: Key) -> int:
        """The side whose plans a key asks about."""

    def moves(self, side: int, position: str) -> Sequence[str]:
        """The moves of a side at a position; empty if it does not move."""

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        """The least payoff of a strategy to its side."""

    def best(self, key: Key, answer: StrategyTable) -> Fraction:
        """The most that plans get against a strategy if they always make the move of a key."""

    def always(self, key: Key, table: StrategyTable) -> bool:
        """Whether a strategy always makes the move of a key, if it comes there."""

    def share(self, key: Key, table: StrategyTable) -> Fraction | None:
        """The ratio n'x / d'x of a strategy; None if it never comes there."""

    def slack(
        self, key: Key, sign: int, end: Fraction, weight: Fraction, value: Fraction, answer: StrategyTable
    ) -> Fraction:
        """The least of sign (n'x - end d'x) + weight (value - u(x, answer)) over all plans."""

    def absence(self, key: Key, weight: Fraction, value: Fraction, answer: StrategyTable) -> Fraction:
        """The least of weight (value - u(x, answer)) - d'x over all plans."""

    def differ(self, side: int, first: StrategyTable, other: StrategyTable) -> bool:
        """Whether two strategies differ at positions that they reach."""

    def only(self, side: int, table: StrategyTable, answer: StrategyTable, pinned: Pinned) -> bool:
        """Whether an optimal answer proves that a strategy is the only optimal plan."""

    def freedom(self, side: int, answer: StrategyTable) -> int | None:
        """The most dimensions of a side's optimal plans that an optimal answer proves; None if it proves none."""


def proof_checker(game: Game, symmetry: bool) -> ProofChecker:
    """The proof checker that a game brings, or one that walks its rules."""
    made = part(game, "verify", "proof_checker")
    if made is None:
        return TreeProofChecker(game, symmetry)
    checker: ProofChecker = made(game)
    return checker


class TreeProofChecker:
    """A proof checker by a walk of the rules and the sequence form."""

    def __init__(self, game: Game, symmetry: bool) -> None:
        self.game = game
        nothing = Certificate(Fraction(0), Fraction(0))
        self.places = Places(SolvedNodes(Solution(game, "", ({}, {}), nothing, 0.0, 0)), game, symmetry, plain_form)
        self.sides = (FormSide(self.places.form, 0), FormSide(self.places.form, 1))
        self._plans: dict[int, tuple[StrategyTable, Plan]] = {}  # by the object, which is kept with it

    def owner(self, key: Key) -> int:
        return 1 - key.side if key.kind == "belief" else key.side

    def moves(self, side: int, position: str) -> Sequence[str]:
        number = self.places.numbers[side].get(position)
        return [] if number is None else self.places.names(side, number)

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        return self.sides[side].guarantee(self._plan(side, table))

    def best(self, key: Key, answer: StrategyTable) -> Fraction:
        own, sequence = self.sides[key.side], self._sequence(key)
        _, first, end = own.sets[own.set_of[sequence]]
        fixed = {own.set_of[sequence]: [Fraction(move == sequence) for move in range(first, end)]}
        return own.best(self._plan(1 - key.side, answer), fixed)

    def always(self, key: Key, table: StrategyTable) -> bool:
        own, sequence, plan = self.sides[key.side], self._sequence(key), self._plan(key.side, table)
        return plan[sequence] == plan[own.sets[own.set_of[sequence]][0]]

    def share(self, key: Key, table: StrategyTable) -> Fraction | None:
        return self._ratio(key).of(self._plan(self.owner(key), table))

    def slack(
        self, key: Key, sign: int, end: Fraction, weight: Fraction, value: Fraction, answer: StrategyTable
    ) -> Fraction:
        ratio = self._ratio(key)
        return self._slack(key, ratio if sign == 1 else ratio.turned(), sign * end, weight, value, answer)

    def absence(self, key: Key, weight: Fraction, value: Fraction, answer: StrategyTable) -> Fraction:
        never = Ratio(self._ratio(key).below, {0: Fraction(1)})
        return self._slack(key, never.turned(), Fraction(0), weight, value, answer)

    def _slack(
        self, key: Key, ratio: Ratio, end: Fraction, weight: Fraction, value: Fraction, answer: StrategyTable
    ) -> Fraction:
        side = self.owner(key)
        return self.sides[side].slack(ratio, end, value, weight, self._plan(1 - side, answer))

    def differ(self, side: int, first: StrategyTable, other: StrategyTable) -> bool:
        return self._plan(side, first) != self._plan(side, other)

    def only(self, side: int, table: StrategyTable, answer: StrategyTable, pinned: Pinned) -> bool:
        """Whether the equations have full rank (uniqueness.py)."""
        return self.freedom(side, answer) == 0

    def freedom(self, side: int, answer: StrategyTable) -> int:
        """The number of dimensions that the equations leave."""
        face = Face(self.sides[side], point(self.sides[1 - side], self._plan(1 - side, answer)))
        return len(free_columns(equations(face)[1]))

    def _plan(self, side: int, table: StrategyTable) -> Plan:
        if id(table) not in self._plans:
            self._plans[id(table)] = (table, self._read(side, table))
        return self._plans[id(table)][1]

    def _read(self, side: int, table: StrategyTable) -> Plan:
        """Read a plan from a table, which must have odds at every position that it reaches."""
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

    def _sequence(self, key: Key) -> int:
        if key.name not in (names := self.moves(key.side, key.position)):
            raise VerifyError(f"expected a move of {self.game.title}, got {key.name!r} at {key.position!r}")
        number = self.places.numbers[key.side][key.position]
        return self.sides[key.side].sets[number][1] + names.index(key.name)

    def _ratio(self, key: Key) -> Ratio:
        if key.kind != "belief":
            return odds_of(self.sides[key.side], self._sequence(key))
        known = key.position in self.places.nodes.members[key.side]
        facts = self.places.facts(key.side, key.position) if known else {}
        if key.name not in facts:
            raise VerifyError(f"expected a hidden fact of {self.game.title}, got {key.name!r} at {key.position!r}")
        return facts[key.name]
