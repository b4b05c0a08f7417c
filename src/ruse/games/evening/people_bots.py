"""Seats that play as people do, by the model of `ruse.people`: proposals, votes, cards and the Assassin's shot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from ruse import people
from ruse.core.game import GameError
from ruse.games.evening.bots import targets
from ruse.games.evening.rules import EveningMission, SeatView, VotedTeam
from ruse.games.evening.setting import MINION, OBERON, Seats, Setting
from ruse.people.play import drawn, sabotage_share, saboteur_odds
from ruse.people.situations import KIND_OF

MORDRED = "mordred"
STATES = 1_024  # kept in memory


def knows_people(setting: Setting) -> bool:
    """Whether people were recorded at a table like this."""
    return setting.table.is_official


def check_people(setting: Setting) -> None:
    """Refuse a table at which there are no records of people. Raises GameError."""
    if not knows_people(setting):
        raise GameError("the model of people knows only the official tables of 5 to 10 seats; choose optimal bots")


def bits(seats: Seats) -> int:
    """Seats as the model of people has them."""
    return sum(1 << seat for seat in seats)


def members(number: int) -> Seats:
    return people.members(number)


@lru_cache(maxsize=STATES)
def _state(
    setting: Setting, missions: tuple[EveningMission, ...], proposals: tuple[VotedTeam, ...]
) -> people.TableState:
    """What everybody has seen, as the model of people has it."""
    if proposals:
        return _state(setting, missions, proposals[:-1]).after_proposal(_proposal(proposals[-1]))
    if not missions:
        return people.TableState.begin(people.people_table(setting.table.players), not setting.roles)
    last = missions[-1]
    assert last.sabotages is not None
    return _state(setting, missions[:-1], last.proposals).after_mission(bits(last.team), last.sabotages)


def _proposal(proposal: VotedTeam) -> people.Proposal:
    return people.Proposal(proposal.leader, bits(proposal.team), proposal.votes)


def state_of(view: SeatView) -> people.TableState:
    """What everybody has seen before the proposal that is being made or voted on."""
    return _state(view.setting, view.missions, view.proposals)


def record_of(view: SeatView) -> people.EveningRecord:
    """What everybody has seen, as a record without roles."""
    rounds = [(mission.proposals, mission.sabotages) for mission in view.missions]
    rounds += [(view.proposals, None)] if view.proposals else []
    missions = tuple(
        people.PlayedMission(tuple(map(_proposal, proposals)), sabotages) for proposals, sabotages in rounds
    )
    return people.EveningRecord(people.people_table(view.table.players), view.setting.roles, missions)


def seen_by(view: SeatView) -> people.Seen:
    """What a seat knows, as the model of people has it."""
    kind = KIND_OF[view.role]
    if kind == "spy":
        return people.Seen(kind, bits((view.seat, *view.shown)))
    return people.Seen(kind, bits(view.shown) if kind == "merlin" else 0)


def beliefs(view: SeatView) -> people.Beliefs:
    """How likely each seat, and each set of seats, are the spies by the model of people, for somebody with a view."""
    record = record_of(view)
    tracker = people.BeliefTracker(record.table, record.roleset, people.model())
    for mission in record.missions:
        for proposal in mission.proposals:
            tracker.proposal(proposal)
        if mission.sabotages is not None:
            tracker.mission(mission.team, mission.sabotages)
    own = (view.seat,) if view.evil else ()
    sees = bits((*own, *view.shown)) if view.shown or view.evil else None
    return tracker.beliefs(people.SeatKnowledge(view.seat, view.role, sees))


def clean_odds(view: SeatView, suspicion: people.Beliefs, team: Seats) -> float:
    """How likely too few spies are on a team to fail the next mission."""
    fails, aboard = view.table.sabotages[len(view.missions)], bits(team)
    return sum(share for spies, share in suspicion.sets.items() if (spies & aboard).bit_count() < fails)


@dataclass(frozen=True)
class PeopleBot:
    """A seat as people play it, with any role. It draws from its own dice, and spies draw their cards together."""

    def propose(self, view: SeatView) -> Seats:
        odds = people.model().team_odds(state_of(view), view.seat, seen_by(view))
        return members(drawn(odds, Random(view.luck)))

    def vote(self, view: SeatView) -> bool:
        assert view.team is not None
        share = people.model().vote_odds(state_of(view), view.leader, bits(view.team), view.seat, seen_by(view))
        return Random(view.luck).random() < share

    def play(self, view: SeatView) -> bool:
        """Spies who know each other sabotage together, as often as people do, so their cards are no accident."""
        assert view.team is not None
        state = state_of(view)
        if view.pact is None:
            share = sabotage_share(people.model(), state, 1 << view.seat, {view.seat: OBERON}, view.seat)
            return Random(view.luck).random() < share
        roles = {seat: MINION if seat in view.spies else "loyal" for seat in view.team}
        saboteurs = drawn(saboteur_odds(people.model(), state, bits(view.team), roles), Random(view.pact))
        return bool(saboteurs >> view.seat & 1)

    def shoot(self, view: SeatView) -> int:
        """Whom people would name. The Assassin does not know which of the others is Mordred, or who is Oberon."""
        record, known = record_of(view), bits(view.spies)
        deals = [(known | hidden, mordred) for hidden in self._oberons(view) for mordred in self._mordreds(view)]
        odds = dict.fromkeys(targets(view), 0.0)
        for spies, mordred in deals:
            for seat, share in people.shot_odds(people.model(), record, spies, mordred).items():
                odds[seat] += share / len(deals)
        return drawn(odds, Random(view.luck))

    @staticmethod
    def _oberons(view: SeatView) -> list[int]:
        return [1 << seat for seat in targets(view)] if OBERON in view.setting.roles else [0]

    @staticmethod
    def _mordreds(view: SeatView) -> list[int | None]:
        if MORDRED not in view.setting.roles:
            return [None]
        return [view.seat] if view.role == MORDRED else list(view.shown)
