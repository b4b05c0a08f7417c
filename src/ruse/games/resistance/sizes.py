"""How large The Resistance is: the nodes of both knowledge trees, round by round (Bossle 2018, §4.3 and §5.3).

A knowledge tree has one node for every knowledge that its side can have (Definition 5). Spies act as one
and can fail a mission only with enough of them aboard. In the round of mission r there are

    the resistance   action nodes       a mission is to be picked: one for each public history
                     information nodes  a mission is out, its result is awaited
                     leaves             that result ended the game
    the spies        information nodes  a mission is awaited; or one is out with too few spies aboard to fail it
                     action nodes       a mission is out that they can fail
                     leaves             the result ended the game

The single node before the spies are dealt belongs to no round and is left out. With symmetry, positions
that differ by the names of the seats are one node: a public history is then how many seats went from each
cell of seats that have been on the same missions, and the spies also see how many spies are in each cell.

Nothing is listed: the future of a position depends only on its score and on the multiset of its cells, so
positions are counted by class, with their number as a weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, prod

from ruse.games.resistance.table import POINTS_TO_WIN, ROUNDS, Table

Score = tuple[int, int]  # points of the resistance and of the spies
SpyCells = tuple[tuple[int, int], ...]  # seats and spies of each cell, sorted
Marks = tuple[bool, ...]  # on which of the missions that tell something about the spies a seat was
SeatCells = tuple[tuple[int, Marks], ...]  # seats and marks of each cell, sorted
Clues = tuple[tuple[int, bool], ...]  # of each such mission: n and True if at least n spies were aboard, False if fewer


@dataclass(frozen=True)
class Nodes:
    """Nodes of one tree: Definition 5's sets A, I and L."""

    actions: int
    information: int
    leaves: int

    @property
    def total(self) -> int:
        return self.actions + self.information + self.leaves

    def __add__(self, other: Nodes) -> Nodes:
        return Nodes(
            self.actions + other.actions, self.information + other.information, self.leaves + other.leaves
        )


@dataclass(frozen=True)
class Tally:
    """One round of one tree, before it is said which kind of node each is."""

    waiting: int  # nodes in which the mission has not been picked
    out: int  # nodes in which a mission is out
    choices: int  # those of them in which the spies have a choice
    ends: int  # nodes in which the game has ended


@dataclass(frozen=True)
class RoundSize:
    round: int | None  # 1 to 5; None: all of them
    resistance: Nodes
    spies: Nodes
    resistance_symmetric: Nodes
    spies_symmetric: Nodes


@dataclass(frozen=True)
class Sizes:
    table: Table
    forced: bool  # whether the spies must fail what they can once a side has two points
    rounds: tuple[RoundSize, ...]

    @property
    def totals(self) -> RoundSize:
        def add(nodes: Iterable[Nodes]) -> Nodes:
            return sum(nodes, Nodes(0, 0, 0))

        return RoundSize(
            None,
            add(size.resistance for size in self.rounds),
            add(size.spies for size in self.rounds),
            add(size.resistance_symmetric for size in self.rounds),
            add(size.spies_symmetric for size in self.rounds),
        )


def sizes(table: Table, *, forced: bool = False) -> Sizes:
    """The exact sizes of all four trees."""
    rounds = zip(
        resistance_tally(table, symmetric=False, forced=forced),
        spies_tally(table, symmetric=False, forced=forced),
        resistance_tally(table, symmetric=True, forced=forced),
        spies_tally(table, symmetric=True, forced=forced),
        strict=True,
    )
    return Sizes(
        table,
        forced,
        tuple(
            RoundSize(number, _resistance(one), _spies(two), _resistance(three), _spies(four))
            for number, (one, two, three, four) in enumerate(rounds, 1)
        ),
    )


def _resistance(tally: Tally) -> Nodes:
    return Nodes(tally.waiting, tally.out, tally.ends)


def _spies(tally: Tally) -> Nodes:
    return Nodes(tally.choices, tally.waiting + tally.out - tally.choices, tally.ends)


def lp_size(table: Table, *, forced: bool = False, reachable: bool = True) -> tuple[int, int]:
    """Rows and columns of the sequence-form LP after symmetry (Koller et al. 1996, eq. 8), the resistance first.

    A row for each information set of the resistance and each sequence of the spies, a column for each
    sequence of the resistance and each information set of the spies. Without `reachable`, a spy set is kept at
    public histories that it rules out: those failures needed more spies aboard. It then costs rows that
    bind nothing, but needs no check.
    """
    resistance = resistance_tally(table, symmetric=True, forced=forced and reachable, reachable=reachable)
    spies = spies_tally(table, symmetric=True, forced=forced, reachable=reachable)
    sets = sum(tally.waiting for tally in resistance), sum(tally.choices for tally in spies)
    return sets[0] + 1 + 2 * sets[1], 1 + sum(tally.out for tally in resistance) + sets[1]


# The spies' tree.


