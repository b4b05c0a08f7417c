"""The Resistance solved anew from a position on, safely.

With b(ω) the odds of spy set ω at a public position h, and u(ω) what the resistance wins on ω from there on against
spies who know its strategy, the resistance's new strategy maximises

    sum of b(ω) u(ω)     subject to     u(ω) >= least(ω)   for every ω that the results allow,

where least(ω) is the same of the stored strategy. So whoever the spies are and however they came to h, the stored
strategy changed in this way guarantees no less (Burch, Johanson and Bowling 2014 ask for as much). Where the
resistance came to h by a slip of its own there is nothing to keep, and the constraints are left out. The spies face a
single information set of the resistance at h, so solving anew from b alone never concedes more than before.

The linear program is that of ruse.games.resistance.program, begun at h: the mass of ω is b(ω) + y(ω), y >= 0 costing
least(ω) each, since min over y of max over strategies of sum (b + y) u - y least is the above by duality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.exact import common_denominator, shares
from ruse.games.resistance.cells import Cells, Counts, Place, Suspects, members
from ruse.games.resistance.evaluator import Evaluator, SpiesBestResponse
from ruse.games.resistance.program import ROOT, MissionChoice, ResistanceProgram, Row
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.present.model import Option, View
from ruse.solvers.lazy_lp import lazy_lp

if TYPE_CHECKING:
    from ruse.games.resistance.view import ResistanceViewer

DENOMINATOR = 1_000_000  # of odds that could not be found exactly, and of what is too long for a linear program


class Subgame(ResistanceProgram):
    """The lazy program from a public position on; with `sent`, after that mission was sent."""

    def __init__(
        self,
        evaluator: Evaluator,
        cells: Cells,
        suspects: Suspects,
        sent: Counts | None,
        floors: Mapping[Counts, Fraction],
    ) -> None:
        self.evaluator, self.cells, self.suspects, self.sent, self.floors = evaluator, cells, suspects, sent, floors
        self.masses_here: dict[Counts, int] = {}  # columns of the masses of each class at the beginning
        super().__init__(evaluator.table)
        self.unit = suspects.total

    def _build(self) -> None:
        sizes = self.cells.sizes
        for spies in {**self.suspects.masses, **self.floors}:
            column = self.masses_here[spies] = self._column()
            self.lower[column] = mass = float(self.suspects.masses.get(spies, 0))
            self.upper[column] = np.inf if spies in self.floors else mass
        if not self.floors:
            self._grow(self.cells, self.masses_here, ROOT, self.sent)
            return
        top, nothing = self._column(), self._column()
        self.upper[nothing] = 0.0
        whole, unit = common_denominator(list(self.floors.values()))
        prices = {spies: members(sizes, spies) * floor for spies, floor in zip(self.floors, whole, strict=True)}
        paid = sum(price * self.suspects.masses.get(spies, 0) for spies, price in prices.items())
        columns = [self.masses_here[spies] for spies in prices]
        self.choices.append(
            MissionChoice(self.cells, (), ROOT, top, nothing, 0)
        )  # no choice: the value of all that follows
        self.rows.append((paid, np.inf, [ROOT, top, *columns], [unit, -unit, *prices.values()]))
        self._grow(self.cells, self.masses_here, top, self.sent)

    def separate(self, point: Array, optimum: Array) -> tuple[float, list[Any]]:
        conceded, violated = super().separate(point, optimum)
        for spies, floor in self.floors.items():
            more = point[self.masses_here[spies]] - self.suspects.masses.get(spies, 0)
            conceded -= float(floor) * members(self.cells.sizes, spies) * more
        return conceded, violated

    def starts(self) -> Iterator[Array]:
        """The stored strategy of the spies."""
        point = np.zeros(len(self.upper))
        for spies, column in self.masses_here.items():
            point[column] = self.suspects.masses.get(spies, 0)
        for decision in self.decisions:
            share = float(self.evaluator.sabotage(decision.cells, decision.spies))
            point[decision.passed] = point[decision.mass] * (1 - share)
            point[decision.failed] = point[decision.mass] * share
        yield point

    def all_rows(self) -> list[Row]:
        return [*self.rows, *(self.plan_row(self.endgames[plan.endgame], plan.missions) for plan in self.plans)]


@dataclass(frozen=True)
class Anew:
    """A subgame solved: masses are the spies' strategy, duals the resistance's."""

    program: Subgame
    won: Fraction  # the optimum
    columns: Sequence[Fraction]  # with the masses
    duals: Sequence[Fraction]
    proved: bool  # the duals guarantee so much, and the masses concede no more

    @property
    def value(self) -> Fraction:
        return self.won / self.program.suspects.total

    def missions(self) -> dict[Counts, Fraction]:
        """The resistance's odds at the beginning."""
        program, weights = self.program, dict[Counts, Fraction]()
        if POINTS_TO_WIN - 1 in program.cells.score:
            for plan, weight in zip(program.plans, self.duals[len(program.rows) :], strict=True):
                first = program.classes(program.cells, plan.missions)[0]
                weights[first] = weights.get(first, Fraction(0)) + max(weight, Fraction(0))
        else:
            for choice in program.choices:
                if choice.cells == program.cells and choice.mission:
                    weights[choice.mission] = self.duals[choice.row]
        odds = shares(list(weights.values()))
        return {mission: share for mission, share in zip(weights, odds, strict=True) if share}

    def spies(self) -> dict[str, dict[str, Fraction]]:
        """The spies' odds, by representative position; where they have no mass, the stored odds."""
        strategy = {}
        for decision in self.program.decisions:
            passes, fails = self.columns[decision.passed], self.columns[decision.failed]
            if passes + fails > 0:
                _, share = shares([passes, fails])
            else:
                share = self.program.evaluator.sabotage(decision.cells, decision.spies)
            place = decision.cells.position(self.program.table, decision.spies)
            strategy[place] = {"pass": 1 - share, "sabotage": share}
        return strategy

    def against(self, column: int, own: int | None, spy_sets: int) -> Fraction:
        """How often the new strategy of the resistance wins against spies whose mass is that column.

        What the rows but its `own` take off the mass of a class, by their duals, is what is won on the class.
        """
        won = Fraction(0)
        for number, (row, dual) in enumerate(zip(self.program.all_rows(), self.duals, strict=True)):
            if dual and number != own and column in row[2]:
                won -= row[3][row[2].index(column)] * dual
        return won / spy_sets


