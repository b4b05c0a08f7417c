"""What a filed strategy of The Resistance guarantees, exactly and at any official table.

Seats with the same mission record form a cell. In the filed naming seats are sorted by record, so a cell
is a run of letters, a class of missions is how many go from each cell (`Sent`), named after the member
with the first letters, and a class of spy sets is how many spies sit in each cell (`Counts`). Sending the
first letters of each cell leaves the filed naming as it is, so histories here never need renaming.

Sign convention: payoffs to the resistance, side 0, which are 2w - 1 where it wins with probability w.

The spies' odds are asked for only while neither side has two points. After that the spies' strategy is,
by convention, to sabotage whenever enough spies are aboard: passing loses at once, or failing wins.
Nor are they asked for where too few spies are aboard to fail the mission: it passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, product
from math import comb, lcm, prod

import numpy as np
import numpy.typing as npt

from ruse.core.clock import tick
from ruse.core.game import Move, PositionError, State
from ruse.core.types import Lookup, Policy, StrategyTable
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.notation import Position, read_seats, seats
from ruse.games.resistance.notation import read as read_position
from ruse.games.resistance.rules import PASS, RESISTANCE, SABOTAGE, Rules, Seats
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.verify.tree import VerifyError, check_odds, look_up
from ruse.verify.verifier import Verifier

Odds = Callable[[str], Mapping[str, Fraction]]  # filed position -> filed move -> odds
Sent = tuple[int, ...]  # seats sent from each cell
Counts = tuple[int, ...]  # spies in each cell
Masses = dict[Counts, Fraction]
ORDERS = ("pass", "sabotage")

SAFE_BITS = 62  # of a sum of masses: int64 holds it, and the rounding of each mass besides
LIMB_BITS = 32  # sums of limbs stay within int64 for up to 2**31 spy sets
BLOCK = 1 << 14  # lists of missions compared exactly at a time


@dataclass(frozen=True)
class Public:
    """A filed public position, with the sizes of its cells in the order of their letters."""

    done: tuple[tuple[Seats, bool], ...]
    cells: tuple[int, ...]

    @property
    def score(self) -> tuple[int, int]:
        passed = sum(passes for _, passes in self.done)
        return passed, len(self.done) - passed

    def sendings(self, size: int) -> Iterator[Sent]:
        """Every class of missions of that size."""
        return _shares(self.cells, size)

    def members(self, groups: tuple[int, ...]) -> Seats:
        """The seats with the first letters, that many from each cell."""
        starts = accumulate(self.cells, initial=0)
        return tuple(seat for start, count in zip(starts, groups, strict=False) for seat in range(start, start + count))

    def sent(self, mission: Seats) -> Sent:
        """How many of a mission come from each cell."""
        cells = zip(accumulate(self.cells, initial=0), self.cells, strict=False)
        return tuple(sum(start <= seat < start + size for seat in mission) for start, size in cells)

    def after(self, sent: Sent, passed: bool) -> Public:
        cells = tuple(size for pair in zip(sent, self._kept(sent), strict=True) for size in pair if size)
        return Public((*self.done, (self.members(sent), passed)), cells)

    def _kept(self, sent: Sent) -> tuple[int, ...]:
        return tuple(size - count for size, count in zip(self.cells, sent, strict=True))

    def splits(self, sent: Sent, spies: Counts) -> Iterator[tuple[int, int, Counts]]:
        """How a mission can split the spies: how many are aboard, how many members of the class of missions
        do it to one spy set, and the spies of each cell afterwards."""
        kept = self._kept(sent)
        ranges = [range(max(0, s - k), min(s, c) + 1) for s, k, c in zip(spies, kept, sent, strict=True)]
        for aboard in product(*ranges):
            cells = list(zip(sent, kept, spies, aboard, strict=True))
            ways = prod(comb(s, j) * comb(c + k - s, c - j) for c, k, s, j in cells)
            counts = tuple(count for c, k, s, j in cells for size, count in ((c, j), (k, s - j)) if size)
            yield sum(aboard), ways, counts


def _shares(cells: tuple[int, ...], size: int) -> Iterator[Sent]:
    if not cells:
        yield ()
        return
    for count in range(max(0, size - sum(cells[1:])), min(cells[0], size) + 1):
        for rest in _shares(cells[1:], size - count):
            yield (count, *rest)


def start(table: Table) -> Public:
    return Public((), (table.players,))


def missions_at(table: Table, odds: Odds, public: Public) -> dict[Sent, Fraction]:
    """The resistance's odds at a position, checked: classes of missions with positive odds."""
    position = Position(None, public.done, None).text(table)
    shares = look_up(odds, position)
    size = table.missions[len(public.done)]
    missions: dict[Sent, Fraction] = {}
    for name, share in shares.items():
        try:
            mission = read_seats(name, table)
        except PositionError as error:
            raise VerifyError(f"{error}, at {position}") from error
        if len(mission) != size:
            raise VerifyError(f"expected a mission of {size} seats at {position}, got {name!r}")
        sent = public.sent(mission)
        filed = seats(public.members(sent))
        if name != filed:
            raise VerifyError(f"expected {filed!r} at {position}, as that class of missions is filed, got {name!r}")
        if share:
            missions[sent] = share
    check_odds(shares, None, lambda: position)
    return missions


