"""Payoffs of any sizes beside each other: answers are exact, by every way to an exact answer."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from benchmarks.scales import SCALES, RandomTree

import ruse
from ruse.core.exact import IntegerMatrix, eliminated, solve_exactly
from ruse.forms.sequence_form import sequence_form
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import near_lp


@pytest.mark.parametrize("scale", SCALES)
def test_trees_are_exact_by_default(scale: str) -> None:
    for seed in range(6):
        solution = ruse.solve(RandomTree(seed, 150, SCALES[scale]))
        assert solution.certificate.exact
        assert solution.verify() == solution.certificate


def test_floats_alone_would_not_do() -> None:
    """So the tests here are of what comes after HiGHS."""
    trees = [RandomTree(seed, 150, SCALES["10^-20 to 10^20"]) for seed in range(6)]
    assert not all(near_lp(sequence_form(tree)).certificate.exact for tree in trees)


@pytest.mark.parametrize("solver", ["lp", "lcp", "double-oracle"])
def test_every_exact_solver_agrees(solver: str) -> None:
    for seed in range(4):
        tree = RandomTree(seed, 60, SCALES["10^12 beside 10^-9"])
        value = lcp(sequence_form(tree), exact=True).certificate
        assert value.exact
        assert ruse.solve(tree, solver).certificate == value


def test_any_result_can_be_polished() -> None:
    tree = RandomTree(2, 100, SCALES["10^-20 to 10^20"])
    solution = ruse.solve(tree, "cfr+", iterations=20, polish=True)
    assert solution.certificate.exact
    assert solution.value == ruse.solve(tree).value


def test_elimination_solves_what_floats_cannot() -> None:
    """Entries from 10^-40 to 10^40 of each other, in a matrix that is singular but for the small ones."""
    random = Random(1)
    for size in (1, 2, 5, 12):
        entries = [[random.randint(-9, 9) * 10 ** random.choice((0, 40)) for _ in range(size)] for _ in range(size)]
        if size > 1:
            entries[1] = [entry + (place == 0) for place, entry in enumerate(entries[0])]
        places = [(row, column) for row in range(size) for column in range(size)]
        rows, columns = (np.array(part) for part in zip(*places, strict=True))
        values = np.array([entries[row][column] for row, column in places], dtype=object)
        matrix = IntegerMatrix(size, rows, columns, values)
        right = [random.randint(-9, 9) for _ in range(size)]
        found = eliminated(matrix, right)
        assert found is not None
        for line, side in zip(entries, right, strict=True):
            assert sum((entry * weight for entry, weight in zip(line, found, strict=True)), Fraction(0)) == side
        assert solve_exactly(matrix, right) == found


def test_elimination_refuses_a_singular_matrix() -> None:
    rows, columns, values = (np.array(part) for part in ((0, 0, 1, 1), (0, 1, 0, 1), (1, 2, 2, 4)))
    assert eliminated(IntegerMatrix(2, rows, columns, values), [1, 1]) is None
