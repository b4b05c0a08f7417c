"""Where the value of a game crosses a target as one parameter varies over an interval, exactly.

If the payoffs of a game are polynomials in t, its sequence-form LP has entries in t. A basis that is optimal at one t
stays optimal up to a root of some polynomial (ruse.studio.bases), where another basis takes over, until the whole
interval is covered. So the value is piecewise rational, and it crosses a target at roots of polynomials, which are
isolated exactly (ruse.studio.polynomials).

ruse fits polynomials to the payoffs at some t and checks them at others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from ruse.core import rationals, registry
from ruse.core.clock import TimeIsUp, deadline, tick
from ruse.core.game import Game, RuseError
from ruse.core.types import Report
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.solvers.highs import Program
from ruse.solvers.sequence_lp import sequence_lp
from ruse.studio.bases import Entries, ValuePiece, as_number, basis_of, follow
from ruse.studio.polynomials import Root, add, at, interpolate, polynomial, roots
from ruse.studio.ranges import NUMBER, PIECE
from ruse.studio.sweep import named

MOST_DEGREE = 3  # of a payoff in t
CHECKED = 3  # additional points at which the fitted polynomials must match
MOST_ROWS = 80  # of the linear program
MOST_PIECES = 500
CONDITION = f"payoffs are polynomials in it, as they are at all {MOST_DEGREE + 1 + CHECKED} numbers tried"
TRIES = 40  # points of a gap, to find one where a basis of HiGHS is exactly optimal


class CrossingError(RuseError):
    """A parameter that cannot vary over an interval, or a game that is too large to trace."""


@dataclass(frozen=True)
class Crossing:
    """A number, or an interval of numbers, at which the value is the target."""

    first: Root
    last: Root

    def to_json(self) -> dict[str, Any]:
        if self.first == self.last:
            return {"at": as_number(self.first)}
        return {"from": as_number(self.first), "to": as_number(self.last)}


@dataclass(frozen=True)
class Crossings:
    """All crossings of a target on an interval, and the pieces that prove them."""

    game: str
    parameter: str
    target: Fraction
    value: tuple[Fraction | None, Fraction | None]  # at both ends, as a payoff to side 0; None if unknown
    pieces: list[ValuePiece]
    crossings: list[Crossing]
    gaps: Sequence[tuple[Root, Root]] = ()  # parts of the interval that there was no time for

    @property
    def proved(self) -> bool:
        """Whether these are all crossings."""
        return not self.gaps

    def to_json(self) -> dict[str, Any]:
        """Return what `ruse balance --json` prints if a parameter is an interval."""
        gaps = [{"from": as_number(low), "to": as_number(high)} for low, high in self.gaps]
        return {
            "game": self.game,
            "parameter": self.parameter,
            "target": rationals.write(self.target),
            "crossings": [crossing.to_json() for crossing in self.crossings],
            "pieces": [piece.to_json() for piece in self.pieces],
            "proved": self.proved,
            "condition": CONDITION,
        } | ({"gaps": gaps} if gaps else {})


REAL = rf"({NUMBER})~({NUMBER})"


def is_real(given: Mapping[str, Any]) -> bool:
    """Return whether a parameter is an interval, such as `0~2`."""
    return any("~" in text for text in given.values() if isinstance(text, str))


def crossings(
    game: str | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    target: Fraction,
    time: float | None = None,
    report: Report = lambda *_: None,
    **more: Any,
) -> Crossings:
    """Find where the value crosses a target; one parameter, or an entry of one, is an interval such as `0~2`.

    The target is a win rate in games that are won or lost, otherwise a payoff to side 0. When `time` runs out, or on
    Ctrl-C, the result holds the pieces traced so far, and `gaps` lists the rest of the interval.
    """
    name = named(game)
    made, parameter, (low, high) = _family(name, {**(parameters or {}), **more})
    with deadline(time):
        line = _Line(made, low, high)
        payoff = 2 * target - 1 if len(made(low).wins) == 2 else target
        pieces, gaps = line.pieces(Root.exactly(low), Root.exactly(high), report)
    ends = _value_at(pieces, low), _value_at(pieces, high)
    return Crossings(name, parameter, target, ends, pieces, _crossed(pieces, payoff), gaps)


def _value_at(pieces: Sequence[ValuePiece], t: Fraction) -> Fraction | None:
    """Return the value at a number if a piece covers it."""
    root = Root.exactly(t)
    for piece in pieces:
        if piece.first.compare(root) <= 0 <= piece.last.compare(root):
            return at(piece.top, t) / at(piece.bottom, t)
    return None


def _family(name: str, given: Mapping[str, Any]) -> tuple[Callable[[Fraction], Game], str, tuple[Fraction, Fraction]]:
    """Return a function from a number to its game, the name of the parameter, and the interval."""
    pattern = re.compile(REAL, re.ASCII)
    places: list[tuple[str, int, int]] = []
    ends: list[tuple[Fraction, Fraction]] = []
    texts = {key.replace("_", "-"): str(value) for key, value in given.items() if value is not None}
    for key, text in texts.items():
        for piece in PIECE.finditer(text):
            if "~" not in piece[0]:
                continue
            match = pattern.fullmatch(piece[0])
            if match is None:
                raise CrossingError(f"expected an interval such as 0~2 for --{key}, got {piece[0]!r}")
            low, high = Fraction(match[1]), Fraction(match[2])
            if low >= high:
                raise CrossingError(f"expected an interval from the lower end to the higher, got {piece[0]!r}")
            places.append((key, piece.start(), piece.end()))
            ends.append((low, high))
        if ".." in text or "|" in text:
            raise CrossingError(f"--{key} cannot combine an interval with a range, got {text!r}")
    if len({*ends}) != 1 or len({key for key, _, _ in places}) != 1:
        raise CrossingError("expected one interval, or the same one at several entries of one parameter, got several")
    key = places[0][0]

    def made(t: Fraction) -> Game:
        text, end, parts = texts[key], 0, []
        for _, start, stop in places:
            parts += [text[end:start], rationals.write(t)]
            end = stop
        return registry.make(name, {**texts, key: "".join(parts) + text[end:]})

    return made, key, ends[0]


class _Line:
    """A family of games along t, as one linear program whose entries are polynomials."""

    def __init__(self, made: Callable[[Fraction], Game], low: Fraction, high: Fraction) -> None:
        self.made = made
        many = MOST_DEGREE + 1 + CHECKED
        points = [low + (high - low) * Fraction(number, many + 1) for number in range(1, many + 1)]
        forms = [self._form(t) for t in points]
        first = forms[0]
        for other in forms[1:]:
            if any(
                mine.parent.tolist() != theirs.parent.tolist() or mine.first.tolist() != theirs.first.tolist()
                for mine, theirs in zip(first.trees, other.trees, strict=True)
            ):
                raise CrossingError(
                    "the parameter changes the moves of the game, not only its payoffs; give a range such as 0..1..1/4"
                )
        tables = [_payoffs(form) for form in forms]
        places = sorted({place for table in tables for place in table})
        self.payoffs: Entries = {}
        for place in places:
            values = [(t, table.get(place, Fraction(0))) for t, table in zip(points, tables, strict=True)]
            fitted = interpolate(values[: MOST_DEGREE + 1])
            if any(at(fitted, t) != value for t, value in values):
                raise CrossingError(
                    f"expected payoffs that are polynomials of degree {MOST_DEGREE} or less in the number"
                )
            self.payoffs[place] = fitted
        self.form = first

    def _form(self, t: Fraction) -> FormArrays:
        form = sequence_form(self.made(t))
        if sum(tree.sequences + tree.infosets for tree in form.trees) > MOST_ROWS:
            raise CrossingError(
                f"the game is too large to trace exactly: expected at most {MOST_ROWS} sequences and information sets"
            )
        return form

    # The linear program.

    def entries(self) -> tuple[Program, Entries]:
        """Return the program (see ruse.solvers.sequence_lp) and each entry as a polynomial."""
        mine, theirs = self.form.trees
        entries: Entries = {}
        for rows, columns, values, turned in ((*mine.constraints(), False), (*theirs.constraints(), True)):
            for row, column, value in zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True):
                place = (mine.infosets + 1 + column, mine.sequences + row) if turned else (row, column)
                entries[place] = polynomial([-value if turned else value])
        for (x, y), payoff in self.payoffs.items():
            place = (mine.infosets + 1 + y, x)
            entries[place] = add(entries.get(place, ()), payoff)
        return sequence_lp(self.form), {place: entry for place, entry in entries.items() if entry}

    def pieces(self, low: Root, high: Root, report: Report) -> tuple[list[ValuePiece], list[tuple[Root, Root]]]:
        """Return pieces that cover an interval, in order, and the gaps left if time runs out first."""
        pieces: list[ValuePiece] = []
        gaps = [(low, high)]
        program, entries = self.entries()
        with suppress(TimeIsUp, KeyboardInterrupt):
            while gaps:
                start, end = gaps[-1]
                if start.compare(end) >= 0:
                    gaps.pop()
                    continue
                if len(pieces) >= MOST_PIECES:
                    raise CrossingError(f"expected at most {MOST_PIECES} pieces, got more")
                tick()
                piece = self._piece(program, entries, start, end)
                pieces.append(piece)
                gaps[-1:] = [(start, piece.first), (piece.last, end)]
                report(f"{len(pieces)} pieces of the value", None, None)
        left = [gap for gap in gaps if _in_order(gap[:1], gap[1:]) < 0]
        pieces.sort(key=cmp_to_key(lambda piece, other: piece.first.compare(other.first)))
        left.sort(key=cmp_to_key(_in_order))
        return _joined(pieces), left

    def _piece(self, program: Program, entries: Entries, start: Root, end: Root) -> ValuePiece:
        """Return a piece around some point of a gap."""
        for t in _points(start, end):
            basis = basis_of(sequence_lp(self._form(t)))
            if basis is None:
                continue
            piece = follow(program, entries, *basis, t, start, end)
            if piece is not None:
                return piece
        raise CrossingError(f"the value cannot be traced between {float(start.near):.6g} and {float(end.near):.6g}")


def _in_order(gap: Sequence[Root], other: Sequence[Root]) -> int:
    return gap[0].compare(other[0])


def _payoffs(form: FormArrays) -> dict[tuple[int, int], Fraction]:
    return {
        (x, y): Fraction(int(payoff), form.denominator)
        for x, y, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True)
    }


def _points(start: Root, end: Root) -> Iterator[Fraction]:
    """Yield rational points strictly inside a gap."""
    low, high = start, end
    while low.high >= high.low:
        low, high = low.narrower(), high.narrower()
    width = high.low - low.high
    for number in range(1, TRIES + 1):
        share = Fraction((number * 89) % 144 or 55, 144)  # spread by the golden section
        yield low.high + share * width


def _joined(pieces: Sequence[ValuePiece]) -> list[ValuePiece]:
    """Join pieces that touch and have the same quotient."""
    joined: list[ValuePiece] = []
    for piece in pieces:
        touches = joined and joined[-1].last.compare(piece.first) == 0
        if touches and (joined[-1].top, joined[-1].bottom) == (piece.top, piece.bottom):
            joined[-1] = replace(joined[-1], last=piece.last)
        else:
            joined.append(piece)
    return joined


def _crossed(pieces: Sequence[ValuePiece], target: Fraction) -> list[Crossing]:
    """Return where the value is the target; intervals that touch are joined."""
    crossed: list[Crossing] = []
    for piece in pieces:
        apart = add(piece.top, piece.bottom, -target)
        if not apart:
            here = [Crossing(piece.first, piece.last)]
        else:
            near = roots(apart, piece.first.low - 1, piece.last.high + 1) if len(apart) > 1 else []
            here = [Crossing(root, root) for root in near if piece.first.compare(root) <= 0 <= piece.last.compare(root)]
        for crossing in here:
            if crossed and crossed[-1].last.compare(crossing.first) >= 0:
                if crossed[-1].last.compare(crossing.last) < 0:
                    crossed[-1] = Crossing(crossed[-1].first, crossing.last)
            else:
                crossed.append(crossing)
    return crossed
