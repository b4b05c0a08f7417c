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

The strategies by class follow. The good side draws three suspicions by what was said, and tries one after the other.
The spies name the seat that is most likely hunted. They fight, that is, play the missions as they would without talk,
or else let all pass: fighting is only worth it for spies who are not among the likeliest anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

from ruse.core import clock
from ruse.core.certificate import Certificate
from ruse.core.game import CHANCE, END, Titled
from ruse.core.types import Tables
from ruse.forms.sequence_form import sequence_form
from ruse.games.hidden_roles import notation
from ruse.games.hidden_roles.classes import seat_policy
from ruse.games.hidden_roles.orbits import Group, Orbits, firsts, renamed_seats, smallest, steps
from ruse.games.hidden_roles.roles import Cast, Seats
from ruse.games.hidden_roles.rules import GOOD, NONE, POINTING, SPIES, UNKNOWN, Done, HiddenRoles, RolesPlay, Words
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.solvers.lp import lp
from ruse.solving.writing import as_tables, odds_of

Suspicions = tuple[Seats, ...]  # sorted


class Heard(NamedTuple):
    """What everybody has heard, and what only the spies know."""

    view: RolesPlay  # of the good side, in representative names
    spies: Seats  # the first of those that look alike to the good side
    missed: Fraction  # how likely the hunted is not named


class SuspicionState(NamedTuple):
    lie: Words | None = None
    heard: Heard | None = None
    tried: Suspicions | None = None  # those that stand for their class


class SpiesView(NamedTuple):
    """What the spies know when all have spoken, and how likely that and each hunted seat is."""

    view: RolesPlay
    odds: dict[int | None, Fraction]

    @property
    def total(self) -> Fraction:
        return sum(self.odds.values(), Fraction(0))

    @property
    def missed(self) -> Fraction:
        return Fraction(1) if None in self.odds else 1 - max(self.odds.values()) / self.total


class SuspicionGame(Titled):
    """The spies speak, chance says the rest, and the good side picks three sets of seats to try as the spies."""

    sides = HiddenRoles.sides
    wins = HiddenRoles.wins

    def __init__(self, game: HiddenRoles) -> None:
        self.game, self.players, self.orbits = game, game.table.players, Orbits(game)
        self.name, self.title, self.parameters = game.name, game.title, game.parameters
        self.sets = list(combinations(range(self.players), game.table.spies))

    def start(self) -> SuspicionState:
        return SuspicionState()

    def turn(self, state: SuspicionState) -> int:
        if state.lie is None:
            return SPIES
        return CHANCE if state.heard is None else GOOD if state.tried is None else END

    def moves(self, state: SuspicionState) -> Sequence[object]:
        if state.lie is None:
            return self.orbits.lies
        return list(self.hears(state.lie)) if state.heard is None else self.tries(self.group(state.heard.view))

    def odds(self, state: SuspicionState) -> list[Fraction]:
        assert state.lie is not None
        return list(self.hears(state.lie).values())

    def play(self, state: SuspicionState, move: object) -> SuspicionState:
        if isinstance(move, Heard):
            return state._replace(heard=move)
        assert isinstance(move, tuple)
        return state._replace(lie=move) if state.lie is None else state._replace(tried=move)

    def knows(self, state: SuspicionState, side: int) -> object:
        if side == SPIES:
            return state.lie
        return None if state.heard is None else (state.heard.view, state.tried)

    def payoff(self, state: SuspicionState) -> Fraction:
        assert state.heard is not None and state.tried is not None
        group = self.group(state.heard.view)
        alike = [renamed_seats(state.heard.spies, names) in state.tried for names in group]
        return 2 * state.heard.missed * Fraction(sum(alike), len(alike)) - 1

    # What is said, and what is alike.

    def spies_views(self, lie: Words) -> list[SpiesView]:
        """All that the spies may know after a lie; whom they hunt is not among it."""
        view = self.orbits.start().play
        hidden = [deal for deal in self.game.cast.deals if self.game.knows(RolesPlay(deal), SPIES) == view]
        odds_by_view: dict[RolesPlay, dict[int | None, Fraction]] = {}
        for deal in hidden:
            hunted = None if self.game.cast.hunted is None else deal.index(self.game.cast.hunted)
            for words, odds in self.game._pointing(deal):
                own = odds_by_view.setdefault(self.game.knows(self.game.play(RolesPlay(deal, words), lie), SPIES), {})
                own[hunted] = own.get(hunted, Fraction(0)) + odds / len(hidden)
        return [SpiesView(known, odds) for known, odds in odds_by_view.items()]

    @cache  # noqa: B019
    def hears(self, lie: Words) -> dict[Heard, Fraction]:
        odds_by_report: dict[Heard, Fraction] = {}
        for view in self.spies_views(lie):
            heard = self.heard(view)
            odds_by_report[heard] = odds_by_report.get(heard, Fraction(0)) + view.total
        return odds_by_report

    def heard(self, spies_view: SpiesView) -> Heard:
        view, names, group = smallest(RolesPlay(None, spies_view.view.said), self.players)
        assert spies_view.view.deal is not None
        spies = renamed_seats(self.game.spies(spies_view.view.deal), names)
        return Heard(view, self.alike(spies, group)[0], spies_view.missed)

    def group(self, view: RolesPlay) -> Group:
        return smallest(view, self.players)[2]

    @staticmethod
    def alike(seats: Seats, group: Group) -> list[Seats]:
        """All sets that a group makes of one, the first first."""
        return sorted({renamed_seats(seats, names) for names in group})

    @cache  # noqa: B019
    def tries(self, group: Group) -> list[Suspicions]:
        """Three suspicions, one choice of each class."""
        classes: dict[Suspicions, None] = {}
        for three in combinations(self.sets, min(POINTS_TO_WIN, len(self.sets))):
            classes[min(tuple(sorted(renamed_seats(suspicion, names) for suspicion in three)) for names in group)] = (
                None
            )
        return list(classes)

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
    def value(self) -> Fraction | None:
        """How often the good side wins, where that is known exactly."""
        certificate = self.solved[0]
        return (1 + certificate.lower) / 2 if certificate.exact else None

    @cached_property
    def cards(self) -> Callable[[RolesPlay], dict[int, Fraction]]:
        """The odds of numbers of sabotages in a state of the whole game."""
        policy = seat_policy(self.game, SPIES, self.solved[1][SPIES])
        spy, servant = max(self.game.cast.known), self.game.cast.quiet

        @cache
        def cards(state: RolesPlay) -> dict[int, Fraction]:
            return dict(policy(state))

        def missions_alone(state: RolesPlay) -> dict[int, Fraction]:
            assert state.deal is not None
            deal = tuple(servant if kind == UNKNOWN else spy for kind in state.deal)
            return cards(state._replace(deal=deal, said=()))

        return missions_alone


