"""Odds as people and programs write them down: fractions, texts, floats, normalised with a bound on what that changed.

Fractions and whole numbers stay as they are and have to sum to 1. Floats are divided by their sum, which has to be
within `NEAR` of 1, and rounded to multiples of 2^-`BITS`, so that everything after it is exact. `OddsRow.moved` bounds
by how much that changed the odds of any move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import fsum, isfinite
from numbers import Rational, Real
from typing import Any, NamedTuple

from ruse.core import rationals
from ruse.core.game import PolicyError

NEAR = 1e-6  # by which floats may miss a sum of 1
BITS = 60
ULP = Fraction(1, 1 << 52)  # more than a sum or quotient of floats up to 1 is off
NOTHING = Fraction(0)


class OddsRow(NamedTuple):
    """The odds at one information set, in the order of its moves."""

    shares: list[Fraction]
    moved: Fraction = NOTHING  # by how much an entry differs at most from what was given; 0 where that was exact


def read_row(given: Sequence[Any], position: str, moves: Sequence[str]) -> OddsRow:
    """The odds of the moves at a position. Raises PolicyError where they are none."""
    numbers = [a_number(share, position, move) for share, move in zip(given, moves, strict=True)]
    for number, move in zip(numbers, moves, strict=True):
        if isinstance(number, float) and not isfinite(number):
            raise PolicyError(f"the odds of {move} at {position} are {number}; use numbers from 0 to 1")
        if number < 0:
            raise PolicyError(f"the odds of {move} at {position} are negative ({float(number):g})")
    if all(isinstance(number, Fraction) for number in numbers):
        total = sum(numbers, NOTHING)
        if total != 1:
            raise PolicyError(f"the odds at {position} sum to {rationals.brief(Fraction(total))}, not to 1")
        return OddsRow([Fraction(number) for number in numbers])
    floats = [float(number) for number in numbers]
    total = fsum(floats)
    if abs(total - 1) > NEAR:
        raise PolicyError(f"the odds at {position} sum to {total:.9g}, not to 1; floats may be off by {NEAR:g}")
    shares = normalised(floats)
    moved = max(abs(share - Fraction(number)) for share, number in zip(shares, numbers, strict=True))
    return OddsRow(shares, moved or ULP)


def normalised(weights: Sequence[float]) -> list[Fraction]:
    """Fractions of the denominator 2^BITS in proportion to weights; the largest takes what rounding leaves."""
    total = fsum(weights)
    units = [round(weight / total * (1 << BITS)) for weight in weights]
    units[units.index(max(units))] += (1 << BITS) - sum(units)
    return [Fraction(unit, 1 << BITS) for unit in units]


def a_number(share: Any, position: str, move: str) -> Fraction | float:
    """A share as a fraction where it is exact, else as a float. A text is a fraction where it has no decimal point."""
    if isinstance(share, str):
        try:
            return Fraction(share) if share.replace("/", "").strip().isdigit() else float(share)
        except (ValueError, ZeroDivisionError):
            raise PolicyError(
                f"{share[:40]!r} is not a probability of {move} at {position}; write 2/3 or 0.25"
            ) from None
    if isinstance(share, Rational):
        return Fraction(int(share.numerator), int(share.denominator))
    if hasattr(share, "item"):  # a number of numpy or PyTorch
        share = share.item()
    if isinstance(share, int):
        return Fraction(share)
    if isinstance(share, Real):
        return float(share)
    raise PolicyError(f"expected a number as the odds of {move} at {position}, got {type(share).__name__}")


def by_move(odds: Any, position: str, moves: Sequence[str], label: Callable[[Any], str]) -> OddsRow:
    """Odds as somebody's function or table gives them: by move, in the order of the moves, or the one move made."""
    if isinstance(odds, str):
        odds = {odds: 1}
    if hasattr(odds, "items"):
        shares: dict[str, Any] = {}
        for move, share in odds.items():
            name = _name(move, moves, label)
            if name not in moves:
                raise PolicyError(f"{name!r} is not a move at {position}; its moves are {', '.join(moves)}")
            shares[name] = share
        return read_row([shares.get(move, 0) for move in moves], position, moves)
    try:
        listed = list(odds)
    except TypeError:
        raise PolicyError(f"expected odds by move at {position}, got {type(odds).__name__}") from None
    if len(listed) != len(moves):
        raise PolicyError(f"expected odds of {len(moves)} moves at {position}, got {len(listed)}")
    return read_row(listed, position, moves)


def _name(move: Any, moves: Sequence[str], label: Callable[[Any], str]) -> str:
    """The name of a move that somebody writes as its name, or as the move itself; anything else as it is written."""
    if isinstance(move, str) and move in moves:
        return move
    try:
        return label(move)
    except (TypeError, LookupError, ValueError, AttributeError):  # no move of the game
        return str(move)
