"""Values of strategies of The Resistance on the columns of a program, in fractions.

*Where the resistance chooses.* Until a side has two points the resistance chooses at a few positions; after that along
the one line on which an endgame goes on, where a pure continuation is a plan (ruse.games.resistance.program). Seen from
a position and a mission, a plan is one of three kinds: it does not come there, it comes there and sends something else,
or it sends that mission.

*The spies.* A plan of the spies is its masses. Against a strategy of the resistance it concedes a sum over masses,
whose least value is found from the last decisions back: each passes on the lesser of its two columns.

*The resistance.* A plan of the resistance, against given masses, is worth a sum over its choices and plans, whose
greatest value is a best response. In both, a bonus may stand beside what is won: that is all it takes to check a proof
about all optimal strategies (ruse.insight.model).

Both count spy sets: 1 of them dealt is worth 1, so all is ONE's column times their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.core.exact import common_denominator
from ruse.core.game import PositionError
from ruse.core.types import StrategyTable
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts, cells_at, mission_at, splits
from ruse.games.resistance.program import ONE, ROOT, Endgame, MissionChoice, ResistanceProgram
from ruse.games.resistance.table import POINTS_TO_WIN

Plan = tuple[int, ...]  # missions of each round from an endgame on, by number
ELSEWHERE, OTHER, THIS = range(3)  # kinds of plans and choices
LIMB_BITS = 30  # of a part of a whole number: products of parts are exact in floats


@dataclass(frozen=True)
class Spot:
    """A position where the resistance chooses, as a program has it."""

    cells: Cells
    endgame: int | None  # by number; None until a side has two points
    prefix: tuple[Counts, ...] = ()  # the missions since the endgame began

    @staticmethod
    def of(program: ResistanceProgram, cells: Cells) -> Spot:
        for length in range(len(cells.results) + 1):
            earlier, _ = cells_at(cells, length)
            if POINTS_TO_WIN - 1 in earlier.score:
                numbers = {endgame.cells: number for number, endgame in enumerate(program.endgames)}
                prefix = tuple(mission_at(cells, number) for number in range(length, len(cells.results)))
                return Spot(cells, numbers[earlier], prefix)
        return Spot(cells, None)

    def missions(self, program: ResistanceProgram) -> tuple[Counts, ...]:
        return splits(self.cells.sizes, program.table.missions[len(self.cells.results)])

    def choice_kind(self, choice: MissionChoice, mission: Counts) -> int:
        if self.endgame is not None or choice.cells != self.cells:
            return ELSEWHERE
        return THIS if choice.mission == mission else OTHER

    def plan_kind(self, program: ResistanceProgram, endgame: int, plan: Plan, mission: Counts) -> int:
        if endgame != self.endgame:
            return ELSEWHERE
        classes = program.classes(program.endgames[endgame].cells, plan)
        if classes[: len(self.prefix)] != self.prefix:
            return ELSEWHERE
        return THIS if classes[len(self.prefix)] == mission else OTHER

    def best(self, program: ResistanceProgram, mass: Array, mission: Counts) -> Iterator[tuple[int, Any, Plan]]:
        """The best plan of each kind that there is at the spot's endgame, with the mass that it wins on."""
        assert self.endgame is not None
        endgame = program.endgames[self.endgame]
        best_plans: dict[int, tuple[Any, Plan]] = {}

        def offer(kind: int, value: Any, plan: Plan) -> None:
            if kind not in best_plans or value > best_plans[kind][0]:
                best_plans[kind] = value, plan

        for length in range(len(self.prefix) + 1):
            worths = plan_values(program, endgame, mass, self.prefix[:length])
            for sent, (value, plan) in worths.items():
                if length == len(self.prefix):
                    offer(THIS if sent == mission else OTHER, value, plan)
                elif sent != self.prefix[length]:
                    offer(ELSEWHERE, value, plan)
        for kind, (value, plan) in best_plans.items():
            yield kind, value, plan


