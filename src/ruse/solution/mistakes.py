"""How rare mistakes are in a quasi-perfect equilibrium: what beliefs rest on where play never comes.

A mistake is a move with odds of 0. Beside the other moves of its information set, its odds are about
coefficient * epsilon^power, where epsilon goes to 0. The most likely way to a state is the one with the lowest power,
and coefficients say how likely ways with the same power are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ruse.core import rationals
from ruse.solution.container import StoreError, a_fraction, a_line, a_list, an_object, shown

MOST_POWER = 10_000


class Mistake(NamedTuple):
    """The order of a mistake's odds as epsilon goes to 0: coefficient * epsilon^power."""

    power: int
    coefficient: Fraction


MistakeTable = Mapping[str, Mapping[str, Mistake]]  # position -> move -> how rare it is
Mistakes = tuple[MistakeTable, MistakeTable]  # a table a side


def fields_of(mistakes: Mistakes) -> list[dict[str, Any]]:
    """As a solution file holds them."""
    return [
        {
            position: {move: [mistake.power, rationals.write(mistake.coefficient)] for move, mistake in moves.items()}
            for position, moves in table.items()
        }
        for table in mistakes
    ]


def mistakes_of(content: Any, sides: Sequence[str]) -> Mistakes:
    """What a solution file holds. Raises StoreError."""
    tables = a_list(content, "mistakes")
    if len(tables) != 2:
        raise StoreError(f"expected mistakes of two sides, got {len(tables)}")
    first, second = (
        {
            a_line(position, f"position of {side}"): {
                a_line(move, f"move at {position}"): _mistake(mistake, f"{move} at {position}")
                for move, mistake in an_object(moves, f"mistakes at {position}").items()
            }
            for position, moves in an_object(table, f"mistakes of {side}").items()
        }
        for side, table in zip(sides, tables, strict=True)
    )
    return first, second


def _mistake(content: Any, label: str) -> Mistake:
    pair = a_list(content, f"mistake {label}")
    if len(pair) != 2 or type(pair[0]) is not int or not 0 < pair[0] <= MOST_POWER:
        raise StoreError(f"expected a power and a coefficient of the mistake {label}, got {shown(content)}")
    coefficient = a_fraction(pair[1], f"coefficient of the mistake {label}")
    if coefficient <= 0:
        raise StoreError(f"expected a positive coefficient of the mistake {label}, got {shown(pair[1])}")
    return Mistake(pair[0], coefficient)