def _sabotage(odds: Odds, position: str) -> Fraction:
    """The odds that the spies fail a mission that is out, at a position where they can."""
    shares = look_up(odds, position)
    check_odds(shares, ORDERS, lambda: position)
    return Fraction(shares.get("sabotage", 0))


def guarantee(table: Table, side: int, odds: Odds) -> Fraction:
    """The payoff to the resistance when the other side answers `side`'s filed strategy as well as it can.

    `odds` is asked only for positions that the strategy itself can reach, each at most once.
    """
    if side == RESISTANCE:
        return 2 * LeastWins(table, odds).win(start(table), (table.spies,)) - 1
    return 2 * MostWins(table, odds, Guesses(table)).win() - 1


def bounds(table: Table, tables: tuple[StrategyTable, StrategyTable]) -> tuple[Fraction, Fraction]:
    """What the resistance's table guarantees at least, and the spies' table at most."""
    return guarantee(table, 0, tables[0].__getitem__), guarantee(table, 1, tables[1].__getitem__)


class ResistanceVerifier(Verifier[Resistance]):
    """Tables by class are checked class by class, at any size; tables seat by seat are walked."""

    def check_size(self) -> None:
        pass  # who has solved a table seat by seat can walk it

    def guarantee(self, side: int, table: StrategyTable) -> Fraction:
        if not self.by_class:
            return super().guarantee(side, table)
        return guarantee(self.game.table, side, table.__getitem__)

    def score(self, side: int, lookup: Lookup) -> Fraction:
        moves = self.game.filed_moves
        return guarantee(self.game.table, side, lambda position: lookup(position, moves(position, side)))

    def check_positions(self, side: int, table: StrategyTable) -> None:
        if not self.by_class:
            super().check_positions(side, table)
            return
        for position, odds in table.items():
            check_entry(self.game.table, side, position, odds)


def check_entry(table: Table, side: int, position: str, odds: Mapping[str, Fraction]) -> None:
    """An entry of a strategy, reached or not: a filed position of that side, and moves that it has there.

    Once a side has two points the spies' strategy is to sabotage whenever they can; an entry may not say otherwise.
    """
    try:
        read = read_position(table, position)
    except PositionError as error:
        raise VerifyError(f"{error}, in the strategy of {Rules.sides[side]}") from error
    mover = RESISTANCE if read.out is None else 1 - RESISTANCE
    named = read.spies is not None
    if side != mover or named == (side == RESISTANCE) or POINTS_TO_WIN in read.score:
        raise VerifyError(f"expected positions where {Rules.sides[side]} moves, got {position!r}")
    if read.renamed(read.names(table.players)) != read:
        raise VerifyError(f"expected filed positions, got {position!r}")
    if side == RESISTANCE:
        public = start(table)
        for mission, passed in read.done:
            public = public.after(public.sent(mission), passed)
        missions_at(table, lambda _: odds, public)
        return
    check_odds(odds, ORDERS, lambda: position)
    aboard = len(set(read.out or ()).intersection(read.spies or ()))
    if aboard < table.sabotages[len(read.done)]:
        raise VerifyError(f"expected positions where enough spies are aboard to decide, got {position!r}")
    if POINTS_TO_WIN - 1 in read.score and odds.get("sabotage") != 1:
        raise VerifyError(f"expected a sabotage at {position}, where a side has two points, got {dict(odds)}")


