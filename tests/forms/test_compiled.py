"""Whole plans and their bounds in int64, against the same in fractions; and the layout in groups and strips."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import bmat, coo_array
from scipy.sparse.csgraph import connected_components

import ruse
from amounts import some
from ruse.core.game import Game
from ruse.forms import payoff_blocks
from ruse.forms.certificate import certify, check_plan
from ruse.forms.cfr_layout import payoffs_of, tree_of
from ruse.forms.integer_form import Compiled, Weights
from ruse.forms.normal_form import as_sequence_form
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.kernels import regret, sweeps
from toys import random_games


def some_weights(form: FormArrays, seed: int) -> Weights:
    """Weights as a run may have them: some tiny, some zero, some a rounding error below."""
    random = np.random.default_rng(seed)
    first, second = (
        random.choice([0.0, 1e-300, -1e-18, 1e-9, 1.0], tree.sequences) * random.random(tree.sequences)
        for tree in form.trees
    )
    return first, second


@settings(max_examples=some(60))
@given(game=random_games(), seed=st.integers(0, 2**32 - 1))
def test_certificates_are_exact(game: Game, seed: int) -> None:
    form = sequence_form(game)
    compiled = Compiled(form)
    certified = compiled.certify(some_weights(form, seed))
    plans = certified.fractions()
    for side in (0, 1):
        check_plan(form.trees[side], plans[side])
    assert certified.certificate == certify(form, plans)
    assert compiled.bounds(certified.plans) == pytest.approx(
        (float(certified.certificate.lower), float(certified.certificate.upper)), abs=1e-9
    )


@pytest.mark.parametrize(("larger", "bits"), [(0, 47), (7, 40), (8, 0)])
def test_leduc_is_certified_in_whole_numbers(larger: int, bits: int) -> None:
    """With payoffs that leave more bits for plans, and hardly enough, and too few for any plan."""
    form = sequence_form(ruse.games.leduc())
    large = replace(form, payoffs=form.payoffs << larger)
    compiled = Compiled(large)
    assert compiled.bits == bits
    for seed in range(5):
        certified = compiled.certify(some_weights(form, seed))
        assert certified.certificate == certify(large, certified.fractions())


@pytest.mark.parametrize("large", [10**12, 10**30])
def test_payoffs_too_large_for_whole_numbers_are_certified_in_fractions(large: int) -> None:
    form = as_sequence_form([[Fraction(large), Fraction(1)], [Fraction(0), Fraction(large - 1)]])
    compiled = Compiled(form)
    assert compiled.bits == 0
    certified = compiled.certify((np.array([1, 0.3, 0.7]), np.array([1, 0.5, 0.5])))
    assert certified.certificate == certify(form, certified.fractions())


def test_weights_are_kept_where_they_are_a_plan() -> None:
    compiled = Compiled(sequence_form(ruse.games.rock_paper_scissors()))
    quarter = np.array([1, 0.25, 0.25, 0.5])
    assert compiled.certify((quarter, quarter)).fractions()[0] == [1, Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]


@settings(max_examples=some(40))
@given(game=random_games(), seed=st.integers(0, 2**32 - 1))
def test_strips_give_the_same_gains(game: Game, seed: int) -> None:
    """In units of the layout, which are the payoffs times one positive number."""
    form = sequence_form(game)
    compiled = Compiled(form)
    trees = tree_of(compiled.sides[0]), tree_of(compiled.sides[1])
    weights = some_weights(form, seed)
    for side in (0, 1):
        mine, other = trees[side], trees[1 - side]
        payoffs = payoffs_of(compiled.sides[side], mine, other)
        plan = compiled.sides[1 - side].plan(weights[1 - side])
        worth = np.empty(mine.sequences)
        regret.gains(payoffs.arrays, other.laid_out(plan), worth)
        expected = compiled.sides[side].gains(plan)
        scale = np.abs(payoffs.value).sum() / max(np.abs(compiled.sides[side].value).sum(), 1e-300)
        assert worth[mine.place] == pytest.approx(scale * expected, abs=1e-9)
        assert sorted(mine.place) == list(range(mine.sequences))
        offsets = [(offset, m * k) for offset, m, k, _ in mine.groups.tolist()]
        assert [offset for offset, _ in offsets] == np.cumsum([1, *(size for _, size in offsets)])[:-1].tolist()


@pytest.mark.parametrize(
    ("game", "blocks"),
    [
        (ruse.games.liars_dice(4), [(16, 4, 4), (16, 4, 4), (32, 4, 4), (32, 4, 4), (64, 4, 4), (64, 4, 4)]),
        (ruse.games.leduc(), []),  # every public card has matrices of its own
        (ruse.games.rock_paper_scissors(), []),
    ],
    ids=str,
)
def test_payoffs_at_public_ends_are_found_as_blocks(
    game: Game, blocks: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In liar's dice the last bid and who made it say what is paid, after any bids before."""
    monkeypatch.setattr(payoff_blocks, "FEWEST", 15)
    monkeypatch.setattr(payoff_blocks, "SMALLEST", 9)
    form = sequence_form(game)
    compiled = Compiled(form)
    trees = tree_of(compiled.sides[0]), tree_of(compiled.sides[1])
    for side in (0, 1):
        payoffs = payoffs_of(compiled.sides[side], trees[side], trees[1 - side])
        assert sorted(tuple(group[:3]) for group in payoffs.blocks.groups.tolist()) == blocks
        assert len(payoffs.value) == len(form.payoffs) - sum(many * high * wide for many, high, wide in blocks)
        plan = compiled.sides[1 - side].plan(some_weights(form, 7)[1 - side])
        worth = np.full(trees[side].sequences, np.nan)
        regret.gains(payoffs.arrays, trees[1 - side].laid_out(plan), worth)
        expected = compiled.sides[side].gains(plan)
        scale = worth[trees[side].place] @ expected / (expected @ expected)
        assert scale > 0 and worth[trees[side].place] == pytest.approx(scale * expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_connected_parts_are_numbered_as_scipy_numbers_them(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, columns, entries = random.integers(1, 40, 3).tolist()
    places = random.integers(rows, size=entries), random.integers(columns, size=entries)
    payoffs = coo_array((np.ones(entries), places), shape=(rows, columns)).tocsr()
    graph = bmat([[None, payoffs], [payoffs.T, None]])
    part = np.empty(rows + columns, dtype=np.int32)
    many = sweeps.components(payoffs.indptr.astype(np.int64), payoffs.indices.astype(np.int32), part)
    expected, labels = connected_components(graph, directed=False)
    assert many == expected and part.tolist() == labels.tolist()
