"""Strategies where missions can do no more than try three suspicions (`suspects`), written down by class.

The good side draws three suspicions by what was said, and tries one after the other. The spies name who is most likely
hunted. They fight, that is, play the missions as they would without talk, or else let all pass: fighting is only worth
it for spies who are not among the likeliest anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from ruse.core import clock
from ruse.core.certificate import Certificate
from ruse.core.types import Tables
from ruse.forms.sequence_form import sequence_form
from ruse.games.hidden_roles import notation
from ruse.games.hidden_roles.names import Group, firsts, renamed_seats, smallest, steps
from ruse.games.hidden_roles.roles import Seats
from ruse.games.hidden_roles.rules import SPIES, UNKNOWN, Done, HiddenRoles, Play, Words
from ruse.games.hidden_roles.suspects import Heard, Missions, Suspects, Suspicions
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.solvers.lp import lp
from ruse.solving.tables import odds_of


def solve(game: HiddenRoles, missions: Missions) -> tuple[Certificate, Tables]:
    """Both sides' strategies at a table that `fits`."""
    suspects = Suspects(game)
    form = sequence_form(suspects)
    solved = lp(form)
    tried: dict[Play, dict[Suspicions, Fraction]] = {}
    spoken: dict[Words, Fraction] = {}
    for side, found in enumerate(odds_of(form, solved.plans)):
        for knowledge, odds in found.items():
            if side == SPIES:
                spoken = {lie: share for lie, share in odds.items() if share}
            else:
                tried[knowledge[0]] = odds
    return solved.certificate, (_good(suspects, tried), _spies(suspects, spoken, missions))


class Plan(NamedTuple):
    weight: Fraction
    left: Suspicions  # not yet refuted, the one that is being tried first


def _good(suspects: Suspects, tried: dict[Play, dict[Suspicions, Fraction]]) -> dict[str, dict[str, Fraction]]:
    """Missions by class: each keeps clear of the first suspicion that is left."""
    game, players = suspects.game, suspects.players
    found: dict[str, dict[str, Fraction]] = {}

    def sent(view: Play, group: Group, plans: list[Plan], alive: frozenset[Seats]) -> None:
        clock.tick()
        if not alive or POINTS_TO_WIN in view.score:
            return
        number = len(view.done)
        size, fails = game.table.missions[number], game.table.sabotages[number]
        odds: dict[str, Fraction] = {}
        after: dict[Seats, tuple[Group, list[Plan]]] = {}
        total = sum((plan.weight for plan in plans), Fraction(0))
        for plan in plans:
            clear = [seat for seat in range(players) if not plan.left or seat not in plan.left[0]]
            step = steps(group, players, size)[tuple(clear[:size])]
            left = tuple(renamed_seats(one, step.renaming) for one in plan.left)
            odds[letters(step.first)] = odds.get(letters(step.first), Fraction(0)) + plan.weight / total
            after.setdefault(step.first, (step.group, []))[1].append(Plan(plan.weight, left))
        found[game.title + notation.tell(game, view)] = odds
        for team, (less, own) in after.items():

            def can(seats: Seats, team: Seats = team) -> bool:
                return len(set(seats).intersection(team)) >= fails

            must = POINTS_TO_WIN - 1 in view.score
            for passed in (True, False):
                now = view._replace(done=(*view.done, Done(team, passed, UNKNOWN)))
                left_alive = frozenset(s for s in alive if (not (must and can(s)) if passed else can(s)))
                kept = own if passed else [Plan(w, tuple(s for s in left if can(s))) for w, left in own]
                sent(now, less, kept, left_alive)

    for view, odds in tried.items():
        group = suspects.group(view)
        alive = frozenset(one for heard in _possible(suspects, view) for one in suspects.alike(heard, group))
        sent(view, group, [Plan(share, three) for three, share in odds.items() if share], alive)
    return found


def _possible(suspects: Suspects, view: Play) -> Iterator[Seats]:
    """Spies who may be behind what was said, one set of each class."""
    for lie in suspects.orbits.lies:
        yield from (heard.spies for heard in suspects.hears(lie) if heard.view == view)


def _spies(suspects: Suspects, spoken: dict[Words, Fraction], missions: Missions) -> dict[str, dict[str, Fraction]]:
    """What the spies say, how they guess, and how many of them sabotage."""
    game = suspects.game
    start = suspects.orbits.start().play
    found = {game.title + notation.tell(game, start): {game.label(lie): share for lie, share in spoken.items()}}
    shares: dict[Play, dict[Seats, Fraction]] = {}  # of each set of seats, for what the good side hears
    for lie, share in spoken.items():
        for heard, odds in suspects.hears(lie).items():
            own = shares.setdefault(heard.view, {})
            own[heard.spies] = own.get(heard.spies, Fraction(0)) + share * odds * heard.missed
    known: set[Play] = set()
    for lie in spoken:
        for told in suspects.told(lie):
            clock.tick()
            view, names, group = smallest(told.view, suspects.players)
            if view in known:
                continue
            known.add(view)
            hunted = [seat for seat, odds in told.odds.items() if seat is not None and odds == max(told.odds.values())]
            if hunted:
                found[game.title + notation.tell(game, view)] = {
                    f"name-{letters([names[seat]])}": Fraction(1, len(hunted)) for seat in hunted
                }
            heard = suspects.heard(told)
            _cards(suspects, missions, view, group, _fights(suspects, shares[heard.view], heard), found)
    return found


def _fights(suspects: Suspects, shares: dict[Seats, Fraction], heard: Heard) -> Fraction:
    """How often spies fight: less often the more likely they are to be suspected anyway."""
    group = suspects.group(heard.view)
    single = {seats: share / len(suspects.alike(seats, group)) for seats, share in shares.items()}
    every = sorted((single[seats] for seats in shares for _ in suspects.alike(seats, group)), reverse=True)
    third = every[POINTS_TO_WIN - 1] if len(every) >= POINTS_TO_WIN else Fraction(0)
    own = single[heard.spies]
    return Fraction(1) if own <= third else third / own


def _cards(
    suspects: Suspects,
    missions: Missions,
    view: Play,
    group: Group,
    fights: Fraction,
    found: dict[str, dict[str, Fraction]],
) -> None:
    """The odds of cards at all that may come: those of the missions by themselves, or else all pass."""
    game, players = suspects.game, suspects.players

    def sent(view: Play, group: Group, fight: Fraction, let: Fraction) -> None:
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
                found[game.title + notation.tell(game, out)] = {
                    game.label(cards): odds
                    for cards, more, less in after
                    if (odds := (fight * more + let * less) / (fight + let))
                }
            for cards, more, less in after:
                done = (*view.done, Done(team, cards < fails, cards))
                sent(view._replace(done=done), left, fight * more, let * less)

    sent(view, group, fights, 1 - fights)