class LeastWins:
    """How often the resistance wins against spies who know its strategy.

    The spies see everything but the dice, so their best answer needs no beliefs: with q the odds of a
    class of missions and the member drawn at random, w(h, spies) = sum of q * min(w(pass), w(fail)).
    """

    def __init__(self, table: Table, odds: Odds) -> None:
        self.table, self._odds = table, odds
        self._missions: dict[Public, dict[Sent, Fraction]] = {}
        self._after: dict[tuple[Public, Sent], tuple[Public, Public]] = {}
        self._wins: dict[tuple[Public, Counts], Fraction] = {}

    def missions(self, public: Public) -> dict[Sent, Fraction]:
        """What is sent at a position."""
        if public not in self._missions:
            self._missions[public] = missions_at(self.table, self._odds, public)
        return self._missions[public]

    def after(self, public: Public, sent: Sent) -> tuple[Public, Public]:
        """Where a mission leads that passes, and one that fails."""
        if (public, sent) not in self._after:
            self._after[public, sent] = public.after(sent, True), public.after(sent, False)
        return self._after[public, sent]

    def win(self, public: Public, spies: Counts) -> Fraction:
        """Against spies of a class."""
        tick()
        passed, failed = public.score
        if POINTS_TO_WIN in (passed, failed):
            return Fraction(passed == POINTS_TO_WIN)
        if (public, spies) not in self._wins:
            missions = self.missions(public).items()
            self._wins[public, spies] = sum(
                (share * self.win_sent(public, sent, spies) for sent, share in missions), Fraction(0)
            )
        return self._wins[public, spies]

    def win_sent(self, public: Public, sent: Sent, spies: Counts) -> Fraction:
        """The same once a class of missions is sent."""
        fails = self.table.sabotages[len(public.done)]
        good, bad = self.after(public, sent)
        won = Fraction(0)
        for aboard, ways, counts in public.splits(sent, spies):
            worst = self.win(good, counts)
            if aboard >= fails:
                worst = min(worst, self.win(bad, counts))
            if worst:
                won += ways * worst
        return won / prod(comb(cell, count) for cell, count in zip(public.cells, sent, strict=True))


class MostWins:
    """How often a resistance that knows the spies' strategy wins.

    `masses` holds, for one spy set of each class, the odds that it was dealt and made the history h:
    u(h) = max over missions of u(h, pass) + u(h, fail). A class that splits hands its mass on unchanged.
    """

    def __init__(self, table: Table, odds: Odds, guesses: Guesses) -> None:
        self.table, self._odds, self.guesses = table, odds, guesses
        self.dealt: Masses = {(table.spies,): Fraction(1, table.spy_sets)}
        self._most: dict[Public, Fraction] = {}

    def win(self) -> Fraction:
        return self.most(start(self.table), self.dealt)

    def most(self, public: Public, masses: Mapping[Counts, Fraction]) -> Fraction:
        """From a position on, with the masses that come there."""
        if not masses:
            return Fraction(0)
        if public not in self._most:
            sendings = public.sendings(self.table.missions[len(public.done)])
            self._most[public] = (
                self.guesses.win(public, masses)
                if POINTS_TO_WIN - 1 in public.score
                else max(self.sent(public, sent, masses) for sent in sendings)
            )
        return self._most[public]

    def sent(self, public: Public, sent: Sent, masses: Mapping[Counts, Fraction]) -> Fraction:
        """The same once a class of missions is sent."""
        passing, failing = handed_on(self.table, self._odds, public, sent, masses)
        return self.most(public.after(sent, True), passing) + self.most(public.after(sent, False), failing)

    def handed_on(self, public: Public, sent: Sent, masses: Mapping[Counts, Fraction]) -> tuple[Masses, Masses]:
        return handed_on(self.table, self._odds, public, sent, masses)


