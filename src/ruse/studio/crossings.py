"""A parameter that may be any number: where the value crosses a target, exactly.

If the payoffs of a game are polynomials in t, its sequence-form LP has entries in t. A basis that is optimal at one t
is optimal as long as its weights, its duals, its slacks and its reduced costs stay at 0 or above. By Cramer's rule all
of these are polynomials in t over the determinant of the basis, so the value is a quotient of polynomials there, and
the basis stays optimal up to the next root at which one of them changes its sign. From such a root on another basis
takes over, until the whole interval is covered: the value is piecewise rational, and its crossings of a target are
roots of polynomials, which are isolated exactly (ruse.studio.polynomials).

That payoffs are polynomials in t is read off the game itself, at some t, and checked at others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from ruse.core import rationals, registry
from ruse.core.clock import tick
from ruse.core.game import Game, RuseError
from ruse.core.types import Report
from ruse.forms.sequence_form import SequenceForm, sequence_form
from ruse.solvers.highs import Highs, Program
from ruse.solvers.sequence_lp import sequence_lp
from ruse.studio.polynomials import (
    Polynomial,
    Root,
    add,
    at,
    common,
    divide,
    interpolate,
    multiply,
    polynomial,
    roots,
    whole,
)
from ruse.studio.ranges import NUMBER, PIECE
from ruse.studio.sweep import named

MOST_DEGREE = 3  # of a payoff in t
CHECKED = 3  # more points at which payoffs must be as they are read
MOST_ROWS = 80  # of the linear program
MOST_PIECES = 500
NARROW = Fraction(1, 10**15)  # of the interval of a root whose float is told
TRIES = 40  # points of a gap, to find one where a basis of HiGHS is exactly optimal


class CrossingError(RuseError):
    """A parameter that cannot be any number, or a game that is too large to follow."""


@dataclass(frozen=True)
class Piece:
    """From one number to another the value is a quotient of polynomials in t."""

    first: Root
    last: Root
    top: Polynomial
    bottom: Polynomial

    def to_json(self) -> dict[str, Any]:
        return {
            "from": _number(self.first),
            "to": _number(self.last),
            "numerator": [rationals.write(one) for one in self.top],
            "denominator": [rationals.write(one) for one in self.bottom],
        }


@dataclass(frozen=True)
class Crossing:
    """A number at which the value is the target; or a stretch, from one number to another, on which it is."""

    first: Root
    last: Root

    def to_json(self) -> dict[str, Any]:
        if self.first == self.last:
            return {"at": _number(self.first)}
        return {"from": _number(self.first), "to": _number(self.last)}


@dataclass(frozen=True)
class Crossings:
    """All crossings of a target on an interval, and the pieces that prove them."""

    game: str
    parameter: str
    target: Fraction
    value: tuple[Fraction, Fraction]  # at both ends, as a payoff to side 0
    pieces: list[Piece]
    crossings: list[Crossing]

    def to_json(self) -> dict[str, Any]:
        """What `ruse balance --json` prints where a parameter may be any number."""
        return {
            "game": self.game,
            "parameter": self.parameter,
            "target": rationals.write(self.target),
            "crossings": [one.to_json() for one in self.crossings],
            "pieces": [one.to_json() for one in self.pieces],
            "proved": True,
        }


def _number(root: Root) -> str | dict[str, Any]:
    """A fraction, or the polynomial whose only root in an interval it is."""
    if root.rational is not None:
        return rationals.write(root.rational)
    return {
        "polynomial": [rationals.write(one) for one in root.of],
        "interval": [rationals.write(root.low), rationals.write(root.high)],
        "float": float(root.within(NARROW).near),
    }


REAL = rf"({NUMBER})~({NUMBER})"
Entries = dict[tuple[int, int], Polynomial]  # of a linear program: by row and column


def is_real(given: Mapping[str, Any]) -> bool:
    """Whether a parameter is asked to be any number of an interval, as in `0~2`."""
    return any("~" in text for text in given.values() if isinstance(text, str))


def crossings(
    game: str | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    target: Fraction,
    report: Report = lambda *_: None,
    **more: Any,
) -> Crossings:
    """Where the value of a game is a target, one of whose parameters, or entries, is an interval such as `0~2`.

    The target is a win rate in games that are won or lost, else a payoff to side 0.
    """
    name = named(game)
    made, parameter, (low, high) = _family(name, {**(parameters or {}), **more})
    line = _Line(made, low, high)
    first = made(low)
    payoff = 2 * target - 1 if len(first.wins) == 2 else target
    pieces = line.pieces(Root.exactly(low), Root.exactly(high), report)
    found = _crossed(pieces, payoff)
    ends = at(pieces[0].top, low) / at(pieces[0].bottom, low), at(pieces[-1].top, high) / at(pieces[-1].bottom, high)
    return Crossings(name, parameter, target, ends, pieces, found)


def _family(name: str, given: Mapping[str, Any]) -> tuple[Callable[[Fraction], Game], str, tuple[Fraction, Fraction]]:
    """The games that a number in place of the interval makes, what that number is called, and the interval."""
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
            raise CrossingError(f"expected no range beside an interval, got {text!r} for --{key}")
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
    """A family of games along t, as one linear program with polynomials for entries."""

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
                raise CrossingError("expected the same moves whatever the number is, got others")
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

    def _form(self, t: Fraction) -> SequenceForm:
        form = sequence_form(self.made(t))
        if sum(tree.sequences + tree.infosets for tree in form.trees) > MOST_ROWS:
            raise CrossingError(f"expected a game of at most {MOST_ROWS} sequences and information sets to follow")
        return form

    # The linear program.

    def entries(self) -> tuple[Program, Entries]:
        """The program, and each entry as a polynomial (docs: ruse.solvers.sequence_lp)."""
        mine, theirs = self.form.trees
        found: Entries = {}
        for rows, columns, values, turned in ((*mine.constraints(), False), (*theirs.constraints(), True)):
            for row, column, value in zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True):
                place = (mine.infosets + 1 + column, mine.sequences + row) if turned else (row, column)
                found[place] = polynomial([-value if turned else value])
        for (x, y), payoff in self.payoffs.items():
            place = (mine.infosets + 1 + y, x)
            found[place] = add(found.get(place, ()), payoff)
        return sequence_lp(self.form), {place: one for place, one in found.items() if one}

    def pieces(self, low: Root, high: Root, report: Report) -> list[Piece]:
        """Pieces that cover an interval, in order."""
        found: list[Piece] = []
        gaps = [(low, high)]
        program, entries = self.entries()
        while gaps:
            tick()
            start, end = gaps.pop()
            if start.compare(end) >= 0:
                continue
            if len(found) >= MOST_PIECES:
                raise CrossingError(f"expected at most {MOST_PIECES} pieces, got more")
            piece = self._piece(program, entries, start, end)
            found.append(piece)
            report(f"{len(found)} pieces of the value", None, None)
            gaps += [(start, piece.first), (piece.last, end)]
        found.sort(key=cmp_to_key(lambda one, other: one.first.compare(other.first)))
        return _joined(found)

    def _piece(self, program: Program, entries: Entries, start: Root, end: Root) -> Piece:
        """A piece around some point of a gap."""
        for t in _points(start, end):
            basis = _basis(sequence_lp(self._form(t)))
            if basis is None:
                continue
            found = _follow(program, entries, *basis, t, start, end)
            if found is not None:
                return found
        raise CrossingError(f"no basis could be followed between {float(start.near):.6g} and {float(end.near):.6g}")


def _payoffs(form: SequenceForm) -> dict[tuple[int, int], Fraction]:
    return {
        (x, y): Fraction(int(payoff), form.denominator)
        for x, y, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True)
    }


def _points(start: Root, end: Root) -> Iterator[Fraction]:
    """Rational points strictly inside a gap."""
    low, high = start, end
    while low.high >= high.low:
        low, high = low.narrower(), high.narrower()
    width = high.low - low.high
    for number in range(1, TRIES + 1):
        share = Fraction((number * 89) % 144 or 55, 144)  # spread by the golden section
        yield low.high + share * width


def _basis(program: Program) -> tuple[list[int], list[int]] | None:
    """Which columns are in the optimal basis that HiGHS finds, and which rows are tight."""
    highs = Highs(program)
    highs.run()
    return highs.optimal_basis()


def _follow(
    program: Program,
    entries: Entries,
    inside: Sequence[int],
    tight: Sequence[int],
    t: Fraction,
    start: Root,
    end: Root,
) -> Piece | None:
    """As far as a basis stays optimal around t; None if it is not at t, or only there."""
    weights, duals, bottom = _solved(program, entries, inside, tight)
    if not bottom or not at(bottom, t):
        return None
    sign = 1 if at(bottom, t) > 0 else -1
    first, last, here = start, end, Root.exactly(t)
    for one in [*_conditions(program, entries, (inside, tight), weights, duals, bottom), bottom]:
        if not one:
            continue
        if at(one, t) * sign <= 0:
            return None
        for root in _turns(one, start, end):
            if root.compare(here) < 0:
                first = root if first.compare(root) < 0 else first
            else:
                last = root if root.compare(last) < 0 else last
    value = polynomial([])
    for column, weight in weights.items():
        value = add(value, weight, -int(program.cost[column]))  # the program minimises
    shared = common(value, bottom)
    return Piece(first, last, *_plain(divide(value, shared)[0], divide(bottom, shared)[0]))


def _conditions(
    program: Program,
    entries: Entries,
    basis: tuple[Sequence[int], Sequence[int]],
    weights: Mapping[int, Polynomial],
    duals: Mapping[int, Polynomial],
    bottom: Polynomial,
) -> Iterator[Polynomial]:
    """What must not be negative, times the determinant, for a basis to be optimal: one polynomial a condition."""
    inside, tight = ({*one} for one in basis)
    slack: dict[int, Polynomial] = {row: polynomial([]) for row in range(len(program.rows)) if row not in tight}
    cost = {
        column: polynomial([int(program.cost[column]) * one for one in bottom])
        for column in range(len(program.cost))
        if column not in inside
    }
    for (row, column), entry in entries.items():
        if row in slack and column in weights:
            slack[row] = add(slack[row], multiply(entry, weights[column]))
        if column in cost and row in duals:
            cost[column] = add(cost[column], multiply(entry, duals[row]), -1)
    yield from slack.values()  # of rows that ask for 0 at least
    yield from (weight for column, weight in weights.items() if program.lower[column] == 0)
    yield from (dual for row, dual in duals.items() if program.rows.lower[row] != program.rows.upper[row])
    for column, reduced in cost.items():
        yield reduced
        if program.lower[column] != 0:  # a free column outside: neither direction may gain
            yield polynomial([-one for one in reduced])


def _solved(
    program: Program, entries: Entries, inside: Sequence[int], tight: Sequence[int]
) -> tuple[dict[int, Polynomial], dict[int, Polynomial], Polynomial]:
    """Weights of the columns and duals of the rows of a basis, times its determinant, and that; read at some points."""
    rows, columns = ({one: place for place, one in enumerate(each)} for each in (tight, inside))
    square = {(rows[r], columns[c]): one for (r, c), one in entries.items() if r in rows and c in columns}
    size = len(inside)
    degrees = [max((len(one) - 1 for (r, _), one in square.items() if r == row), default=0) for row in range(size)]
    across = [max((len(one) - 1 for (_, c), one in square.items() if c == column), default=0) for column in range(size)]
    right = [Fraction(int(program.rows.lower[row])) for row in tight]
    costs = [Fraction(int(program.cost[column])) for column in inside]
    needed = min(sum(degrees), sum(across)) + 1
    points: list[tuple[Fraction, list[Fraction]]] = []
    for number in range(3 * needed + 10):
        tick()
        t = Fraction(number, 2) - 1
        values = {place: at(one, t) for place, one in square.items()}
        first, determinant = _eliminated(size, values, right)
        if not determinant:
            continue
        second, _ = _eliminated(size, {(c, r): one for (r, c), one in values.items()}, costs)
        points.append((t, [determinant, *(one * determinant for one in (*first, *second))]))
        if len(points) == needed:
            break
    else:
        return {}, {}, ()
    found = [interpolate([(t, values[place]) for t, values in points]) for place in range(1 + 2 * size)]
    return (
        dict(zip(inside, found[1 : 1 + size], strict=True)),
        dict(zip(tight, found[1 + size :], strict=True)),
        found[0],
    )


def _eliminated(
    size: int, values: Mapping[tuple[int, int], Fraction], right: Sequence[Fraction]
) -> tuple[list[Fraction], Fraction]:
    """x with M x = b, and the determinant of M, which is 0 where there is no such x (Gauss)."""
    rows: list[dict[int, Fraction]] = [{} for _ in range(size)]
    for (row, column), value in values.items():
        if value:
            rows[row][column] = value
    sides, determinant = list(right), Fraction(1)
    for column in range(size):
        place = next((row for row in range(column, size) if column in rows[row]), None)
        if place is None:
            return [], Fraction(0)
        if place != column:
            rows[place], rows[column] = rows[column], rows[place]
            sides[place], sides[column] = sides[column], sides[place]
            determinant = -determinant
        pivot = rows[column]
        determinant *= pivot[column]
        for row in range(column + 1, size):
            if column in rows[row]:
                factor = rows[row].pop(column) / pivot[column]
                for held, value in pivot.items():
                    if held != column:
                        rows[row][held] = rows[row].get(held, Fraction(0)) - factor * value
                        if not rows[row][held]:
                            del rows[row][held]
                sides[row] -= factor * sides[column]
    found = [Fraction(0)] * size
    for column in range(size - 1, -1, -1):
        known = sum((value * found[held] for held, value in rows[column].items() if held != column), Fraction(0))
        found[column] = (sides[column] - known) / rows[column][column]
    return found, determinant


def _turns(p: Polynomial, first: Root, last: Root) -> list[Root]:
    """The roots about the stretch between two numbers at which a polynomial changes its sign."""
    if len(p) < 2:
        return []
    return [root for root in roots(p, first.low - 1, last.high + 1) if root.multiplicity(p) % 2]


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Neighbours with the same quotient as one piece."""
    found: list[Piece] = []
    for piece in pieces:
        if found and (found[-1].top, found[-1].bottom) == (piece.top, piece.bottom):
            found[-1] = replace(found[-1], last=piece.last)
        else:
            found.append(piece)
    return found


def _crossed(pieces: Sequence[Piece], target: Fraction) -> list[Crossing]:
    """Where the value is the target: numbers, and stretches that touch are one."""
    found: list[Crossing] = []
    for piece in pieces:
        apart = add(piece.top, piece.bottom, -target)
        if not apart:
            here = [Crossing(piece.first, piece.last)]
        else:
            near = roots(apart, piece.first.low - 1, piece.last.high + 1) if len(apart) > 1 else []
            here = [Crossing(root, root) for root in near if piece.first.compare(root) <= 0 <= piece.last.compare(root)]
        for one in here:
            if found and found[-1].last.compare(one.first) >= 0:
                if found[-1].last.compare(one.last) < 0:
                    found[-1] = Crossing(found[-1].first, one.last)
            else:
                found.append(one)
    return found


def _plain(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """The same quotient, with whole numbers that share nothing below the line."""
    plain = whole(bottom)
    factor = plain[-1] / bottom[-1]
    return polynomial([one * factor for one in top]), plain