def fits(game: HiddenRoles, missions: Missions) -> bool:
    """Whether three suspicions are all that missions can do."""
    table, sets = game.table, comb(game.table.players, game.table.spies)
    if game.talk not in POINTING or game.cast.alone is not None or not table.is_usual:
        return False
    if max(table.missions) > table.players - table.spies or sets < POINTS_TO_WIN:
        return False
    return missions.value == Fraction(POINTS_TO_WIN, sets)


@lru_cache(maxsize=8)
def settled(game: HiddenRoles) -> bool:
    """Whether the spies' strategies list one guess for each thing that was said, whatever missions follow."""
    return game.talk in POINTING and fits(game, Missions(game))


def solve(game: HiddenRoles, missions: Missions) -> tuple[Certificate, Tables]:
    """Both sides' strategies at a table that `fits`."""
    suspects = SuspicionGame(game)
    form = sequence_form(suspects)
    solved = lp(form)
    tried: dict[RolesPlay, dict[Suspicions, Fraction]] = {}
    lies: dict[Words, Fraction] = {}
    for side, positions in enumerate(odds_of(form, solved.plans)):
        for knowledge, odds in positions.items():
            if side == SPIES:
                lies = {lie: share for lie, share in odds.items() if share}
            else:
                tried[knowledge[0]] = odds
    return solved.certificate, (_good(suspects, tried), _spies(suspects, lies, missions))


class SuspicionPlan(NamedTuple):
    weight: Fraction
    left: Suspicions  # not yet refuted, the one that is being tried first


def _good(
    suspects: SuspicionGame, tried: dict[RolesPlay, dict[Suspicions, Fraction]]
) -> dict[str, dict[str, Fraction]]:
    """Missions by class: each keeps clear of the first suspicion that is left."""
    game, players = suspects.game, suspects.players
    table: dict[str, dict[str, Fraction]] = {}

    def sent(view: RolesPlay, group: Group, plans: list[SuspicionPlan], alive: frozenset[Seats]) -> None:
        clock.tick()
        if not alive or POINTS_TO_WIN in view.score:
            return
        number = len(view.done)
        size, fails = game.table.missions[number], game.table.sabotages[number]
        odds: dict[str, Fraction] = {}
        after: dict[Seats, tuple[Group, list[SuspicionPlan]]] = {}
        total = sum((plan.weight for plan in plans), Fraction(0))
        for plan in plans:
            clear = [seat for seat in range(players) if not plan.left or seat not in plan.left[0]]
            step = steps(group, players, size)[tuple(clear[:size])]
            left = tuple(renamed_seats(suspicion, step.renaming) for suspicion in plan.left)
            odds[letters(step.first)] = odds.get(letters(step.first), Fraction(0)) + plan.weight / total
            after.setdefault(step.first, (step.group, []))[1].append(SuspicionPlan(plan.weight, left))
        table[game.title + notation.format_position(game, view)] = odds
        for team, (less, own) in after.items():
            able = frozenset(seats for seats in suspects.sets if len(set(seats).intersection(team)) >= fails)
            passing = alive - able if POINTS_TO_WIN - 1 in view.score else alive
            refuted = [SuspicionPlan(weight, tuple(filter(able.__contains__, left))) for weight, left in own]
            for passed, kept, possible in ((True, own, passing), (False, refuted, alive & able)):
                sent(view._replace(done=(*view.done, Done(team, passed, UNKNOWN))), less, kept, possible)

    for view, odds in tried.items():
        group = suspects.group(view)
        alive = frozenset(seats for heard in _possible(suspects, view) for seats in suspects.alike(heard, group))
        sent(view, group, [SuspicionPlan(share, three) for three, share in odds.items() if share], alive)
    return table


