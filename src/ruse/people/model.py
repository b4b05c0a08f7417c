"""A model of how people play, fitted on recorded games.

`model()` gives the one that comes with ruse. Its coefficients, the counts behind them and their source are in
people.json beside this file; `python -m benchmarks.people fit RECORDS` makes that file anew.

    card_odds   how many sabotages appear, by the spies aboard: a log-linear model of the number
    vote_odds   whether somebody approves a team: a logistic regression
    team_odds   which team a leader proposes: a conditional logit over all teams
    shot_odds   whom the Assassin names: a conditional logit over the good seats

People who know no spies, Merlin, spies who know each other, and Oberon, who knows none, have coefficients of their own
(`Seen.kind`: good, merlin, spy, oberon). The features are in `ruse.people.situations`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb, exp, log1p
from operator import mul
from pathlib import Path
from typing import Any

from ruse.people.situations import (
    CARD_FEATURES,
    INSIDERS,
    TEAM_FEATURES,
    TEAM_INSIGHTS,
    VOTE_FEATURES,
    VOTE_INSIGHTS,
    Seen,
    TableState,
    card_features,
    team_features,
    team_insights,
    vote_features,
    vote_insights,
)
from ruse.people.tables import PeopleTable, seat_sets

SHOT_FEATURES = (
    *("votes and teams like Merlin's", "on the last team", "led a team without spies", "led a team with spies"),
    *("approved teams without spies", "approved teams with spies"),
)
PATH = Path(__file__).parent / "people.json"
KINDS = ("good", *INSIDERS, "oberon")


@dataclass(frozen=True, eq=False)
class PeopleModel:
    """The coefficients, in the order of the features."""

    cards: tuple[float, ...]
    votes: Mapping[str, tuple[float, ...]]
    teams: Mapping[str, tuple[float, ...]]
    shots: tuple[float, ...]
    trust: tuple[float, float, float]  # exponents of cards, votes and teams in beliefs
    roles: Mapping[str, float]  # log odds that the sabotage is this spy's, where fewer sabotage than are aboard
    notes: Mapping[str, Any]  # source and counts

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> PeopleModel:
        """The model in a file's JSON, in which every coefficient has the name of its feature."""

        def values(entry: Mapping[str, float], names: Sequence[str]) -> tuple[float, ...]:
            return tuple(entry[name] for name in names)

        def of(kind: str, plain: Sequence[str], insights: Sequence[str]) -> tuple[str, ...]:
            return (*plain, *(insights if kind in INSIDERS else ()))

        return PeopleModel(
            values(data["cards"], CARD_FEATURES),
            {kind: values(data["votes"][kind], of(kind, VOTE_FEATURES, VOTE_INSIGHTS)) for kind in KINDS},
            {kind: values(data["teams"][kind], of(kind, TEAM_FEATURES, TEAM_INSIGHTS)) for kind in KINDS},
            values(data["shots"], SHOT_FEATURES),
            values(data["trust"], ("cards", "votes", "teams")),  # type: ignore[arg-type]
            data["sabotage by role"],
            data["about"],
        )

    def packed(self) -> dict[str, Any]:
        """The coefficients as companion-people.js reads them."""
        votes, teams = ({kind: [*values] for kind, values in by_kind.items()} for by_kind in (self.votes, self.teams))
        return {"cards": [*self.cards], "votes": votes, "teams": teams, "trust": [*self.trust]}

    # Odds.

    def card_odds(self, state: TableState, aboard: int) -> tuple[float, ...]:
        """The odds of 0, 1, 2, … sabotages on the next mission with so many spies aboard."""
        return self.count_odds(state.table, state.plain, state.mission, state.passed, aboard)

    @lru_cache(maxsize=4096)  # noqa: B019  # models live as long as the program
    def count_odds(self, table: PeopleTable, plain: bool, mission: int, passed: int, aboard: int) -> tuple[float, ...]:
        """The odds of 0, 1, 2, … sabotages, by the number of the mission (from 0) and of those that passed."""
        return normalised(
            [
                comb(aboard, count) * exp(dot(self.cards, card_features(table, plain, mission, passed, aboard, count)))
                for count in range(aboard + 1)
            ]
        )

    def vote_odds(self, state: TableState, leader: int | None, team: int, seat: int, seen: Seen) -> float:
        """How likely somebody approves a team."""
        features = vote_features(state, leader, team, seat)
        if seen.kind in INSIDERS:
            leading = leader is not None and bool(seen.spies >> leader & 1)
            features += vote_insights(
                state, (team & seen.spies).bit_count(), bool(team >> seat & 1), leader == seat, leading
            )
        return exp(log_logistic(dot(self.votes[seen.kind], features)))

    def team_odds(self, state: TableState, leader: int, seen: Seen) -> dict[int, float]:
        """How likely a leader proposes each team (bits of seats)."""
        teams = seat_sets(state.table.players, state.table.missions[state.mission])
        coefficients = self.teams[seen.kind]
        values = []
        for team in teams:
            features = team_features(state, leader, team)
            if seen.kind in INSIDERS:
                features += team_insights(state, (team & seen.spies).bit_count())
            values.append(exp(dot(coefficients, features)))
        return dict(zip(teams, normalised(values), strict=True))


def dot(coefficients: Sequence[float], features: Sequence[float]) -> float:
    """The sum of products."""
    return float(sum(map(mul, coefficients, features)))


def normalised(values: Sequence[float]) -> tuple[float, ...]:
    """Values as shares of their sum."""
    total = sum(values)
    return tuple(value / total for value in values)


def log_logistic(value: float) -> float:
    """The logarithm of 1 / (1 + exp(-value))."""
    return -log1p(exp(-value)) if value > 0 else value - log1p(exp(value))


@cache
def model() -> PeopleModel:
    """The model that comes with ruse."""
    return PeopleModel.from_json(json.loads(PATH.read_text(encoding="utf-8")))
