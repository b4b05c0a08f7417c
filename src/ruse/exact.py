"""Fractions out of floats: rounding, and sparse integer linear systems solved exactly.

A float solution of M x = b is refined step by step: solve for the residual in floats, keep its leading
bits as integers, subtract exactly, go on (Wan 2006). The digits pile up to x in base 2^k, from which
continued fractions find the only rationals that small (Wang 1981). The result is checked by
multiplying out in integers, so a bad factorisation can fail but never lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

Array = np.ndarray[Any, np.dtype[Any]]
BITS = 24  # of the solution, a refinement step
ROOM = 1 << 62
MOST_STEPS = 2048


def rounded(odds: Sequence[float], denominator: int) -> list[Fraction]:
    """Fractions near some odds, none above the denominator, that still sum to one."""
    near = [Fraction(max(0.0, float(share))).limit_denominator(denominator) for share in odds]
    total = sum(near, Fraction(0))
    if total == 0:
        return [Fraction(1, len(near))] * len(near)
    if total != 1:
        largest = max(range(len(near)), key=near.__getitem__)
        near[largest] += 1 - total
        if near[largest] < 0:
            near[largest] -= 1 - total
            near = [share / total for share in near]
    return near


def shares(weights: Sequence[Fraction]) -> list[Fraction]:
    """Odds in proportion to weights, negative ones counted as none; even odds if nothing is left."""
    clipped = [max(Fraction(0), weight) for weight in weights]
    total = sum(clipped, Fraction(0))
    return [weight / total for weight in clipped] if total else [Fraction(1, len(clipped))] * len(clipped)


def solve_exactly(matrix: Any, right: Array) -> list[Fraction] | None:
    """x with M x = b, for a sparse square integer matrix; None if it is singular or too ill-conditioned."""
    size = matrix.shape[0]
    if matrix.shape[1] != size:
        return None
    if size == 0:
        return []
    matrix = csc_matrix(matrix)
    try:
        factors = splu(matrix.astype(float))
    except RuntimeError:  # exactly singular
        return None
    reach = float(abs(matrix).sum(axis=1).max())
    residual = right.astype(np.int64)
    digits: list[int] = [0] * size
    step, attempt = 0, 1
    while step < MOST_STEPS:
        if not residual.any():
            return _checked(matrix, right, [Fraction(digit, 1 << BITS * step) for digit in digits])
        change = np.rint(np.ldexp(factors.solve(residual.astype(float)), BITS))
        if not np.all(np.isfinite(change)) or float(np.abs(change).max()) * reach >= ROOM:
            return None
        if float(np.abs(residual).max()) * (1 << BITS) >= ROOM:
            return None
        leading = change.astype(np.int64)
        residual = (residual << BITS) - matrix @ leading
        digits = [(digit << BITS) + int(more) for digit, more in zip(digits, leading, strict=True)]
        step += 1
        if step == attempt:
            found = _reconstructed(digits, 1 << BITS * step)
            if found is not None and (checked := _checked(matrix, right, found)) is not None:
                return checked
            attempt = 2 * attempt
    return None


def _reconstructed(digits: Sequence[int], scale: int) -> list[Fraction] | None:
    """The rationals near digits / scale with a small common denominator, or None if there are none."""
    bound = isqrt(scale) >> 2
    common = 1
    found = []
    for digit in digits:
        # With the denominators so far multiplied in, most entries are already whole.
        near = _nearest(digit * common, scale, max(1, bound // common))
        if near is None:
            return None
        numerator, denominator = near
        found.append(Fraction(numerator, denominator * common))
        common *= denominator
        if common > bound:
            return None
    return found


def _nearest(numerator: int, scale: int, bound: int) -> tuple[int, int] | None:
    """p/q with q <= bound and |p/q - numerator/scale| tiny: the last convergent that fits."""
    whole = (2 * numerator + scale) // (2 * scale)
    if abs(numerator - whole * scale) * bound * bound < scale:
        return whole, 1
    p0, q0, p1, q1 = 0, 1, 1, 0
    top, bottom = numerator, scale
    while bottom:
        quotient = top // bottom
        p2, q2 = quotient * p1 + p0, quotient * q1 + q0
        if q2 > bound:
            break
        p0, q0, p1, q1 = p1, q1, p2, q2
        top, bottom = bottom, top - quotient * bottom
    if q1 == 0:
        return None
    return p1, q1


def _checked(matrix: Any, right: Array, found: list[Fraction]) -> list[Fraction] | None:
    """The solution, if multiplying out gives the right side exactly."""
    common = lcm(*(value.denominator for value in found))
    whole = [value.numerator * (common // value.denominator) for value in found]
    totals = [-int(side) * common for side in right]
    starts, rows, values = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    for column, weight in enumerate(whole):
        if weight:
            for entry in range(starts[column], starts[column + 1]):
                totals[rows[entry]] += values[entry] * weight
    return None if any(totals) else found


def common_denominator(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Whole numerators over the least common denominator."""
    common = lcm(*(value.denominator for value in values)) if values else 1
    numerators = [value.numerator * (common // value.denominator) for value in values]
    divisor = gcd(common, *numerators) if numerators else 1
    return [numerator // divisor for numerator in numerators], common // divisor
