"""The route of the solver `quasi-perfect`: strategies that are sensible at every position, also where play never comes.

The sequence form is solved as it is: reductions would leave positions without advice.
"""

from __future__ import annotations

from fractions import Fraction

from ruse.core.clock import timed
from ruse.core.game import GameError, describe
from ruse.forms.certificate import certify
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.solution.mistakes import Mistake, Mistakes
from ruse.solvers import QUASI_PERFECT
from ruse.solvers.quasi_perfect import PerturbedPlans, quasi_perfect
from ruse.solving import form_memory
from ruse.solving.request import SolveRequest
from ruse.solving.result import SolveResult
from ruse.solving.routes.sequence_form import too_large
from ruse.solving.writing import as_tables

MOST_SEQUENCES = 30_000  # of both sides together: beyond, exact numbers take many minutes


def run(request: SolveRequest) -> SolveResult:
    """Write the sequence form down and solve it for all small weights of mistakes."""
    game, report = request.game, request.report
    estimate = request.estimate
    assert estimate is not None  # only games that go by class have none
    if not form_memory.fits(estimate, refine=False):
        raise too_large(request)
    form = sequence_form(game, form_memory.report_memory(game, estimate, report))
    if (sequences := sum(tree.sequences for tree in form.trees)) > MOST_SEQUENCES:
        raise GameError(
            f"{game.title} has {sequences:,} sequences, more than the {MOST_SEQUENCES:,} that {QUASI_PERFECT} accepts; "
            "use auto, or smaller parameters"
        )
    report(f"solving {form.trees[0].sequences:,} × {form.trees[1].sequences:,} sequences", None, None)
    equilibrium = quasi_perfect(form)
    first, second = (
        {
            knowledge: dict(zip(moves, odds, strict=True))
            for knowledge, moves, odds in zip(
                form.knowledge[side], form.moves[side], equilibrium.odds(side), strict=True
            )
        }
        for side in (0, 1)
    )
    return SolveResult(
        QUASI_PERFECT,
        as_tables(game, (first, second)),
        certify(form, (equilibrium.limit(0), equilibrium.limit(1))),
        equilibrium.rounds,
        mistakes=_mistakes(request, form, equilibrium),
    )


def _mistakes(request: SolveRequest, form: FormArrays, equilibrium: PerturbedPlans) -> Mistakes:
    game = request.game
    tables: tuple[dict[str, dict[str, Mistake]], dict[str, dict[str, Mistake]]] = ({}, {})
    for side, table in enumerate(tables):
        leading = equilibrium.leading(side)
        sets = zip(form.trees[side].sets(), form.knowledge[side], form.moves[side], strict=True)
        for (parent, first, end), knowledge, moves in timed(sets):
            before = leading[parent]
            rare = {
                game.label(move): Mistake(term.power - before.power, Fraction(term.coefficient, before.coefficient))
                for move, term in zip(moves, leading[first:end], strict=True)
                if term.power > before.power
            }
            if rare:
                table[describe(game, knowledge)] = rare
    return tables
