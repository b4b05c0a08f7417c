"""The form of a game with hidden roles up to the names of seats (ruse.games.hidden_roles.orbits), on arrays.

All that happens once everybody has spoken is public. So the plays in which the missions, up to names, and their results
are the same share information sets of both sides, and no others do: they are one block, walked to its end before the
next. A block too large for memory is split by how its missions overlap.

    lost      Everything pays 0 or more, so what pays nothing is not written down, and a mission that loses whatever is
              dealt is no move: no plan needs it.
    sets      Of each information set one play is kept, in a few numbers, to tell what is known there.
    honest    Where the form would be too large, the good side keeps to missions that may be honest: no spy can fail
              them in one of the deals that it cannot tell apart, or the spies cannot tell the play from one where
              that is so. That is a smaller game, in which the good side can guarantee no more than in the whole one.
"""

from __future__ import annotations

from itertools import permutations
from math import gcd, inf, lcm

import numpy as np

from ruse.core.arrays import Array
from ruse.core.clock import tick
from ruse.core.exact import INT64
from ruse.core.game import GameError
from ruse.forms.sequence_form import FormArrays
from ruse.forms.vectorised import numbered
from ruse.games.hidden_roles.array_sets import CARDS, PlaySet, SetsMet, WrittenForm
from ruse.games.hidden_roles.orbits import Group, Orbit, Orbits, firsts, steps
from ruse.games.hidden_roles.rules import GOOD, SPIES, RolesPlay

MOST = 4_000_000  # plays after a mission to write down at once
WON = 2  # payoffs are one higher than in the rules, so that to lose pays nothing


class TooManyPlays(GameError):
    """A form is larger than it may be."""


