"""Public talk where missions can do no more than try three suspicions: the talk is all there is to solve.

What is said in the open tells both sides the same. The good side picks missions by that alone, so missions tell the
spies nothing of who is hunted, and their guess is settled when all have spoken. Let q(S) be how likely it is that S are
the spies, that this was said, and that the hunted is missed.

A suspicion S is tried by sending only seats outside S; a failure refutes it. Two failures may happen, so three can be
tried, and whoever is right about S wins the missions. Hence, for any set A of three, the good side wins for sure if the
spies are in A. It cannot do better where the missions alone, with all of the N sets as likely, are worth 3/N: if u(S)
is what some way to pick missions wins against S, then u <= 1 and the sum of u is at most 3, so

    sum of q(S) u(S)  <=  the sum of the three largest q(S).

The spies attain that if S fights with odds min(1, c / q(S)), where c is the third largest q, and else lets all pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

from ruse.core.certificate import Certificate
from ruse.core.game import CHANCE, END, Titled
from ruse.core.types import Tables
from ruse.forms.sequence_form import sequence_form
from ruse.games.hidden_roles.names import Group, renamed_seats, smallest
from ruse.games.hidden_roles.orbits import Orbits
from ruse.games.hidden_roles.roles import Cast, Seats
from ruse.games.hidden_roles.rules import GOOD, NONE, POINTING, SPIES, UNKNOWN, HiddenRoles, Play, Words
from ruse.games.hidden_roles.verify_filed import seat_policy
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.solvers.lp import lp
from ruse.solving.tables import as_tables, odds_of

Suspicions = tuple[Seats, ...]  # sorted


class Heard(NamedTuple):
    """What everybody has heard, and what only the spies know."""

    view: Play  # of the good side, as it is filed
    spies: Seats  # the first of those that look alike to the good side
    missed: Fraction  # how likely the hunted is not named


class State(NamedTuple):
    lie: Words | None = None
    heard: Heard | None = None
    tried: Suspicions | None = None  # those that stand for their class


class Told(NamedTuple):
    """What the spies know when all have spoken, and how likely that and each hunted seat is."""

    view: Play
    odds: dict[int | None, Fraction]

    @property
    def total(self) -> Fraction:
        return sum(self.odds.values(), Fraction(0))

    @property
    def missed(self) -> Fraction:
        return Fraction(1) if None in self.odds else 1 - max(self.odds.values()) / self.total


class Suspects(Titled):
    """The spies speak, chance says the rest, and the good side picks three sets of seats to try as the spies."""

    sides = HiddenRoles.sides
    wins = HiddenRoles.wins

    def __init__(self, game: HiddenRoles) -> None:
        self.game, self.players, self.orbits = game, game.table.players, Orbits(game)
        self.name, self.title, self.parameters = game.name, game.title, game.parameters
        self.sets = list(combinations(range(self.players), game.table.spies))

    def start(self) -> State:
        return State()

    def turn(self, state: State) -> int:
        if state.lie is None:
            return SPIES
        return CHANCE if state.heard is None else GOOD if state.tried is None else END

    def moves(self, state: State) -> Sequence[object]:
        if state.lie is None:
            return self.orbits.lies
        return list(self.hears(state.lie)) if state.heard is None else self.tries(self.group(state.heard.view))

    def odds(self, state: State) -> list[Fraction]:
        assert state.lie is not None
        return list(self.hears(state.lie).values())

    def play(self, state: State, move: object) -> State:
        if isinstance(move, Heard):
            return state._replace(heard=move)
        assert isinstance(move, tuple)
        return state._replace(lie=move) if state.lie is None else state._replace(tried=move)

    def knows(self, state: State, side: int) -> object:
        if side == SPIES:
            return state.lie
        return None if state.heard is None else (state.heard.view, state.tried)

    def payoff(self, state: State) -> Fraction:
        assert state.heard is not None and state.tried is not None
        group = self.group(state.heard.view)
        alike = [renamed_seats(state.heard.spies, names) in state.tried for names in group]
        return 2 * state.heard.missed * Fraction(sum(alike), len(alike)) - 1

    # What is said, and what is alike.

    def told(self, lie: Words) -> list[Told]:
        """All that the spies may know after a lie; whom they hunt is not among it."""
        view = self.orbits.start().play
        hidden = [deal for deal in self.game.cast.deals if self.game.knows(Play(deal), SPIES) == view]
        found: dict[Play, dict[int | None, Fraction]] = {}
        for deal in hidden:
            hunted = None if self.game.cast.hunted is None else deal.index(self.game.cast.hunted)
            for words, odds in self.game._pointing(deal):
                own = found.setdefault(self.game.knows(self.game.play(Play(deal, words), lie), SPIES), {})
                own[hunted] = own.get(hunted, Fraction(0)) + odds / len(hidden)
        return [Told(known, odds) for known, odds in found.items()]

    @cache  # noqa: B019
    def hears(self, lie: Words) -> dict[Heard, Fraction]:
        found: dict[Heard, Fraction] = {}
        for told in self.told(lie):
            heard = self.heard(told)
            found[heard] = found.get(heard, Fraction(0)) + told.total
        return found

    def heard(self, told: Told) -> Heard:
        view, names, group = smallest(Play(None, told.view.said), self.players)
        assert told.view.deal is not None
        spies = renamed_seats(self.game.spies(told.view.deal), names)
        return Heard(view, self.alike(spies, group)[0], told.missed)

    def group(self, view: Play) -> Group:
        return smallest(view, self.players)[2]

    @staticmethod
    def alike(seats: Seats, group: Group) -> list[Seats]:
        """All sets that a group makes of one, the first first."""
        return sorted({renamed_seats(seats, names) for names in group})

    @cache  # noqa: B019
    def tries(self, group: Group) -> list[Suspicions]:
        """Three suspicions, one choice of each class."""
        found: dict[Suspicions, None] = {}
        for three in combinations(self.sets, min(POINTS_TO_WIN, len(self.sets))):
            found[min(tuple(sorted(renamed_seats(one, names) for one in three)) for names in group)] = None
        return list(found)

    def label(self, move: object) -> str:
        return str(move)

    def format_position(self, knowledge: object) -> str:
        return f"/{knowledge}"


class Missions:
    """The missions of a table by themselves, without roles or talk, with all sets of spies as likely."""

    def __init__(self, game: HiddenRoles) -> None:
        self.game = HiddenRoles("missions", game.table, Cast(game.table.players, game.table.spies), NONE)

    @cached_property
    def solved(self) -> tuple[Certificate, Tables]:
        orbits = Orbits(self.game)
        form = sequence_form(orbits)
        solved = lp(form)
        return solved.certificate, as_tables(orbits, odds_of(form, solved.plans))

    @property
    def worth(self) -> Fraction | None:
        """How often the good side wins, where that is known exactly."""
        certificate = self.solved[0]
        return (1 + certificate.lower) / 2 if certificate.exact else None

    @cached_property
    def cards(self) -> Callable[[Play], dict[int, Fraction]]:
        """The odds of numbers of sabotages in a state of the whole game."""
        policy = seat_policy(self.game, SPIES, self.solved[1][SPIES])
        spy, servant = max(self.game.cast.known), self.game.cast.quiet

        @cache
        def cards(state: Play) -> dict[int, Fraction]:
            return dict(policy(state))

        def missions_alone(state: Play) -> dict[int, Fraction]:
            assert state.deal is not None
            deal = tuple(servant if kind == UNKNOWN else spy for kind in state.deal)
            return cards(state._replace(deal=deal, said=()))

        return missions_alone


def fits(game: HiddenRoles, missions: Missions) -> bool:
    """Whether three suspicions are all that missions can do."""
    table, sets = game.table, comb(game.table.players, game.table.spies)
    if game.talk not in POINTING or game.cast.alone is not None:
        return False
    if max(table.missions) > table.players - table.spies or sets < POINTS_TO_WIN:
        return False
    return missions.worth == Fraction(POINTS_TO_WIN, sets)


@lru_cache(maxsize=8)
def settled(game: HiddenRoles) -> bool:
    """Whether the spies' strategies file one guess for each thing that was said, whatever missions follow."""
    return game.talk in POINTING and fits(game, Missions(game))