def plan_values(
    program: ResistanceProgram, endgame: Endgame, mass: Array, prefix: tuple[Counts, ...] = ()
) -> dict[Counts, tuple[Any, Plan]]:
    """For each class of missions after a prefix: the most mass that plans with it win on, and such a plan.

    `mass` has one number a spy set: float64, or object for whole numbers of any length.
    """
    tick()
    shapes, sign = (program.dirty, -1) if endgame.any_clean else (program.clean, 1)
    cells, number, still, opening = endgame.cells, len(endgame.cells.results), mass, list[int]()
    for sent in prefix:
        opening.append(int(program.number_of(number, cells.first_seats(sent))))
        still = np.where(shapes[number][opening[-1]] == 1, still, 0)
        cells, number = cells.send(sent), number + 1
    whole = mass.sum() if endgame.any_clean else 0
    classes, rows = splits(cells.sizes, program.table.missions[number]), program.named(cells, number)
    best_plans: dict[Counts, tuple[Any, Plan]] = {}
    if number == len(shapes) - 1:
        for sent, row, stays in zip(classes, rows.tolist(), times(shapes[number][rows], still), strict=True):
            best_plans[sent] = whole + sign * stays, (*opening, row)
    elif number == len(shapes) - 2:
        staying = sign * times(shapes[number][rows], still, shapes[-1])
        for sent, row, lasts in zip(classes, rows.tolist(), staying, strict=True):
            last = int(lasts.argmax())
            best_plans[sent] = whole + lasts[last], (*opening, row, last)
    else:
        for sent, row in zip(classes, rows.tolist(), strict=True):
            seconds = program.named(cells.send(sent), number + 1)
            rest = np.where(shapes[number][row] == 1, still, 0)
            staying = sign * times(shapes[number + 1][seconds], rest, shapes[-1])
            second, last = divmod(int(staying.argmax()), staying.shape[1])
            best_plans[sent] = whole + staying[second, last], (*opening, row, int(seconds[second]), last)
    return best_plans


def times(first: Array, mass: Array, second: Array | None = None) -> Array:
    """The mass set in each row of `first` (and of `second`), exactly for whole numbers of any length."""
    if mass.dtype != object:
        product: Array = first @ mass if second is None else (first * mass) @ second.T
        return product
    parts, place = [int(part) for part in mass], 0
    total: Any = 0
    while any(parts) or not place:
        limb = np.array([part & ((1 << LIMB_BITS) - 1) for part in parts], dtype=float)
        total = total + times(first, limb, second).astype(np.int64).astype(object) * (1 << LIMB_BITS * place)
        parts, place = [part >> LIMB_BITS for part in parts], place + 1
    return np.asarray(total)


NOTHING = Fraction(0)
NEAR = 1e-7
MOST_IN_FLOATS = 1 << 53  # sums of whole numbers below this are exact in floats


# The resistance's strategies.


def won_on(program: ResistanceProgram, table: StrategyTable) -> list[Fraction]:
    """What a strategy of the resistance wins for each unit of each mass."""
    won = [NOTHING] * len(program.upper)
    endgames = {endgame.cells: endgame for endgame in program.endgames}

    def fill(cells: Cells, weight: Fraction) -> None:
        tick()
        if cells in endgames:
            follow(endgames[cells], cells, weight, ())
            return
        for mission, share in missions(program, table, cells).items():
            out = cells.send(mission)
            fill(out.then("+"), weight * share)
            fill(out.then("-"), weight * share)

    def follow(endgame: Endgame, cells: Cells, weight: Fraction, plan: Plan) -> None:
        number = len(cells.results)
        if number == len(program.missions):
            _, _, columns, values = program.plan_row(endgame, plan)
            for column, value in zip(columns[1:], values[1:], strict=True):
                won[column] -= value * weight
            return
        for mission, share in missions(program, table, cells).items():
            sent = program.number_of(number, cells.first_seats(mission))
            goes_on = "-" if endgame.any_clean else "+"
            follow(endgame, cells.send(mission).then(goes_on), weight * share, (*plan, sent))

    fill(Cells.start(program.table), Fraction(1))
    return won


def missions(program: ResistanceProgram, table: StrategyTable, cells: Cells) -> dict[Counts, Fraction]:
    """What a strategy sends at a position."""
    position = cells.position(program.table)
    if position not in table:
        raise PositionError(f"expected a strategy that covers {position}, got none")
    odds = table[position]
    return {cells.counts(notation.read_seats(name, program.table)): share for name, share in odds.items() if share}


