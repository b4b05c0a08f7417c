"""Symmetry that nobody declares: planted in random forms and found again, and never where it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import ruse
from amounts import some
from ruse import games
from ruse.core.exact import integers
from ruse.core.game import Game
from ruse.forms.certificate import certify
from ruse.forms.normal_form import as_sequence_form
from ruse.forms.reductions import colours, colours_shared
from ruse.forms.reductions import refined as module
from ruse.forms.reductions.refined import RefinedForm, counted, refined
from ruse.forms.reductions.symmetry import Symmetry
from ruse.forms.sequence_form import FormArrays, Treeplex, sequence_form
from ruse.solvers.lp import lp

PLANTED = some(1000, 16)
Array = np.ndarray[Any, np.dtype[Any]]


@pytest.mark.parametrize(
    ("game", "classes"),
    [
        (games.morra(), (3, 3)),
        (games.leduc(), (337, 337)),
        (games.battleship(), (196, 303)),
        (games.goofspiel(4), (131, 131)),
        (games.kuhn(), (13, 13)),
        (games.rock_paper_scissors(), (2, 2)),
        (games.resistance(3, 1, (1, 2, 1, 2, 2)), (146, 201)),
    ],
    ids=str,
)
def test_it_finds_what_seats_suits_and_cells_have_in_common(game: Game, classes: tuple[int, int]) -> None:
    whole = sequence_form(game)
    found = refined(whole, 1.0)
    assert found is not None and sequences(found.form) == classes
    solved = lp(found.form)
    assert solved.certificate.exact and certify(whole, found.grown(solved.plans)) == solved.certificate


def test_little_to_gain_is_left_alone() -> None:
    form = sequence_form(games.liars_dice(4))
    assert refined(form) is None and refined(sequence_form(games.battleship())) is not None


def sequences(form: FormArrays) -> tuple[int, int]:
    return form.trees[0].sequences, form.trees[1].sequences


# Random forms with symmetry planted in them.


def tree(random: Random, sets: int) -> Treeplex:
    parents, firsts = [0], [1, 1 + random.randint(2, 3)]
    for _ in range(sets - 1):
        parents.append(random.randrange(firsts[-1]))
        firsts.append(firsts[-1] + random.randint(2, 3))
    return Treeplex(np.array(parents, dtype=np.int32), np.array(firsts, dtype=np.int32))


def some_form(random: Random) -> FormArrays:
    """Payoffs at every pair of sequences, all different: nothing is like anything else."""
    trees = tree(random, random.randint(1, 3)), tree(random, random.randint(1, 3))
    many = trees[0].sequences * trees[1].sequences
    rows, columns = np.divmod(np.arange(many), trees[1].sequences)
    return form_of(trees, rows, columns, random.sample([number for number in range(-5000, 5000) if number], many))


def form_of(trees: tuple[Treeplex, Treeplex], rows: Array, columns: Array, payoffs: Sequence[int]) -> FormArrays:
    return FormArrays(trees, rows.astype(np.int32), columns.astype(np.int32), integers(list(payoffs)), 1)


def copied(form: FormArrays, copies: int, sides: Sequence[int], random: Random) -> FormArrays:
    """Copies of a form after a draw that `sides` see, in any order; who does not see it is paid in all of them."""
    trees, images = [], []
    for side, own in enumerate(form.trees):
        if side not in sides:
            trees.append(own)
            images.append(np.tile(np.arange(own.sequences), (copies, 1)))
            continue
        owners = [(copy, one) for one in range(own.infosets) for copy in range(copies)]
        random.shuffle(owners)
        owners.sort(key=lambda owner: owner[1])  # parents first
        image = np.zeros((copies, own.sequences), dtype=np.int64)
        parents, firsts = [], [1]
        for copy, one in owners:
            parents.append(int(image[copy, own.parent[one]]))
            inside = list(range(int(own.first[one]), int(own.first[one + 1])))
            random.shuffle(inside)
            for number, sequence in enumerate(inside, firsts[-1]):
                image[copy, sequence] = number
            firsts.append(firsts[-1] + len(inside))
        trees.append(Treeplex(np.array(parents, dtype=np.int32), np.array(firsts, dtype=np.int32)))
        images.append(image)
    return merged(
        (trees[0], trees[1]), images[0][:, form.rows].ravel(), images[1][:, form.columns].ravel(),
        np.tile(form.payoffs, copies),
    )  # fmt: skip


def doubled(form: FormArrays, side: int, times: int) -> FormArrays:
    """Every move that ends a side's choices stands there several times."""
    own, other = form.trees[side], form.trees[1 - side]
    last = {*range(1, own.sequences)} - {*own.parent.tolist()}
    image: list[list[int]] = [[0]]
    firsts = [1]
    for begin, end in zip(own.first[:-1].tolist(), own.first[1:].tolist(), strict=True):
        for sequence in range(begin, end):
            many = times if sequence in last else 1
            image.append(list(range(sum(map(len, image)), sum(map(len, image)) + many)))
        firsts.append(sum(map(len, image)))
    parents = [image[parent][0] for parent in own.parent.tolist()]
    grown = Treeplex(np.array(parents, dtype=np.int32), np.array(firsts, dtype=np.int32))
    rows, columns, payoffs = [], [], []
    for row, column, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True):
        for one in image[(row, column)[side]]:
            rows.append(one if side == 0 else row)
            columns.append(column if side == 0 else one)
            payoffs.append(payoff)
    trees = (grown, other) if side == 0 else (other, grown)
    return form_of(trees, np.array(rows), np.array(columns), payoffs)


