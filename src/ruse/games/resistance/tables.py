"""The resistance's and the spies' strategies as tables: from a solved program, made simpler, and completed.

*From the program.* The spies' odds are their masses, one over the other; where they never come by their own choice,
the best rule of thumb decides. The resistance's odds are the duals of its choices and plans.

*Simpler.* Optimal strategies are many, and a vertex of the linear program is not always one that a person can remember.
So mixed choices of the resistance become plain ones wherever the guarantee stays the same. Early positions come first,
because a choice that is ruled out there takes everything behind it away. Where the guarantee leaves the choice open,
say after a failure that optimal spies never cause, the resistance does what wins on most of the possible spy sets.

*Completed.* At positions that a strategy never reaches, the spies sabotage if a side has two points and enough of them
are aboard. The resistance plays a best response to the spies' strategy, given who they may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ruse.core.clock import tick, timed
from ruse.core.exact import rounded, shares
from ruse.core.game import PositionError
from ruse.core.types import Odds, StrategyTable, Tables
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts, Place
from ruse.games.resistance.evaluator import Evaluator
from ruse.games.resistance.program import ONE, Endgame, ResistanceProgram
from ruse.games.resistance.rulebook import reached
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.games.resistance.verify import guarantee

ExactTable = dict[str, dict[str, Fraction]]
DENOMINATORS = (12, 1000, 1_000_000)
Normalise = Callable[[Sequence[Any]], list[Fraction]]  # weights, floats or fractions, to odds that sum to one
Plans = dict[Cells, dict[tuple[Counts, ...], Any]]  # weights of plans for endgames, by classes of missions


def spies_table(program: ResistanceProgram, masses: Sequence[Any], normalise: Normalise) -> ExactTable:
    """The odds at every decision, also at those where the masses say nothing."""
    table: ExactTable = {}
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
) -> ExactTable:
    """The odds at every position that the resistance's own choices lead to."""
    choices: dict[Cells, list[tuple[Counts, Any]]] = {}
    for choice in program.choices:
        choices.setdefault(choice.cells, []).append((choice.mission, duals[choice.row]))
    plans: Plans = {}
    for plan, dual in zip(program.plans, duals[len(program.rows) :], strict=False):  # the last ones may have none yet
        cells = program.endgames[plan.endgame].cells
        here, missions = plans.setdefault(cells, {}), program.classes(cells, plan.missions)
        here[missions] = here.get(missions, 0) + max(dual, 0)
    return weighted_table(program, choices, plans, masses, normalise)


def weighted_table(
    program: ResistanceProgram,
    choices: Mapping[Cells, Sequence[tuple[Counts, Any]]],
    plans: Plans,
    masses: np.ndarray[Any, Any],
    normalise: Normalise,
) -> ExactTable:
    """The odds that follow from weights of choices, and of plans for endgames."""
    endgames = {endgame.cells: endgame for endgame in program.endgames}
    table: ExactTable = {}

    def fill(cells: Cells) -> None:
        tick()
        if cells in endgames:
            weights = plans.get(cells, {})
            if not any(weight > 0 for weight in weights.values()):
                weights = {program.classes(cells, _best_plan(program, endgames[cells], masses)): 1}
            follow(cells, list(weights.items()))
            return
        missions, weights_here = zip(*choices[cells], strict=True)
        odds = normalise(weights_here)
        table[cells.position(program.table)] = _listed(cells, missions, odds)
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
        table[cells.position(program.table)] = _listed(cells, firsts, odds)
        goes_on = "-" if cells.score[0] == 2 else "+"
        for (first, rest), share in zip(firsts.items(), odds, strict=True):
            if share and rest[0][0]:
                follow(cells.send(first).then(goes_on), rest)

    fill(Cells.start(program.table))
    return table


def _listed(cells: Cells, missions: Iterable[Counts], odds: Sequence[Fraction]) -> dict[str, Fraction]:
    """The odds of classes of missions, by the mission that stands for each; only those that are sent."""
    shares = zip(missions, odds, strict=True)
    return {notation.seats(cells.first_seats(mission)): share for mission, share in shares if share}


