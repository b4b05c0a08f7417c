"""Polynomials with rational coefficients, and their real roots, exactly.

A polynomial is its coefficients, the constant first and the last not zero. Roots are counted by Sturm's theorem (1829):
with p0 = p, p1 = p', p[i+1] = -(p[i-1] mod p[i]), the number of different roots of p in (a, b] is the number of sign
changes of the p[i] at a less that at b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import gcd, lcm

Polynomial = tuple[Fraction, ...]
ZERO: Polynomial = ()


def polynomial(coefficients: Sequence[Fraction | int]) -> Polynomial:
    """The same without zeros at the end."""
    found = [Fraction(one) for one in coefficients]
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def at(p: Polynomial, x: Fraction) -> Fraction:
    """Its value (Horner)."""
    found = Fraction(0)
    for coefficient in reversed(p):
        found = found * x + coefficient
    return found


def add(p: Polynomial, q: Polynomial, times: Fraction | int = 1) -> Polynomial:
    """p + times q."""
    length = max(len(p), len(q))
    padded = [(*one, *[Fraction(0)] * (length - len(one))) for one in (p, q)]
    return polynomial([a + times * b for a, b in zip(*padded, strict=True)])


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    if not p or not q:
        return ZERO
    found = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            found[i + j] += a * b
    return polynomial(found)


def divide(p: Polynomial, q: Polynomial) -> tuple[Polynomial, Polynomial]:
    """The quotient and the rest."""
    rest = list(p)
    found = [Fraction(0)] * max(0, len(p) - len(q) + 1)
    for place in range(len(found) - 1, -1, -1):
        found[place] = rest[place + len(q) - 1] / q[-1]
        for j, b in enumerate(q):
            rest[place + j] -= found[place] * b
    return polynomial(found), polynomial(rest)


def common(p: Polynomial, q: Polynomial) -> Polynomial:
    """The greatest common divisor, in whole numbers that share nothing (Euclid)."""
    while q:
        p, q = q, whole(divide(p, q)[1])
    return whole(p)


def whole(p: Polynomial) -> Polynomial:
    """The multiple in whole numbers that share nothing, the last one positive."""
    if not p:
        return p
    scale = lcm(*(one.denominator for one in p))
    numbers = [int(one * scale) for one in p]
    shared = gcd(*numbers) * (1 if numbers[-1] > 0 else -1)
    return tuple(Fraction(one // shared) for one in numbers)


def derivative(p: Polynomial) -> Polynomial:
    return polynomial([place * one for place, one in enumerate(p)][1:])


@lru_cache(maxsize=4096)
def simple(p: Polynomial) -> Polynomial:
    """With the same roots, each once, in whole numbers."""
    shared = common(p, derivative(p))
    return whole(divide(p, shared)[0]) if len(shared) > 1 else whole(p)


@lru_cache(maxsize=4096)
def _sturm(p: Polynomial) -> tuple[Polynomial, ...]:
    chain = [p, derivative(p)]
    while chain[-1]:
        rest = divide(chain[-2], chain[-1])[1]
        scale = abs(rest[-1]) if rest else Fraction(1)
        chain.append(polynomial([-one / scale for one in rest]))
    return tuple(chain[:-1])


def count(p: Polynomial, a: Fraction, b: Fraction) -> int:
    """How many different roots a polynomial has in (a, b]."""
    chain = _sturm(simple(p))

    def changes(x: Fraction) -> int:
        signs = [value > 0 for one in chain if (value := at(one, x))]
        return sum(first != second for first, second in pairwise(signs))

    return changes(a) - changes(b)


@dataclass(frozen=True)
class Root:
    """A real number: the only root of a simple polynomial in (low, high], or high itself where the two are equal."""

    of: Polynomial
    low: Fraction
    high: Fraction

    @staticmethod
    def exactly(number: Fraction) -> Root:
        return Root((-number, Fraction(1)), number, number)

    @property
    def rational(self) -> Fraction | None:
        """The number, if that is a fraction and known as one."""
        return self.high if self.low == self.high else None

    @property
    def near(self) -> Fraction:
        return (self.low + self.high) / 2

    def narrower(self) -> Root:
        """The same, in half the interval."""
        if self.low == self.high:
            return self
        middle = self.near
        if not at(self.of, middle):
            return Root.exactly(middle)
        inside = count(self.of, self.low, middle)
        return Root(self.of, self.low, middle) if inside else Root(self.of, middle, self.high)

    def within(self, width: Fraction) -> Root:
        """The same, in an interval no wider."""
        found = self
        while found.high - found.low > width:
            found = found.narrower()
        return found

    def settled(self) -> Root:
        """The same, as a fraction if it is one: its denominator then divides the last coefficient."""
        last = int(abs(self.of[-1]))
        found = self.within(Fraction(1, 2 * last * last))
        if found.rational is None:
            guess = found.near.limit_denominator(last)
            if found.low <= guess <= found.high and not at(self.of, guess):
                return Root.exactly(guess)
        return found

    def is_root_of(self, p: Polynomial) -> bool:
        if self.rational is not None:
            return not at(p, self.rational)
        shared = common(self.of, p)
        return len(shared) > 1 and count(shared, self.low, self.high) > 0

    def multiplicity(self, p: Polynomial) -> int:
        """How often it is a root of a polynomial that is not zero."""
        times = 0
        while self.is_root_of(p):
            p, times = derivative(p), times + 1
        return times

    def compare(self, other: Root) -> int:
        """-1 where it is less, 0 where it is equal, 1 where it is more, exactly."""
        mine, theirs = self, other
        if mine.equals(theirs):
            return 0
        while mine.low <= theirs.high and theirs.low <= mine.high:
            mine, theirs = mine.narrower(), theirs.narrower()
        return -1 if mine.high < theirs.low else 1

    def equals(self, other: Root) -> bool:
        if self.rational is not None and other.rational is not None:
            return self.rational == other.rational
        shared = common(self.of, other.of)
        if len(shared) < 2:
            return False
        low, high = max(self.low, other.low), min(self.high, other.high)
        if self.rational is not None:
            return other.low < self.rational <= other.high and not at(shared, self.rational)
        if other.rational is not None:
            return self.low < other.rational <= self.high and not at(shared, other.rational)
        return low < high and count(shared, low, high) > 0


def roots(p: Polynomial, a: Fraction, b: Fraction) -> list[Root]:
    """The different roots in [a, b], in order, each in an interval of its own. p is not zero."""
    p = simple(p)
    found = [Root.exactly(a)] if not at(p, a) else []
    stack = [(a, b)]
    while stack:
        low, high = stack.pop()
        inside = count(p, low, high)
        if inside == 1:
            found.append(Root.exactly(high) if not at(p, high) else Root(p, low, high))
        elif inside:
            middle = (low + high) / 2
            stack += [(middle, high), (low, middle)]
    return [one.settled() for one in found]


def interpolate(points: Sequence[tuple[Fraction, Fraction]]) -> Polynomial:
    """The polynomial of least degree through some points (Newton)."""
    xs = [x for x, _ in points]
    table = [y for _, y in points]
    for level in range(1, len(table)):
        for place in range(len(table) - 1, level - 1, -1):
            table[place] = (table[place] - table[place - 1]) / (xs[place] - xs[place - level])
    found: Polynomial = ZERO
    for x, coefficient in zip(reversed(xs), reversed(table), strict=True):
        found = add(multiply(found, (-x, Fraction(1))), polynomial([coefficient]))
    return found


def told(p: Polynomial, name: str = "t") -> str:
    """As people write it: "t^2 - 2t - 1"."""
    parts: list[str] = []
    for place in range(len(p) - 1, -1, -1):
        one = p[place]
        if not one:
            continue
        power = "" if place == 0 else name if place == 1 else f"{name}^{place}"
        size = abs(one)
        text = power if size == 1 and power else f"{size}{power}"
        parts.append((" - " if one < 0 else " + ") + text)
    found = "".join(parts).removeprefix(" + ")
    return f"-{found[3:]}" if found.startswith(" - ") else found or "0"
