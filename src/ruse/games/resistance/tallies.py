"""Counting positions of The Resistance by class, round by round: what `sizes` adds up.

Nothing is listed. The future of a position depends only on its score and on the multiset of its cells
(seats that have been on the same missions), so positions are counted by class, with their number as a
weight: eight players have 6.3 * 10^11 positions of the spies in a few thousand classes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod

from ruse.games.resistance.cells import Counts, members, splits
from ruse.games.resistance.table import POINTS_TO_WIN, ROUNDS, Table

Score = tuple[int, int]  # points of the resistance and of the spies
SpyCells = tuple[tuple[int, int], ...]  # seats and spies of each cell, sorted
Marks = tuple[bool, ...]  # on which of the missions that tell something about the spies a seat was
SeatCells = tuple[tuple[int, Marks], ...]  # seats and marks of each cell, sorted
Clues = tuple[tuple[int, bool], ...]  # of each such mission: n, and whether at least n spies were aboard or fewer


@dataclass(frozen=True)
class NodeTally:
    """One round of one side's tree, before it is said which kind of node each is."""

    waiting: int  # nodes in which the mission has not been picked
    out: int  # nodes in which a mission is out
    choices: int  # those of them in which the spies have a choice; in the resistance's tree 0
    ends: int  # nodes in which the game has ended

    def __add__(self, other: NodeTally) -> NodeTally:
        return NodeTally(
            self.waiting + other.waiting,
            self.out + other.out,
            self.choices + other.choices,
            self.ends + other.ends,
        )


# The spies' tree.


def spies_tally(
    table: Table,
    *,
    symmetric: bool,
    forced: bool = False,
    needed: Sequence[int] | None = None,
    reachable: bool = True,
    play_on: bool = False,
) -> list[NodeTally]:
    """Each round of the spies' tree.

    `needed`: how many spies aboard make a sabotage a choice, if not as many as fail the mission.
    Not `reachable`: a failure is kept as history even where too few spies were aboard.
    `play_on`: all five missions are sent whatever the score.
    """
    needed = table.sabotages if needed is None else needed
    start: SpyCells = ((table.players, table.spies),)
    live: Counter[tuple[Score, SpyCells]] = Counter({((0, 0), start): 1 if symmetric else table.spy_sets})
    tallies = []
    for number, (size, fails) in enumerate(zip(table.missions, needed, strict=True)):
        after: Counter[tuple[Score, SpyCells]] = Counter()
        out = choices = ends = 0
        for (score, cells), weight in live.items():
            decided = forced and max(score) == POINTS_TO_WIN - 1
            for aboard, split, ways in _spy_missions(cells, size, symmetric):
                count = weight * ways
                can_fail = aboard >= fails
                out += count
                choices += count * (can_fail and not decided)
                results = (not can_fail,) if decided and reachable else (True, False)
                for passed in results:
                    if not passed and not can_fail and reachable:
                        continue
                    scored = _scored(score, passed)
                    if _ended(scored, number, play_on):
                        ends += count
                    else:
                        after[scored, split] += count
        tallies.append(NodeTally(live.total(), out, choices, ends))
        live = after
    return tallies


def _scored(score: Score, passed: bool) -> Score:
    return score[0] + passed, score[1] + (not passed)


def _ended(score: Score, number: int, play_on: bool = False) -> bool:
    return number == ROUNDS - 1 if play_on else POINTS_TO_WIN in score


@lru_cache(maxsize=1 << 14)
def _spy_missions(cells: SpyCells, size: int, symmetric: bool) -> list[tuple[int, SpyCells, int]]:
    """(spies aboard, cells afterwards, ways) of all missions of that size.

    Without symmetry only the numbers of spies and others matter: there is one cell, and it stays one.
    """
    partial: Counter[tuple[int, int, SpyCells]] = Counter({(0, 0, ()): 1})
    for seats, spies in cells:
        grown: Counter[tuple[int, int, SpyCells]] = Counter()
        for (taken, aboard, split), ways in partial.items():
            for more in range(min(seats, size - taken) + 1):
                for turned in range(max(0, more - (seats - spies)), min(more, spies) + 1):
                    if symmetric:
                        parts = ((more, turned), (seats - more, spies - turned))
                        ended = (*split, *(part for part in parts if part[0]))
                        grown[taken + more, aboard + turned, ended] += ways
                    else:
                        chosen = comb(spies, turned) * comb(seats - spies, more - turned)
                        grown[taken + more, aboard + turned, ((seats, spies),)] += ways * chosen
        partial = grown
    missions: Counter[tuple[int, SpyCells]] = Counter()
    for (taken, aboard, split), ways in partial.items():
        if taken == size:
            missions[aboard, tuple(sorted(split))] += ways
    return [(aboard, split, ways) for (aboard, split), ways in missions.items()]


# The resistance's tree: a result is possible if it fits some spy set that fits all earlier results.