class ArrayWalk:
    def __init__(self, orbits: Orbits, honest: bool = False, feigned: bool = True, most: float = inf) -> None:
        """With `honest` missions only, or all; those that only look so are `feigned`. At most `most` plays are won."""
        game = orbits.game
        self.honest, self.feigned, self.most, self.won = honest, feigned, most, 0
        self.orbits, self.table, self.players = orbits, game.table, orbits.players
        self.lone, self.hunts = game.cast.alone is not None, game.cast.hunted is not None
        self.width = self.players + CARDS
        if self.table.rounds * self.width > 63 or max(self.table.sabotages) >= 1 << CARDS:
            raise GameError(f"expected at most 10 players, got {self.players} in {game.title}")
        self.sets = SetsMet(), SetsMet()
        nothing = np.zeros(0, dtype=np.int32)
        self.entries: list[tuple[Array, Array, Array]] = [(nothing, nothing, nothing.astype(np.int64))]
        self._lies = orbits.lies if orbits.talks else [None]
        after_talk = [orbits.after_talk(lie) for lie in self._lies]
        self._lie_of = np.repeat(np.arange(len(after_talk)), [len(each) for each in after_talk])
        self.worlds = [state for each in after_talk for state, _ in each]
        odds = [share for each in after_talk for _, share in each]
        self.unit = lcm(*(share.denominator for share in odds))
        self._shares = np.array([int(share * self.unit) for share in odds], dtype=np.int64)
        self.fair = lcm(*range(1, self.players + 1))
        if WON * self.unit * self.fair >= INT64:
            raise GameError(f"expected odds of chance in fewer digits, got 1/{self.unit} in {game.title}")
        self._permutations(self.players)
        self._groups: dict[Group, int] = {}
        self._ready(self.worlds)
        self._steps()

    def written(self) -> WrittenForm:
        self._begin()
        trees = self.sets[0].treeplex(), self.sets[1].treeplex()
        rows, columns, payoffs = (np.concatenate(parts) for parts in zip(*self.entries, strict=True))
        common = gcd(self.unit * self.fair, int(np.gcd.reduce(payoffs)))
        denominator = self.unit * self.fair // common
        payoffs = np.append(-denominator, payoffs // common)  # one lost for everybody: to win pays 1, to lose -1
        rows, columns = np.append(np.int32(0), rows), np.append(np.int32(0), columns)
        form = FormArrays(trees, rows, columns, payoffs, denominator)
        return WrittenForm(form, self.orbits, self.worlds, self._renamings, self._image, self.sets)

    # What there is to know of seats.

    def _permutations(self, players: int) -> None:
        """All renamings: what they make of each set of seats, and the number of each."""
        self._renamings = np.array(list(permutations(range(players))), dtype=np.int16)
        self._weights = players ** np.arange(players, dtype=np.int64)
        self._number = np.zeros(players**players, dtype=np.int32)
        self._number[self._renamings @ self._weights] = np.arange(len(self._renamings))
        bits = (np.arange(1 << players)[:, None] >> np.arange(players)) & 1  # int[masks, seats]
        self._image = ((1 << self._renamings.astype(np.int64)) @ bits.T).astype(np.int16)  # [renamings, masks]
        self._size = bits.sum(axis=1).astype(np.int8)

    def _composed(self, after: Array, before: Array) -> Array:
        numbers: Array = self._number[self._renamings[after[:, None], self._renamings[before]] @ self._weights]
        return numbers

    def _named(self, names: tuple[int, ...]) -> int:
        return int(self._number[np.array(names) @ self._weights])

    def _group(self, group: Group) -> int:
        return self._groups.setdefault(group, len(self._groups))

    def _ready(self, states: list[Orbit]) -> None:
        """What there is to know of each state in which the missions begin."""
        cast = self.orbits.game.cast
        views: tuple[dict[RolesPlay, int], dict[RolesPlay, int]] = ({}, {})
        rows = []
        for state in states:
            deal = state.play.deal
            assert deal is not None
            known = sum(1 << seat for seat, kind in enumerate(deal) if kind in cast.known)
            lone = sum(1 << seat for seat, kind in enumerate(deal) if kind == cast.alone)
            hunted = sum(1 << seat for seat, kind in enumerate(deal) if kind == cast.hunted)
            seen = [views[side].setdefault(self.orbits.knows(state, side), len(views[side])) for side in (GOOD, SPIES)]
            groups = [self._group(group) for group in state.groups]
            rows.append([known, lone, hunted, *seen, *groups, self._named(state.names)])
        columns = np.array(rows, dtype=np.int32).T
        self._known, self._alone, self._hunted = columns[:3]
        self._views, self._first_groups, self._first_names = columns[3:5], columns[5:7], columns[7]

    def _steps(self) -> None:
        """What each set of seats is to somebody who cannot tell apart what a group maps into each other."""
        sizes = sorted({1, *self.table.missions})
        masks = 1 << self.players
        columns: list[tuple[Array, Array, Array, Array, list[list[int]]]] = []
        waiting = list(self._groups)
        while waiting:
            tick()
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
            columns.append((first, renaming, many, left, members))
        self._class, self._renaming, self._many, self._left = (
            np.array([column[k] for column in columns]) for k in range(4)
        )
        longest = max(len(own) for *_, members in columns for own in members)
        self._members = np.zeros((len(columns), self.players + 1, longest), dtype=np.int16)  # 0 where there are fewer
        for number, (*_, members) in enumerate(columns):
            for size, own in enumerate(members):
                self._members[number, size, : len(own)] = own

    # The walk.

    def _begin(self) -> None:
        count = len(self.worlds)
        sequences = np.zeros((2, count), dtype=np.int32)
        if self.orbits.talks:
            nobody, nothing = np.full(1, -1), np.zeros(1, dtype=np.int64)
            root = PlaySet(nobody, nobody, np.zeros((2, 1)), sequences[:, :1], nothing, nothing)
            moves = np.arange(len(self._lies))[:, None]
            numbers = self.sets[SPIES].add(root, SPIES, np.ones_like(moves, dtype=np.bool_), moves, 1)
            sequences[SPIES] = numbers[self._lie_of, 0]
        narrow = np.int16 if max(count, len(self._renamings), len(self._groups)) < 1 << 15 else np.int32
        begun = PlaySet(
            np.arange(count, dtype=narrow),
            self._first_names.astype(narrow),
            self._first_groups.astype(narrow),
            sequences,
            self._views[SPIES].astype(np.int64) * len(self._lies) + self._lie_of,
            np.zeros(count, dtype=np.int64),
        )
        self._mission(begun, self._views[GOOD], (0, 0), 1)

    def _mission(self, plays: PlaySet, good: Array, score: tuple[int, int], results: int) -> None:
        """All that follows before a mission; `good` is the same number where the good side knows the same."""
        size = self.table.missions[sum(score)]
        branches = np.sum(self._members[:, size] > 0, axis=1)[plays.groups[GOOD]]
        if branches.sum() > MOST and sum(score) > 1:
            blocks = self._overlaps(plays, sum(score))
            if blocks.max(initial=0):
                for block in range(int(blocks.max()) + 1):
                    part = np.flatnonzero(blocks == block)
                    self._mission(plays.take(part), good[part], score, results)
                return
        tick()
        sets, heads = numbered(good.astype(np.int64))
        teams = self._members[plays.groups[GOOD][heads], size].T  # int16[moves, sets]
        origins = np.repeat(np.arange(plays.size), branches)
        ranks = np.arange(len(origins)) - np.repeat(np.cumsum(branches) - branches, branches)
        team = teams[ranks, sets[origins]]
        least, most = self._choices(plays.world[origins], team, score)
        if self.honest:
            on = self._honest(plays, sets, origins, ranks, team, score)
            origins, ranks, team, least, most = (each[on] for each in (origins, ranks, team, least, most))
        if score[SPIES] == self.table.spy_points - 1:  # then both are one, and a third failure loses
            on = np.flatnonzero(self._passes(plays.world[origins], team, most, score))
            origins, ranks, team, least, most = (each[on] for each in (origins, ranks, team, least, most))
        legal = np.zeros(teams.shape, dtype=np.bool_)
        legal[ranks, sets[origins]] = True
        legal[0, ~legal.any(axis=0)] = True  # all is lost there, and some mission has to go
        numbers = self.sets[GOOD].add(plays.take(heads), GOOD, legal, teams, results)
        if not len(origins):
            return
        rows = numbers[ranks, sets[origins]]
        self._sent(self._out(plays, origins, team, rows, sum(score)), team, least, most, score, results)

    def _honest(
        self, plays: PlaySet, sets: Array, origins: Array, ranks: Array, team: Array, score: tuple[int, int]
    ) -> Array:
        """Which missions may be honest, or look so to the spies."""
        world = plays.world[origins]
        chosen = np.zeros((int(ranks.max()) + 1, int(sets.max()) + 1), dtype=np.bool_)
        safe = self._passes(world, team, self._size[team & self._known[world]], score)
        chosen[ranks[safe], sets[origins[safe]]] = True
        chosen[0, ~chosen.any(axis=0)] = True
        if not self.feigned:
            return np.flatnonzero(chosen[ranks, sets[origins]])
        knows = self._seen(plays.names[origins], plays.groups[SPIES][origins], plays.knows[origins], team)[1]
        possible = np.zeros(int(knows.max()) + 1, dtype=np.bool_)
        possible[knows[chosen[ranks, sets[origins]]]] = True
        chosen[ranks[possible[knows]], sets[origins[possible[knows]]]] = True
        return np.flatnonzero(chosen[ranks, sets[origins]])

    def _seen(self, names: Array, groups: Array, knows: Array, team: Array) -> tuple[Array, Array]:
        """The names of the spies, and what they know, once they have seen a mission."""
        after = self._composed(self._renaming[groups, self._image[names, team]], names)
        return after, numbered(knows << self.players | self._image[after, team])[0]

    def _out(self, plays: PlaySet, origins: Array, team: Array, rows: Array, number: int) -> PlaySet:
        """The plays with a mission out."""
        before = plays.take(origins)
        theirs = self._image[before.names, team]
        names, knows = self._seen(before.names, before.groups[SPIES], before.knows, team)
        groups = np.stack([self._left[before.groups[GOOD], team], self._left[before.groups[SPIES], theirs]])
        before.sequences[GOOD] = rows
        return PlaySet(
            before.world,
            names.astype(before.names.dtype),
            groups.astype(before.groups.dtype),
            before.sequences,
            knows,
            before.done | team.astype(np.int64) << self.width * number,
        )

    def _sent(
        self, plays: PlaySet, team: Array, least: Array, most: Array, score: tuple[int, int], results: int
    ) -> None:
        """What becomes of missions that are out."""
        choose = np.flatnonzero(least < most)
        cards = least.copy()
        if len(choose):
            chosen = plays.take(choose)
            sets, heads = numbered(chosen.knows)
            top, fails = most[choose][heads], self.table.sabotages[sum(score)]
            moves = np.repeat(np.arange(int(top.max()) + 1)[:, None], len(heads), axis=1)
            legal = (moves == 0) | ((moves + self.lone >= fails) & (moves <= top))
            numbers = self.sets[SPIES].add(chosen.take(heads), SPIES, legal, moves, results)
            origin = np.concatenate([np.flatnonzero(least == most), *(choose[own[sets]] for own in legal)])
            cards = np.concatenate(
                [cards[least == most], *(np.full(int(own[sets].sum()), many) for many, own in enumerate(legal))]
            )
            columns = [numbers[many][sets[own[sets]]] for many, own in enumerate(legal)]
            plays, team, forced = plays.take(origin), team[origin], len(origin) - sum(map(len, columns))
            plays.sequences[SPIES, forced:] = np.concatenate(columns)
        passes = self._passes(plays.world, team, cards, score)
        plays = plays._replace(
            knows=plays.knows << CARDS | cards,
            done=plays.done | cards.astype(np.int64) << self.width * sum(score) + self.players,
        )
        for passed in (True, False):
            on = np.flatnonzero(passes == passed)
            after = (score[0] + passed, score[1] + (not passed))
            said = results + (1 + passed << sum(score))
            if len(on) and after[SPIES] < self.table.spy_points:
                left = plays.take(on)
                if after[GOOD] == self.table.points:
                    self._guess(left, said)
                else:
                    self._mission(left, left.sequences[GOOD], after, said)

    def _guess(self, plays: PlaySet, results: int) -> None:
        """Enough missions have passed."""
        tick()
        weights = WON * self.fair * self._shares[plays.world]
        rows = plays.sequences[GOOD]
        if not self.hunts:
            self._pay(rows, plays.sequences[SPIES], weights)
            return
        sets, heads = numbered(plays.knows)
        first = plays.take(heads)
        seats = np.arange(self.players)
        bits = 1 << seats[:, None]
        known = self._image[first.names, self._known[first.world]]
        legal = (self._class[first.groups[SPIES][None, :], bits] == bits) & ((known[None, :] & bits) == 0)
        moves = np.repeat(seats[:, None], len(heads), axis=1)
        numbers = self.sets[SPIES].add(first, SPIES, legal, moves, results)
        hunted = self._class[plays.groups[SPIES], self._image[plays.names, self._hunted[plays.world]]]
        for seat in range(self.players):
            aimed = np.flatnonzero(legal[seat][sets])
            many = self._many[plays.groups[SPIES][aimed], 1 << seat]
            paid = weights[aimed] // many * (many - (hunted[aimed] == 1 << seat))
            self._pay(rows[aimed], numbers[seat][sets[aimed]], paid)

    def _pay(self, rows: Array, columns: Array, payoffs: Array) -> None:
        """Write down what is won, equal places added up."""
        place = rows.astype(np.int64) << 32 | columns
        order = np.argsort(place)
        place, payoffs = place[order], payoffs[order]
        starts = np.flatnonzero(np.diff(place, prepend=-1))
        if len(starts):
            totals = np.add.reduceat(payoffs, starts)
            kept = np.flatnonzero(totals)
            place = place[starts[kept]]
            self.won += len(kept)
            if self.won > self.most:
                raise TooManyPlays(
                    f"expected at most {self.most:,.0f} plays that are won in {self.orbits.title}, got more"
                )
            self.entries.append(((place >> 32).astype(np.int32), (place & 0xFFFFFFFF).astype(np.int32), totals[kept]))

    def _choices(self, world: Array, team: Array, score: tuple[int, int]) -> tuple[Array, Array]:
        """How many sabotages the spies aboard choose from: the fewest, and the most that are worth it."""
        fails = self.table.sabotages[sum(score)]
        most = np.minimum(self._size[team & self._known[world]], fails)
        most = np.where(most + self.lone >= fails, most, 0).astype(np.int8)
        return (most if self.table.is_decisive(score) else np.zeros_like(most)), most

    def _passes(self, world: Array, team: Array, cards: Array, score: tuple[int, int]) -> Array:
        passes: Array = cards + self._size[team & self._alone[world]] < self.table.sabotages[sum(score)]
        return passes

    def _overlaps(self, plays: PlaySet, number: int) -> Array:
        """Give plays a number that is equal where their missions are, up to names: by how many seats they share."""
        everyone = (1 << self.players) - 1
        teams = [plays.done >> self.width * mission & everyone for mission in range(number)]
        overlaps = np.zeros(plays.size, dtype=np.int64)
        for chosen in range(1, 1 << number):
            both = np.full(plays.size, everyone)
            for mission, team in enumerate(teams):
                both &= team if chosen >> mission & 1 else everyone
            overlaps = numbered(overlaps * (self.players + 1) + self._size[both])[0]
        return overlaps


def _mask(seats: tuple[int, ...]) -> int:
    return sum(1 << seat for seat in seats)