def _possible(suspects: SuspicionGame, view: RolesPlay) -> Iterator[Seats]:
    """Spies who may be behind what was said, one set of each class."""
    for lie in suspects.orbits.lies:
        yield from (heard.spies for heard in suspects.hears(lie) if heard.view == view)


def _spies(suspects: SuspicionGame, lies: dict[Words, Fraction], missions: Missions) -> dict[str, dict[str, Fraction]]:
    """What the spies say, how they guess, and how many of them sabotage."""
    game = suspects.game
    start = suspects.orbits.start().play
    table = {
        game.title + notation.format_position(game, start): {game.label(lie): share for lie, share in lies.items()}
    }
    shares: dict[RolesPlay, dict[Seats, Fraction]] = {}  # of each set of seats, for what the good side hears
    for lie, share in lies.items():
        for heard, odds in suspects.hears(lie).items():
            own = shares.setdefault(heard.view, {})
            own[heard.spies] = own.get(heard.spies, Fraction(0)) + share * odds * heard.missed
    known: set[RolesPlay] = set()
    for lie in lies:
        for spies_view in suspects.spies_views(lie):
            clock.tick()
            view, names, group = smallest(spies_view.view, suspects.players)
            if view in known:
                continue
            known.add(view)
            hunted = [
                seat
                for seat, odds in spies_view.odds.items()
                if seat is not None and odds == max(spies_view.odds.values())
            ]
            if hunted:
                table[game.title + notation.format_position(game, view)] = {
                    f"name-{letters([names[seat]])}": Fraction(1, len(hunted)) for seat in hunted
                }
            heard = suspects.heard(spies_view)
            _cards(suspects, missions, view, group, _fights(suspects, shares[heard.view], heard), table)
    return table


def _fights(suspects: SuspicionGame, shares: dict[Seats, Fraction], heard: Heard) -> Fraction:
    """How often spies fight: less often the more likely they are to be suspected anyway."""
    group = suspects.group(heard.view)
    single = {seats: share / len(suspects.alike(seats, group)) for seats, share in shares.items()}
    every = sorted((single[seats] for seats in shares for _ in suspects.alike(seats, group)), reverse=True)
    third = every[POINTS_TO_WIN - 1] if len(every) >= POINTS_TO_WIN else Fraction(0)
    own = single[heard.spies]
    return Fraction(1) if own <= third else third / own


def _cards(
    suspects: SuspicionGame,
    missions: Missions,
    view: RolesPlay,
    group: Group,
    fights: Fraction,
    table: dict[str, dict[str, Fraction]],
) -> None:
    """The odds of cards at all that may come: those of the missions by themselves, or else all pass."""
    game, players = suspects.game, suspects.players

    def sent(view: RolesPlay, group: Group, fight: Fraction, let: Fraction) -> None:
        if POINTS_TO_WIN - 1 in view.score or not fight + let:
            return
        number = len(view.done)
        size, fails = game.table.missions[number], game.table.sabotages[number]
        for team in firsts(group, players, size):
            assert view.deal is not None
            left = steps(group, players, size)[team].group
            after = [(0, Fraction(1), Fraction(1))]
            if game.aboard(view.deal, team) >= fails:
                out = view._replace(out=team)
                own = missions.cards(out) if fight else {}
                after = [(cards, own.get(cards, Fraction(0)), Fraction(cards == 0)) for cards in (0, fails)]
                table[game.title + notation.format_position(game, out)] = {
                    game.label(cards): odds
                    for cards, more, less in after
                    if (odds := (fight * more + let * less) / (fight + let))
                }
            for cards, more, less in after:
                done = (*view.done, Done(team, cards < fails, cards))
                sent(view._replace(done=done), left, fight * more, let * less)

    sent(view, group, fights, 1 - fights)
