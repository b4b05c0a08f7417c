"""Polynomials with rational coefficients, and their real roots, exactly.

A polynomial is the tuple of its coefficients, the constant first and the last not zero. Sturm's theorem (1829) counts
roots: with p0 = p, p1 = p', p[i+1] = -(p[i-1] mod p[i]), the number of different roots of p in (a, b] is the number of
sign changes of the p[i] at a minus that at b.
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
    """Make a polynomial: drop zeros at the end."""
    terms = [Fraction(coefficient) for coefficient in coefficients]
    while terms and not terms[-1]:
        terms.pop()
    return tuple(terms)


def at(p: Polynomial, x: Fraction) -> Fraction:
    """Evaluate a polynomial (Horner)."""
    value = Fraction(0)
    for coefficient in reversed(p):
        value = value * x + coefficient
    return value


def add(p: Polynomial, q: Polynomial, times: Fraction | int = 1) -> Polynomial:
    """Return p + times · q."""
    length = max(len(p), len(q))
    padded = [(*terms, *[Fraction(0)] * (length - len(terms))) for terms in (p, q)]
    return polynomial([a + times * b for a, b in zip(*padded, strict=True)])


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    if not p or not q:
        return ZERO
    product = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return polynomial(product)


def divide(p: Polynomial, q: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Return the quotient and the remainder."""
    rest = list(p)
    quotient = [Fraction(0)] * max(0, len(p) - len(q) + 1)
    for place in range(len(quotient) - 1, -1, -1):
        quotient[place] = rest[place + len(q) - 1] / q[-1]
        for j, b in enumerate(q):
            rest[place + j] -= quotient[place] * b
    return polynomial(quotient), polynomial(rest)


def common(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the greatest common divisor with whole coefficients without a common factor (Euclid)."""
    while q:
        p, q = q, whole(divide(p, q)[1])
    return whole(p)


def whole(p: Polynomial) -> Polynomial:
    """Scale a polynomial to whole coefficients without a common factor, the last one positive."""
    if not p:
        return p
    scale = lcm(*(coefficient.denominator for coefficient in p))
    numbers = [int(coefficient * scale) for coefficient in p]
    shared = gcd(*numbers) * (1 if numbers[-1] > 0 else -1)
    return tuple(Fraction(number // shared) for number in numbers)


def derivative(p: Polynomial) -> Polynomial:
    return polynomial([place * coefficient for place, coefficient in enumerate(p)][1:])


@lru_cache(maxsize=4096)
def simple(p: Polynomial) -> Polynomial:
    """Return a polynomial with the same roots, each once, and whole coefficients."""
    shared = common(p, derivative(p))
    return whole(divide(p, shared)[0]) if len(shared) > 1 else whole(p)


@lru_cache(maxsize=4096)
def _sturm(p: Polynomial) -> tuple[Polynomial, ...]:
    chain = [p, derivative(p)]
    while chain[-1]:
        rest = divide(chain[-2], chain[-1])[1]
        scale = abs(rest[-1]) if rest else Fraction(1)
        chain.append(polynomial([-coefficient / scale for coefficient in rest]))
    return tuple(chain[:-1])


def count(p: Polynomial, a: Fraction, b: Fraction) -> int:
    """Count the different roots of a polynomial in (a, b]."""
    chain = _sturm(simple(p))

    def changes(x: Fraction) -> int:
        signs = [value > 0 for member in chain if (value := at(member, x))]
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
        """The number itself, if it is known to be rational."""
        return self.high if self.low == self.high else None

    @property
    def near(self) -> Fraction:
        return (self.low + self.high) / 2

    def narrower(self) -> Root:
        """Halve the interval."""
        if self.low == self.high:
            return self
        middle = self.near
        if not at(self.of, middle):
            return Root.exactly(middle)
        inside = count(self.of, self.low, middle)
        return Root(self.of, self.low, middle) if inside else Root(self.of, middle, self.high)

    def within(self, width: Fraction) -> Root:
        """Narrow the interval to at most a width."""
        root = self
        while root.high - root.low > width:
            root = root.narrower()
        return root

    def settled(self) -> Root:
        """Turn a rational root into a fraction: its denominator divides the last coefficient."""
        last = int(abs(self.of[-1]))
        root = self.within(Fraction(1, 2 * last * last))
        if root.rational is None:
            guess = root.near.limit_denominator(last)
            if root.low <= guess <= root.high and not at(self.of, guess):
                return Root.exactly(guess)
        return root

    def is_root_of(self, p: Polynomial) -> bool:
        if self.rational is not None:
            return not at(p, self.rational)
        shared = common(self.of, p)
        return len(shared) > 1 and count(shared, self.low, self.high) > 0

    def multiplicity(self, p: Polynomial) -> int:
        """Return the multiplicity of this root in a polynomial that is not zero."""
        times = 0
        while self.is_root_of(p):
            p, times = derivative(p), times + 1
        return times

    def compare(self, other: Root) -> int:
        """Return -1, 0 or 1 if this root is less than, equal to or greater than another, exactly."""
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
    """Isolate the different roots of p in [a, b], in order. p is not zero."""
    p = simple(p)
    isolated = [Root.exactly(a)] if not at(p, a) else []
    stack = [(a, b)]
    while stack:
        low, high = stack.pop()
        inside = count(p, low, high)
        if inside == 1:
            isolated.append(Root.exactly(high) if not at(p, high) else Root(p, low, high))
        elif inside:
            middle = (low + high) / 2
            stack += [(middle, high), (low, middle)]
    return [root.settled() for root in isolated]


def interpolate(points: Sequence[tuple[Fraction, Fraction]]) -> Polynomial:
    """Return the polynomial of least degree through some points (Newton)."""
    xs = [x for x, _ in points]
    table = [y for _, y in points]
    for level in range(1, len(table)):
        for place in range(len(table) - 1, level - 1, -1):
            table[place] = (table[place] - table[place - 1]) / (xs[place] - xs[place - level])
    result: Polynomial = ZERO
    for x, coefficient in zip(reversed(xs), reversed(table), strict=True):
        result = add(multiply(result, (-x, Fraction(1))), polynomial([coefficient]))
    return result


def format_polynomial(p: Polynomial, name: str = "t") -> str:
    """Write a polynomial as people do: "t^2 - 2t - 1"."""
    parts: list[str] = []
    for place in range(len(p) - 1, -1, -1):
        coefficient = p[place]
        if not coefficient:
            continue
        power = "" if place == 0 else name if place == 1 else f"{name}^{place}"
        size = abs(coefficient)
        text = power if size == 1 and power else f"{size}{power}"
        parts.append((" - " if coefficient < 0 else " + ") + text)
    joined = "".join(parts).removeprefix(" + ")
    return f"-{joined[3:]}" if joined.startswith(" - ") else joined or "0"
