"""Records of evenings: what they hold, and that contradictions are refused in one sentence."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from evenings_of_people import CASTS, evening
from ruse.people import RecordError, beliefs, read_record

VOTES = dict.fromkeys("abcde", True)
GAME: dict[str, Any] = {
    "players": 5,
    "roleset": ["merlin"],
    "roles": {"a": "merlin", "b": "minion", "c": "loyal", "d": "loyal", "e": "minion"},
    "missions": [
        {"proposals": [{"leader": "a", "team": "ab", "votes": VOTES}], "sabotages": 1, "saboteurs": "b"},
        {
            "proposals": [
                {"leader": "b", "team": "bce", "votes": dict.fromkeys("abcde", False)},
                {"leader": "c", "team": "acd", "votes": VOTES},
            ],
            "sabotages": 0,
            "saboteurs": "",
        },
    ],
}

ENDED = [
    {"proposals": [{"leader": "a", "team": team, "votes": VOTES}], "sabotages": 1}
    for team in ("ab", "abc", "ab", "abc")
]


def changed(path: str, value: Any) -> dict[str, Any]:
    """The game with another value at a path such as missions.0.sabotages."""
    game = copy.deepcopy(GAME)
    place: Any = game
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    for step in way:
        place = place[step]
    place[last] = value
    return game


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("players", 4, "expected 5 to 10 players"),
        ("players", "five", "expected a number of players"),
        ("roleset", ["merlin", "lancelot"], "unknown role 'lancelot'"),
        ("roleset", ["merlin", "morgana", "mordred", "oberon"], "too few for"),
        ("roleset", [], "the role set has merlin 0 times, the seats 1"),
        ("roles.c", "minion", "expected 2 spies among 5 seats, got 3"),
        ("roles", {"a": "merlin"}, "expected a role of every seat, got none of b, c, d, e"),
        ("missions.0.proposals.0.votes", VOTES | {"f": True}, "there is a vote of seat 'f'"),
        ("missions.0.proposals.0.votes", {"a": True}, "expected a vote of every seat"),
        ("missions.0.proposals.0.votes.a", "yes", "expected votes to be true or false"),
        ("missions.0.proposals.0.votes", dict.fromkeys("abcde", False), "its last proposal ab was rejected"),
        ("missions.1.proposals.0.votes", VOTES, "was approved, but another proposal follows"),
        ("missions.1.proposals", [GAME["missions"][1]["proposals"][0]] * 6, "after 5 rejected ones the game is over"),
        ("missions.0.proposals.0.team", "abc", "expected 2 seats on mission 1"),
        ("missions.0.proposals.0.team", "aa", "expected each seat once"),
        ("missions.0.proposals.0.team", "ax", "there is a team member of seat 'x'"),
        ("missions.0.proposals.0.leader", "ab", "expected one leader"),
        ("missions.0.proposals", [], "was played without a team"),
        ("missions.0.sabotages", None, "has no number of sabotages, but another mission follows"),
        ("missions.0.sabotages", 2, "mission 1 shows 2 sabotages, but only 1 of its seats are spies"),
        ("missions.0.sabotages", 3, "cannot show 3 sabotages with only 2 spies"),
        ("missions.0.sabotages", -1, "cannot show -1 sabotages"),
        ("missions.0.sabotages", "1", "expected a number of sabotages"),
        ("missions.0.saboteurs", "a", "a sabotaged mission 1, but is no spy"),
        ("missions.0.saboteurs", "e", "e sabotaged mission 1 without being aboard"),
        ("missions.0.saboteurs", "", "names 0 seats that sabotaged"),
        ("missions.1.sabotages", 1, "mission 2 shows 1 sabotage, but only 0"),
        ("missions", {}, "expected missions to be a list"),
        ("missions", ENDED, "the game was over before mission 4"),
        ("missions.0", 7, "expected a mission with proposals"),
        ("missions.0.proposals.0", "ab", "expected a proposal with leader"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(path: str, value: Any, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as refused:
        read_record(changed(path, value))
    assert "\n" not in str(refused.value)


def test_sabotages_that_no_deal_explains_are_refused() -> None:
    game = changed("roles", None)
    for mission, team in zip(game["missions"], ("ab", "cde"), strict=True):
        mission["proposals"] = [{"leader": "a", "team": team, "votes": None}]
        mission |= {"sabotages": 2, "saboteurs": None}
    with pytest.raises(RecordError, match="no 2 spies can have made all these sabotages"):
        beliefs(read_record(game), 0)


def test_a_record_reads_what_it_writes() -> None:
    random = Random(1)
    for roleset in CASTS:
        record = evening(random, 7, roleset)
        assert read_record(record.to_json()) == record
