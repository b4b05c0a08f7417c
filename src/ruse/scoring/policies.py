"""Policies in any shape, read as exact odds at every information set of a sequence form.

A policy is one of these, for both sides or for one:

    a Solution, a Strategy          what ruse gives
    a mapping                       position -> odds by move, or side -> any policy
    a pair                          a policy of side 0 and one of side 1; None where a side has none
    a function                      of a position, or of what the side knows if its parameter is called `knowledge`
    an array                        one number per sequence: odds, a realization plan or a sum of plans; names its side
    a table                         a path of a CSV or Parquet file, or a data frame (ruse.scoring.tables)
    a policy of OpenSpiel           tabular or not (ruse.scoring.openspiel)
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Number
from pathlib import Path
from typing import Any

import numpy as np

from ruse.core.capabilities import Representatives
from ruse.core.clock import tick
from ruse.core.entry_points import theirs
from ruse.core.game import Game, Knowledge, PolicyError, PositionError, display_name, possessive, side_number
from ruse.forms.matrix_form import SequenceForm, on_cpu
from ruse.scoring import openspiel, tables
from ruse.scoring.odds import NEAR, ULP, OddsRow, by_move, normalised, read_row
from ruse.solution.strategy import Solution, Strategy

Ask = Callable[
    [str, Sequence[str], Knowledge], OddsRow | None
]  # the odds at an information set; None where there are none
NOT_A_POLICY = "a Solution, a Strategy, a mapping, a function, arrays, a table or a policy of OpenSpiel"
SUM = 1e-9  # by which floats may miss a sum of 1 without a warning


class PolicyWarning(UserWarning):
    """What ruse assumed about a policy: uniform odds where it says nothing, or odds that were divided by their sum."""


@dataclass(frozen=True, eq=False)
class SidePolicy:
    """One side's odds at every information set of a form."""

    form: SequenceForm
    side: int
    rows: Sequence[OddsRow]

    @property
    def exact(self) -> bool:
        """Whether no odds were rounded."""
        return not self.moved

    @cached_property
    def moved(self) -> Fraction:
        """By how much the odds of any move differ at most from those that were given."""
        return max((row.moved for row in self.rows), default=Fraction(0))

    @cached_property
    def plan(self) -> list[Fraction]:
        """The realization plan."""
        tree = self.form.trees[self.side]
        plan = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
        for row, (parent, first, end) in zip(self.rows, tree.sets(), strict=True):
            tick()
            if weight := plan[parent]:
                plan[first:end] = [weight * share for share in row.shares]
        return plan

    @property
    def strategy(self) -> Strategy:
        """The policy as a strategy, position by position."""
        positions, moves = self.form.information_sets(self.side), self.form.moves(self.side)
        table = {
            position: dict(zip(names, row.shares, strict=True))
            for position, names, row in zip(positions, moves, self.rows, strict=True)
        }
        return Strategy(self.form.game, self.side, table, rounding=self.moved)


Sides = tuple[SidePolicy | None, SidePolicy | None]


def read_policies(form: SequenceForm, policy: Any, side: int | str | None = None, strict: bool = False) -> Sides:
    """The odds of both sides, or of the one side that the policy speaks of. Raises PolicyError.

    `side` names the side of a policy that does not tell it, such as a single array, or a function of one side.
    Information sets without odds get the uniform strategy and a warning; with `strict`, they are refused.
    """
    game = form.game
    asks = asked(form, policy, None if side is None else side_number(game, side))
    if asks == (None, None):
        raise PolicyError(f"this policy of {game.title} is empty; give it the odds at a position")
    first, second = (_read_side(form, number, ask, strict) for number, ask in enumerate(asks))
    return first, second


