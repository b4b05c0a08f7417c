"""Best responses in machine numbers, against the same in whole numbers of any length; and what is no plan."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse.forms.certificate as certificate
from amounts import some
from ruse.core.exact import INT64, common_denominator
from ruse.core.game import Game
from ruse.forms.certificate import Certificate, _on_arrays, best_response, certify, check_plan
from ruse.forms.sequence_form import FormArrays, Treeplex, sequence_form
from ruse.games import leduc
from toys import random_games

Plans = tuple[list[Fraction], list[Fraction]]


def some_plan(tree: Treeplex, random: Random) -> list[Fraction]:
    plan = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
    for parent, first, end in tree.sets():
        parts = [random.randint(0, 3) for _ in range(first, end)]
        for sequence, part in zip(range(first, end), parts, strict=True):
            plan[sequence] = plan[parent] * (Fraction(part, sum(parts)) if any(parts) else Fraction(1, end - first))
    return plan


def both_ways(form: FormArrays, plans: Plans) -> list[tuple[Certificate, object, object]]:
    found = []
    for many in (0, 10**9):  # on arrays, and one by one
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(certificate, "MANY", many)
            worths = best_response(form, 0, plans[1]), best_response(form, 1, plans[0])
            found.append((certify(form, plans), *worths))
    return found


@settings(max_examples=some(60))
@given(game=random_games(), seed=st.integers(0, 2**32 - 1))
def test_arrays_give_the_same_certificates(game: Game, seed: int) -> None:
    form, random = sequence_form(game), Random(seed)
    plans = some_plan(form.trees[0], random), some_plan(form.trees[1], random)
    on_arrays, one_by_one = both_ways(form, plans)
    assert on_arrays == one_by_one


@pytest.mark.parametrize("times", [1, 10**15, 10**40])
def test_payoffs_of_any_size_give_the_same_certificates(times: int) -> None:
    form, random = sequence_form(leduc()), Random(1)
    plans = some_plan(form.trees[0], random), some_plan(form.trees[1], random)
    small = certify(form, plans)
    large = certify(replace(form, payoffs=form.payoffs.astype(object) * times), plans)
    assert large == Certificate(small.lower * times, small.upper * times)


def test_machine_numbers_are_used_as_far_as_no_sum_overflows() -> None:
    """Payoffs that grow until nothing fits: whether summed on arrays or one by one, the bounds grow with them."""
    form, random = sequence_form(leduc()), Random(3)
    plans = some_plan(form.trees[0], random), some_plan(form.trees[1], random)
    small, (whole, _) = certify(form, plans), common_denominator(plans[1])
    room = INT64.bit_length() - 1 - int(np.abs(form.payoffs).max()).bit_length()
    ways = []
    for bits in range(room):
        large = replace(form, payoffs=form.payoffs << bits)
        assert certify(large, plans) == Certificate(small.lower * 2**bits, small.upper * 2**bits)
        all_of_them = int(np.abs(large.payoffs.astype(float)).sum()) * max(whole) < INT64
        ways.append((all_of_them, _on_arrays(large, 0, whole) is not None))
    assert set(ways) == {(True, True), (False, True), (False, False)} and ways == sorted(ways, reverse=True)


@pytest.mark.parametrize("long", [False, True])
def test_what_is_no_plan_is_refused_at_its_set(long: bool) -> None:
    tree = sequence_form(leduc()).trees[0]
    for many in (0, 10**9):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(certificate, "MANY", many)
            plan = some_plan(tree, Random(2))
            check_plan(tree, plan)
            lacking = [*plan[:7], plan[7] + Fraction(1, 10**20 if long else 8), *plan[8:]]
            with pytest.raises(ValueError, match="at information set"):
                check_plan(tree, lacking)
            first, last = int(tree.first[5]), int(tree.first[6]) - 1
            negative = [*plan]
            negative[first], negative[last] = plan[first] + plan[last] + 1, Fraction(-1)
            with pytest.raises(ValueError, match="at information set"):
                check_plan(tree, negative)


def test_levels_follow_one_another() -> None:
    for tree in sequence_form(leduc()).trees:
        levels = tree.levels()
        assert sorted(number for level in levels for number in level.tolist()) == list(range(tree.infosets))
        depth = {number: place for place, level in enumerate(levels) for number in level.tolist()}
        owner = {sequence: number for number, (_, low, end) in enumerate(tree.sets()) for sequence in range(low, end)}
        for number, (parent, _, _) in enumerate(tree.sets()):
            assert depth[number] == (depth[owner[parent]] + 1 if parent else 0)
