"""Endgames of The Resistance for its verifier: the best list of missions once only guessing is left, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import lcm

import numpy as np
import numpy.typing as npt

from ruse.core.clock import tick
from ruse.games.resistance.rules import RESISTANCE, Seats
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.games.resistance.verify_public import Counts, PublicHistory, Sent

SAFE_BITS = 62  # of a sum of masses: int64 holds it, and the rounding of each mass besides
LIMB_BITS = 32  # sums of limbs stay within int64 for up to 2**31 spy sets
BLOCK = 1 << 14  # lists of missions compared exactly at a time


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

    def win(self, public: PublicHistory, masses: Mapping[Counts, Fraction]) -> Fraction:
        """The mass of spy sets on which the best list of missions wins."""
        dealt, enough, sure, unit = self.dealt(public, masses)
        return Fraction(sure + self.most(public, dealt, enough), unit)

    def dealt(self, public: PublicHistory, masses: Mapping[Counts, Fraction]) -> tuple[dict[int, int], bool, int, int]:
        """The spy sets that are possible at an endgame, with their masses in units of 1 / the last number, and whether
        they stay in it by being enough: then less is better, masses count below 0, and all of them are won first."""
        unit = lcm(*(mass.denominator for mass in masses.values()))
        scaled = {counts: int(mass * unit) for counts, mass in masses.items()}
        cell_of = [cell for cell, size in enumerate(public.cells) for _ in range(size)]
        enough = public.score[RESISTANCE] == POINTS_TO_WIN - 1
        columns: dict[int, int] = {}
        for column, spies in enumerate(self.spy_sets):
            inside = [cell_of[seat] for seat in spies]
            counts = tuple(inside.count(cell) for cell in range(len(public.cells)))
            if counts in scaled:
                columns[column] = -scaled[counts] if enough else scaled[counts]
        return columns, enough, -sum(columns.values()) if enough else 0, unit

    def staying(
        self, public: PublicHistory, masses: Mapping[int, int], enough: bool
    ) -> Iterator[tuple[Sent, dict[int, int]]]:
        """For each class of missions: the spy sets that are enough (or too few) on it."""
        now = len(public.done)
        for sent in public.sendings(self.table.missions[now]):
            row = self.enough[now][self.rows[now][public.members(sent)]]
            yield sent, {column: mass for column, mass in masses.items() if bool(row[column]) == enough}

    def most(self, public: PublicHistory, masses: Mapping[int, int], enough: bool) -> int:
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
