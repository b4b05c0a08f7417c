"""Who may be a spy, from a record of an evening, for somebody in one seat.

*facts*: every deal of roles that fits the sabotages is as likely as any. *people*: deals are weighed by how likely
people make what was seen if that is the deal: the cards, every vote and every proposed team (`ruse.people.model`).
Votes of one person resemble each other more than the model knows, so each kind of evidence counts with an exponent
(`trust`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log

from ruse.people.model import PeopleModel, dot, log_logistic
from ruse.people.model import model as fitted_model
from ruse.people.records import EveningRecord, Proposal
from ruse.people.situations import TableState, sight, team_features, team_insights, vote_features, vote_insights
from ruse.people.tables import SPY_ROLES, PeopleTable, RecordError, members, seat_sets

FACTS, PEOPLE = "facts", "people"
Scores = dict[int, list[float]]  # for each set of spies that somebody knows, a log likelihood by seat


@dataclass
class Evidence:
    """How likely what was seen is, as logarithms: by seat, for whatever each could be."""

    table: PeopleTable
    roleset: tuple[str, ...]
    cards: dict[int, float] = field(init=False)  # by the set of all spies; only sets that the cards allow
    good: list[float] = field(init=False)
    oberon: list[float] = field(init=False)
    spy: Scores = field(init=False)  # by the spies who know each other
    merlin: Scores = field(init=False)  # by the spies whom Merlin sees

    def __post_init__(self) -> None:
        players, spies = self.table.players, self.table.spies
        self.cards = dict.fromkeys(seat_sets(players, spies), 0.0)
        self.good, self.oberon = [0.0] * players, [0.0] * players
        self.spy = {known: [0.0] * players for known in seat_sets(players, spies - ("oberon" in self.roleset))}
        seen = seat_sets(players, spies - ("mordred" in self.roleset)) if "merlin" in self.roleset else ()
        self.merlin = {known: [0.0] * players for known in seen}

    def add_mission(self, model: PeopleModel, state: TableState, team: int, sabotages: int) -> None:
        """The cards of the mission that the table is before."""
        odds = [model.card_odds(state, aboard) for aboard in range(self.table.spies + 1)]
        self.cards = {
            spies: score + model.trust[0] * log(odds[(spies & team).bit_count()][sabotages])
            for spies, score in self.cards.items()
            if (spies & team).bit_count() >= sabotages
        }

    def add_proposal(self, model: PeopleModel, state: TableState, proposal: Proposal) -> None:
        """A team that somebody proposed, and the votes on it."""
        if model.trust[1] and proposal.votes is not None:
            self._add_votes(model, state, proposal, proposal.votes)
        if model.trust[2] and proposal.leader is not None:
            self._add_team(model, state, proposal.leader, proposal.team)

    def _add_votes(self, model: PeopleModel, state: TableState, proposal: Proposal, votes: Sequence[bool]) -> None:
        leader, team, trust = proposal.leader, proposal.team, model.trust[1]
        features = [vote_features(state, leader, team, seat) for seat in range(self.table.players)]
        signs = [1 if vote else -1 for vote in votes]
        for seat, sign in enumerate(signs):
            self.good[seat] += trust * log_logistic(sign * dot(model.votes["good"], features[seat]))
            self.oberon[seat] += trust * log_logistic(sign * dot(model.votes["oberon"], features[seat]))
        for kind, scores in (("spy", self.spy), ("merlin", self.merlin)):
            if scores:
                values = _vote_scores(model, kind, state, proposal, features, signs)
                for known, score in scores.items():
                    row = values[leader is not None and known >> leader & 1][(known & team).bit_count()]
                    for seat in members(known) if kind == "spy" else members(~known & (1 << len(signs)) - 1):
                        score[seat] += trust * row[seat]

    def _add_team(self, model: PeopleModel, state: TableState, leader: int, team: int) -> None:
        teams = seat_sets(state.table.players, state.table.missions[state.mission])
        features, trust, at = (
            [team_features(state, leader, other) for other in teams],
            model.trust[2],
            teams.index(team),
        )
        for kind, scores in (("good", self.good), ("oberon", self.oberon)):
            values = [exp(dot(model.teams[kind], row)) for row in features]
            scores[leader] += trust * log(values[at] / sum(values))
        for kind, scores_by_known in (("spy", self.spy), ("merlin", self.merlin)):
            if not scores_by_known:
                continue
            coefficients = model.teams[kind]
            plain, insights = coefficients[: len(features[0])], coefficients[len(features[0]) :]
            values = [exp(dot(plain, row)) for row in features]
            factors = [exp(dot(insights, team_insights(state, aboard))) for aboard in range(state.table.spies + 1)]
            for known, score in scores_by_known.items():
                if (known >> leader & 1) == (kind == "spy"):
                    total = sum(
                        [
                            value * factors[(other & known).bit_count()]
                            for value, other in zip(values, teams, strict=True)
                        ]
                    )
                    score[leader] += trust * log(values[at] * factors[(team & known).bit_count()] / total)


def _vote_scores(
    model: PeopleModel,
    kind: str,
    state: TableState,
    proposal: Proposal,
    features: Sequence[Sequence[float]],
    signs: Sequence[int],
) -> list[list[list[float]]]:
    """Log likelihoods of votes: by whether the leader is a known spy, how many known spies are aboard, and seat."""
    team, players = proposal.team, len(signs)
    coefficients = model.votes[kind]
    plain, insights = coefficients[: len(features[0])], coefficients[len(features[0]) :]
    common = [dot(plain, row) for row in features]
    tables = []
    for leading in (False, True):
        rows = []
        for aboard in range(min(team.bit_count(), state.table.spies) + 1):
            more = [
                [dot(insights, vote_insights(state, aboard, on, own, leading)) for own in (False, True)]
                for on in (False, True)
            ]
            values = [common[seat] + more[team >> seat & 1][seat == proposal.leader] for seat in range(players)]
            rows.append([log_logistic(sign * value) for sign, value in zip(signs, values, strict=True)])
        tables.append(rows)
    return tables


@dataclass(frozen=True)
class SeatKnowledge:
    """Whose beliefs these are: a seat, its role, and the seats that the role is shown."""

    seat: int
    role: str = "loyal"
    sees: int | None = None  # bits; None where the record does not say


def viewer_of(record: EveningRecord, seat: int, role: str | None = None) -> SeatKnowledge:
    """Somebody in a seat with the role and the sight that the record gives, or loyal where it has no roles."""
    if not 0 <= seat < record.players:
        raise RecordError(f"expected a seat from a to {chr(ord('a') + record.players - 1)}")
    if record.roles is None:
        return SeatKnowledge(seat, role or "loyal")
    role = role or record.roles[seat]
    return SeatKnowledge(seat, role, sight(record.roles, seat) if role == record.roles[seat] else None)


@dataclass(frozen=True)
class Beliefs:
    """How likely each seat is a spy, and Merlin."""

    spies: tuple[float, ...]
    merlin: tuple[float, ...]
    deals: int  # sets of spies that the facts allow
    sets: Mapping[int, float]  # how likely each set of spies is


class BeliefTracker:
    """Follows a record, and says at any moment what somebody may believe. Give a model of None for facts alone."""

    def __init__(self, table: PeopleTable, roleset: tuple[str, ...], model: PeopleModel | None) -> None:
        self.table, self.roleset, self.model = table, roleset, model
        self.state = TableState.begin(table, not roleset)
        self.evidence = Evidence(table, roleset)

    def proposal(self, proposal: Proposal) -> None:
        """Take note of a proposal and its votes."""
        if self.model is not None:
            self.evidence.add_proposal(self.model, self.state, proposal)
        self.state = self.state.after_proposal(proposal)

    def mission(self, team: int, sabotages: int) -> None:
        """Take note of a mission that went."""
        if self.model is not None:
            self.evidence.add_mission(self.model, self.state, team, sabotages)
        else:
            cards = self.evidence.cards
            self.evidence.cards = {spies: 0.0 for spies in cards if (spies & team).bit_count() >= sabotages}
        if not self.evidence.cards:
            raise RecordError(
                f"no {self.table.spies} spies can have made all these sabotages; check the missions and their teams"
            )
        self.state = self.state.after_mission(team, sabotages)

    def beliefs(self, viewer: SeatKnowledge | None = None) -> Beliefs:
        """What somebody may believe, or whoever knows no role where there is no viewer."""
        weights, merlin = self._deals(viewer)
        if not weights:
            raise RecordError("no deal of roles fits these missions and this role; check the role and the seat")
        most = max(weights.values())
        scaled = {spies: exp(weight - most) for spies, weight in weights.items()}
        total = sum(scaled.values())
        sets = {spies: weight / total for spies, weight in scaled.items()}
        seats = range(self.table.players)
        return Beliefs(
            tuple(
                min(1.0, sum((weight for spies, weight in sets.items() if spies >> seat & 1), 0.0)) for seat in seats
            ),
            tuple(min(1.0, sum((exp(score - most) for score in merlin[seat]), 0.0) / total) for seat in seats),
            len(sets),
            sets,
        )

    def _deals(self, viewer: SeatKnowledge | None) -> tuple[dict[int, float], list[list[float]]]:
        """The log weight of every set of spies, and of Merlin in every seat with each."""
        evidence, everyone = self.evidence, (1 << self.table.players) - 1
        weights: dict[int, float] = {}
        merlins: list[list[float]] = [[] for _ in range(self.table.players)]
        for spies, cards in evidence.cards.items():
            if not _may_be(viewer, spies):
                continue
            scores: list[float] = []
            for oberon in members(spies) if "oberon" in self.roleset else (None,):
                known = spies if oberon is None else spies & ~(1 << oberon)
                if viewer is not None and not _knows(viewer, spies, known):
                    continue
                score = cards + sum(evidence.spy[known][seat] - evidence.good[seat] for seat in members(known))
                if oberon is not None:
                    score += evidence.oberon[oberon] - evidence.good[oberon]
                if "merlin" not in self.roleset:
                    scores.append(score)
                    continue
                for mordred in members(known) if "mordred" in self.roleset else (None,):
                    seen = spies if mordred is None else spies & ~(1 << mordred)
                    for seat in members(everyone & ~spies):
                        if viewer is None or _may_be_merlin(viewer, self.roleset, seat, spies, seen):
                            value = score + evidence.merlin[seen][seat] - evidence.good[seat]
                            scores.append(value)
                            merlins[seat].append(value)
            if scores:
                weights[spies] = log_sum(scores)
        return weights, merlins


def _may_be(viewer: SeatKnowledge | None, spies: int) -> bool:
    return viewer is None or bool(spies >> viewer.seat & 1) == (viewer.role in SPY_ROLES)


def _knows(viewer: SeatKnowledge, spies: int, known: int) -> bool:
    """Whether a spy is shown these spies, or is Oberon, if nobody else may be."""
    if viewer.role == "oberon":
        return known != spies and not known >> viewer.seat & 1
    if viewer.role in SPY_ROLES:
        return bool(known >> viewer.seat & 1) and viewer.sees in (None, known)
    return True


def _may_be_merlin(viewer: SeatKnowledge, roleset: Sequence[str], seat: int, spies: int, seen: int) -> bool:
    if viewer.role == "merlin":
        return seat == viewer.seat and viewer.sees in (None, seen)
    if seat == viewer.seat:
        return False
    if viewer.role == "percival" and viewer.sees is not None:
        other = viewer.sees & ~(1 << seat)
        return bool(viewer.sees >> seat & 1) and ("morgana" not in roleset or other & ~spies == 0)
    return True


def log_sum(values: Sequence[float]) -> float:
    """The logarithm of a sum of exponentials."""
    most = max(values)
    return most + log(sum([exp(value - most) for value in values]))


def follow(record: EveningRecord, model: PeopleModel | None) -> Iterator[BeliefTracker]:
    """The tracker after each mission of a record that was played; the same object, which goes on."""
    tracker = BeliefTracker(record.table, record.roleset, model)
    for mission in record.missions:
        for proposal in mission.proposals:
            tracker.proposal(proposal)
        if mission.sabotages is not None:
            tracker.mission(mission.team, mission.sabotages)
            yield tracker


def named_model(model: str | PeopleModel | None) -> PeopleModel | None:
    """The model with a name: people, or facts for none."""
    if isinstance(model, str):
        if model not in (FACTS, PEOPLE):
            raise RecordError(f"unknown model {model!r}; expected {FACTS} or {PEOPLE}")
        return fitted_model() if model == PEOPLE else None
    return model


def beliefs_after(
    record: EveningRecord, viewer: SeatKnowledge | None, model: str | PeopleModel | None = PEOPLE
) -> list[Beliefs]:
    """What somebody may believe after each mission that was played."""
    return [tracker.beliefs(viewer) for tracker in follow(record, named_model(model))]


def beliefs(
    record: EveningRecord, seat: int, role: str | None = None, model: str | PeopleModel | None = PEOPLE
) -> dict[int, float]:
    """How likely each seat is a spy, for somebody in one seat, by all that the record has, open votes included.

    Without a role, it is the one that the record gives the seat, or loyal where the record has no roles. Roles of other
    seats are used only as far as that role is shown them.
    """
    tracker = BeliefTracker(record.table, record.roleset, named_model(model))
    for mission in record.missions:
        for proposal in mission.proposals:
            tracker.proposal(proposal)
        if mission.sabotages is not None:
            tracker.mission(mission.team, mission.sabotages)
    return dict(enumerate(tracker.beliefs(viewer_of(record, seat, role)).spies))
