"""Games with hidden roles on arrays, up to the names of seats (ruse.games.hidden_roles.orbits).

Moves are numbers of lies and of what is dealt after them, then of classes of missions, numbers of sabotages, and seats
to name. A set of seats is a mask. Where the spies have no choice on a mission, it takes a step in which they wait.
"""

from __future__ import annotations

from itertools import permutations
from math import lcm

import numpy as np

from ruse.core.capabilities import WAIT
from ruse.core.game import CHANCE, END
from ruse.games.arrays import Array
from ruse.games.hidden_roles.names import Group, firsts, steps
from ruse.games.hidden_roles.orbits import Orbit, Orbits
from ruse.games.hidden_roles.rules import GOOD, SPIES, Play
from ruse.games.resistance.table import POINTS_TO_WIN

LIE, READY, FIRST, SECOND, NAMES, TEAM, CARDS, PASSED, FAILED, AIM, NAMED = range(11)  # numbers from 1, or 0
HIT, MISS = 1, 2


class OrbitArrays:
    def __init__(self, orbits: Orbits) -> None:
        game = orbits.game
        self.table, self.players, self._hunts = game.table, orbits.players, game.cast.hunted is not None
        self._lone = game.cast.alone is not None
        lies = orbits.lies if orbits.talks else [None]
        self._lies, self._talks = len(lies), orbits.talks
        spoken = [orbits.spoken(lie) for lie in lies]
        self._begin = np.cumsum([0, *map(len, spoken)])[:-1]
        unit = lcm(*(odds.denominator for each in spoken for _, odds in each))
        most = max(map(len, spoken))
        self._shares = np.zeros((most, len(lies)), dtype=np.int64)
        for number, each in enumerate(spoken):
            self._shares[: len(each), number] = [int(odds * unit) for _, odds in each]
        self.denominator = unit * lcm(*range(1, self.players + 1))
        self._permutations(self.players)
        self._groups: dict[Group, int] = {}
        self._ready([state for each in spoken for state, _ in each], orbits)
        self._steps()
        self._moves = max(most, len(lies), self._members.shape[2], self.players, max(self.table.sabotages) + 1)
        self._small = max(len(self._renamings), len(self._known)) < 1 << 15
        self.sights = 2 + max(1 << self.players, int(self._views.max()), 2 * POINTS_TO_WIN)

    def _permutations(self, players: int) -> None:
        """All renamings: what they make of each set of seats, and the number of each."""
        self._renamings = np.array(list(permutations(range(players))), dtype=np.int16)
        self._weights = players ** np.arange(players, dtype=np.int64)
        self._number = np.zeros(players**players, dtype=np.int32)
        self._number[self._renamings @ self._weights] = np.arange(len(self._renamings))
        bits = (np.arange(1 << players)[:, None] >> np.arange(players)) & 1  # int[masks, seats]
        self._image = ((1 << self._renamings.astype(np.int64)) @ bits.T).astype(np.int32)  # [renamings, masks]
        self._size = bits.sum(axis=1)

    def _composed(self, after: Array, before: Array) -> Array:
        found: Array = self._number[self._renamings[after[:, None], self._renamings[before]] @ self._weights]
        return found

    def _named(self, names: tuple[int, ...]) -> int:
        return int(self._number[np.array(names) @ self._weights])

    def _group(self, group: Group) -> int:
        return self._groups.setdefault(group, len(self._groups))

    def _ready(self, states: list[Orbit], orbits: Orbits) -> None:
        """What there is to know of each state in which the missions begin."""
        cast = orbits.game.cast
        views: tuple[dict[Play, int], dict[Play, int]] = ({}, {})
        rows = []
        for state in states:
            deal = state.play.deal
            assert deal is not None
            known = sum(1 << seat for seat, kind in enumerate(deal) if kind in cast.known)
            lone = sum(1 << seat for seat, kind in enumerate(deal) if kind == cast.alone)
            hunted = sum(1 << seat for seat, kind in enumerate(deal) if kind == cast.hunted)
            seen = [views[side].setdefault(orbits.knows(state, side), len(views[side])) for side in (GOOD, SPIES)]
            groups = [self._group(group) for group in state.groups]
            rows.append([known, lone, hunted, *seen, *groups, self._named(state.names)])
        columns = np.array(rows, dtype=np.int32).T
        self._known, self._alone, self._hunted = columns[:3]
        self._views, self._first_groups, self._first_names = columns[3:5], columns[5:7], columns[7]

    def _steps(self) -> None:
        """What each set of seats is to somebody who cannot tell apart what a group maps into each other."""
        sizes = sorted({1, *self.table.missions})
        masks = 1 << self.players
        found: list[tuple[Array, Array, Array, Array, list[list[int]]]] = []
        waiting = list(self._groups)
        while waiting:
            group = waiting.pop(0)
            first, renaming, many, left = (np.zeros(masks, dtype=np.int32) for _ in range(4))
            members: list[list[int]] = [[] for _ in range(self.players + 1)]
            for size in sizes:
                for seats, step in steps(group, self.players, size).items():
                    if step.group not in self._groups:
                        waiting.append(step.group)
                    mask = _mask(seats)
                    first[mask], renaming[mask] = _mask(step.first), self._named(step.renaming)
                    many[mask], left[mask] = step.size, self._group(step.group)
                members[size] = [_mask(seats) for seats in firsts(group, self.players, size)]
            found.append((first, renaming, many, left, members))
        self._class, self._renaming, self._many, self._left = (np.array([one[k] for one in found]) for k in range(4))
        longest = max(len(own) for *_, members in found for own in members)
        self._members = np.zeros((len(found), self.players + 1, longest), dtype=np.int32)
        for number, (*_, members) in enumerate(found):
            for size, own in enumerate(members):
                self._members[number, size, : len(own)] = own

    # The rules.

    def start(self) -> Array:
        return np.zeros((NAMED + 1, 1), dtype=np.int16 if self._small else np.int32)

    def turn(self, states: Array) -> Array:
        if not states[READY, 0]:
            return np.full(states.shape[1], SPIES if self._talks and not states[LIE, 0] else CHANCE)
        least, most = self._choices(states)
        cards = np.where(least < most, SPIES, WAIT)
        guess = SPIES if self._hunts else END
        over = np.where(states[PASSED] == POINTS_TO_WIN, guess, END)
        on = np.where((states[PASSED] < POINTS_TO_WIN) & (states[FAILED] < POINTS_TO_WIN), GOOD, over)
        on = np.where(states[AIM] > 0, np.where(states[NAMED] > 0, END, CHANCE), on)
        return np.where(states[TEAM] > 0, cards, on)

    def _choices(self, states: Array) -> tuple[Array, Array]:
        """How many sabotages the spies aboard choose from: the fewest, and the most that are worth it."""
        fails = np.array([*self.table.sabotages, 1])[states[PASSED] + states[FAILED]]
        most = np.minimum(self._size[states[TEAM] & self._known[states[READY] - 1]], fails)
        most = np.where(most + self._lone >= fails, most, 0)
        forced = (states[PASSED] == POINTS_TO_WIN - 1) | (states[FAILED] == POINTS_TO_WIN - 1)
        return np.where(forced, most, 0), most

    def legal(self, states: Array, turn: int) -> Array:
        moves = np.arange(self._moves)[:, None]
        if not states[READY, 0]:
            if turn == SPIES:
                return np.repeat(moves < self._lies, states.shape[1], axis=1)
            return _padded(self._shares[:, np.maximum(states[LIE] - 1, 0)], self._moves)
        if turn == GOOD:
            return _padded(self._sent(states).T > 0, self._moves)
        if turn == CHANCE:
            aim, hunted = self._aimed(states)
            many = self._many[states[SECOND], aim]
            hit = aim == hunted
            return _padded(np.stack([hit.astype(np.int64), many - hit]), self._moves)
        if states[TEAM, 0]:
            least, most = self._choices(states)
            fails = self.table.sabotages[int(states[PASSED, 0] + states[FAILED, 0])]
            worth = (moves == 0) | (moves + self._lone >= fails)
            offered: Array = worth & (moves >= least) & (moves <= most)
            return offered
        bits = np.left_shift(1, moves[: self.players])
        known = self._image[states[NAMES], self._known[states[READY] - 1]]
        first = self._class[states[SECOND][None, :], bits] == bits
        return _padded(first & ((known[None, :] & bits) == 0), self._moves)

    def _sent(self, states: Array) -> Array:
        """The missions that stand for their classes: int32[states, classes], 0 where there are fewer."""
        size = self.table.missions[int(states[PASSED, 0] + states[FAILED, 0])]
        sent: Array = self._members[states[FIRST], size]
        return sent

    def _aimed(self, states: Array) -> tuple[Array, Array]:
        """Those whom the spies may name, and the class of the one they hunt, in the spies' names."""
        hunted = self._image[states[NAMES], self._hunted[states[READY] - 1]]
        return np.left_shift(1, states[AIM] - 1), self._class[states[SECOND], hunted]

    def play(self, states: Array, moves: Array, turn: int) -> Array:
        after = states.copy()
        if not states[READY, 0]:
            if turn == SPIES:
                after[LIE] = moves + 1
                return after
            ready = self._begin[np.maximum(states[LIE] - 1, 0)] + moves
            after[READY], after[NAMES] = ready + 1, self._first_names[ready]
            after[FIRST], after[SECOND] = self._first_groups[:, ready]
            return after
        if turn == CHANCE:
            after[NAMED] = np.where(moves == 0, HIT, MISS)
            return after
        if turn == GOOD:
            team = self._sent(states)[np.arange(len(moves)), moves]
            theirs = self._image[states[NAMES], team]
            after[TEAM] = team
            after[NAMES] = self._composed(self._renaming[states[SECOND], theirs], states[NAMES])
            after[FIRST], after[SECOND] = self._left[states[FIRST], team], self._left[states[SECOND], theirs]
            return after
        if turn == SPIES and not states[TEAM, 0]:
            after[AIM] = moves + 1
            return after
        cards = moves if turn == SPIES else self._choices(states)[0]
        lone = self._size[states[TEAM] & self._alone[states[READY] - 1]]
        fails = cards + lone >= self.table.sabotages[int(states[PASSED, 0] + states[FAILED, 0])]
        after[FAILED] += fails
        after[PASSED] += ~fails
        after[TEAM] = 0
        return after

    def sees(self, states: Array, moves: Array, turn: int, side: int) -> Array | int:
        if turn == CHANCE:
            return self._views[side][states[READY] - 1] + 1 if not states[AIM, 0] else 0
        if turn == GOOD:
            return self._image[states[NAMES], states[TEAM]] if side == SPIES else 0
        if turn == SPIES and states[READY, 0] == 0:
            return 0
        return 0 if states[AIM, 0] else states[PASSED] + 1

    def payoff(self, states: Array) -> Array:
        return np.where((states[PASSED] == POINTS_TO_WIN) & (states[NAMED] != HIT), 1, -1)


def _mask(seats: tuple[int, ...]) -> int:
    return sum(1 << seat for seat in seats)


def _padded(table: Array, moves: int) -> Array:
    return np.concatenate([table, np.zeros((moves - len(table), table.shape[1]), dtype=table.dtype)])