def merged(trees: tuple[Treeplex, Treeplex], rows: Array, columns: Array, payoffs: Array) -> FormArrays:
    totals: dict[tuple[int, int], int] = {}
    for row, column, payoff in zip(rows.tolist(), columns.tolist(), payoffs.tolist(), strict=True):
        totals[row, column] = totals.get((row, column), 0) + payoff
    places = sorted(place for place, total in totals.items() if total)
    return form_of(
        trees, np.array([x for x, _ in places]), np.array([y for _, y in places]), [totals[one] for one in places]
    )


def changed(form: FormArrays, found: RefinedForm, random: Random) -> FormArrays:
    """A near miss: one entry is another, of a sequence that there were several of."""
    first, second = (np.bincount(own)[own] > 1 for own in found.classes)
    payoffs = form.payoffs.copy()
    payoffs[random.choice(np.flatnonzero(first[form.rows] | second[form.columns]))] += 20_011
    return replace(form, payoffs=payoffs)


def check(whole: FormArrays, found: RefinedForm) -> None:
    """Equal values with and without, and plans that certify to it."""
    small, large = lp(found.form), lp(whole)
    assert small.certificate.exact and large.certificate.exact
    assert small.certificate == large.certificate == certify(whole, found.grown(small.plans))


def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have compiled loops run where they would not be worth it, with the work cut as small as can be."""
    monkeypatch.setattr(module, "LARGE", 0)
    for name in ("SHARED", "RUN"):
        monkeypatch.setattr(colours_shared, name, 1)


@pytest.mark.cases(16)
@pytest.mark.parametrize("seed", range(PLANTED))
def test_planted_symmetry_is_found_and_a_near_miss_is_not(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed % 2:
        shared(monkeypatch)
    random = Random(seed)
    form = some_form(random)
    assert sequences(refined(form, 1.0).form) == sequences(form)  # type: ignore[union-attr]
    whole, nested = form, random.random() < 0.3
    for _ in range(1 + nested):
        match random.randrange(3):
            case 0:
                whole = copied(whole, random.randint(2, 3), (0, 1), random)
            case 1:
                whole = copied(whole, random.randint(2, 3), (random.randrange(2),), random)
            case _:
                side = random.randrange(2)
                whole = doubled(whole, side, random.randint(2, 3))
    found = refined(whole, 1.0)
    assert found is not None and sequences(found.form) == sequences(form)
    check(whole, found)
    if sequences(whole) != sequences(form):
        near = changed(whole, found, random)
        missed = refined(near, 1.0)
        assert missed is not None and sum(sequences(missed.form)) > sum(sequences(form))
        check(near, missed)


@pytest.mark.parametrize("loops", [colours, colours_shared.Shared], ids=["plain", "shared"])
@pytest.mark.parametrize("bits", [1, 2, 4, 8])
def test_colours_that_collide_are_caught(bits: int, loops: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep, few, caught = loops.sweep, np.uint64((1 << bits) - 1), 0

    def coarse(*fixed: Any) -> Callable[..., None]:
        swept = sweep(*fixed)

        def colour(other: Array, sequences: Array, sets: Array) -> None:
            swept(other, sequences, sets)
            sequences &= few
            sets &= few

        return colour

    monkeypatch.setattr(loops, "sweep", coarse)
    monkeypatch.setattr(module, "LARGE", module.LARGE if loops is colours else 0)
    for seed in range(30):
        whole = copied(some_form(Random(seed)), 2, (0, 1), Random(seed))
        found = refined(whole, 1.0)
        caught += found is None
        if found is not None:
            check(whole, found)
    assert caught or bits == 8


@pytest.mark.cases(2)
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("many", [20, 100, 300])
def test_sums_of_short_payoffs_may_be_long(many: int, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Payoffs that fit in a byte, at so many places that their sums do not."""
    if compiled:
        shared(monkeypatch)
    half = [Fraction(3)] * many + [Fraction(-1)] * many
    whole = as_sequence_form([half] * many + [[-payoff for payoff in reversed(half)]] * many)
    found = refined(whole, 1.0)
    assert found is not None and sequences(found.form) == (3, 3)
    assert sorted(Fraction(int(payoff), found.form.denominator) for payoff in found.form.payoffs) == [-3, -1, 1, 3]
    check(whole, found)


