"""From the weights of the lazy program to strategies: filed position -> move -> odds, in fractions.

The spies' odds are their masses, one over the other; where they never come by their own choice, the best
rule of thumb fills in. The resistance's odds are the duals of its choices and plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.clock import tick, timed
from ruse.core.exact import rounded, shares
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts
from ruse.games.resistance.program import ONE, Endgame, ResistanceProgram

Odds = dict[str, Fraction]
StrategyTable = dict[str, Odds]
DENOMINATORS = (12, 1000, 1_000_000)
Normalise = Callable[[Sequence[Any]], list[Fraction]]  # weights, floats or fractions, to odds that sum to one


def spies_table(program: ResistanceProgram, masses: Sequence[Any], normalise: Normalise) -> StrategyTable:
    """The odds at every decision, also at those where the masses say nothing."""
    table: StrategyTable = {}
    exact = [Fraction(0)] * len(program.upper)  # masses as the odds so far make them
    exact[ONE] = Fraction(1)
    for decision, position in timed(zip(program.decisions, program.decided_at, strict=True)):
        if exact[decision.mass]:
            passes, fails = normalise([masses[decision.passed], masses[decision.failed]])
        else:
            fails = Fraction(len(decision.cells.results) in program.best_rule)
            passes = 1 - fails
        exact[decision.passed] = exact[decision.mass] * passes
        exact[decision.failed] = exact[decision.mass] * fails
        table[position] = {"pass": passes, "sabotage": fails}
    return table


def resistance_table(
    program: ResistanceProgram, duals: Sequence[Any], masses: np.ndarray[Any, Any], normalise: Normalise
) -> StrategyTable:
    """The odds at every position that the resistance's own choices lead to."""
    choices: dict[Cells, list[tuple[Counts, Any]]] = {}
    for choice in program.choices:
        choices.setdefault(choice.cells, []).append((choice.mission, duals[choice.row]))
    plans: dict[Cells, dict[tuple[int, ...], Any]] = {}
    for plan, dual in zip(program.plans, duals[len(program.rows) :], strict=False):  # the last ones may have none yet
        plans.setdefault(program.endgames[plan.endgame].cells, {})[plan.missions] = dual
    endgames = {endgame.cells: endgame for endgame in program.endgames}
    table: StrategyTable = {}

    def fill(cells: Cells) -> None:
        tick()
        if cells in endgames:
            weights = plans.get(cells, {})
            if not any(weight > 0 for weight in weights.values()):
                weights = {_best_plan(program, endgames[cells], masses): 1}
            follow(cells, [(program.classes(cells, plan), weight) for plan, weight in weights.items()])
            return
        missions, weights_here = zip(*choices[cells], strict=True)
        odds = normalise(weights_here)
        table[cells.position(program.table)] = {
            notation.seats(cells.first_seats(mission)): share
            for mission, share in zip(missions, odds, strict=True)
            if share
        }
        for mission, share in zip(missions, odds, strict=True):
            if share:
                fill(cells.send(mission).then("+"))
                fill(cells.send(mission).then("-"))

    def follow(cells: Cells, weighted: list[tuple[tuple[Counts, ...], Any]]) -> None:
        """Odds along the one line on which the endgame goes on."""
        firsts: dict[Counts, list[tuple[tuple[Counts, ...], Any]]] = {}
        for plan, weight in weighted:
            firsts.setdefault(plan[0], []).append((plan[1:], weight))
        odds = normalise([sum(weight for _, weight in rest) for rest in firsts.values()])
        table[cells.position(program.table)] = {
            notation.seats(cells.first_seats(first)): share for first, share in zip(firsts, odds, strict=True) if share
        }
        goes_on = "-" if cells.score[0] == 2 else "+"
        for (first, rest), share in zip(firsts.items(), odds, strict=True):
            if share and rest[0][0]:
                follow(cells.send(first).then(goes_on), rest)

    fill(Cells.start(program.table))
    return table


def _best_plan(program: ResistanceProgram, endgame: Endgame, masses: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """Against these masses, or if they never come here, against all spy sets alike."""
    mass = program.masses(endgame, masses)
    return program.best_plan(endgame, mass if mass.any() else np.ones(len(mass)))[1]


def candidates(program: ResistanceProgram, solved: Any) -> Iterator[tuple[StrategyTable, StrategyTable]]:
    """Both strategies from a solved program: rounded, then from its basis in fractions. Unfinished: rounded finely."""
    finished = solved.ended == "met"
    for denominator in DENOMINATORS if finished else DENOMINATORS[-1:]:

        def near(weights: Sequence[Any], denominator: int = denominator) -> list[Fraction]:
            total = sum(max(0.0, float(weight)) for weight in weights)
            return rounded([max(0.0, float(weight)) / total if total else 0 for weight in weights], denominator)

        yield (
            resistance_table(program, solved.optimum.duals, solved.point, near),
            spies_table(program, solved.point, near),
        )
    exact = solved.highs.run_exactly() if finished else None
    if exact is not None:
        yield (
            resistance_table(program, exact.duals, solved.point, shares),
            spies_table(program, exact.columns, shares),
        )
