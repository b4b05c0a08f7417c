"""Values of positions of The Resistance under stored strategies, by class and exact.

Seats with the same record are alike, so a public position is its cells, a spy set how many spies sit in each cell,
and a mission how many seats go from each (ruse.games.resistance.cells). Values are the resistance's odds to win.

*Beliefs.* A spy set weighs as much as the spies' strategy makes the results likely. If it makes them impossible, the
spy sets count for which it was departed from least often, each departure being as likely as any other. Such beliefs
follow from one another by Bayes' rule as long as that applies, also after a surprise, so that everywhere

    value(h) = sum over missions of odds * sum over results of odds * value(h, mission, result).

*Advice.* Where the resistance's strategy leaves a position out, it goes on with a best response to the spies' strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import lcm

import numpy as np

from ruse.core.arrays import Array
from ruse.core.exact import common_denominator
from ruse.core.game import PositionError
from ruse.core.types import StrategyTable
from ruse.games.resistance import notation
from ruse.games.resistance.cells import (
    Cells,
    Counts,
    Suspects,
    aboard,
    average_over_missions,
    before,
    fitting,
    gathered,
    members,
    splits,
)
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.games.resistance.verify_endgames import Guesses, heaviest_pair

NOTHING, ALL = Fraction(0), Fraction(1)
Likely = tuple[int, Fraction]  # slips, and the odds of all else
MOST_VALUES = 2_000  # positions, of up to some hundred missions each
MOST_KEPT = 50_000
MOST_IN_FLOATS = 1 << 53  # sums of whole numbers below this are exact in floats


def payoff(win: Fraction) -> Fraction:
    """What the resistance is paid if it wins with these odds."""
    return 2 * win - 1


class Evaluator:
    """Values under stored strategies; with an empty table for the resistance, of best responses throughout."""

    def __init__(self, table: Table, tables: tuple[StrategyTable, StrategyTable]) -> None:
        self.table, self.tables = table, tables
        self._guesses = Guesses(table)
        self._dealt = np.zeros((table.spy_sets, table.players), dtype=np.int64)
        for row, spies in enumerate(self._guesses.spy_sets):
            self._dealt[row, list(spies)] = 1
        self._stored: dict[Cells, Mapping[str, Fraction]] = {}  # the resistance's strategy
        self._leads: set[Cells] = set()  # positions from which it can come to one that it says something about
        for position, odds in tables[0].items():
            read = notation.read(table, position)
            self._stored[Cells.at(read, table)] = odds
            for length in range(len(read.done)):
                self._leads.add(Cells.at(notation.MissionHistory(None, read.done[:length], None), table))
        self._suspects: dict[Cells, Suspects] = {}
        self._results: dict[tuple[Cells, Counts], dict[str, Fraction]] = {}
        self._values: dict[Cells, dict[Counts, Fraction]] = {}
        self._value: dict[Cells, Fraction] = {}
        self._missions: dict[Cells, dict[Counts, Fraction]] = {}
        self._win: dict[tuple[Cells, Counts], Fraction] = {}
        self._steps: dict[Cells, str] = {}
        self._rows_of: dict[tuple[Counts, int], list[int]] = {}

    def trim(self) -> None:
        """Forget what was found if it takes much memory; it can be found again."""
        if len(self._values) > MOST_VALUES or len(self._suspects) + len(self._win) > MOST_KEPT:
            for kept in (self._suspects, self._results, self._values, self._value, self._missions, self._win):
                kept.clear()
            self._steps.clear()

    # The spies.

    def sabotage(self, out: Cells, spies: Counts) -> Fraction:
        """The odds that spies fail the mission that is out."""
        number = len(out.results)
        if aboard(out, spies, number) < self.table.sabotages[number]:
            return NOTHING
        if POINTS_TO_WIN - 1 in out.score:
            return ALL
        steps = self._steps.get(out)
        if steps is None:
            steps = self._steps[out] = out.position(self.table)[len(self.table.title) :]
        position = f"{self.table.title}@{notation.seats(out.first_seats(spies))}{steps}"
        odds = self.tables[1].get(position)
        if odds is None:
            raise PositionError(f"expected the spies' strategy to cover {position}, got none")
        return Fraction(odds.get("sabotage", 0))

    def fitting(self, cells: Cells) -> Iterator[Counts]:
        """The classes of spy sets that the results allow: enough aboard whatever failed."""
        return fitting(self.table, cells)

    def allowed(self, cells: Cells) -> list[Counts]:
        """The classes of spy sets that the results allow, or a PositionError if there are none."""
        allowed = list(self.fitting(cells))
        if not allowed:
            raise PositionError(f"expected results that some spies could cause, got {cells.position(self.table)}")
        return allowed

    def suspects(self, cells: Cells) -> Suspects:
        """Who may be spies, given the results and the spies' strategy; a mission may be out."""
        suspects = self._suspects.get(cells)
        if suspects is None:
            weights = {spies: self._likely(cells, spies) for spies in self.allowed(cells)}
            slips = min(slips for slips, _ in weights.values())
            kept = {spies: weight for spies, (count, weight) in weights.items() if count == slips}
            whole, _ = common_denominator(list(kept.values()))
            suspects = self._suspects[cells] = Suspects.of(slips, cells, dict(zip(kept, whole, strict=True)))
        return suspects

    def assume(self, cells: Cells, suspects: Suspects) -> None:
        """Take these to be the spies that may have come to a position, whatever their strategy says."""
        self._suspects[cells] = suspects

    def _likely(self, cells: Cells, spies: Counts) -> Likely:
        """How often spies departed from their strategy on the way here, and the odds of all else they did."""
        first, (slips, weight) = self._begun(cells, spies)
        for number in range(first, len(cells.results)):
            out, origin = before(cells, number)
            share = self.sabotage(out, gathered(spies, origin))
            odds = share if cells.results[number] == "-" else 1 - share
            if odds:
                weight *= odds
            else:
                slips += 1
        return slips, weight

    def _begun(self, cells: Cells, spies: Counts) -> tuple[int, Likely]:
        """From which mission on the results count, and how likely all before it is."""
        return 0, (0, ALL)

    def dealt_and_played(self, cells: Cells, spies: Counts) -> Fraction:
        """The odds that one spy set of a class is dealt and causes these results."""
        slips, weight = self._likely(cells, spies)
        return NOTHING if slips else weight / self.table.spy_sets

    def results(self, cells: Cells, mission: Counts) -> dict[str, Fraction]:
        """How a mission that is sent may end, and how likely; only what is likely at all."""
        odds = self._results.get((cells, mission))
        if odds is not None:
            return odds
        here, out, parents = self.suspects(cells), cells.send(mission), cells.parents(mission)
        shares = {
            spies: self.sabotage(out, spies)
            for spies in splits(out.sizes, self.table.spies)
            if gathered(spies, parents) in here.masses
        }
        unit = lcm(*(share.denominator for share in shares.values()))
        masses: dict[str, dict[Counts, int]] = {"+": {}, "-": {}}
        for spies, share in shares.items():
            mass, failing = here.masses[gathered(spies, parents)], share.numerator * (unit // share.denominator)
            for result, count in (("+", unit - failing), ("-", failing)):
                if count:
                    masses[result][spies] = mass * count
        odds = {}
        for result, likely in masses.items():
            if likely:
                whole = sum(members(out.sizes, spies) * mass for spies, mass in likely.items())
                odds[result] = Fraction(whole, unit * here.total)
                self._suspects.setdefault(out.then(result), Suspects.of(here.slips, out, likely))
        self._results[cells, mission] = odds
        return odds

    # The resistance.

    def listed(self, cells: Cells) -> bool:
        """Whether the resistance's strategy itself says what to send."""
        return cells in self._stored

    def missions(self, cells: Cells) -> dict[Counts, Fraction]:
        """The odds of each class of missions that the resistance sends: its strategy's, or a best response."""
        odds = self._missions.get(cells)
        if odds is None:
            if self.listed(cells):
                odds = self.stored_missions(cells)
            else:
                worths = self.values(cells)
                odds = {max(worths, key=worths.__getitem__): ALL}  # the first of the best
            self._missions[cells] = odds
        return odds

    def stored_missions(self, cells: Cells) -> dict[Counts, Fraction]:
        """The odds of each class by the resistance's strategy alone; none where it has no entry."""
        odds = self._stored.get(cells, {})
        sent = {cells.counts(notation.read_seats(mission, self.table)): odds[mission] for mission in odds}
        return {mission: share for mission, share in sent.items() if share}

    # Worths.

    def value(self, cells: Cells) -> Fraction:
        """The value of a public position where no mission is out, if both sides go on by their strategies."""
        if POINTS_TO_WIN in cells.score:
            return Fraction(cells.score[0] == POINTS_TO_WIN)
        value = self._value.get(cells)
        if value is None:
            if self.listed(cells):
                odds = self.missions(cells).items()
                value = sum((share * self.value_sent(cells, mission) for mission, share in odds), NOTHING)
            else:
                value = max(self.values(cells).values())
            self._value[cells] = value
        return value

    def value_sent(self, cells: Cells, mission: Counts) -> Fraction:
        """The value once a mission is sent."""
        out = cells.send(mission)
        results = self.results(cells, mission).items()
        return sum((odds * self.value(out.then(result)) for result, odds in results), NOTHING)

    def values(self, cells: Cells) -> dict[Counts, Fraction]:
        """The value of each class of missions, if both sides then go on by their strategies."""
        values = self._values.get(cells)
        if values is None:
            if POINTS_TO_WIN - 1 in cells.score:
                values = self._guessing(cells)
                goes_on = "-" if cells.score[0] == POINTS_TO_WIN - 1 else "+"
                for mission in values if cells in self._leads else ():
                    if self.listed(cells.send(mission).then(goes_on)):
                        values[mission] = self.value_sent(cells, mission)
            else:
                missions = splits(cells.sizes, self.table.missions[len(cells.results)])
                values = {mission: self.value_sent(cells, mission) for mission in missions}
            self._values[cells] = values
        return values

    def _guessing(self, cells: Cells) -> dict[Counts, Fraction]:
        """The value of each class of missions once a side has two points, with the best missions to follow.

        The spies then sabotage what they can, so the resistance guesses: with two points it needs one mission with
        too few spies aboard, otherwise every one. Play stays open on spy sets that are enough (or too few) aboard all.
        """
        number = len(cells.results)
        one_is_enough = cells.score[0] == POINTS_TO_WIN - 1
        suspects = self.suspects(cells)
        masses = self.by_spy_set(cells, suspects.masses)
        columns = [column for column, mass in enumerate(masses) if mass]
        sign = -1 if one_is_enough else 1  # play is to stay open on little, or on much
        whole = [sign * masses[column] for column in columns]
        stays = [enough[:, columns] == one_is_enough for enough in self._guesses.enough[number:]]
        missions = splits(cells.sizes, self.table.missions[number])
        sent = stays[0][self._rows(cells, number)]
        if len(stays) == 3:  # the missions that may follow, up to names
            follow = [stays[1][self._rows(cells.send(mission), number + 1)] for mission in missions]
            most = [_heaviest(stay[None], whole, later, stays[2])[0] for stay, later in zip(sent, follow, strict=True)]
        else:
            most = _heaviest(sent, whole, *stays[1:])
        lost = suspects.total if one_is_enough else 0
        return {mission: Fraction(lost + kept, suspects.total) for mission, kept in zip(missions, most, strict=True)}

    def _rows(self, cells: Cells, number: int) -> list[int]:
        """One mission of each class, as rows of a round's tables."""
        rows = self._rows_of.get((cells.sizes, number))
        if rows is None:
            missions, row_of = splits(cells.sizes, self.table.missions[number]), self._guesses.rows[number]
            rows = self._rows_of[cells.sizes, number] = [row_of[cells.first_seats(mission)] for mission in missions]
        return rows

    def by_spy_set(self, cells: Cells, masses: Mapping[Counts, int]) -> list[int]:
        """Masses of classes as masses of spy sets, in the order of `combinations`."""
        starts = np.cumsum([0, *cells.sizes])[:-1]
        return [masses.get(tuple(spies), 0) for spies in np.add.reduceat(self._dealt, starts, axis=1).tolist()]

    # For those who know the spies.

    def win(self, cells: Cells, spies: Counts) -> Fraction:
        """How often the resistance wins against spies of a class; no mission is out."""
        if POINTS_TO_WIN in cells.score:
            return Fraction(cells.score[0] == POINTS_TO_WIN)
        win = self._win.get((cells, spies))
        if win is None:
            win = average_over_missions(cells, self.missions(cells), spies, self.win_out)
            self._win[cells, spies] = win
        return win

    def win_out(self, out: Cells, spies: Counts) -> Fraction:
        """How often the resistance wins against spies of a class while a mission is out."""
        share = self.sabotage(out, spies)
        passing = self.win(out.then("+"), spies) if share < 1 else NOTHING
        return (1 - share) * passing + (share * self.win(out.then("-"), spies) if share else NOTHING)


def _heaviest(sent: Array, masses: list[int], *follow: Array) -> list[int]:
    """For each row of `sent`, the largest mass of columns set in it and in a row of each of `follow` (at most two).

    In floats where those are exact. A row with two that follow comes alone.
    """
    if sum(map(abs, masses)) >= MOST_IN_FLOATS:
        if not follow:
            return [sum(mass for mass, stay in zip(masses, row, strict=True) if stay) for row in sent.tolist()]
        first = follow[0] if len(follow) == 2 else np.ones((1, len(masses)), dtype=bool)
        return [
            heaviest_pair(first, follow[-1], [mass * stay for mass, stay in zip(masses, row, strict=True)])
            for row in sent.tolist()
        ]
    weights = sent * np.array(masses, dtype=float)
    if not follow:
        return [int(total) for total in weights.sum(axis=1)]
    if len(follow) == 1:
        return [int(total) for total in (weights @ follow[0].T.astype(float)).max(axis=1)]
    columns = np.flatnonzero(weights[0])
    if not len(columns):
        return [0]
    pairs = (follow[0][:, columns] * weights[0, columns]) @ follow[1][:, columns].T.astype(float)
    return [int(pairs.max())]


Missions = Callable[[Cells], Mapping[Counts, Fraction]]  # the odds of each class of missions


class SpiesBestResponse:
    """The best answer of the spies to what the resistance sends."""

    def __init__(self, table: Table, missions: Missions) -> None:
        self.table, self.missions = table, missions
        self._least: dict[tuple[Cells, Counts], Fraction] = {}

    def least(self, cells: Cells, spies: Counts) -> Fraction:
        """How often the resistance wins at least against spies of a class; no mission is out."""
        if POINTS_TO_WIN in cells.score:
            return Fraction(cells.score[0] == POINTS_TO_WIN)
        least = self._least.get((cells, spies))
        if least is None:
            least = average_over_missions(cells, self.missions(cells), spies, self.least_out)
            self._least[cells, spies] = least
        return least

    def least_out(self, out: Cells, spies: Counts) -> Fraction:
        return min(self.least(out.then(result), spies) for result in self.results(out, spies))

    def result(self, out: Cells, spies: Counts, usual: str) -> str:
        """How the spies let a mission end; where it makes no difference, as usual."""
        results = self.results(out, spies)
        return min(
            sorted(results, key=lambda result: result != usual), key=lambda result: self.least(out.then(result), spies)
        )

    def results(self, out: Cells, spies: Counts) -> str:
        number = len(out.results)
        return "+-" if aboard(out, spies, number) >= self.table.sabotages[number] else "+"