def resistance_tally(
    table: Table, *, symmetric: bool, forced: bool = False, reachable: bool = True, play_on: bool = False
) -> list[NodeTally]:
    """Each round of the resistance's tree. Not `reachable`: every result is taken to be possible."""
    start: SeatCells = ((table.players, ()),)
    live: Counter[tuple[Score, SeatCells, Clues]] = Counter({((0, 0), start, ()): 1})
    tallies = []
    for number, (size, fails) in enumerate(zip(table.missions, table.sabotages, strict=True)):
        after: Counter[tuple[Score, SeatCells, Clues]] = Counter()
        out = ends = 0
        missions = _last_missions if number == ROUNDS - 1 else _seat_missions
        for (score, cells, clues), weight in live.items():
            decided = forced and max(score) == POINTS_TO_WIN - 1
            groups = _merged(cells)
            for taken, grouped, ways in missions(cells, size, symmetric):
                count = weight * ways
                out += count
                for passed in (True, False):
                    informs = reachable and (decided or not passed)
                    if informs and not _possible(groups, clues, table.spies, grouped, fails, passed):
                        continue
                    scored = _scored(score, passed)
                    if _ended(scored, number, play_on):
                        ends += count
                    else:
                        clue = ((fails, not passed),) if informs else ()
                        after[scored, _split(cells, taken, symmetric, informs), clues + clue] += count
        tallies.append(NodeTally(live.total(), out, 0, ends))
        live = after
    return tallies


@lru_cache(maxsize=1 << 14)
def _seat_missions(cells: SeatCells, size: int, symmetric: bool) -> list[tuple[Counts, Counts, int]]:
    """How many seats a mission takes of each cell and of each group of cells with the same marks, and the ways."""
    missions: Counter[Counts] = Counter()
    for taken in splits(tuple(seats for seats, _ in cells), size):
        ways = 1 if symmetric else members(tuple(seats for seats, _ in cells), taken)
        missions[tuple(count for _, count in sorted(zip(cells, taken, strict=True)))] += ways  # cells that are alike
    groups = _merged(cells)
    place = {marks: number for number, (_, marks) in enumerate(groups)}
    classes = []
    for taken, ways in missions.items():
        grouped = [0] * len(groups)
        for (_, marks), count in zip(cells, taken, strict=True):
            grouped[place[marks]] += count
        classes.append((taken, tuple(grouped), ways))
    return classes


@lru_cache(maxsize=1 << 14)
def _last_missions(cells: SeatCells, size: int, symmetric: bool) -> list[tuple[Counts, Counts, int]]:
    """The last mission, after which cells do not matter: what it takes of each group, and the ways."""
    groups = _merged(cells)
    ways_of = {marks: [1] for _, marks in groups}  # to take 0, 1, 2, ... seats of each group
    for seats, marks in cells:
        grown = [0] * (len(ways_of[marks]) + seats)
        for count in range(seats + 1):
            for before, ways in enumerate(ways_of[marks]):
                grown[before + count] += ways * (1 if symmetric else comb(seats, count))
        ways_of[marks] = grown
    return [
        ((), grouped, prod(ways_of[marks][count] for (_, marks), count in zip(groups, grouped, strict=True)))
        for grouped in splits(tuple(seats for seats, _ in groups), size)
    ]


def _split(cells: SeatCells, taken: Counts, symmetric: bool, informs: bool) -> SeatCells:
    """The cells after a mission: split where that can be seen (symmetry) or informs about the spies."""
    parts = []
    for (seats, marks), count in zip(cells, taken, strict=True):
        aboard, ashore = ((*marks, True), (*marks, False)) if informs else (marks, marks)
        parts += [(count, aboard), (seats - count, ashore)]
    kept = tuple(sorted(part for part in parts if part[0]))
    return kept if symmetric else _merged(kept)


def _merged(cells: SeatCells) -> SeatCells:
    """Cells with the same marks as one."""
    seats: Counter[Marks] = Counter()
    for count, marks in cells:
        seats[marks] += count
    return tuple(sorted((count, marks) for marks, count in seats.items()))


@lru_cache(maxsize=1 << 18)
def _possible(groups: SeatCells, clues: Clues, spies: int, taken: Counts, fails: int, passed: bool) -> bool:
    """Whether fewer than `fails` spies (`passed`), or at least so many, can be aboard, given the clues."""
    for placed in _places(groups, clues, spies):
        if passed:
            least = sum(max(0, count + of - seats) for count, of, (seats, _) in zip(taken, placed, groups, strict=True))
            if least < fails:
                return True
        elif sum(map(min, taken, placed)) >= fails:
            return True
    return False


@lru_cache(maxsize=1 << 14)
def _places(groups: SeatCells, clues: Clues, spies: int) -> list[Counts]:
    """The numbers of spies in each group that fit all clues."""
    return [
        placed
        for placed in splits(tuple(seats for seats, _ in groups), spies)
        if all(
            (sum(count for count, (_, marks) in zip(placed, groups, strict=True) if marks[clue]) >= number) == at_least
            for clue, (number, at_least) in enumerate(clues)
        )
    ]
