"""A reader of VIPR 1.1 certificates of linear programs, after the published format: nothing of ruse, all in fractions.

`check` does what the checker viprchk does with a program without integer variables: every solution is feasible, the
best of them reaches the bound to be shown, and every derived constraint is dominated by a linear combination whose
multipliers have the signs that the senses demand. It raises Refused otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

SENSES = {"G": 1, "E": 0, "L": -1}
Vector = dict[int, Fraction]


class Refused(Exception):
    """The certificate proves less than it says, or is none."""


@dataclass(frozen=True)
class Constraint:
    sense: int
    right: Fraction
    left: Vector
    is_objective: bool = False

    def holds(self, point: Vector) -> bool:
        sum_ = dot(self.left, point)
        return {1: sum_ >= self.right, 0: sum_ == self.right, -1: sum_ <= self.right}[self.sense]

    def dominates(self, other: Constraint) -> bool:
        if not self.left and (
            (self.sense >= 0 and self.right > 0) or (self.sense <= 0 and self.right < 0)  # a falsehood
        ):
            return True
        if self.left != other.left:
            return False
        if other.sense == 0:
            return self.sense == 0 and self.right == other.right
        return self.sense in (0, other.sense) and (self.right - other.right) * other.sense >= 0


def dot(left: Vector, right: Vector) -> Fraction:
    return sum((number * right[place] for place, number in left.items() if place in right), Fraction(0))


@dataclass(frozen=True)
class Proved:
    """What a certificate proves: the objective lies between these, at the optimum of this program."""

    lower: Fraction
    upper: Fraction
    variables: tuple[str, ...]
    constraints: tuple[Constraint, ...]


class _Words:
    def __init__(self, text: str) -> None:
        lines = [line for line in text.splitlines() if not line.startswith("%")]
        self._words: Iterator[str] = iter(" ".join(lines).split())

    def word(self) -> str:
        try:
            return next(self._words)
        except StopIteration:
            raise Refused("the certificate ends too early") from None

    def expect(self, *words: str) -> None:
        for word in words:
            if (found := self.word()) != word:
                raise Refused(f"expected {word}, got {found}")

    def whole(self, below: int | None = None) -> int:
        number = int(self.word())
        if number < 0 or (below is not None and number >= below):
            raise Refused(f"index {number} is out of range")
        return number

    def number(self) -> Fraction:
        return Fraction(self.word())

    def vector(self, below: int, count: int | None = None) -> Vector:
        """Pairs of an index and a number, without zeros."""
        found: Vector = {}
        for _ in range(self.whole() if count is None else count):
            place, number = self.whole(below), self.number()
            if place in found:
                raise Refused(f"index {place} comes twice")
            found[place] = number
        return {place: number for place, number in found.items() if number}


def check(text: str) -> Proved:
    try:
        return _checked(_Words(text))
    except (ValueError, ZeroDivisionError, KeyError) as error:
        raise Refused(str(error)) from error


def _checked(words: _Words) -> Proved:
    words.expect("VER", "1.1", "VAR")
    variables = tuple(words.word() for _ in range(words.whole()))
    words.expect("INT", "0", "OBJ")
    highest = {"max": True, "min": False}[words.word()]
    objective = words.vector(len(variables))
    words.expect("CON")
    many, _bounds = words.whole(), words.whole()
    constraints = [_constraint(words, len(variables), objective) for _ in range(many)]
    words.expect("RTP", "range")
    lower, upper = words.number(), words.number()
    if lower > upper:
        raise Refused("the bounds to prove exclude each other")
    words.expect("SOL")
    reached = []
    for _ in range(words.whole()):
        words.word()
        point = words.vector(len(variables))
        for number, constraint in enumerate(constraints):
            if not constraint.holds(point):
                raise Refused(f"constraint {number} does not hold in a solution")
        reached.append(dot(objective, point))
    primal, dual = (lower, upper) if highest else (upper, lower)
    if not reached or (max(reached) < primal if highest else min(reached) > primal):
        raise Refused("no solution reaches the bound")
    words.expect("DER")
    known = list(constraints)
    for _ in range(words.whole()):
        derived = _constraint(words, len(variables), objective)
        words.expect("{", "lin")
        if not _combined(known, words.vector(len(known))).dominates(derived):
            raise Refused("the multipliers do not prove the derived constraint")
        words.expect("}")
        words.word()
        known.append(derived)
    goal = Constraint(-1 if highest else 1, dual, objective)
    if not (known[-1].is_objective and len(known) > many and known[-1].dominates(goal)):
        raise Refused("the last derived constraint is not the bound on the objective")
    return Proved(lower, upper, variables, tuple(constraints))


def _constraint(words: _Words, variables: int, objective: Vector) -> Constraint:
    words.word()
    sense, right, count = SENSES[words.word()], words.number(), words.word()
    if count == "OBJ":
        return Constraint(sense, right, objective, is_objective=True)
    return Constraint(sense, right, words.vector(variables, int(count)))


def _combined(known: list[Constraint], multipliers: Vector) -> Constraint:
    senses = {known[place].sense * (1 if number > 0 else -1) for place, number in multipliers.items()} - {0}
    if len(senses) > 1:
        raise Refused("the multipliers have the wrong signs")
    left: Vector = {}
    right = Fraction(0)
    for place, number in multipliers.items():
        right += number * known[place].right
        for variable, entry in known[place].left.items():
            left[variable] = left.get(variable, Fraction(0)) + number * entry
    return Constraint(senses.pop() if senses else 0, right, {place: entry for place, entry in left.items() if entry})