def solve(program: Subgame) -> Anew:
    lazy: Any = program  # whose lists are as good as sequences
    solved = lazy_lp(lazy)
    exact = solved.highs.run_exactly()
    near = _rounded(solved.point.tolist())
    if exact is None:
        won = Fraction(float(solved.optimum.value)).limit_denominator(DENOMINATOR)
        return Anew(program, won, near, _rounded(solved.optimum.duals), False)
    anew = Anew(program, exact.value, near, exact.duals, _feasible(program, exact.duals))
    for masses in (near, exact.columns):  # the cuts may have stopped before the optimum's own masses were good
        anew = replace(anew, columns=masses)
        if conceded(anew) == anew.value:
            return anew
    return replace(anew, columns=near, proved=False)


def _rounded(numbers: Sequence[float]) -> list[Fraction]:
    return [Fraction(float(number)).limit_denominator(DENOMINATOR) for number in numbers]


def _feasible(program: Subgame, duals: Sequence[Fraction]) -> bool:
    """Whether the duals prove that no masses concede less: no row has a negative one, no column a way down."""
    left = [Fraction(0)] * len(program.upper)
    left[ROOT] = Fraction(1)
    for (_, upper, columns, values), dual in zip(program.all_rows(), duals, strict=True):
        if dual < 0 and upper == np.inf:
            return False
        for column, value in zip(columns, values, strict=True) if dual else ():
            left[column] -= value * dual
    free = (cost for cost, lower, upper in zip(left, program.lower, program.upper, strict=True) if lower < upper)
    return all(cost >= 0 for cost in free)


def renewed(anew: Anew, suspects: Suspects) -> Evaluator:
    """Best replies to the new strategy of the spies."""
    program = anew.program
    evaluator = Evaluator(program.table, ({}, {**program.evaluator.tables[SPIES], **anew.spies()}))
    evaluator.assume(program.cells, suspects)
    return evaluator


def conceded(anew: Anew) -> Fraction:
    """What the masses concede to a best response, less the price of those added."""
    program, sizes = anew.program, anew.program.cells.sizes
    here = {spies: anew.columns[column] for spies, column in program.masses_here.items()}
    whole, _ = common_denominator(list(here.values()))
    suspects = Suspects.of(0, program.cells, {spies: mass for spies, mass in zip(here, whole, strict=True) if mass})
    reply, cells = renewed(anew, suspects), program.cells
    won = reply.value(cells) if program.sent is None else reply.value_sent(cells, program.sent)
    total = sum((members(sizes, spies) * mass for spies, mass in here.items()), Fraction(0))
    for spies, floor in program.floors.items():
        more = here[spies] - program.suspects.masses.get(spies, 0)
        won -= floor * members(sizes, spies) * more / total
    return won * total / program.suspects.total


