"""The Resistance as a small linear program whose rows are found as they are needed (docs/explanation/method.md).

From the spies' side: they split the mass of every spy set between letting a mission pass and failing it,
so as to keep the resistance's best response U small. Masses count spy sets, so the root has mass 1 each
and U(start) counts the spy sets that the resistance wins on.

    minimise U(start)    subject to
    mass(h, a, pass, t) + mass(h, a, fail, t) = mass(h, t)      where enough spies are aboard
    U(h) >= U(h, a, pass) + U(h, a, fail)                       for each mission a, until a side has two points
    U(h) >= sum over spy sets of mass * [plan wins]             for each plan, once a side has two points

h is a position up to names, t how many spies sit in each cell. Once a side has two points, the spies sabotage
whenever they can (anything else loses at once or delays a win), so play goes on along one line and a pure
continuation of the resistance is a list of missions, a plan. With the resistance at two points it wins
on the spy sets that are clean for one of its missions, with the spies at two on those clean for all.
There are far too many plans to write down, and few ever bind: the best one is found by a search, one
matrix product a node, and added when it is violated. The rows' duals are the resistance's strategy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.core.game import GameError
from ruse.games.resistance.cells import Cells, Counts, splits
from ruse.games.resistance.table import Table

Row = tuple[float, float, list[int], list[int]]  # lower, upper, columns, values
ROOT, ONE = 0, 1  # columns: U(start), and the constant 1
LAST_CHOICE = 3  # the spies decide nothing after mission 3: by then a side has two points
VIOLATED = 1e-7
MOST_BYTES = 2_000_000_000  # of the tables of missions against spy sets
RULES = tuple(  # sets of rounds, counted from 0, that spies might sabotage
    frozenset(number for number, flag in enumerate(flags) if flag)
    for flags in product((False, True), repeat=LAST_CHOICE)
)


@dataclass(frozen=True)
class MissionChoice:
    """The resistance may send `mission` at `cells`: columns of U before, and after a pass and a failure."""

    cells: Cells
    mission: Counts
    before: int
    passed: int
    failed: int
    row: int


@dataclass(frozen=True)
class SabotageDecision:
    """Spies, so many in each cell, may pass or fail the mission that is out: columns of their masses."""

    cells: Cells
    spies: Counts
    mass: int
    passed: int
    failed: int


@dataclass(frozen=True)
class Endgame:
    """A side has two points: from here the resistance follows a plan."""

    cells: Cells
    value: int  # the column of U
    masses: Array  # int32[classes], columns
    kind: Array  # int32[spy sets], which class each spy set is of; -1 where its mass is 0

    @property
    def any_clean(self) -> bool:
        """Whether one clean mission is enough (the resistance has two points), or all must be."""
        return self.cells.score[0] == 2


@dataclass(frozen=True)
class PlanRow:
    endgame: int
    missions: tuple[int, ...]  # of each round from the endgame on, by number


class ResistanceProgram:
    """Columns, first rows, and the search for the rest."""

    def __init__(self, table: Table) -> None:
        self.table = table
        entries = sum(comb(table.players, size) for size in table.missions) * table.spy_sets
        if 16 * entries > MOST_BYTES:
            raise GameError(
                f"expected a table whose missions and spy sets fit in {MOST_BYTES / 1e9:.0f} GB, got {table.title}, "
                f"which needs {16 * entries / 1e9:,.0f} GB: try fewer seats, fewer spies or other mission sizes"
            )
        self.unit = table.spy_sets  # column 0 counts spy sets
        self.choices: list[MissionChoice] = []
        self.decisions: list[SabotageDecision] = []
        self.endgames: list[Endgame] = []
        self.plans: list[PlanRow] = []  # the rows added so far
        self.lower: list[float] = [0.0, 1.0]  # of the columns
        self.upper: list[float] = [np.inf, 1.0]
        self.rows: list[Row] = []
        seats = range(table.players)
        spy_sets = combinations(seats, table.spies)
        self._spy_sets = np.array([[seat in spies for seat in seats] for spies in spy_sets], dtype=np.int8)
        self._number: list[dict[tuple[int, ...], int]] = []
        self._named_before: dict[tuple[Counts, int], Array] = {}
        self.known: set[PlanRow] = set()
        self.missions: list[list[tuple[int, ...]]] = []  # by round and number
        self.dirty: list[Array] = []  # float64[missions, spy sets], a round: whether the mission can fail
        for size, fails in zip(table.missions, table.sabotages, strict=True):
            tick()
            missions = list(combinations(seats, size))
            aboard = np.array([[seat in mission for seat in seats] for mission in missions], dtype=np.int32)
            self.missions.append(missions)
            self._number.append({mission: number for number, mission in enumerate(missions)})
            self.dirty.append((aboard @ self._spy_sets.T.astype(np.int32) >= fails).astype(float))
        self._build()

    def _column(self) -> int:
        self.lower.append(0.0)
        self.upper.append(np.inf)
        return len(self.upper) - 1

    def _build(self) -> None:
        self._grow(Cells.start(self.table), {(self.table.spies,): ONE}, ROOT)

    def _grow(self, start: Cells, masses: dict[Counts, int], value: int, sent: Counts | None = None) -> None:
        """Every position from one on, up to the endgames, with its columns and rows; there, `sent` may be given."""
        table = self.table
        stack = [(start, masses, value)]
        while stack:
            tick()
            cells, mass, value = stack.pop()
            if 2 in cells.score:
                self._end(cells, mass, value)
                continue
            number = len(cells.results)
            for mission in [sent] if sent and cells == start else splits(cells.sizes, table.missions[number]):
                out = cells.send(mission)
                parents = cells.parents(mission)
                passed: dict[Counts, int] = {}
                failed: dict[Counts, int] = {}
                for spies in splits(out.sizes, table.spies):
                    before = [0] * len(cells.sizes)
                    for cell, count in zip(parents, spies, strict=True):
                        before[cell] += count
                    whole = mass.get(tuple(before))
                    if whole is None:
                        continue
                    aboard = sum(count for count, record in zip(spies, out.aboard, strict=True) if record[-1])
                    if aboard < table.sabotages[number]:
                        passed[spies] = whole
                        continue
                    passed[spies], failed[spies] = self._column(), self._column()
                    self.decisions.append(SabotageDecision(out, spies, whole, passed[spies], failed[spies]))
                    self.rows.append((0, 0, [passed[spies], failed[spies], whole], [1, 1, -1]))
                choice = MissionChoice(cells, mission, value, self._column(), self._column(), len(self.rows))
                self.choices.append(choice)
                self.rows.append((0, np.inf, [value, choice.passed, choice.failed], [1, -1, -1]))
                stack.append((out.then("+"), passed, choice.passed))
                stack.append((out.then("-"), failed, choice.failed))

    def _end(self, cells: Cells, mass: dict[Counts, int], value: int) -> None:
        bounds = np.cumsum([0, *cells.sizes])
        counts = np.add.reduceat(self._spy_sets, bounds[:-1], axis=1)
        classes = {spies: number for number, spies in enumerate(mass)}
        kind = np.array([classes.get(tuple(spies), -1) for spies in counts.tolist()], dtype=np.int32)
        self.endgames.append(Endgame(cells, value, np.array(list(mass.values()), dtype=np.int32), kind))

    @cached_property
    def decided_at(self) -> list[str]:
        """The representative positions of the decisions, in which every strategy of the spies is written."""
        return [decision.cells.position(self.table, decision.spies) for decision in self.decisions]

    # The search for the best plan.

    @cached_property
    def clean(self) -> list[Array]:
        return [1 - dirty for dirty in self.dirty]

    def number_of(self, number: int, mission: tuple[int, ...]) -> int:
        """Where a mission of a round stands among all."""
        return self._number[number][mission]

    def named(self, cells: Cells, number: int) -> Array:
        """One mission of each class, by number."""
        numbers_named = self._named_before.get((cells.sizes, number))
        if numbers_named is None:
            classes = splits(cells.sizes, self.table.missions[number])
            numbers = [self._number[number][cells.first_seats(mission)] for mission in classes]
            numbers_named = self._named_before[cells.sizes, number] = np.array(numbers)
        return numbers_named

    def _openings(self, cells: Cells) -> Iterator[tuple[tuple[int, ...], Array]]:
        """How plans begin, up to names: the missions before the last two, and the choice of the next to last."""
        number = len(cells.results)
        if number == LAST_CHOICE:
            yield (), self.named(cells, number)
            return
        for mission in splits(cells.sizes, self.table.missions[number]):
            first = self._number[number][cells.first_seats(mission)]
            yield (first,), self.named(cells.send(mission), number + 1)

    def best_plan(self, endgame: Endgame, mass: Array) -> tuple[float, tuple[int, ...]]:
        """The mass of spy sets that the best plan wins on, and the plan: missions by number."""
        # A plan goes on while missions are dirty (one clean one wins: stay little) or clean (all must be: stay much).
        shapes, sign = (self.dirty, -1.0) if endgame.any_clean else (self.clean, 1.0)
        if len(endgame.cells.results) == len(self.missions) - 1:  # one mission left
            last = int((sign * (shapes[-1] @ mass)).argmax())
            return float(mass[self.clean[-1][last] == 1].sum()), (last,)
        best, plan = -np.inf, ()
        for opening, seconds in self._openings(endgame.cells):
            tick()
            still = mass
            for number, mission in enumerate(opening, len(endgame.cells.results)):
                still = still * shapes[number][mission]
            staying = (shapes[-2][seconds] * still) @ shapes[-1].T
            staying *= sign
            row, last = divmod(int(staying.argmax()), staying.shape[1])
            if staying[row, last] > best:
                best, plan = staying[row, last], (*opening, int(seconds[row]), last)
        return float(mass.sum() + best if endgame.any_clean else best), plan

    def wins(self, endgame: Endgame, plan: tuple[int, ...]) -> Array:
        """Whether a plan wins, on each spy set: bool[spy sets]."""
        shapes = self.dirty if endgame.any_clean else self.clean
        stays = np.ones(len(self._spy_sets))
        for number, mission in enumerate(plan, len(endgame.cells.results)):
            stays = stays * shapes[number][mission]
        won: Array = stays == 0 if endgame.any_clean else stays == 1
        return won

    def classes(self, cells: Cells, plan: tuple[int, ...]) -> tuple[Counts, ...]:
        """A plan's missions as numbers from each cell, the cells being split further by every mission."""
        classes = []
        for number, mission in enumerate(plan, len(cells.results)):
            classes.append(cells.counts(self.missions[number][mission]))
            cells = cells.send(classes[-1])
        return tuple(classes)

    def numbers(self, cells: Cells, plan: Iterable[Counts]) -> tuple[int, ...]:
        """A plan whose missions are numbers from each cell, as the missions that stand for them."""
        numbers = []
        for number, sent in enumerate(plan, len(cells.results)):
            numbers.append(self._number[number][cells.first_seats(sent)])
            cells = cells.send(sent)
        return tuple(numbers)

    def masses(self, endgame: Endgame, point: Array) -> Array:
        """The mass of each spy set at an endgame: float64[spy sets]."""
        mass: Array = np.append(point[endgame.masses], 0.0)[endgame.kind]
        return mass

    def separate(self, point: Array, optimum: Array) -> tuple[float, list[PlanRow]]:
        """What the masses of `point` really concede, and the best plans against them that `optimum` underrates."""
        value = np.zeros(len(point))
        violated: list[PlanRow] = []
        for number, endgame in enumerate(self.endgames):
            tick()
            mass = self.masses(endgame, point)
            if not mass.any():
                continue
            value[endgame.value], plan = self.best_plan(endgame, mass)
            row = PlanRow(number, plan)
            claimed = self.masses(endgame, optimum)[self.wins(endgame, plan)].sum()
            if claimed > optimum[endgame.value] + VIOLATED and row not in self.known:
                violated.append(row)
        for choice in reversed(self.choices):  # later positions first
            value[choice.before] = max(value[choice.before], value[choice.passed] + value[choice.failed])
        return float(value[ROOT]), violated

    def add(self, plans: list[PlanRow]) -> list[Row]:
        """The rows of these plans, which now belong to the program."""
        self.plans.extend(plans)
        self.known.update(plans)
        return [self.plan_row(self.endgames[plan.endgame], plan.missions) for plan in plans]

    def plan_row(self, endgame: Endgame, plan: tuple[int, ...]) -> Row:
        won = endgame.kind[self.wins(endgame, plan)]
        columns, counts = np.unique(endgame.masses[won[won >= 0]], return_counts=True)  # classes can share a mass
        return (0, np.inf, [endgame.value, *columns.tolist()], [1, *(-counts).tolist()])

    # Rules of thumb: points to start from.

    @cached_property
    def best_rule(self) -> frozenset[int]:
        """The set of rounds to sabotage that concedes least."""
        nothing = np.full(len(self.upper), np.inf)  # an optimum that underrates no plan
        return min(RULES, key=lambda rounds: self.separate(self.masses_of(rounds), nothing)[0])

    def starts(self) -> Iterator[Array]:
        yield self.masses_of(self.best_rule)

    def masses_of(self, rounds: frozenset[int]) -> Array:
        """The masses of spies who sabotage just these rounds, as long as they are free to choose."""
        point = np.zeros(len(self.upper))
        point[ONE] = 1
        for decision in self.decisions:
            sabotage = len(decision.cells.results) in rounds
            point[decision.failed if sabotage else decision.passed] = point[decision.mass]
        return point
