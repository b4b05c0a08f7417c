"""A game with hidden roles up to the names of its seats, and without moves that nobody needs.

    names     Each side chooses among classes of moves that look alike to it (`names`); within a class every member is
              as likely. A strategy averaged over all renamings guarantees as much, so nothing is lost.
    deal      All deals are alike up to renaming. So the spies speak first, and chance then deals the roles that they
              do not know; in a round, it says what the good seats point at.
    cards     More sabotages than it takes change nothing that anybody hears, nor do too few.
    forced    Once either side has two points, the spies aboard sabotage all they can: a third failure wins at once, and
              before a third success they may as well wait and guess later, when they have seen more.

A state is in the names under which the good side files what it knows; chance draws it from all that look alike to the
good side then, so that the first mission of a class may stand for all. `names` leads from there to those of the spies.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import ClassVar, NamedTuple

from ruse.core.capabilities import ConstantSum
from ruse.core.game import CHANCE, END
from ruse.forms.reductions.wrapper import Wrapper
from ruse.games.hidden_roles.names import (
    Group,
    Renaming,
    compose,
    firsts,
    renamed,
    renamed_seats,
    renamed_words,
    smallest,
    steps,
)
from ruse.games.hidden_roles.roles import Seats
from ruse.games.hidden_roles.rules import GOOD, NONE, PRIVATE, SPIES, UNKNOWN, HiddenRoles, Named, Play, Words
from ruse.games.resistance.table import POINTS_TO_WIN


class Orbit(NamedTuple):
    play: Play  # before the deal, what the spies know
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
        return Orbit(smallest(self.game.knows(Play(self.game.cast.seats), SPIES), self.players)[0])

    @cached_property
    def talks(self) -> bool:
        """Whether the spies have something to say."""
        return self.game.talk != NONE and (self.game.talk != "private" or bool(self.game.cast.sights))

    @cached_property
    def lies(self) -> list[Words]:
        """What the spies can say at the start, one of each class."""
        found: list[Words] = []
        met: set[Words] = set()
        view = self.start().play
        assert view.deal is not None
        *_, group = smallest(view, self.players)
        for words in self.game.lies(self.game.spies(view.deal)):
            if words in met or (self.heeding and not self.game.reports.believable(words, view.deal)):
                continue
            found.append(words)
            met.update(renamed_words(words, names) for names in group)
        return found

    def spoken(self, said: Words | None) -> list[tuple[Orbit, Fraction]]:
        """What chance makes of it: the states in which the missions begin, and how likely each is."""
        view = self.start().play
        assert view.deal is not None
        hidden = [
            deal
            for deal in self.game.cast.deals
            if tuple(kind if kind in self.game.cast.known else UNKNOWN for kind in deal) == view.deal
        ]
        found: dict[Orbit, Fraction] = {}
        for deal in hidden:
            state = self.game._dealt(deal)
            heard = [(state, Fraction(1))]
            if state.said is None:
                heard = [(state._replace(said=words), odds) for words, odds in self.game._pointing(deal)]
            for one, odds in heard:
                one = one if said is None else self.game.play(one, said)
                for ready in (every := self._ready(one)):
                    found[ready] = found.get(ready, Fraction(0)) + odds / len(hidden) / len(every)
        return list(found.items())

    def _ready(self, play: Play) -> list[Orbit]:
        """A state in all names that the good side cannot tell from those under which it files what it knows."""
        _, good, first = smallest(self.game.knows(play, GOOD), self.players)
        found = []
        for names in sorted(first):
            alike = renamed(play, compose(names, good))
            _, back, second = smallest(self.game.knows(alike, SPIES), self.players)
            found.append(Orbit(alike, back, (first, second), True))
        return found

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
            return [Spoken(number, after) for number, (after, _) in enumerate(self.spoken(state.play.said), 1)]
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

    def choices(self, play: Play) -> list[int]:
        """How many sabotages the spies aboard choose from."""
        assert play.deal is not None and play.out is not None
        fails, lone = self.game.table.sabotages[len(play.done)], self.game.cast.alone is not None
        most = min(self.game.aboard(play.deal, play.out), fails)
        worth = [0, *(cards for cards in range(1, most + 1) if cards + lone >= fails)]
        return worth[-1:] if POINTS_TO_WIN - 1 in play.score else worth

    def _named(self, state: Orbit) -> list[tuple[int, Fraction]]:
        """Who is named, in the names of the good side, if the spies aim at a class: the one they hunt, or another."""
        assert state.aim is not None and state.play.deal is not None
        hunted = state.play.deal.index(self.game.cast.hunted)
        found = steps(state.groups[SPIES], self.players, 1)
        first, _, size, _ = found[(state.names[hunted],)]
        odds = Fraction(first == (state.aim,), size)
        other = next(seat for seat in range(self.players) if seat != hunted)
        return [(hunted, odds), (other, 1 - odds)]

    def odds(self, state: Orbit) -> Sequence[Fraction]:
        if not state.ready:
            return [odds for _, odds in self.spoken(state.play.said)]
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

    def knows(self, state: Orbit, side: int) -> Play:
        if not state.ready:
            return Play() if side == GOOD else state.play
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
            if passed == POINTS_TO_WIN:
                return self.players - len(spies)
            size, fails = table.missions[passed + failed], table.sabotages[passed + failed]
            found = 0
            for team in firsts(group, self.players, size):
                left = steps(group, self.players, size)[team].group
                can = len(set(team).intersection(spies)) + lone >= fails
                must = can and POINTS_TO_WIN - 1 in (passed, failed)
                if not must or lone:
                    found += after(left, spies, passed + 1, failed)
                if can and failed < POINTS_TO_WIN - 1:
                    found += after(left, spies, passed, failed + 1)
            return found

        total = 0
        for lie in lies or (self.lies if self.talks else [None]):
            for state, _ in self.spoken(lie):
                assert state.play.deal is not None
                total += after(state.groups[GOOD], self.game.spies(state.play.deal), 0, 0)
        return total

    def label(self, move: object) -> str:
        return f"draw{move.number}" if isinstance(move, Spoken) else super().label(move)
