"""Seats that a program plays: optimal ones, and scripts that disturb.

A bot sees a `SeatView` and nothing else. Optimal is a property of a side, not of a seat: loyal seats keep their
guarantee if all of them follow the plan, spies theirs if all of them act as loyal seats would and sabotage as solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Protocol

from ruse.core.game import GameError
from ruse.games.evening.plan import PublicPlan, SpiesOrder, check_optimal, history_of
from ruse.games.evening.rules import PLAY, PROPOSE, VOTE, Act, EveningState, SeatView
from ruse.games.evening.setting import LOYAL, Seats, Setting
from ruse.games.resistance.rules import subsets
from ruse.play.rival import below
from ruse.solution.strategy import Solution


class Bot(Protocol):
    """Somebody at the table. Bots keep nothing in mind: all that they go by is in the view."""

    def propose(self, view: SeatView) -> Seats:
        """The team that this seat proposes as the leader."""

    def vote(self, view: SeatView) -> bool:
        """Whether it approves the proposed team."""

    def play(self, view: SeatView) -> bool:
        """Whether it sabotages the mission that it is on. Only spies are asked."""

    def shoot(self, view: SeatView) -> int:
        """Whom the Assassin takes for Merlin."""


def act(bot: Bot, view: SeatView) -> Act:
    """What a bot does at a view where it has to act."""
    if view.phase == PROPOSE:
        return bot.propose(view)
    if view.phase == VOTE:
        return bot.vote(view)
    if view.phase == PLAY:
        return view.evil and bot.play(view)
    return bot.shoot(view)


def targets(view: SeatView) -> Seats:
    """Whom the Assassin can shoot: everybody that he does not know to be a spy."""
    return tuple(seat for seat in range(view.table.players) if seat not in (view.seat, *view.shown))


@dataclass(frozen=True)
class LoyalConvention:
    """The convention of loyal seats (theorem 1): propose the plan's team, approve that one, reject all others."""

    plan: PublicPlan

    def team(self, view: SeatView) -> Seats:
        """The plan's team. Where nobody draws in public each seat draws by itself, and nothing is guaranteed."""
        return self.plan.team(view.missions, view.luck if view.draw is None else view.draw)

    def propose(self, view: SeatView) -> Seats:
        return self.team(view)

    def vote(self, view: SeatView) -> bool:
        if view.draw is None:
            assert view.team is not None
            return view.team in self.plan.odds(history_of(view.table, view.missions))
        return view.team == self.team(view)

    def play(self, view: SeatView) -> bool:
        return False

    def shoot(self, view: SeatView) -> int:
        raise GameError("a loyal seat has nobody to shoot")


@dataclass(frozen=True)
class OptimalSpy:
    """A spy among spies who all play so (theorem 2): propose and vote as a loyal seat would, sabotage as solved.

    `convention` is what a loyal seat would do in this seat. The spies share the draw that decides whether a mission
    fails; the first of them in seat order play the cards. After three passed missions they name any good seat.
    """

    order: SpiesOrder
    convention: Bot

    def propose(self, view: SeatView) -> Seats:
        return self.convention.propose(as_loyal(view))

    def vote(self, view: SeatView) -> bool:
        return self.convention.vote(as_loyal(view))

    def play(self, view: SeatView) -> bool:
        assert view.team is not None and view.pact is not None
        number = len(view.missions)
        share = self.order.sabotage(history_of(view.table, view.missions), view.team, view.spies)
        fails = below(share.denominator, view.pact, number) < share.numerator
        return fails and view.seat in self.order.saboteurs(number, view.team, view.spies)

    def shoot(self, view: SeatView) -> int:
        good = targets(view)
        return good[below(len(good), view.luck, 0)]


def as_loyal(view: SeatView) -> SeatView:
    """What a loyal seat would see in this seat."""
    return replace(view, role=LOYAL, evil=False, shown=(), pact=None)


@dataclass(frozen=True)
class Script:
    """A seat that goes by a simple rule, whatever the others do: for tests and simulations."""

    proposes: Callable[[SeatView, Random], Seats]
    votes: Callable[[SeatView, Random], bool]
    plays: Callable[[SeatView, Random], bool]

    def propose(self, view: SeatView) -> Seats:
        return tuple(sorted(self.proposes(view, Random(view.luck))))

    def vote(self, view: SeatView) -> bool:
        return self.votes(view, Random(view.luck))

    def play(self, view: SeatView) -> bool:
        return self.plays(view, Random(view.luck))

    def shoot(self, view: SeatView) -> int:
        return Random(view.luck).choice(targets(view))


def anybody(view: SeatView, random: Random) -> Seats:
    """A team drawn at random."""
    return random.choice(subsets(view.table.players, _size(view)))


def with_itself(view: SeatView, random: Random) -> Seats:
    """The leader, and others drawn at random."""
    others = [seat for seat in range(view.table.players) if seat != view.seat]
    return (view.seat, *random.sample(others, _size(view) - 1))


def with_spies(view: SeatView, random: Random) -> Seats:
    """As many of the spies that the leader knows as fit, itself first, and others at random."""
    known = [view.seat, *view.shown][: _size(view)]
    others = [seat for seat in range(view.table.players) if seat not in known]
    return (*known, *random.sample(others, _size(view) - len(known)))


def _size(view: SeatView) -> int:
    return view.table.missions[len(view.missions)]


def aboard(view: SeatView, random: Random) -> bool:
    """Approve a team with oneself on it."""
    return view.seat in (view.team or ())


def spies_aboard(view: SeatView, random: Random) -> bool:
    """Approve a team with a known spy on it, or with oneself."""
    return bool({view.seat, *view.shown}.intersection(view.team or ()))


def coin(view: SeatView, random: Random) -> bool:
    return random.random() < 0.5


def always(view: SeatView, random: Random) -> bool:
    return True


def never(view: SeatView, random: Random) -> bool:
    return False


def late(view: SeatView, random: Random) -> bool:
    """Sabotage from the second mission on."""
    return len(view.missions) > 0


DISRUPTORS: Mapping[str, Script] = {
    "random": Script(anybody, coin, coin),
    "reject everything": Script(with_itself, never, always),
    "approve everything": Script(anybody, always, late),
    "only with me": Script(with_itself, aboard, always),
    "only with a spy": Script(with_spies, spies_aboard, late),
    "never sabotage": Script(with_spies, spies_aboard, never),
}


@dataclass(frozen=True)
class Players:
    """Who plays the seats: one kind of bot for the good side, one for the spies."""

    good: Bot
    spies: Bot

    def of(self, evening: EveningState, seat: int) -> Bot:
        return self.spies if evening.deal.role(seat).evil else self.good


def optimal(solution: Solution, setting: Setting, convention: Bot | None = None) -> Players:
    """Both sides optimal; spies act as `convention` would, if the loyal seats follow another one than the plan."""
    check_optimal(setting)
    loyal = LoyalConvention(PublicPlan(solution))
    return Players(loyal, OptimalSpy(SpiesOrder(solution), loyal if convention is None else convention))


def play_on(evening: EveningState, players: Players, given: Mapping[int, Act] = MappingProxyType({})) -> EveningState:
    """One step, in which bots act for all seats but those whose acts are given."""
    acts = dict(given)
    for seat in evening.actors:
        if seat not in acts:
            acts[seat] = act(players.of(evening, seat), evening.view(seat))
    return evening.step(acts)


def play_out(evening: EveningState, players: Players) -> EveningState:
    """Play an evening among bots to its end."""
    while not evening.over:
        evening = play_on(evening, players)
    return evening