def spies_tally(
    table: Table,
    *,
    symmetric: bool,
    forced: bool = False,
    needed: Sequence[int] | None = None,
    reachable: bool = True,
    play_on: bool = False,
) -> list[Tally]:
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
        tallies.append(Tally(live.total(), out, choices, ends))
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
) -> list[Tally]:
    """Each round of the resistance's tree. Not `reachable`: every result is taken to be possible."""
    start: SeatCells = ((table.players, ()),)
    live: Counter[tuple[Score, SeatCells, Clues]] = Counter({((0, 0), start, ()): 1})
    tallies = []
    for number, (size, fails) in enumerate(zip(table.missions, table.sabotages, strict=True)):
        after: Counter[tuple[Score, SeatCells, Clues]] = Counter()
        out = ends = 0
        for (score, cells, clues), weight in live.items():
            decided = forced and max(score) == POINTS_TO_WIN - 1
            for taken, ways in _seat_missions(cells, size, symmetric):
                count = weight * ways
                out += count
                for passed in (True, False):
                    told = clues
                    if reachable and (decided or not passed):
                        told = (*clues, (fails, not passed))
                    split = _split(cells, taken, symmetric, told != clues)
                    if told and not _possible(_merged(split), told, table.spies):
                        continue
                    scored = _scored(score, passed)
                    if _ended(scored, number, play_on):
                        ends += count
                    else:
                        after[scored, split, told] += count
        tallies.append(Tally(live.total(), out, out, ends))
        live = after
    return tallies


@lru_cache(maxsize=1 << 14)
def _seat_missions(cells: SeatCells, size: int, symmetric: bool) -> list[tuple[tuple[int, ...], int]]:
    """How many seats of each cell a mission takes, and the ways; cells that are alike are taken in one order."""
    missions: Counter[tuple[int, ...]] = Counter()
    for taken in _picks([seats for seats, _ in cells], size):
        ways = 1 if symmetric else prod(comb(seats, some) for (seats, _), some in zip(cells, taken, strict=True))
        alike = tuple(some for _, some in sorted(zip(cells, taken, strict=True)))
        missions[alike] += ways
    return list(missions.items())


def _picks(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """All ways to take `total` from cells of these sizes."""
    if not sizes:
        if total == 0:
            yield ()
        return
    for some in range(max(0, total - sum(sizes[1:])), min(sizes[0], total) + 1):
        for rest in _picks(sizes[1:], total - some):
            yield (some, *rest)


def _split(cells: SeatCells, taken: tuple[int, ...], symmetric: bool, told: bool) -> SeatCells:
    """The cells after a mission: split where that can be seen (symmetry) or told something about the spies."""
    parts = []
    for (seats, marks), some in zip(cells, taken, strict=True):
        if told:
            parts += [(some, (*marks, True)), (seats - some, (*marks, False))]
        else:
            parts += [(some, marks), (seats - some, marks)]
    kept = tuple(sorted(part for part in parts if part[0]))
    return kept if symmetric else _merged(kept)


def _merged(cells: SeatCells) -> SeatCells:
    """Cells with the same marks as one."""
    seats: Counter[Marks] = Counter()
    for some, marks in cells:
        seats[marks] += some
    return tuple(sorted((some, marks) for marks, some in seats.items()))


@lru_cache(maxsize=1 << 16)
def _possible(cells: SeatCells, clues: Clues, spies: int) -> bool:
    """Whether some placing of the spies fits all clues."""
    for placed in product(*(range(min(seats, spies) + 1) for seats, _ in cells)):
        if sum(placed) == spies and all(
            (sum(some for some, (_, marks) in zip(placed, cells, strict=True) if marks[clue]) >= number) == at_least
            for clue, (number, at_least) in enumerate(clues)
        ):
            return True
    return False


def text(sizes: Sizes) -> str:
    """The sizes as a plain table of at most 100 columns."""
    table = sizes.table
    missions = " ".join(
        f"{size}{'*' * (fails - 1)}" for size, fails in zip(table.missions, table.sabotages, strict=True)
    )
    lines = [
        f"{table.title}: {table.players} seats, {table.spies} spies, missions {missions}"
        + (" (forced moves made)" if sizes.forced else ""),
        "nodes of the knowledge trees (Bossle 2018, Definition 5)",
        "",
        _row("", "resistance", "spies", "resistance, by class", "spies, by class"),
    ]
    for size in (*sizes.rounds, sizes.totals):
        if size.round is None:
            lines.append("-" * len(lines[-1]))
        trees = (size.resistance, size.spies, size.resistance_symmetric, size.spies_symmetric)
        lines.append(_row(f"round {size.round}" if size.round else "all", *(f"{tree.total:,}" for tree in trees)))
    totals = sizes.totals
    for kind in ("actions", "information", "leaves"):
        trees = (totals.resistance, totals.spies, totals.resistance_symmetric, totals.spies_symmetric)
        lines.append(_row(f"  {kind}", *(f"{getattr(tree, kind):,}" for tree in trees)))
    return "\n".join(lines)


def _row(name: str, *cells: str) -> str:
    return f"{name:<13}" + "".join(f"{cell:>22}" for cell in cells)
