"""The model of people projected to missions, for games that leave out leaders and votes.

*Cards*: how many sabotages appear, given the spies aboard. *Teams*: which team goes, given the missions before it.
Every seat leads equally often, and a team goes in proportion to how often it is proposed and approved; everybody
proposes and votes as in the model, with no earlier proposals to look back on. With `spies`, they lead and vote as
spies do; otherwise everybody counts as good, which is what a side that does not know its spies can imitate.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruse.people.model import PeopleModel
from ruse.people.model import model as fitted_model
from ruse.people.situations import Seen, TableState
from ruse.people.tables import people_table


def mission_state(players: int, missions: Sequence[tuple[int, int]], plain: bool = True) -> TableState:
    """The table after missions, each with its team (bits of seats) and how many sabotages appeared."""
    state = TableState.begin(people_table(players), plain)
    for team, sabotages in missions:
        state = state.after_mission(team, sabotages)
    return state


def sabotage_odds(
    players: int, mission: int, passed: int, aboard: int, plain: bool = True, model: PeopleModel | None = None
) -> tuple[float, ...]:
    """The odds of 0, 1, 2, … sabotages on a mission (from 0) after so many passed, with so many spies aboard."""
    return (model or fitted_model()).count_odds(people_table(players), plain, mission, passed, aboard)


def sent_odds(state: TableState, spies: int | None = None, model: PeopleModel | None = None) -> dict[int, float]:
    """How likely each team is the one that goes."""
    people, players = model or fitted_model(), state.table.players
    seen = [Seen("spy", spies) if spies is not None and spies >> seat & 1 else Seen("good") for seat in range(players)]
    odds: dict[int, float] = {}
    for leader in range(players):
        for team, share in people.team_odds(state, leader, seen[leader]).items():
            votes = [people.vote_odds(state, leader, team, seat, seen[seat]) for seat in range(players)]
            odds[team] = odds.get(team, 0.0) + share * majority(votes)
    total = sum(odds.values())
    return {team: share / total for team, share in odds.items()}


def majority(votes: Sequence[float]) -> float:
    """How likely more than half approve, each with their own odds."""
    counts = [1.0]
    for share in votes:
        counts = [stay * (1 - share) + more * share for stay, more in zip([*counts, 0.0], [0.0, *counts], strict=True)]
    return sum(counts[len(votes) // 2 + 1 :])