def same(one: RefinedForm | None, other: RefinedForm | None) -> bool:
    assert one is not None and other is not None
    pairs = [*zip(one.classes, other.classes, strict=True), (one.form.payoffs, other.form.payoffs)]
    return one.spread == other.spread and all(np.array_equal(mine, its) for mine, its in pairs)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("seed", range(10))
def test_compiled_loops_find_the_same(seed: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = doubled(copied(some_form(Random(seed)), 3, (0, 1), Random(seed)), seed % 2, 2)
    forms = [whole, sequence_form(games.leduc()), sequence_form(games.resistance(3, 1, (1, 2, 1, 2, 2)))]
    for form in forms if seed == 0 else [whole]:
        plain = refined(form, 1.0)
        with monkeypatch.context() as patched:
            shared(patched)
            assert same(refined(form, 1.0, threads), plain)
            assert refined(form, 0.01, threads) is None


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_layers_of_sets(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each set is some thread's, those that follow one sequence the same one's, and no set follows one of its layer."""
    monkeypatch.setattr(colours_shared, "SHARED", 50)
    monkeypatch.setattr(colours_shared, "RUN", 4)
    shared = 0
    for tree in sequence_form(games.resistance(3, 1, (1, 2, 1, 2, 2))).trees:
        layers = colours_shared.Shared(threads)._layers(tree.parent, tree.first)
        ranges = [(int(begin), int(end)) for layer in layers for share in layer for begin, end in share]
        assert sorted(i for begin, end in ranges for i in range(begin, end)) == list(range(tree.infosets))
        for layer in layers:
            own = [np.concatenate([np.arange(begin, end) for begin, end in share]) for share in layer]
            parents = [set(tree.parent[sets].tolist()) for sets in own]
            assert sum(map(len, parents)) == len(set().union(*parents))
            if len(layer) > 1:
                shared += 1
                here = {s for sets in own for i in sets.tolist() for s in range(tree.first[i], tree.first[i + 1])}
                assert not here & set().union(*parents)
    assert shared > 1


def test_it_finds_the_reduction_of_the_resistance_seat_by_seat() -> None:
    """Nothing is declared, and as many classes are found as the renaming of seats leaves sequences, or fewer."""
    game = games.resistance(4, 1, (2, 2, 2, 2, 2))
    whole = sequence_form(game)
    found = refined(whole)
    assert found is not None and sequences(whole) == (46_915, 60_505) and sequences(found.form) == (579, 913)
    declared = sequences(sequence_form(Symmetry(game)))
    assert all(mine <= its for mine, its in zip(sequences(found.form), declared, strict=True))
    solved = lp(found.form)
    assert certify(whole, found.grown(solved.plans)) == solved.certificate == ruse.solve(game).certificate


def test_payoffs_longer_than_a_word_are_added_up_exactly() -> None:
    form = some_form(Random(1))
    large = replace(form, payoffs=form.payoffs.astype(object) * 10**30)
    whole = copied(large, 3, (0, 1), Random(2))
    found = refined(whole, 1.0)
    assert found is not None and sequences(found.form) == sequences(form)
    check(whole, found)
    apart = replace(whole, payoffs=whole.payoffs.copy())
    apart.payoffs[-1] += 1 << 64  # which a word does not see
    assert refined(apart, 1.0) is None


@pytest.mark.parametrize("large", [0, module.LARGE])
def test_sums_longer_than_a_word_are_added_up_exactly(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGE", large)
    form = some_form(Random(1))
    whole = copied(replace(form, payoffs=np.sign(form.payoffs) * ((1 << 61) - 1)), 3, (0, 1), Random(2))
    found = refined(whole, 1.0)
    assert found is not None and sum(sequences(found.form)) < sum(sequences(whole))
    check(whole, found)


def test_equal_sums_are_enough() -> None:
    """No renaming maps these rows into each other."""
    game = games.matrix("0 3 1; 2 0 2; 2 1 1")
    assert counted(game) == ((4, 4), (2, 2))


def test_what_was_merged_is_told_and_can_be_switched_off() -> None:
    found, plain = (ruse.solve(games.leduc(), "cfr+", iterations=20, refine=refine) for refine in (True, False))
    assert found.note == "1,093 + 1,093 sequences, 337 + 337 after symmetry" and plain.note == ""
    assert found.certificate.gap < plain.certificate.gap and found.verify() == found.certificate
    assert plain.options["refine"] is False and "refine" not in found.options