def _best_plan(program: ResistanceProgram, endgame: Endgame, masses: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """Against these masses, or if they never come here, against all spy sets alike."""
    mass = program.masses(endgame, masses)
    return program.best_plan(endgame, mass if mass.any() else np.ones(len(mass)))[1]


def candidates(program: ResistanceProgram, solved: Any) -> Iterator[Tables]:
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


def simplify(program: ResistanceProgram, strategy: StrategyTable, lower: Fraction) -> StrategyTable:
    """A strategy of the resistance with fewer choices left to dice, which still guarantees as much."""

    def good(candidate: StrategyTable) -> bool:
        return guarantee(program.table, RESISTANCE, candidate.__getitem__) >= lower

    return _sensible(program, _unmixed(program.table, strategy, good), good)


def _unmixed(table: Table, strategy: StrategyTable, good: Callable[[StrategyTable], bool]) -> dict[str, Odds]:
    """A strategy that is still `good`, with one mission instead of several wherever one is enough."""
    strategy = dict(strategy)
    tried: set[str] = set()
    while True:
        live = reached(table, strategy)
        mixed = [position for position, odds in live.items() if len(odds) > 1 and position not in tried]
        if not mixed:
            return live
        position = mixed[0]
        tried.add(position)
        odds = strategy[position]
        for mission in sorted(odds, key=lambda mission: (-odds[mission], mission)):
            strategy[position] = {mission: Fraction(1)}
            if good(strategy):
                break
        else:
            strategy[position] = odds


def _sensible(
    program: ResistanceProgram, strategy: StrategyTable, good: Callable[[StrategyTable], bool]
) -> dict[str, Odds]:
    """In each endgame, the plan that wins on most spy sets that fit the facts, if the strategy stays `good`."""
    plans = [
        (position, _facts_plan(program, endgame))
        for endgame in program.endgames
        if (position := endgame.cells.position(program.table)) in strategy
    ]
    changed = strategy
    for position, plan in plans:
        changed = _replaced(changed, position, plan)
    if not good(changed):  # not all of them at once: one by one
        changed = strategy
        for position, plan in plans:
            attempt = _replaced(changed, position, plan)
            changed = attempt if good(attempt) else changed
    return reached(program.table, changed)


def _facts_plan(program: ResistanceProgram, endgame: Endgame) -> dict[str, Odds]:
    """What to send along an endgame's line, if every spy set that fits the facts is as likely."""
    _, plan = program.best_plan(endgame, (endgame.kind >= 0).astype(float))
    cells = endgame.cells
    sent: dict[str, Odds] = {}
    for mission in program.classes(cells, plan):
        sent[cells.position(program.table)] = {notation.seats(cells.first_seats(mission)): Fraction(1)}
        cells = cells.send(mission).then("-" if endgame.any_clean else "+")
    return sent


def _replaced(strategy: StrategyTable, position: str, plan: Mapping[str, Odds]) -> dict[str, Odds]:
    """The strategy with everything from a position on replaced by a plan."""
    return {place: odds for place, odds in strategy.items() if not place.startswith(position)} | dict(plan)


def adviser(table: Table, side: int, tables: tuple[StrategyTable, StrategyTable]) -> Callable[[str], Odds]:
    """Sensible odds at any representative position where a side moves, given both strategies."""

    @cache
    def evaluator() -> Evaluator:
        return Evaluator(table, tables)

    def advise(position: str) -> Odds:
        place = Place.at(table, position, side)
        if side == SPIES:
            if place.read.out is None:
                raise PositionError(f"expected a mission under way, such as @bd/ab?, got {position!r}")
            share = evaluator().sabotage(place.cells, place.spies)
            return {"pass": 1 - share, "sabotage": share}
        if place.read.out is not None or place.ended:
            raise PositionError(f"expected a position where the resistance sends a mission, got {position!r}")
        return {place.named(mission): share for mission, share in evaluator().missions(place.cells).items()}

    return advise


def complete(table: Table, tables: Tables) -> Tables:
    """Add advice wherever the resistance's own choices lead and its strategy has no entry; drop needless entries.

    Reduced games leave out positions with nothing to decide, and those that only a blunder of the spies leads to. Once
    a side has two points, the spies have nothing to decide.
    """
    strategy = dict(tables[RESISTANCE])
    spies = {
        position: odds
        for position, odds in tables[SPIES].items()
        if POINTS_TO_WIN - 1 not in notation.read(table, position).score
    }
    advise = adviser(table, RESISTANCE, ({}, spies))
    level = [table.title]
    while level:
        following = []
        for position in level:
            if position not in strategy:
                try:
                    strategy[position] = advise(position)
                except PositionError:  # no spies could cause this history: any mission will do
                    size = table.missions[len(notation.read(table, position).done)]
                    strategy[position] = {notation.seats(range(size)): Fraction(1)}
            for mission, share in strategy[position].items():
                for result in "+-" if share else "":
                    after = notation.read(table, f"{position}/{mission}{result}")
                    if POINTS_TO_WIN not in after.score:
                        following.append(after.text(table))
        level = following
    return strategy, spies


def reason(side: int) -> str:
    """Why a strategy of a side can leave a position out."""
    if side == SPIES:
        return "There is nothing to decide: a side has two points, or too few spies are aboard."
    return "The strategy never reaches this position; this is a best response from here on."