def _read_side(form: SequenceForm, side: int, ask: Ask | None, strict: bool) -> SidePolicy | None:
    if not form.trees[side].infosets:
        return SidePolicy(form, side, [])
    if ask is None:
        return None
    positions, moves = form.information_sets(side), form.moves(side)
    rows: list[OddsRow] = []
    missing: list[str] = []
    for position, names, knowledge in zip(positions, moves, form.arrays.knowledge[side], strict=True):
        tick()
        row = ask(position, names, knowledge)
        if row is None:
            missing.append(position)
            row = OddsRow([Fraction(1, len(names))] * len(names))
        rows.append(row)
    read = SidePolicy(form, side, rows)
    owner = possessive(form.game.sides[side])
    if missing:
        text = (
            f"{len(missing):,} of {len(rows):,} information sets of {owner} policy have no odds, such as {missing[0]}"
        )
        if strict:
            raise PolicyError(text)
        warnings.warn(f"{text}; ruse plays the uniform strategy there", PolicyWarning, stacklevel=5)
    if read.moved > SUM:
        warnings.warn(
            f"the odds of {owner} policy do not all sum to 1; ruse divides them by their sum, which changes them by up "
            f"to {float(read.moved):.1g}",
            PolicyWarning,
            stacklevel=5,
        )
    return read


def asked(form: SequenceForm, policy: Any, side: int | None) -> tuple[Ask | None, Ask | None]:
    """For each side what answers with its odds, or None where the policy does not speak of it."""
    game = form.game
    if isinstance(policy, Solution):
        return _only(side, _of_strategy(form, policy.strategy(0)), _of_strategy(form, policy.strategy(1)))
    if isinstance(policy, Strategy):
        if side not in (None, policy.side):
            raise PolicyError(f"this is a strategy of {display_name(game.sides[policy.side])}; leave the side out")
        return _only(policy.side, *[_of_strategy(form, policy)] * 2)
    if openspiel.is_policy(policy):
        return asked(form, openspiel.from_openspiel(policy, game), side)
    if isinstance(policy, str | Path) or tables.is_frame(policy):
        return asked(form, tables.read(game, policy), side)
    if isinstance(policy, Mapping):
        return _of_mapping(form, policy, side)
    if isinstance(policy, tuple | list) and len(policy) == 2 and not any(isinstance(part, Number) for part in policy):
        pair = [None if part is None else asked(form, part, number)[number] for number, part in enumerate(policy)]
        return _only(side, pair[0], pair[1])
    if callable(policy):
        return _only(side, *[_of_function(game, policy)] * 2)
    if not hasattr(policy, "__len__"):
        raise PolicyError(f"expected {NOT_A_POLICY}, got {type(policy).__name__}")
    if side is None:
        raise PolicyError("one array is a policy of one side: say which with side=, or give a pair of arrays")
    ask = _of_array(form, side, policy)
    return _only(side, ask, ask)


def _only(side: int | None, first: Ask | None, second: Ask | None) -> tuple[Ask | None, Ask | None]:
    return (first if side != 1 else None), (second if side != 0 else None)


# Strategies and mappings.


def _of_strategy(form: SequenceForm, strategy: Strategy) -> Ask:
    other = strategy.game.title
    if other != form.game.title:
        raise PolicyError(f"this strategy is for {other}, not for {form.game.title}")

    def ask(position: str, moves: Sequence[str], knowledge: Knowledge) -> OddsRow | None:
        try:
            odds = strategy.at(position)
        except PositionError:  # it says nothing here
            return None
        row = by_move(odds, position, moves, str)
        return OddsRow(row.shares, max(row.moved, strategy.rounding))

    return ask


def _of_mapping(form: SequenceForm, policy: Mapping[Any, Any], side: int | None) -> tuple[Ask | None, Ask | None]:
    by_side = _by_side(form.game, policy)
    if by_side:
        return asked(form, (by_side.get(0), by_side.get(1)), side)
    first, second = (
        _of_part(form.game, number, part) if part or number == side else None
        for number, part in enumerate(_by_position(form, policy))
    )
    return _only(side, first, second)


def _by_side(game: Game, policy: Mapping[Any, Any]) -> dict[int, Any] | None:
    """The policies in a mapping from sides; None if some key is no side."""
    try:
        return {side_number(game, key): part for key, part in policy.items()}
    except PositionError:
        return None


