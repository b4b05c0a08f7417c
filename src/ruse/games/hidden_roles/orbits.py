"""A game with hidden roles up to the names of its seats, and without moves that nobody needs.

    names     Each side chooses among classes of moves that look alike to it (`names`); within a class every member is
              as likely. A strategy averaged over all renamings guarantees as much, so nothing is lost.
    deal      All deals are alike up to renaming. So the spies speak first, and chance then deals the roles that they
              do not know; in a round, it says what the good seats point at.
    cards     More sabotages than it takes change nothing that anybody hears, nor do too few.
    forced    Once either side has two points, the spies aboard sabotage all they can: a third failure wins at once, and
              before a third success they may as well wait and guess later, when they have seen more.

A state is in the names of the good side's representative; chance draws it from all that look alike to the
good side then, so that the first mission of a class may stand for all. `names` leads from there to those of the spies.

A renaming p calls seat s p[s]. What a side has seen is represented in the names that make it smallest, and the
renamings that leave it unchanged are a group G: the side cannot tell seats apart that G maps into each other. A mission
is then one of a class, its orbit under G, of which the first member stands for all; the members of G that leave that
mission unchanged are the group after it. So a history is represented step by step, and groups only shrink.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations
from typing import ClassVar, NamedTuple

import numpy as np

from ruse.core.arrays import Array
from ruse.core.capabilities import ConstantSum
from ruse.core.game import CHANCE, END
from ruse.forms.reductions.games import Wrapper
from ruse.games.hidden_roles.roles import Claim, Seats
from ruse.games.hidden_roles.rules import GOOD, NONE, PRIVATE, SPIES, UNKNOWN, HiddenRoles, Named, RolesPlay, Words
from ruse.games.resistance.rules import subsets

Renaming = tuple[int, ...]
Group = frozenset[Renaming]
MOST_NAMES = 3_000_000  # renamings of seats, times what can be said, to go through: a minute


class OrbitStep(NamedTuple):
    """What a set of seats is to somebody who cannot tell apart what a group maps into each other."""

    first: Seats  # of its class, which stands for all
    renaming: Renaming  # of the group, from the set to the first
    size: int  # of the class
    group: Group  # what is left of it


def compose(after: Renaming, before: Renaming) -> Renaming:
    """First `before`, then `after`."""
    return tuple(after[seat] for seat in before)


def inverse(renaming: Renaming) -> Renaming:
    return tuple(renaming.index(seat) for seat in range(len(renaming)))


def renamed_seats(seats: Seats, names: Renaming) -> Seats:
    return tuple(sorted(names[seat] for seat in seats))


def renamed(play: RolesPlay, names: Renaming) -> RolesPlay:
    """A play with every seat s renamed to names[s]."""
    back = inverse(names)
    return RolesPlay(
        None if play.deal is None else tuple(play.deal[seat] for seat in back),
        None if play.said is None else renamed_words(play.said, names),
        tuple(mission._replace(seats=renamed_seats(mission.seats, names)) for mission in play.done),
        None if play.out is None else renamed_seats(play.out, names),
        None if play.named is None else names[play.named],
    )


def renamed_words(said: Sequence[Claim | None], names: Renaming) -> tuple[Claim | None, ...]:
    if not said:
        return ()
    claims = [said[seat] for seat in inverse(names)]
    return tuple(claim and Claim(claim.kind, renamed_seats(claim.seats, names)) for claim in claims)


@cache
def everyone(players: int) -> Group:
    """All renamings."""
    return frozenset(permutations(range(players)))


@cache
def smallest(view: RolesPlay, players: int) -> tuple[RolesPlay, Renaming, Group]:
    """The representative of a view before any mission, the renaming to it, and the group that leaves it unchanged.

    Of all renamings those are left that have the least at the first place, then at the second, and so on: the kinds of
    spies, the last kind first, then what was said.
    """
    every, seats, images, ranks = _renamings(players)
    left = np.arange(len(every))
    for place in range(players if view.deal else 0):
        kinds = np.array(view.deal)[seats[left, place]]
        left = left[kinds == kinds.max()]
    if view.said:
        kinds = np.array([-1 if claim is None else claim.kind for claim in view.said])
        masks = np.array([sum(1 << seat for seat in claim.seats) if claim else 0 for claim in view.said])
        for place in range(players):
            who = seats[left, place]
            words = (kinds[who] + 1) * len(ranks) + ranks[images[left, masks[who]]]
            left = left[words == words.min()]
    renamings = [tuple(names) for names in every[left].tolist()]
    back = inverse(renamings[0])
    return renamed(view, renamings[0]), renamings[0], frozenset(compose(names, back) for names in renamings)


@cache
def _renamings(players: int) -> tuple[Array, Array, Array, Array]:
    """All of them [renamings, seats], their inverses, what each makes of a mask, and where a mask stands in order."""
    every = np.array(list(permutations(range(players))), dtype=np.int16)
    sets = [tuple(seat for seat in range(players) if mask >> seat & 1) for mask in range(1 << players)]
    bits = (np.arange(1 << players)[:, None] >> np.arange(players)) & 1
    ranks = np.empty(len(sets), dtype=np.int64)
    ranks[sorted(range(len(sets)), key=sets.__getitem__)] = np.arange(len(sets))
    return every, np.argsort(every, axis=1), ((1 << every.astype(np.int64)) @ bits.T), ranks


@cache
def steps(group: Group, players: int, size: int) -> dict[Seats, OrbitStep]:
    """Every set of so many seats as a group sees it."""
    by_seats: dict[Seats, OrbitStep] = {}
    for first in subsets(players, size):
        if first in by_seats:
            continue
        members: dict[Seats, Renaming] = {}
        for names in sorted(group):
            members.setdefault(renamed_seats(first, names), names)
        left = frozenset(names for names in group if renamed_seats(first, names) == first)
        for seats, names in members.items():
            by_seats[seats] = OrbitStep(first, inverse(names), len(members), left)
    return by_seats


def firsts(group: Group, players: int, size: int, allowed: Callable[[Seats], bool] = lambda _: True) -> list[Seats]:
    """One set of each class."""
    by_seats = steps(group, players, size)
    return [seats for seats in subsets(players, size) if by_seats[seats].first == seats and allowed(seats)]


class Orbit(NamedTuple):
    play: RolesPlay  # before the deal, what the spies know
    names: Renaming = ()  # from the good side's to those of the spies
    groups: tuple[Group, Group] = (frozenset(), frozenset())  # of both sides
    ready: bool = False  # whether all is dealt and said
    aim: int | None = None  # the seat that stands for those the spies may name, in their names


class Spoken(NamedTuple):
    """A move of chance: all is dealt and said."""

    number: int
    state: Orbit


class Orbits(Wrapper):
    game: HiddenRoles
    provides: ClassVar[tuple[type, ...]] = (ConstantSum,)

    def __init__(self, game: HiddenRoles, heeding: bool = True) -> None:
        super().__init__(game)
        self.players = game.table.players
        self.heeding = heeding and game.talk == PRIVATE  # to leave lies out that nobody would heed

    def start(self) -> Orbit:
        return Orbit(smallest(self.game.knows(RolesPlay(self.game.cast.seats), SPIES), self.players)[0])

    @cached_property
    def talks(self) -> bool:
        """Whether the spies have something to say."""
        return self.game.talk != NONE and (self.game.talk != "private" or bool(self.game.cast.sights))

    @cached_property
    def lies(self) -> list[Words]:
        """What the spies can say at the start, one of each class."""
        lies: list[Words] = []
        met: set[Words] = set()
        view = self.start().play
        assert view.deal is not None
        *_, group = smallest(view, self.players)
        for words in self.game.lies(self.game.spies(view.deal)):
            if words in met or (self.heeding and not self.game.reports.believable(words, view.deal)):
                continue
            lies.append(words)
            met.update(renamed_words(words, names) for names in group)
        return lies

    def after_talk(self, said: Words | None) -> list[tuple[Orbit, Fraction]]:
        """What chance makes of it: the states in which the missions begin, and how likely each is."""
        view = self.start().play
        assert view.deal is not None
        hidden = [
            deal
            for deal in self.game.cast.deals
            if tuple(kind if kind in self.game.cast.known else UNKNOWN for kind in deal) == view.deal
        ]
        odds_by_state: dict[Orbit, Fraction] = {}
        for deal in hidden:
            state = self.game._dealt(deal)
            heard = [(state, Fraction(1))]
            if state.said is None:
                heard = [(state._replace(said=words), odds) for words, odds in self.game._pointing(deal)]
            for heard_state, odds in heard:
                heard_state = heard_state if said is None else self.game.play(heard_state, said)
                for ready in (every := self._ready(heard_state)):
                    odds_by_state[ready] = odds_by_state.get(ready, Fraction(0)) + odds / len(hidden) / len(every)
        return list(odds_by_state.items())

    def _ready(self, play: RolesPlay) -> list[Orbit]:
        """A state in all names that the good side cannot tell from those of its representative."""
        _, good, first = smallest(self.game.knows(play, GOOD), self.players)
        states = []
        for names in sorted(first):
            alike = renamed(play, compose(names, good))
            _, back, second = smallest(self.game.knows(alike, SPIES), self.players)
            states.append(Orbit(alike, back, (first, second), True))
        return states

    def turn(self, state: Orbit) -> int:
        if not state.ready:
            return SPIES if self.talks and state.play.said is None else CHANCE
        if state.play.named is not None:
            return END
        return CHANCE if state.aim is not None else self.game.turn(state.play)

    def moves(self, state: Orbit) -> Sequence[object]:
        turn = self.turn(state)
        if not state.ready:
            if turn == SPIES:
                return self.lies
            return [Spoken(number, after) for number, (after, _) in enumerate(self.after_talk(state.play.said), 1)]
        if state.aim is not None:
            return [Named(seat) for seat, odds in self._named(state) if odds]
        if turn == GOOD:
            return firsts(state.groups[GOOD], self.players, self.game.table.missions[len(state.play.done)])
        if state.play.out is not None:
            return self.choices(state.play)
        unknown = self.game.knows(renamed(state.play, state.names), SPIES).deal
        assert unknown is not None
        aims = firsts(state.groups[SPIES], self.players, 1, lambda seats: unknown[seats[0]] == UNKNOWN)
        return [Named(seat) for (seat,) in aims]

    def choices(self, play: RolesPlay) -> list[int]:
        """How many sabotages the spies aboard choose from."""
        assert play.deal is not None and play.out is not None
        fails, lone = self.game.table.sabotages[len(play.done)], self.game.cast.alone is not None
        most = min(self.game.aboard(play.deal, play.out), fails)
        useful = [0, *(cards for cards in range(1, most + 1) if cards + lone >= fails)]
        return useful[-1:] if self.game.table.is_decisive(play.score) else useful

    def _named(self, state: Orbit) -> list[tuple[int, Fraction]]:
        """Who is named, in the names of the good side, if the spies aim at a class: the one they hunt, or another."""
        assert state.aim is not None and state.play.deal is not None
        hunted = state.play.deal.index(self.game.cast.hunted)
        by_seats = steps(state.groups[SPIES], self.players, 1)
        first, _, size, _ = by_seats[(state.names[hunted],)]
        odds = Fraction(first == (state.aim,), size)
        other = next(seat for seat in range(self.players) if seat != hunted)
        return [(hunted, odds), (other, 1 - odds)]

    def odds(self, state: Orbit) -> Sequence[Fraction]:
        if not state.ready:
            return [odds for _, odds in self.after_talk(state.play.said)]
        return [odds for _, odds in self._named(state) if odds]

    def play(self, state: Orbit, move: object) -> Orbit:
        if isinstance(move, Spoken):
            return move.state
        if not state.ready:
            assert isinstance(move, tuple)
            return state._replace(play=state.play._replace(said=move))
        if isinstance(move, Named):
            if state.aim is None:
                return state._replace(aim=move.seat)
            return state._replace(play=state.play._replace(named=move.seat))
        if isinstance(move, tuple):
            return self._sent(state, move)
        assert isinstance(move, int)
        return state._replace(play=self.game.play(state.play, move))

    def _sent(self, state: Orbit, team: Seats) -> Orbit:
        """A mission, which stands for its class; the good side's names stay as they are."""
        first, second = state.groups
        good = steps(first, self.players, len(team))[team]
        spies = steps(second, self.players, len(team))[renamed_seats(team, state.names)]
        state = Orbit(
            self.game.play(state.play, team),
            compose(spies.renaming, state.names),
            (good.group, spies.group),
            True,
        )
        if state.play.out is not None and len(choices := self.choices(state.play)) == 1:
            return state._replace(play=self.game.play(state.play, choices[0]))
        return state

    def knows(self, state: Orbit, side: int) -> RolesPlay:
        if not state.ready:
            return RolesPlay() if side == GOOD else state.play
        if side == GOOD:
            return self.game.knows(state.play, GOOD)._replace(named=None)
        known = self.game.knows(renamed(state.play, state.names), SPIES)
        return known._replace(named=state.aim)

    def payoff(self, state: Orbit) -> Fraction:
        return self.game.payoff(state.play)

    def won(self, lies: Sequence[Words | None] | None = None) -> int:
        """At most so many plays that the good side wins, if the spies tell one of these lies, or any."""
        lone, table = self.game.cast.alone is not None, self.game.table

        @cache
        def after(group: Group, spies: Seats, passed: int, failed: int) -> int:
            """Those that follow states in which the good side is to move."""
            if passed == table.points:
                return self.players - len(spies)
            size, fails = table.missions[passed + failed], table.sabotages[passed + failed]
            plays = 0
            for team in firsts(group, self.players, size):
                left = steps(group, self.players, size)[team].group
                can = len(set(team).intersection(spies)) + lone >= fails
                must = can and table.is_decisive((passed, failed))
                if not must or lone:
                    plays += after(left, spies, passed + 1, failed)
                if can and failed < table.spy_points - 1:
                    plays += after(left, spies, passed, failed + 1)
            return plays

        total = 0
        for lie in lies or (self.lies if self.talks else [None]):
            for state, _ in self.after_talk(lie):
                assert state.play.deal is not None
                total += after(state.groups[GOOD], self.game.spies(state.play.deal), 0, 0)
        return total

    def label(self, move: object) -> str:
        return f"draw{move.number}" if isinstance(move, Spoken) else super().label(move)
