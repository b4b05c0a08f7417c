"""What somebody may believe: facts by hand, roles, and records of real games where their path is given."""

from __future__ import annotations

import gzip
import json
import os
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from amounts import some
from evenings_of_people import CASTS, evening
from ruse import people
from ruse.people.beliefs import SeatKnowledge, beliefs_after
from ruse.people.records import EveningRecord, PlayedMission, Proposal
from ruse.people.review import known, review, telling_votes
from ruse.people.tables import SPY_ROLES

RECORDS = os.environ.get("RUSE_RECORDS")  # records-train.jsonl.gz


def missions(*played: tuple[int, int]) -> EveningRecord:
    """Missions without votes at a table of five."""
    return EveningRecord(
        people.people_table(5), (), tuple(PlayedMission((Proposal(None, team),), shown) for team, shown in played)
    ).checked()


def test_facts_are_counted() -> None:
    record = missions((0b00011, 1), (0b00111, 0))
    for seat in range(5):
        sets = [
            {*spies} for spies in combinations([other for other in range(5) if other != seat], 2) if {*spies} & {0, 1}
        ]
        expected = {other: sum(other in spies for spies in sets) / len(sets) for other in range(5)}
        assert people.beliefs(record, seat, model="facts") == pytest.approx(expected)


def test_two_sabotages_from_two_prove_both_in_every_model() -> None:
    record = missions((0b00011, 2))
    for model in ("facts", "people"):
        assert people.beliefs(record, 3, model=model) == pytest.approx({0: 1, 1: 1, 2: 0, 3: 0, 4: 0})


def test_a_passed_mission_makes_those_who_stayed_likelier_spies() -> None:
    record = missions((0b00011, 0), (0b00111, 0))
    odds = people.beliefs(record, 4)
    assert odds[0] < odds[2] < odds[3] and odds[4] == 0
    assert people.beliefs(record, 4, model="facts")[3] == 0.5


@pytest.mark.parametrize("roleset", CASTS)
def test_beliefs_add_up_and_respect_what_a_role_is_shown(roleset: tuple[str, ...]) -> None:
    record = evening(Random(11), 7, roleset)
    roles, spies = record.roles, record.spies
    assert roles is not None and spies is not None
    for seat, role in enumerate(roles):
        for after in beliefs_after(record, people.viewer_of(record, seat)):
            assert sum(after.spies) == pytest.approx(3)
            assert after.spies[seat] == pytest.approx(float(role in SPY_ROLES))
            assert sum(after.merlin) == pytest.approx(float("merlin" in roleset))
            if role == "merlin" or (role in ("minion", "morgana", "mordred") and "oberon" not in roleset):
                sure = {other for other, share in enumerate(after.spies) if share > 1 - 1e-9}
                hidden = {other for other in range(7) if roles[other] == "mordred" and role == "merlin"}
                assert sure >= {*people.members(spies)} - hidden


def test_a_loyal_seat_uses_no_role_of_another_seat() -> None:
    record = evening(Random(12), 7, ("merlin", "percival", "morgana"))
    assert record.roles is not None
    seat = record.roles.index("loyal")
    without = EveningRecord(record.table, record.roleset, record.missions)
    assert people.beliefs(record, seat) == people.beliefs(without, seat, "loyal")


def test_votes_and_teams_find_spies_where_cards_are_silent() -> None:
    """In games that people of the model play, beliefs are better than the facts, and honest."""
    random, gains, odds = Random(13), [], []
    for _ in range(some(120)):
        record = evening(random, 5, ())
        assert record.roles is not None and record.spies is not None
        for after, facts in zip(
            beliefs_after(record, viewer := SeatKnowledge(record.roles.index("loyal"))),
            beliefs_after(record, viewer, "facts"),
            strict=True,
        ):
            gains.append(after.sets[record.spies] - facts.sets[record.spies])
            odds += [(after.spies[seat], record.spies >> seat & 1) for seat in range(5) if seat != viewer.seat]
    assert sum(gains) / len(gains) > 0.1
    assert sum(share for share, _ in odds) == pytest.approx(sum(spy for _, spy in odds))
    high = [spy for share, spy in odds if share > 0.8]
    assert sum(high) / len(high) > 0.7


def test_a_review_needs_roles_and_tells_what_was_known() -> None:
    record = evening(Random(4), 5, ("merlin",))
    lines = review(record)
    assert lines[0].startswith("The spies were ") and len(lines) > len(record.played)
    assert all(0 <= one.odds <= 1 and not one.proved & one.cleared for one in known(record))
    assert all(vote.ratio >= 1.5 for vote in telling_votes(record))
    with pytest.raises(people.RecordError, match="needs the roles"):
        review(EveningRecord(record.table, record.roleset, record.missions))


@pytest.mark.skipif(RECORDS is None, reason="RUSE_RECORDS names no file of records")
def test_every_record_is_read_and_assessed() -> None:
    assert RECORDS is not None
    lines = gzip.decompress(Path(RECORDS).read_bytes()).decode().splitlines()
    for line in lines[:: 1 if some(4) == 4 else 20]:
        record = people.read_record(json.loads(line))
        assert record.roles is not None
        seat = record.roles.index("loyal") if "loyal" in record.roles else 0
        for after in beliefs_after(record, people.viewer_of(record, seat)):
            assert sum(after.spies) == pytest.approx(record.table.spies)
