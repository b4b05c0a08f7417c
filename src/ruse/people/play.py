"""Moves as people make them: drawn from the model of people.

Every function draws from a `random.Random` of yours. `seen` says who moves (`Seen.of`), `state` what everybody saw.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import exp
from random import Random
from typing import TypeVar

from ruse.people.model import PeopleModel
from ruse.people.records import EveningRecord
from ruse.people.shots import shot_odds
from ruse.people.situations import Seen, TableState
from ruse.people.tables import SPY_ROLES, members

Drawn = TypeVar("Drawn")


def propose(model: PeopleModel, state: TableState, leader: int, seen: Seen, random: Random) -> int:
    """The team that a leader proposes, as bits of seats."""
    return drawn(model.team_odds(state, leader, seen), random)


def vote(
    model: PeopleModel, state: TableState, leader: int | None, team: int, seat: int, seen: Seen, random: Random
) -> bool:
    """Whether somebody approves a team."""
    return random.random() < model.vote_odds(state, leader, team, seat, seen)


def saboteur_odds(model: PeopleModel, state: TableState, team: int, roles: Mapping[int, str]) -> dict[int, float]:
    """How likely each set of the spies aboard sabotages, as bits of seats; `roles` has at least those of the team.

    The number of sabotages follows the model, and so does which role makes them.
    """
    aboard = [seat for seat in members(team) if roles[seat] in SPY_ROLES]
    odds = {}
    for count, share in enumerate(model.card_odds(state, len(aboard))):
        sets = [*combinations(aboard, count)]
        weights = [exp(sum(model.roles[roles[seat]] for seat in seats)) for seats in sets]
        for seats, weight in zip(sets, weights, strict=True):
            odds[sum(1 << seat for seat in seats)] = share * weight / sum(weights)
    return odds


def sabotage(model: PeopleModel, state: TableState, team: int, roles: Mapping[int, str], random: Random) -> int:
    """Who sabotages a mission, as bits of seats, drawn for all spies aboard at once."""
    return drawn(saboteur_odds(model, state, team, roles), random)


def sabotage_share(model: PeopleModel, state: TableState, team: int, roles: Mapping[int, str], seat: int) -> float:
    """How often one spy aboard sabotages, whatever the others do."""
    return sum(share for seats, share in saboteur_odds(model, state, team, roles).items() if seats >> seat & 1)


def shoot(model: PeopleModel, record: EveningRecord, spies: int, mordred: int | None, random: Random) -> int:
    """The seat that the Assassin names."""
    return drawn(shot_odds(model, record, spies, mordred), random)


def drawn(odds: Mapping[Drawn, float], random: Random) -> Drawn:
    """One of the keys, as often as its odds say."""
    return random.choices([*odds], [*odds.values()])[0]
