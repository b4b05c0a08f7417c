"""Two simple strategies that often are optimal already: a fixed plan, and spies who pass two missions.

*From above.* Spies who pass two of the five missions and sabotage the other three lose only if one of those three,
A, B or C, is clean. So the resistance wins on at most max |{spy sets that A or B or C misses}| of them.

*From below.* Name the seats at random, then follow a plan that says what to send after each run of results. On a
set W of spy sets it wins whatever the spies do, even if they know the names and the plan, provided

    feasible(p, f, W)  =  feasible(p + 1, f, W)  and, for some mission M,  feasible(p, f + 1, W dirty on M),

where feasible(3, f, W) holds and feasible(p, 3, W) only for W empty. So the resistance wins on at least |W|.

At all official tables the bounds meet, with W the spy sets that some best A, B, C miss. Where they do not, the
linear program decides (ruse.games.resistance.program).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb

from ruse.core.clock import tick, timed
from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, fitting, splits
from ruse.games.resistance.table import POINTS_TO_WIN, ROUNDS, Table

Seats = tuple[int, ...]
Plan = dict[str, Seats]  # results so far -> mission
Bits = int  # a set of spy sets
MOST_BITS = 100_000_000  # of all missions' sets of spy sets
MOST_SETS = 40  # sets W to try
MOST_TRIALS = 100_000  # of a mission at a score


@dataclass(frozen=True)
class Simple:
    """Spies pass two rounds (counted from 0); the resistance follows a plan that wins on so many spy sets."""

    passes: frozenset[int]
    plan: Plan
    won: int


class GaveUp(Exception):
    """The search takes too long."""


def find(table: Table) -> Simple | None:
    """Both strategies, if their bounds meet."""
    return bounds(table)[2]


def strategies(table: Table) -> tuple[dict[str, dict[str, Fraction]], dict[str, dict[str, Fraction]]] | None:
    """Both strategies as tables, if they are optimal."""
    simple = find(table)
    return None if simple is None else (plan_table(table, simple.plan), rule_table(table, simple.passes))


@lru_cache(maxsize=16)
def bounds(table: Table) -> tuple[int, int, Simple | None]:
    """On how many spy sets the resistance wins at least and at most, by such strategies; and those, if that is one."""
    search = _search(table)
    if search is None:
        return 0, table.spy_sets, None
    most = search.most_missed(search.best)[0]
    simple = _met(search)
    return most if simple else search.harmless(), most, simple


def _search(table: Table) -> _Search | None:
    """Prepare the search; None where it would take too long."""
    names = range(table.players)
    if table.spy_sets * sum(comb(table.players, size) for size in table.missions) > MOST_BITS:
        return None
    missions = [list(combinations(names, size)) for size in table.missions]
    dealt = [frozenset(spies) for spies in combinations(names, table.spies)]
    dirty: dict[tuple[int, int], list[Bits]] = {}
    for size, fails in zip(table.missions, table.sabotages, strict=True):
        if (size, fails) not in dirty:
            dirty[size, fails] = [_dirty(dealt, set(mission), fails) for mission in timed(combinations(names, size))]
    rounds = [dirty[size, fails] for size, fails in zip(table.missions, table.sabotages, strict=True)]
    return _Search(table, rounds, missions, (1 << len(dealt)) - 1)


def _met(search: _Search) -> Simple | None:
    """Both strategies, if a plan wins on as many spy sets as the best rule concedes."""
    count, sets = search.most_missed(search.best)
    try:
        for won in sets[:MOST_SETS]:
            if search.feasible(0, 0, won):
                return Simple(search.best, search.plan(won), count)
    except GaveUp:
        return None
    return None


def _dirty(dealt: list[frozenset[int]], mission: set[int], fails: int) -> Bits:
    return sum(1 << bit for bit, spies in enumerate(dealt) if len(spies & mission) >= fails)


class _Search:
    def __init__(self, table: Table, rounds: list[list[Bits]], missions: list[list[Seats]], everything: Bits) -> None:
        self.table = table
        self.rounds = rounds  # by round and mission: the spy sets that can fail it
        self.missions = missions
        self.everything = everything
        self._missed: dict[frozenset[int], tuple[int, list[Bits]]] = {}
        self._known: dict[tuple[int, int, Bits], bool] = {}
        self._choice: dict[tuple[int, int, Bits], int] = {}
        self._trials = 0

    @cached_property
    def best(self) -> frozenset[int]:
        """The two rounds that spies concede least by passing."""
        pairs = [frozenset(pair) for pair in combinations(range(ROUNDS), 2)]
        return min(pairs, key=lambda pair: self.most_missed(pair)[0])

    def harmless(self) -> int:
        """The spy sets that can never fail three missions if each takes the first seats: a plan without a choice."""
        lost = 0
        for rounds in combinations(range(ROUNDS), POINTS_TO_WIN):
            first, second, third = (self.rounds[number][0] for number in rounds)
            lost |= first & second & third
        return (self.everything & ~lost).bit_count()

    def most_missed(self, passes: frozenset[int]) -> tuple[int, list[Bits]]:
        """The most spy sets that three missions miss between them, and the sets that are so large."""
        if passes not in self._missed:
            first, second, third = (number for number in range(ROUNDS) if number not in passes)
            best, sets = -1, {0}
            for hit in timed(self._pairs(first, second)):
                for other in self.rounds[third]:
                    missed = self.everything & ~(hit & other)
                    count = missed.bit_count()
                    if count > best:
                        best, sets = count, {missed}
                    elif count == best:
                        sets.add(missed)
            self._missed[passes] = best, sorted(sets)
        return self._missed[passes]

    def _pairs(self, first: int, second: int) -> list[Bits]:
        """The spy sets that can fail both of two missions, for all pairs up to names."""
        sizes = self.table.missions
        cells = Cells.start(self.table).send((sizes[first],))
        named = [cells.first_seats(split) for split in splits(cells.sizes, sizes[second])]
        return [self.rounds[first][0] & self.rounds[second][self.missions[second].index(seats)] for seats in named]

    def feasible(self, passed: int, failed: int, won: Bits) -> bool:
        """Whether some plan wins on all of `won` from this score on, whatever the spies do."""
        if passed == POINTS_TO_WIN or not won:
            return True
        if failed == POINTS_TO_WIN:
            return False
        key = (passed, failed, won)
        if key not in self._known:
            self._known[key] = self.feasible(passed + 1, failed, won) and self._chosen(key)
        return self._known[key]

    def _chosen(self, key: tuple[int, int, Bits]) -> bool:
        passed, failed, won = key
        tried: set[Bits] = set()
        for number, dirty in enumerate(self.rounds[passed + failed]):
            tick()
            left = won & dirty
            self._trials += 1
            if self._trials > MOST_TRIALS:
                raise GaveUp
            if left not in tried and self.feasible(passed, failed + 1, left):
                self._choice[key] = number
                return True
            tried.add(left)
        return False

    def plan(self, won: Bits) -> Plan:
        """What to send after each run of results; where nothing is left to win for sure, what is most likely clean."""
        plan: Plan = {}

        def fill(results: str, won: Bits, possible: Bits) -> None:
            passed, failed = results.count("+"), results.count("-")
            if POINTS_TO_WIN in (passed, failed):
                return
            rounds = self.rounds[passed + failed]
            number = self._choice.get((passed, failed, won)) if won else None
            if number is None:
                number = min(range(len(rounds)), key=lambda choice: (possible & rounds[choice]).bit_count())
            plan[results] = self.missions[passed + failed][number]
            fill(results + "+", won, possible)
            fill(results + "-", won & rounds[number], possible & rounds[number])

        fill("", won, self.everything)
        return plan


def plan_table(table: Table, plan: Plan) -> dict[str, dict[str, Fraction]]:
    """A plan as a strategy by class."""
    strategy: dict[str, dict[str, Fraction]] = {}
    for results in sorted(plan, key=len):
        steps = [f"/{notation.seats(plan[results[:length]])}{result}" for length, result in enumerate(results)]
        position, mission = notation.representative_move(
            table, table.title + "".join(steps), notation.seats(plan[results])
        )
        strategy[position] = {mission: Fraction(1)}
    return strategy


def rule_table(table: Table, passes: frozenset[int]) -> dict[str, dict[str, Fraction]]:
    """The spies who pass these rounds and sabotage the others, at every decision they are free to take."""
    strategy: dict[str, dict[str, Fraction]] = {}
    for cells in timed(_missions_out(table)):
        number = len(cells.results)
        sabotage = Fraction(number not in passes)
        for spies in fitting(table, cells.then("-")):  # enough are aboard to fail what failed, and to fail this one
            strategy[cells.position(table, spies)] = {"pass": 1 - sabotage, "sabotage": sabotage}
    return strategy


def _missions_out(table: Table) -> Iterator[Cells]:
    """Every mission that is out while neither side has two points."""
    stack = [Cells.start(table)]
    while stack:
        cells = stack.pop()
        for mission in splits(cells.sizes, table.missions[len(cells.results)]):
            out = cells.send(mission)
            yield out
            after = [out.then(result) for result in "+-"]
            stack.extend(longer for longer in after if POINTS_TO_WIN - 1 not in longer.score)
