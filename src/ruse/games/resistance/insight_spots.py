"""Where the resistance chooses, and the best that follows each of its choices there, in floats or in whole numbers.

Until a side has two points the resistance chooses at a few positions; after that along the one line on which an endgame
goes on, where a pure continuation is a plan (ruse.games.resistance.program). A plan is one of three kinds as seen from
a position and a mission: it does not come there, it comes there and sends something else, or it sends that mission.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.games.resistance.cells import Cells, Counts, splits
from ruse.games.resistance.places import before
from ruse.games.resistance.program import Choice, Endgame, ResistanceProgram
from ruse.games.resistance.table import POINTS_TO_WIN

Plan = tuple[int, ...]  # missions of each round from an endgame on, by number
ELSEWHERE, OTHER, THIS = range(3)  # kinds of plans and choices
LIMB_BITS = 30  # of a part of a whole number: products of parts are exact in floats


def cells_at(cells: Cells, length: int) -> tuple[Cells, tuple[int, ...]]:
    """The cells after so many missions, and which of them each of these cells comes from."""
    if length == 0:
        size = sum(cells.sizes)
        return Cells((size,), ((),), ""), (0,) * len(cells.sizes)
    earlier, origin = before(cells, length - 1)
    return earlier.then(cells.results[length - 1]), origin


def mission_at(cells: Cells, number: int) -> Counts:
    """How many went on a mission from each of the cells before it."""
    earlier, origin = cells_at(cells, number)
    counts = [0] * len(earlier.sizes)
    for size, record, cell in zip(cells.sizes, cells.aboard, origin, strict=True):
        counts[cell] += size * record[number]
    return tuple(counts)


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

    def choice_kind(self, choice: Choice, mission: Counts) -> int:
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
        found: dict[int, tuple[Any, Plan]] = {}

        def offer(kind: int, worth: Any, plan: Plan) -> None:
            if kind not in found or worth > found[kind][0]:
                found[kind] = worth, plan

        for length in range(len(self.prefix) + 1):
            worths = plan_worths(program, endgame, mass, self.prefix[:length])
            for sent, (worth, plan) in worths.items():
                if length == len(self.prefix):
                    offer(THIS if sent == mission else OTHER, worth, plan)
                elif sent != self.prefix[length]:
                    offer(ELSEWHERE, worth, plan)
        for kind, (worth, plan) in found.items():
            yield kind, worth, plan


def plan_worths(
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
    found: dict[Counts, tuple[Any, Plan]] = {}
    if number == len(shapes) - 1:
        for sent, row, stays in zip(classes, rows.tolist(), times(shapes[number][rows], still), strict=True):
            found[sent] = whole + sign * stays, (*opening, row)
    elif number == len(shapes) - 2:
        staying = sign * times(shapes[number][rows], still, shapes[-1])
        for sent, row, lasts in zip(classes, rows.tolist(), staying, strict=True):
            last = int(lasts.argmax())
            found[sent] = whole + lasts[last], (*opening, row, last)
    else:
        for sent, row in zip(classes, rows.tolist(), strict=True):
            seconds = program.named(cells.send(sent), number + 1)
            rest = np.where(shapes[number][row] == 1, still, 0)
            staying = sign * times(shapes[number + 1][seconds], rest, shapes[-1])
            second, last = divmod(int(staying.argmax()), staying.shape[1])
            found[sent] = whole + staying[second, last], (*opening, row, int(seconds[second]), last)
    return found


def times(first: Array, mass: Array, second: Array | None = None) -> Array:
    """The mass set in each row of `first` (and of `second`), exactly for whole numbers of any length."""
    if mass.dtype != object:
        found: Array = first @ mass if second is None else (first * mass) @ second.T
        return found
    parts, place = [int(one) for one in mass], 0
    total: Any = 0
    while any(parts) or not place:
        limb = np.array([one & ((1 << LIMB_BITS) - 1) for one in parts], dtype=float)
        total = total + times(first, limb, second).astype(np.int64).astype(object) * (1 << LIMB_BITS * place)
        parts, place = [one >> LIMB_BITS for one in parts], place + 1
    return np.asarray(total)