def handed_on(
    table: Table, odds: Odds, public: Public, sent: Sent, masses: Mapping[Counts, Fraction]
) -> tuple[Masses, Masses]:
    """The masses that spies let pass, and those that they fail, of a mission while neither side has two points."""
    tick()
    fails = table.sabotages[len(public.done)]
    passing: Masses = {}
    failing: Masses = {}
    for spies, mass in masses.items():
        for aboard, _, counts in public.splits(sent, spies):
            share = Fraction(0)
            if aboard >= fails:
                share = _sabotage(odds, filed_position(table, public, sent, counts))
            if share < 1:
                passing[counts] = mass * (1 - share)
            if share > 0:
                failing[counts] = mass * share
    return passing, failing


def filed_position(table: Table, public: Public, sent: Sent, spies: Counts) -> str:
    """What spies of a class know, whose cells are those once a mission is out."""
    return Position(public.after(sent, True).members(spies), public.done, public.members(sent)).text(table)


class Guesses:
    """Endgames: once a side has two points the spies sabotage what they can, so the resistance only guesses.

    It picks a list of missions for the rounds left. With two points it wins on the spy sets that are too
    few aboard one of them, otherwise on those that are too few aboard every one: all but the least mass
    that is enough on all, or the most mass that is too few on all.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.spy_sets = list(combinations(range(table.players), table.spies))
        dealt = _incidence(self.spy_sets, table.players)
        self.rows: list[dict[Seats, int]] = []  # of each round: where a mission stands in `enough`
        self.enough: list[npt.NDArray[np.bool_]] = []  # of each round: bool[missions, spy sets]
        for size, fails in zip(table.missions, table.sabotages, strict=True):
            tick()
            missions = list(combinations(range(table.players), size))
            self.rows.append({mission: row for row, mission in enumerate(missions)})
            self.enough.append(_incidence(missions, table.players) @ dealt.T >= fails)

    def win(self, public: Public, masses: Mapping[Counts, Fraction]) -> Fraction:
        """The mass of spy sets on which the best list of missions wins."""
        dealt, enough, sure, unit = self.dealt(public, masses)
        return Fraction(sure + self.most(public, dealt, enough), unit)

    def dealt(self, public: Public, masses: Mapping[Counts, Fraction]) -> tuple[dict[int, int], bool, int, int]:
        """The spy sets that are possible at an endgame, with their masses in units of 1 / the last number, and whether
        they stay in it by being enough: then less is better, masses count below 0, and all of them are won first."""
        unit = lcm(*(mass.denominator for mass in masses.values()))
        scaled = {counts: int(mass * unit) for counts, mass in masses.items()}
        cell_of = [cell for cell, size in enumerate(public.cells) for _ in range(size)]
        enough = public.score[RESISTANCE] == POINTS_TO_WIN - 1
        found: dict[int, int] = {}
        for column, spies in enumerate(self.spy_sets):
            inside = [cell_of[seat] for seat in spies]
            counts = tuple(inside.count(cell) for cell in range(len(public.cells)))
            if counts in scaled:
                found[column] = -scaled[counts] if enough else scaled[counts]
        return found, enough, -sum(found.values()) if enough else 0, unit

    def staying(self, public: Public, masses: Mapping[int, int], enough: bool) -> Iterator[tuple[Sent, dict[int, int]]]:
        """For each class of missions: the spy sets that are enough (or too few) on it."""
        now = len(public.done)
        for sent in public.sendings(self.table.missions[now]):
            row = self.enough[now][self.rows[now][public.members(sent)]]
            yield sent, {column: mass for column, mass in masses.items() if bool(row[column]) == enough}

    def most(self, public: Public, masses: Mapping[int, int], enough: bool) -> int:
        """The most mass, over lists of missions, of spy sets that are all enough (or too few) on the list.

        Seats of one cell are alike, so the first mission is tried once a class, and so on down the list.
        """
        now = len(public.done)
        if not masses or now == len(self.enough):
            return sum(masses.values())
        tick()
        if now + 2 == len(self.enough):
            rows = [self.rows[now][public.members(sent)] for sent in public.sendings(self.table.missions[now])]
            columns = list(masses)
            first = self.enough[now][np.ix_(rows, columns)] == enough
            second = self.enough[now + 1][:, columns] == enough
            return heaviest_pair(first, second, list(masses.values()))
        return max(
            self.most(public.after(sent, True), stays, enough) for sent, stays in self.staying(public, masses, enough)
        )


def _incidence(groups: list[Seats], players: int) -> npt.NDArray[np.int64]:
    return np.array([[seat in group for seat in range(players)] for group in groups], dtype=np.int64)


def heaviest_pair(first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_], masses: list[int]) -> int:
    """The largest sum of masses over columns that are set in a row of `first` and in a row of `second`.

    Exact for integers of any size and sign. Masses too large for int64 are first rounded down to the unit
    2**shift; a sum of them is then short by less than one unit a column, so any pair further below the
    best than that cannot win, and the pairs left are compared in full.
    """
    shift = max(0, sum(map(abs, masses)).bit_length() - SAFE_BITS)
    rough = np.array([mass >> shift for mass in masses], dtype=np.int64)
    sums = (first * rough) @ second.T.astype(np.int64)
    top = int(sums.max())
    if shift == 0:
        return top
    pairs = np.argwhere(sums >= top - len(masses))
    limbs = _limbs(masses)
    best = -sum(map(abs, masses))
    for start in range(0, len(pairs), BLOCK):
        block = pairs[start : start + BLOCK]
        exact = (first[block[:, 0]] & second[block[:, 1]]) @ limbs
        for row in np.unique(exact, axis=0).tolist():
            best = max(best, sum(part << LIMB_BITS * place for place, part in enumerate(row)))
    return best


def _limbs(masses: list[int]) -> npt.NDArray[np.int64]:
    """Integers as digits in base 2**LIMB_BITS, lowest first; the highest digit carries the sign."""
    places = max(mass.bit_length() for mass in masses) // LIMB_BITS + 1
    digits = [[mass >> LIMB_BITS * place for place in range(places)] for mass in masses]
    mask = (1 << LIMB_BITS) - 1
    return np.array([[*(digit & mask for digit in row[:-1]), row[-1]] for row in digits], dtype=np.int64)


def seat_policy(game: Rules, side: int, odds: Odds) -> Policy:
    """The same filed strategy over the rules seat by seat.

    A class of missions is spread evenly over its members. To sabotage, exactly as many spies as it takes
    do so, the first in seat order. What the other side did counts only by which missions it failed.
    """
    table = game.table

    def history(state: State) -> tuple[tuple[Seats, bool], ...]:
        return tuple(
            (mission.seats, sum(mission.cards) < fails)
            for mission, fails in zip(state.done, table.sabotages, strict=False)
        )

    @cache
    def missions(done: tuple[tuple[Seats, bool], ...]) -> dict[Move, Fraction]:
        position = Position(None, done, None)
        names = position.names(table.players)
        public = start(table)
        for mission, passed in position.renamed(names).done:
            public = public.after(public.sent(mission), passed)
        shares = missions_at(table, odds, public)
        found: dict[Sent, list[Seats]] = {sent: [] for sent in shares}
        for mission in combinations(range(table.players), table.missions[len(done)]):
            sent = public.sent(tuple(names[seat] for seat in mission))
            if sent in found:
                found[sent].append(mission)
        return {mission: shares[sent] / len(alike) for sent, alike in found.items() for mission in alike}

    @cache
    def sabotage(spies: Seats, done: tuple[tuple[Seats, bool], ...], out: Seats) -> Fraction:
        position = Position(spies, done, out)
        fails = table.sabotages[len(done)]
        if len(set(spies).intersection(out)) < fails:
            return Fraction(0)
        if POINTS_TO_WIN - 1 in position.score:
            return Fraction(1)
        return _sabotage(odds, position.renamed(position.names(table.players)).text(table))

    def policy(state: State) -> Mapping[Move, Fraction]:
        if side == RESISTANCE:
            return missions(history(state))
        cards = state.out.cards
        share = sabotage(state.spies, history(state), state.out.seats)
        if cards:  # the first card has shown which of the two it is; enough cards make a sabotage
            share = Fraction(cards[0] == SABOTAGE and len(cards) < table.sabotages[len(state.done)])
        return {PASS: 1 - share, SABOTAGE: share}

    return policy
