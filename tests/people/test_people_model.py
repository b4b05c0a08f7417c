"""The model of how people play: its odds, and that beliefs use the same odds that bots play by."""

from __future__ import annotations

from dataclasses import replace
from math import isclose, log
from random import Random

import pytest

from evenings_of_people import CASTS, evening
from ruse import people
from ruse.games.resistance.table import OFFICIAL
from ruse.people import missions, play
from ruse.people.beliefs import BeliefTracker
from ruse.people.situations import Seen, TableState
from ruse.people.tables import PEOPLE_TABLES, SPY_ROLES


def test_the_tables_are_those_of_the_rule_book() -> None:
    assert {
        players: (table.spies, table.missions, table.sabotages) for players, table in PEOPLE_TABLES.items()
    } == OFFICIAL


@pytest.mark.parametrize("roleset", CASTS)
def test_odds_are_odds_in_every_situation_of_a_game(roleset: tuple[str, ...]) -> None:
    random, model = Random(3), people.model()
    record = evening(random, 7, roleset)
    assert record.roles is not None
    state = TableState.begin(record.table, record.plain)
    for mission in record.missions:
        for proposal in mission.proposals:
            assert proposal.leader is not None
            odds = model.team_odds(state, proposal.leader, Seen.of(record.roles, proposal.leader))
            assert isclose(sum(odds.values()), 1) and min(odds.values()) > 0
            for seat in range(record.players):
                seen = Seen.of(record.roles, seat)
                assert 0 < model.vote_odds(state, proposal.leader, proposal.team, seat, seen) < 1
            state = state.after_proposal(proposal)
        if mission.sabotages is not None:
            roles = dict(enumerate(record.roles))
            sets = play.saboteur_odds(model, state, mission.team, roles)
            assert isclose(sum(sets.values()), 1)
            aboard = sum(roles[seat] in SPY_ROLES for seat in people.members(mission.team))
            by_count = [0.0] * (aboard + 1)
            for seats, share in sets.items():
                by_count[seats.bit_count()] += share
            assert by_count == pytest.approx(model.card_odds(state, aboard))
            state = state.after_mission(mission.team, mission.sabotages)


@pytest.mark.parametrize("roleset", CASTS)
def test_evidence_is_what_the_model_says_of_each_vote_and_team(roleset: tuple[str, ...]) -> None:
    """The quick sums of beliefs, against `vote_odds` and `team_odds` one by one."""
    model = replace(people.model(), trust=(1.0, 1.0, 1.0))
    record = evening(Random(8), 6, roleset)
    roles = record.roles
    assert roles is not None
    tracker = BeliefTracker(record.table, record.roleset, model)
    scores = [0.0] * record.players
    for mission in record.missions:
        for proposal in mission.proposals:
            state = tracker.state
            for seat, vote in enumerate(proposal.votes or ()):
                odds = model.vote_odds(state, proposal.leader, proposal.team, seat, Seen.of(roles, seat))
                scores[seat] += log(odds if vote else 1 - odds)
            assert proposal.leader is not None
            seen = Seen.of(roles, proposal.leader)
            scores[proposal.leader] += log(model.team_odds(state, proposal.leader, seen)[proposal.team])
            tracker.proposal(proposal)
        if mission.sabotages is not None:
            tracker.mission(mission.team, mission.sabotages)
    for seat, score in enumerate(scores):
        seen, evidence = Seen.of(roles, seat), tracker.evidence
        summed = {"good": evidence.good, "oberon": evidence.oberon}.get(seen.kind)
        if summed is None:
            summed = (evidence.spy if seen.kind == "spy" else evidence.merlin)[seen.spies]
        assert isclose(summed[seat], score, abs_tol=1e-9)


def test_people_do_what_the_records_say_they_do() -> None:
    """Directions that the counts of people.md leave no doubt about."""
    model, table = people.model(), people.people_table(7)
    begin = TableState.begin(table, True)
    assert model.card_odds(begin, 1)[1] < 0.4  # a lone spy on mission 1 mostly passes
    last = TableState(table, True, 4, 2, 2, begin.weights, habits=begin.habits, agreed=begin.agreed)
    assert model.card_odds(last, 1)[1] > 0.85  # and at 2-2 hardly ever does
    assert sum(odds for team, odds in model.team_odds(begin, 0, Seen("good")).items() if team & 1) > 0.75
    assert model.vote_odds(last, 0, 0b0001111, 6, Seen("good")) < 0.2  # a team that must hold a spy
    second = begin.after_proposal(rejected := people.Proposal(0, 0b11, (False,) * 7))
    hammer = second.after_proposal(rejected).after_proposal(rejected).after_proposal(rejected)
    late, usual = (model.vote_odds(state, 4, 0b110, 6, Seen("good")) for state in (hammer, second))
    assert late > 0.6 > 0.4 > usual


def test_missions_alone_have_odds_of_teams_and_cards() -> None:
    state = missions.mission_state(5, [(0b00011, 1)])
    teams = missions.sent_odds(state)
    assert isclose(sum(teams.values()), 1) and len(teams) == 10
    assert teams[0b11100] > teams[0b00111]  # those who were on a failed mission stay at home
    assert teams[0b11100] == pytest.approx(missions.sent_odds(state, 0)[0b11100])
    knowing = missions.sent_odds(state, 0b00101)
    assert isclose(sum(knowing.values()), 1) and knowing != teams
    assert missions.sabotage_odds(5, 0, 0, 1) == people.model().card_odds(missions.mission_state(5, []), 1)


def test_a_majority_is_more_than_half() -> None:
    assert missions.majority([1, 1, 0, 0]) == 0 and missions.majority([1, 1, 1, 0, 0]) == 1
    assert missions.majority([0.5] * 3) == 0.5


def test_the_assassin_shoots_somebody_good() -> None:
    random, model = Random(5), people.model()
    record = evening(random, 5, ("merlin", "percival", "morgana"))
    while record.score[0] < 3:
        record = evening(random, 5, ("merlin", "percival", "morgana"))
    assert record.spies is not None
    odds = people.shot_odds(model, record, record.spies)
    assert isclose(sum(odds.values()), 1) and not any(record.spies >> seat & 1 for seat in odds)
    assert play.shoot(model, record, record.spies, None, random) in odds
    with pytest.raises(people.RecordError, match="without Merlin"):
        people.shot_odds(model, replace(record, roleset=(), roles=None), record.spies)


def test_the_model_names_its_source_and_counts() -> None:
    about = people.model().notes
    assert "avalonlogs" in about["source"] and about["games"] == {"plain": 448, "with roles": 5919}
    assert all(count > 1000 for count in about["votes"].values())