def resolve(viewer: ResistanceViewer, place: Place) -> View:
    """The view at a place if both sides play anew from there on."""
    stored = viewer.at(place.text, place.side)
    base, evaluator = place.back(), viewer.evaluator
    sent = place.mission() if place.read.out is not None else None
    decided = POINTS_TO_WIN - 1 in place.read.score
    if place.ended or (sent is not None and (decided or (place.side == SPIES and not viewer.can_fail(place)))):
        return stored
    suspects = evaluator.suspects(base.cells)
    if place.side == SPIES and base.spies not in suspects.masses:
        suspects = Suspects.of(0, base.cells, dict.fromkeys(evaluator.allowed(base.cells), 1))
    floors: dict[Counts, Fraction] = {}
    kept = place.side == RESISTANCE and sent is None and viewer.sent(place) > 0
    if kept:
        answers = SpiesBestResponse(viewer.table, evaluator.missions)
        floors = {spies: _down(answers.least(base.cells, spies)) for spies in evaluator.allowed(base.cells)}
    short = _short(base.cells, suspects)
    anew = solve(Subgame(evaluator, base.cells, short, sent, floors))
    value, options = _numbers(viewer, place, anew)
    exact, assumption = anew.proved and short is suspects, _promise(place.side, kept, sent is not None)
    return replace(stored, value=value, exact=exact, options=options, assumption=assumption, notes=())


def _down(floor: Fraction) -> Fraction:
    """A promise that a linear program can hold."""
    return floor if floor.denominator <= DENOMINATOR else Fraction(floor * DENOMINATOR // 1, DENOMINATOR)


def _short(cells: Cells, suspects: Suspects) -> Suspects:
    """Masses that a linear program can hold: the same, or rounded to parts of a million."""
    if suspects.total <= DENOMINATOR:
        return suspects
    parts = {spies: max(1, mass * DENOMINATOR // suspects.total) for spies, mass in suspects.masses.items()}
    return Suspects.of(suspects.slips, cells, parts)


def _numbers(viewer: ResistanceViewer, place: Place, anew: Anew) -> tuple[Fraction, Sequence[Option]]:
    program, cells = anew.program, place.cells
    if place.side == RESISTANCE:
        reply = renewed(anew, program.suspects)
        if program.sent is None:
            return 2 * anew.value - 1, viewer.mission_options(place, anew.missions(), reply.values(cells))
        return 2 * anew.value - 1, viewer.result_options(place, reply)
    if program.sent is None:
        own = program.masses_here[place.spies]
        won = anew.against(own, None, members(cells.sizes, place.spies))
        coming = viewer.coming_options(place, anew.missions())
        return 2 * won - 1, [replace(option, value=None) for option in coming]  # that would take more solving
    decision = next(
        candidate for candidate in program.decisions if (candidate.cells, candidate.spies) == (cells, place.spies)
    )
    row = next(number for number, candidate in enumerate(program.rows) if candidate[2][0] == decision.passed)
    size = members(cells.sizes, place.spies)
    wins = {
        "pass": 2 * anew.against(decision.passed, row, size) - 1,
        "sabotage": 2 * anew.against(decision.failed, row, size) - 1,
    }
    odds = anew.spies()[cells.position(viewer.table, place.spies)]
    value = sum((odds[move] * win for move, win in wins.items()), Fraction(0))
    return value, viewer.order_options(place, odds, wins)


def _promise(side: int, kept: bool, out: bool) -> str:
    if side == SPIES:
        return (
            "re-solved from here, with the spy sets as likely as the spies' strategy makes them, or all equally likely "
            "if it rules these out: the guarantee of that strategy still holds, but the value holds only if the "
            "resistance plays on as re-solved"
        )
    if kept:
        return (
            "re-solved from here: whoever the spies are and whatever they do, the resistance wins at least as often as "
            "by its stored strategy; the value holds only if the spy sets are as likely as shown"
        )
    slip = "" if out else "; the resistance does not win back what it lost by coming here"
    value = "the value holds whatever the spies do from here on, if the spy sets are as likely as shown"
    return f"re-solved from here: {value}{slip}"