def least(program: ResistanceProgram, costs: Sequence[Fraction]) -> Fraction:
    """The least sum of costs over all plans of the spies."""
    reduced = list(costs)
    for decision in reversed(program.decisions):  # later ones first
        reduced[decision.mass] += min(reduced[decision.passed], reduced[decision.failed])
    return reduced[ONE]


# The spies' strategies.


def masses_of(program: ResistanceProgram, table: StrategyTable) -> list[Fraction]:
    """The masses that a strategy of the spies makes."""
    masses = [NOTHING] * len(program.upper)
    masses[ONE] = Fraction(1)
    for decision, position in zip(program.decisions, program.decided_at, strict=True):
        whole = masses[decision.mass]
        if whole:
            share = Fraction(table[position].get("sabotage", 0))
            masses[decision.failed] = whole * share
            masses[decision.passed] = whole * (1 - share)
    return masses


class ReplyToMasses:
    """The resistance's best response to masses, with a bonus where it comes to a spot and one for a mission there."""

    def __init__(self, program: ResistanceProgram, masses: Sequence[Fraction] | Array) -> None:
        """Masses in floats give values that are only near."""
        self.program, self.unit = program, 1
        self.exact = not isinstance(masses, np.ndarray)
        if isinstance(masses, np.ndarray):
            self._masses = masses
        else:
            whole, self.unit = common_denominator(list(masses))
            short = sum(whole) * program.table.spy_sets < MOST_IN_FLOATS
            self._masses = np.array(whole, dtype=float if short else object)
        self._values: dict[int, Any] = {}  # of endgames

    def none(self, column: int) -> bool:
        """Whether a column has no mass."""
        return bool(self._masses[column] <= (0 if self.exact else NEAR))

    def as_good(self, value: Any, best: Any) -> Any:
        """Whether a value, or each of several, is the best."""
        return value >= best if self.exact else value >= best - NEAR

    def mass(self, endgame: Endgame) -> Array:
        """Of each spy set at an endgame, in units of 1 / `unit`."""
        mass: Array = np.append(self._masses[endgame.masses], 0)[endgame.kind]
        return mass

    def _value(self, number: int) -> Any:
        if number not in self._values:
            endgame = self.program.endgames[number]
            mass = self.mass(endgame)
            plans = plan_values(self.program, endgame, mass).values() if mass.any() else [(0, ())]
            self._values[number] = max(value for value, _ in plans)
        value = self._values[number]
        return Fraction(int(value), self.unit) if self.exact else float(value)

    def best(self, number: int) -> Any:
        """What the best plan wins at an endgame, in the units of `mass`."""
        self._value(number)
        return self._values[number]

    def values(self) -> list[Any]:
        """Of all positions, by the columns of U."""
        by_column = self._all(None, (), {})
        return [NOTHING if value is None else value for value in by_column]

    def value(
        self,
        spot: Spot | None = None,
        mission: Counts = (),
        bonus: Mapping[int, Fraction | None] | None = None,
    ) -> Fraction:
        """How many spy sets it wins, with a bonus for kinds of choices at a spot; None forbids them."""
        won = self._all(spot, mission, bonus or {})[ROOT]
        return Fraction(won)

    def _all(self, spot: Spot | None, mission: Counts, bonus: Mapping[int, Fraction | None]) -> list[Any]:
        program = self.program
        worths: list[Any] = [None] * len(program.upper)
        for number, endgame in enumerate(program.endgames):
            if spot is None or number != spot.endgame:
                worths[endgame.value] = self._value(number)
                continue
            for kind, won, _ in spot.best(program, self.mass(endgame), mission):
                more = bonus.get(kind, NOTHING)
                if more is not None:
                    worths[endgame.value] = _most(worths[endgame.value], Fraction(int(won), self.unit) + more)
        for choice in reversed(program.choices):  # later positions first
            more = NOTHING if spot is None else bonus.get(spot.choice_kind(choice, mission), NOTHING)
            passed, failed = worths[choice.passed], worths[choice.failed]
            if more is not None:
                worths[choice.before] = _most(worths[choice.before], passed + failed + more)
        return worths


def _most(before: Any, other: Any) -> Any:
    return other if before is None else max(before, other)


def always(odds: int) -> dict[int, Fraction | None]:
    """The bonus that forbids all but one mission at a spot (odds 1), or that mission (odds 0)."""
    return {OTHER if odds else THIS: None}