def _by_position(form: SequenceForm, policy: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """For each side, the odds at its positions. Raises PolicyError if some key is no position where a side moves."""
    game = form.game
    texts = {key if isinstance(key, str) else str(key): odds for key, odds in policy.items()}
    parts = []
    for side in (0, 1):
        known = {*form.index(side)}
        if isinstance(game, Representatives):
            known |= {game.representative_position(position, side)[0] for position in form.information_sets(side)}
        parts.append({position: odds for position, odds in texts.items() if position in known})
    unknown = [position for position in texts if position not in parts[0] and position not in parts[1]]
    if len(unknown) == len(texts) > 0:
        raise PolicyError(f"this policy is for another game: no position of {game.title} is called {unknown[0]!r}")
    if unknown:
        raise PolicyError(
            f"{len(unknown):,} of {len(texts):,} positions of this policy are not positions of {game.title} where a "
            f"side moves, such as {unknown[0]!r}"
        )
    return parts


def _of_part(game: Game, side: int, table: Mapping[str, Any]) -> Ask:
    def ask(position: str, moves: Sequence[str], knowledge: Knowledge) -> OddsRow | None:
        if position in table:
            return by_move(table[position], position, moves, game.label)
        if not isinstance(game, Representatives):
            return None
        representative, calls = game.representative_position(position, side)
        if representative not in table:
            return None
        odds: dict[str, Any] = {}
        for move, share in table[representative].items():
            odds[calls(move)] = odds.get(calls(move), 0) + share
        return by_move(odds, position, moves, game.label)

    return ask


# Functions.


def _of_function(game: Game, function: Callable[..., Any]) -> Ask:
    """A function of a position, or of `knowledge`; a second parameter gets the moves."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # of a builtin
        parameters = []
    by_knowledge = bool(parameters) and parameters[0].name == "knowledge"
    required = [
        parameter
        for parameter in parameters
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]

    def ask(position: str, moves: Sequence[str], knowledge: Knowledge) -> OddsRow | None:
        given = knowledge if by_knowledge else position
        with theirs("the policy", f"give odds at {position}"):
            odds = function(given, list(moves)) if len(required) > 1 else function(given)
        return None if odds is None else by_move(odds, position, moves, game.label)

    return ask


# Arrays.


def _of_array(form: SequenceForm, side: int, weights: Any) -> Ask:
    """Odds in proportion to the numbers of each information set, which sum to 1 or to the weight that leads there."""
    weights = on_cpu(weights)
    numbers = list(weights.tolist() if hasattr(weights, "tolist") else weights)
    form.check_shape(side, np.empty(len(numbers)))
    if not all(isinstance(number, int | Fraction) for number in numbers):
        numbers = form.check_weights(side, weights).tolist()
    tree, index = form.trees[side], form.index(side)
    averaged = abs(numbers[0] - 1) > SUM  # a sum of plans
    bounds = list(tree.sets())

    def ask(position: str, moves: Sequence[str], knowledge: Knowledge) -> OddsRow:
        parent, first, end = bounds[index[position]]
        part, before = numbers[first:end], numbers[parent]
        total = sum(part)
        if not total:
            return OddsRow([Fraction(1, len(part))] * len(part), ULP if isinstance(total, float) else Fraction(0))
        if isinstance(total, float):
            behaviour = not averaged and abs(total - 1) <= NEAR
            if not behaviour and abs(total - before) > NEAR * max(1, before):
                raise PolicyError(
                    f"the numbers of {position} sum to {total:.9g}, neither to 1 nor to {before:.9g}, the weight of "
                    "the sequence that leads there"
                )
            shares = normalised(part)
            wanted = 1.0 if behaviour else before
            return OddsRow(shares, Fraction(abs(total - wanted) / wanted) + ULP)
        return read_row([Fraction(number) / total for number in part], position, moves)

    return ask
