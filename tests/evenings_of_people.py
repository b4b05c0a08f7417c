"""Games drawn from the model of how people play, as records, for tests."""

from __future__ import annotations

from random import Random

from ruse import people
from ruse.people import play
from ruse.people.records import EveningRecord, PlayedMission, Proposal
from ruse.people.situations import Seen, TableState
from ruse.people.tables import SPECIAL_ROLES, SPY_ROLES

CASTS = ((), ("merlin",), ("merlin", "percival", "morgana"), ("merlin", "percival", "morgana", "mordred"), ("oberon",))


def deal(random: Random, players: int, roleset: tuple[str, ...]) -> tuple[str, ...]:
    table = people.people_table(players)
    evil = [role for role in roleset if role in SPY_ROLES]
    good = [role for role in roleset if role not in SPY_ROLES]
    roles = [*evil, *["minion"] * (table.spies - len(evil)), *good, *["loyal"] * (table.loyal - len(good))]
    random.shuffle(roles)
    return tuple(roles)


def evening(random: Random, players: int, roleset: tuple[str, ...] = ()) -> EveningRecord:
    """A whole game of people; `random` decides everything."""
    assert {*roleset} <= {*SPECIAL_ROLES}
    model, table = people.model(), people.people_table(players)
    roles = deal(random, players, roleset)
    record, leader = EveningRecord(table, roleset, (), roles), 0
    state = TableState.begin(table, not roleset)
    while not record.over:
        proposals: list[Proposal] = []
        while len(proposals) < 5:
            team = play.propose(model, state, leader, Seen.of(roles, leader), random)
            votes = tuple(
                play.vote(model, state, leader, team, seat, Seen.of(roles, seat), random) for seat in range(players)
            )
            proposals.append(Proposal(leader, team, votes))
            state, leader = state.after_proposal(proposals[-1]), (leader + 1) % players
            if proposals[-1].approved:
                break
        if not proposals[-1].approved:
            return EveningRecord(table, roleset, (*record.missions, PlayedMission(tuple(proposals))), roles).checked()
        culprits = play.sabotage(model, state, proposals[-1].team, dict(enumerate(roles)), random)
        played = PlayedMission(tuple(proposals), culprits.bit_count(), culprits)
        state = state.after_mission(played.team, culprits.bit_count())
        record = EveningRecord(table, roleset, (*record.missions, played), roles).checked()
    return record
