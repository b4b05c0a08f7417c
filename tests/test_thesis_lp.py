"""The program that ruse is measured against is the right one: on small tables it is the sequence form of the
reduced game, entry by entry, and its sizes are those of Bossle's model."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from functools import cache

import pytest
from benchmarks.resistance import METHODS, Form, Ruse, check, figures, quickest, report, time_thesis

from ruse.forms.certificate import certify
from ruse.forms.reductions import reduce
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.games import make
from ruse.games.resistance.sizes import lp_size
from ruse.games.resistance.table import Table, make_table
from ruse.reproduce.thesis_lp import RESISTANCE, SPIES, thesis_form, thesis_lp
from ruse.solvers.highs import Highs
from ruse.solvers.lp import lp

ONES = (1, 1, 1, 1, 1)
SMALL = (
    make_table(3, 1, ONES, ONES),
    make_table(4, 1, (2, 2, 2, 2, 2), ONES),
    make_table(4, 2, (2, 2, 2, 2, 2), ONES),
    make_table(4, 2, (2, 3, 2, 3, 2), (1, 2, 1, 2, 2)),
)


@cache
def walked(table: Table) -> FormArrays:
    """The same form by walking the rules under the general reductions."""
    return sequence_form(reduce(make("resistance", asdict(table))))


@cache
def value_of(table: Table) -> Fraction:
    """The value by the general solver, certified."""
    certificate = lp(walked(table)).certificate
    assert certificate.exact
    return certificate.lower


def optimum(form: FormArrays, first: int) -> float:
    """The payoff to the resistance."""
    value: float = Highs(thesis_lp(form, first)).run().value / form.denominator
    return -value if first == RESISTANCE else value


@pytest.mark.cases(2)
@pytest.mark.parametrize("table", SMALL, ids=lambda table: table.title)
def test_the_trees_and_payoffs_are_those_of_the_reduced_game(table: Table) -> None:
    mine, theirs = thesis_form(table), walked(table)
    for one, other in zip(mine.trees, theirs.trees, strict=True):
        assert (one.infosets, one.sequences) == (other.infosets, other.sequences)
    assert Counter(Fraction(payoff, mine.denominator) for payoff in mine.payoffs.tolist()) == Counter(
        Fraction(payoff, theirs.denominator) for payoff in theirs.payoffs.tolist()
    )


@pytest.mark.cases(6)
@pytest.mark.parametrize("table", SMALL, ids=lambda table: table.title)
@pytest.mark.parametrize("impossible", [False, True])
@pytest.mark.parametrize("first", [RESISTANCE, SPIES])
def test_the_value_is_that_of_the_reduced_game(table: Table, impossible: bool, first: int) -> None:
    value = optimum(thesis_form(table, impossible=impossible), first)
    assert value == pytest.approx(float(value_of(table)), abs=1e-7)


@pytest.mark.cases(4)
@pytest.mark.parametrize("table", [*SMALL, make_table(5), make_table(6)], ids=lambda table: table.title)
@pytest.mark.parametrize("impossible", [False, True])
def test_the_program_has_the_size_that_counting_gives(table: Table, impossible: bool) -> None:
    form = thesis_form(table, impossible=impossible)
    program, dual = (thesis_lp(form, first) for first in (RESISTANCE, SPIES))
    assert (len(program.rows), len(program.cost)) == lp_size(table, reachable=not impossible)
    assert (len(dual.cost), len(dual.rows)) == lp_size(table, reachable=not impossible)


@pytest.mark.soak
def test_seven_players_have_the_published_size() -> None:
    # method.md, from scoping: 3,032,386 × 1,570,740 after symmetry, without forced moves.
    form = thesis_form(make_table(7), impossible=True)
    resistance_tree, spies_tree = form.trees
    assert resistance_tree.infosets + spies_tree.sequences == 3_032_386
    assert resistance_tree.sequences + spies_tree.infosets == 1_570_740


def test_uniform_plans_earn_the_same_in_both_trees() -> None:
    """Bounds of a plan depend on how the trees hang together, not only on how many nodes they have."""
    table = SMALL[3]

    def uniform(form: FormArrays, side: int) -> list[Fraction]:
        plan = [Fraction(1)] + [Fraction(0)] * (form.trees[side].sequences - 1)
        for parent, begin, end in form.trees[side].sets():
            for sequence in range(begin, end):
                plan[sequence] = plan[parent] / (end - begin)
        return plan

    mine, theirs, padded = thesis_form(table), walked(table), thesis_form(table, impossible=True)
    expected = certify(theirs, (uniform(theirs, 0), uniform(theirs, 1)))
    for form in (mine, padded):
        assert certify(form, (uniform(form, 0), uniform(form, 1))) == expected


def test_the_benchmark_reports_the_quickest_way_and_checks_the_values() -> None:
    table = SMALL[0]
    forms = list(time_thesis(table))
    assert [(form.first, form.spy_sets) for form in forms] == [
        ("resistance", "possible"),
        ("spies", "possible"),
        ("resistance", "all"),
        ("spies", "all"),
    ]
    assert all([run.method for run in form.runs] == list(METHODS) for form in forms)
    value = value_of(table)
    solved = [Ruse(3, value, (1.0, 0.5, 0.25), (1.0, 0.5, 0.25))]
    best = quickest(forms, 3)
    assert best is not None
    assert best[1].seconds == min(run.seconds for form in forms for run in form.runs if run.payoff is not None)
    assert check(forms, solved) == 0
    assert check(forms, [Ruse(3, value + Fraction(1, 1000), (1.0,), (1.0,))]) == 1
    assert figures(forms, solved)["ratios"] == {"3": best[1].seconds / 0.5}
    assert str(value) in report(forms, solved).splitlines()[-1]


def test_a_form_that_nothing_solved_has_no_quickest_run() -> None:
    form = Form(7, "spies", "all", 1, 1, 1, 0.0, ())
    assert form.quickest is None
    assert quickest([form], 7) is None
