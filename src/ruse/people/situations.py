"""What everybody at a table has seen, and the features by which the model of people tells situations apart.

The central feature is how likely a team looks clean to somebody who knows only that they themselves are loyal: the odds
by the cards of earlier missions, if a spy aboard sabotages as often as in `SABOTAGES`. It says what a careful loyal
player could work out. The model says how far people act on it, and how spies and Merlin, who know more, differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import comb, log

from ruse.people.records import EveningRecord, Proposal
from ruse.people.tables import MISSIONS, PeopleTable, members, seat_sets

SABOTAGES = (0.25, 0.65, 0.75, 0.9, 0.95)  # of a spy aboard, by mission: a rule of thumb for the feature, not fitted
LONE_OF_TWO = 0.5  # where a mission takes two sabotages and one spy is aboard
LEAST_CLEAN = 0.005
USUAL_APPROVAL = (0.36, 0.7)  # off and on the team: what a habit of voting is measured against

VOTE_FEATURES = (
    *("one", "plain", "seats", "mission 2", "mission 3", "mission 4", "mission 5"),
    *("proposal 2", "proposal 3", "proposal 4", "proposal 5", "good at 2", "spies at 2"),
    *("on", "on in mission 1", "on from mission 4", "on a later proposal", "own team", "plain, on"),
    *(
        "clean, on",
        "clean, off",
        "clean at random",
        "plain, clean",
        "must hold a spy",
        "must hold a spy from mission 4",
    ),
    *("leader looks like a spy", "same as rejected", "holds the last that passed", "habit"),
    *("habit of the table", "later proposal in mission 1", "own team in mission 1", "on, seats"),
)
VOTE_INSIGHTS = (  # of those who know spies: how many of them the team has
    *(
        "no spy",
        "no spy off",
        "two spies",
        "three spies",
        "too few spies",
        "no spy in mission 1",
        "no spy from mission 3",
    ),
    *("no spy in mission 5", "no spy, good at 2", "no spy, spies at 2", "no spy, proposal 5", "others beside me"),
    *("leader is a spy", "plain, no spy", "two spies in mission 1", "two spies off in mission 1"),
    *("no spy off in mission 1", "two spies, own team", "two spies off", "three spies off"),
)
TEAM_FEATURES = (
    *("self", "self in mission 1", "plain, self", "clean", "clean from mission 4", "plain, clean"),
    *("same as rejected", "shared with the last proposal", "shared with the last that passed"),
    *("holds the last that passed", "shared with the last that failed", "next seat", "next seat in mission 1"),
    *("previous seat", "agreed with me", "self, seats"),
)
TEAM_INSIGHTS = (
    *("no spy", "no spy in mission 1", "no spy from mission 3", "no spy, good at 2", "two spies", "three spies"),
    *("too few spies", "two spies in mission 1", "plain, two spies", "two spies, seats", "no spy, seats"),
    *("two spies from mission 3", "three spies, seats"),
)

INSIDERS = ("merlin", "spy")  # kinds that know spies
KIND_OF = {
    **dict.fromkeys(("loyal", "percival"), "good"),
    **dict.fromkeys(("minion", "morgana", "mordred"), "spy"),
    "merlin": "merlin",
    "oberon": "oberon",
}
SHOWN = {  # the roles that a role is shown; spies who know each other include themselves
    "merlin": ("minion", "morgana", "oberon"),
    "percival": ("merlin", "morgana"),
    **dict.fromkeys(("minion", "morgana", "mordred"), ("minion", "morgana", "mordred")),
}


def sight(roles: Sequence[str], seat: int) -> int:
    """The bits of the seats that a seat is shown before the first mission."""
    return sum(1 << other for other, role in enumerate(roles) if role in SHOWN.get(roles[seat], ()))


@dataclass(frozen=True)
class Seen:
    """What somebody knows when they vote, lead or shoot."""

    kind: str  # good, merlin, spy, oberon
    spies: int = 0  # the bits of the spies whom they know, themselves included

    @staticmethod
    def of(roles: Sequence[str], seat: int) -> Seen:
        """What a seat knows when these are everybody's roles."""
        kind = KIND_OF[roles[seat]]
        return Seen(kind, sight(roles, seat) if kind in INSIDERS else 0)


@dataclass(frozen=True)
class TableState:
    """What everybody has seen, before a proposal. Build it with `begin`, `after_proposal` and `after_mission`."""

    table: PeopleTable
    plain: bool
    mission: int = 0  # from 0
    passed: int = 0
    failed: int = 0
    weights: tuple[tuple[int, float], ...] = ()  # sets of spies that the cards allow, and their odds
    rejected: tuple[int, ...] = ()  # teams voted down since the last mission
    last_team: int = 0  # proposed last, in whichever mission
    last_passed: int = 0
    last_failed: int = 0
    habits: tuple[tuple[float, int], ...] = ()  # by seat: approvals beyond the usual, and votes
    agreed: tuple[tuple[int, ...], ...] = ()  # by seats: how often two voted alike, and 1 for alike in half
    votes: int = 0
    _cache: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def begin(table: PeopleTable, plain: bool) -> TableState:
        """The table before the first proposal."""
        everyone = tuple((spies, 1.0) for spies in seat_sets(table.players, table.spies))
        nobody = ((0,) * table.players,) * table.players
        return TableState(table, plain, weights=everyone, habits=((0.0, 0),) * table.players, agreed=nobody)

    @staticmethod
    def of(record: EveningRecord) -> TableState:
        """The table at the end of a record."""
        state = TableState.begin(record.table, record.plain)
        for mission in record.missions:
            for proposal in mission.proposals:
                state = state.after_proposal(proposal)
            if mission.sabotages is not None:
                state = state.after_mission(mission.team, mission.sabotages)
        return state

    @property
    def proposal(self) -> int:
        """The number of the next proposal, from 0."""
        return len(self.rejected)

    @property
    def needed(self) -> int:
        """How many sabotages fail the next mission."""
        return self.table.sabotages[min(self.mission, MISSIONS - 1)]

    def after_proposal(self, proposal: Proposal) -> TableState:
        """The table after a vote; it counts as rejected until the mission is played."""
        state = replace(self, rejected=(*self.rejected, proposal.team), last_team=proposal.team, _cache={})
        votes = proposal.votes
        if votes is None:
            return state
        habits = self.habits
        if self.proposal < 4:
            habits = tuple(
                (extra + vote - USUAL_APPROVAL[proposal.team >> seat & 1], count + 1)
                for seat, ((extra, count), vote) in enumerate(zip(self.habits, votes, strict=True))
            )
        agreed = tuple(
            tuple(count + (mine == theirs) for count, theirs in zip(row, votes, strict=True))
            for row, mine in zip(self.agreed, votes, strict=True)
        )
        return replace(state, habits=habits, agreed=agreed, votes=self.votes + 1)

    def after_mission(self, team: int, sabotages: int) -> TableState:
        """The table after the team that was proposed last went."""
        fails = sabotages >= self.needed
        odds = {aboard: thumb_odds(self.mission, self.needed, aboard, sabotages) for aboard in range(5)}
        weights = tuple(
            (spies, weight * odds[(spies & team).bit_count()])
            for spies, weight in self.weights
            if (spies & team).bit_count() >= sabotages
        )
        return replace(
            self,
            mission=self.mission + 1,
            passed=self.passed + (not fails),
            failed=self.failed + fails,
            weights=weights,
            rejected=(),
            last_passed=self.last_passed if fails else team,
            last_failed=team if fails else self.last_failed,
            _cache={},
        )

    # What somebody who is loyal could work out.

    def suspicions(self, seat: int) -> tuple[float, ...]:
        """How likely each seat is a spy by the cards, seen by somebody loyal in that seat."""
        key = ("suspicions", seat)
        if key not in self._cache:
            view = self._view(seat)
            total = sum(weight for _, weight in view)
            self._cache[key] = tuple(
                sum(weight for spies, weight in view if spies >> other & 1) / total
                for other in range(self.table.players)
            )
        return self._cache[key]  # type: ignore[return-value]

    def clean_logit(self, seat: int, team: int) -> float:
        """The log odds that no spy is on a team, seen by somebody loyal in that seat; bounded."""
        key = ("clean", seat, team)
        if key not in self._cache:
            total_key = ("total", seat)
            if total_key not in self._cache:
                self._cache[total_key] = sum(weight for _, weight in self._view(seat))
            clean = sum([weight for spies, weight in self._view(seat) if not spies & team])
            self._cache[key] = bounded_logit(clean / self._cache[total_key])  # type: ignore[operator]
        return self._cache[key]  # type: ignore[return-value]

    def _view(self, seat: int) -> list[tuple[int, float]]:
        key = ("view", seat)
        if key not in self._cache:
            view = [(spies, weight) for spies, weight in self.weights if not spies >> seat & 1]
            self._cache[key] = view or list(self.weights)  # a spy whom everybody knows
        return self._cache[key]  # type: ignore[return-value]


def thumb_odds(mission: int, needed: int, aboard: int, sabotages: int) -> float:
    """How likely so many sabotages are by the rule of thumb."""
    if sabotages > aboard:
        return 0.0
    share = LONE_OF_TWO if aboard < needed else SABOTAGES[mission]
    return comb(aboard, sabotages) * share**sabotages * (1 - share) ** (aboard - sabotages)


def bounded_logit(share: float) -> float:
    """The log odds of a share, which is kept away from 0 and 1."""
    share = min(max(share, LEAST_CLEAN), 1 - LEAST_CLEAN)
    return log(share / (1 - share))


@lru_cache(maxsize=256)
def random_clean(players: int, spies: int, size: int, aboard: bool) -> float:
    """The log odds that a random team has no spy, seen by somebody loyal who is aboard or not."""
    others = size - aboard
    return bounded_logit(comb(players - 1 - others, spies) / comb(players - 1, spies))


# Features.


def vote_features(state: TableState, leader: int | None, team: int, seat: int) -> list[float]:
    """The values of VOTE_FEATURES for a voter."""
    table, mission, number = state.table, state.mission, min(state.proposal, 4)
    on, size = team >> seat & 1, team.bit_count()
    clean = state.clean_logit(seat, team)
    sure = not on and size >= table.loyal
    extra, count = state.habits[seat]
    suspicion = (
        0.0 if leader is None or leader == seat else state.suspicions(seat)[leader] - table.spies / (table.players - 1)
    )
    return [
        1.0,
        state.plain,
        (table.players - 7) / 2,
        mission == 1,
        mission == 2,
        mission == 3,
        mission == 4,
        number == 1,
        number == 2,
        number == 3,
        number == 4,
        state.passed == 2,
        state.failed == 2,
        on,
        on and mission == 0,
        on and mission >= 3,
        on and 0 < number < 4,
        leader == seat,
        state.plain and on,
        clean * on,
        clean * (not on),
        random_clean(table.players, table.spies, size, bool(on)),
        clean * state.plain,
        sure,
        sure and mission >= 3,
        suspicion,
        bool(state.rejected) and team == state.rejected[-1],
        bool(state.last_passed) and state.last_passed & ~team == 0,
        extra / (count + 3),
        sum([rejected for rejected, _ in state.habits]) / (count + 3) / table.players,
        mission == 0 and 0 < number < 4,
        leader == seat and mission == 0,
        on * (table.players - 7) / 2,
    ]


def vote_insights(state: TableState, aboard: int, on: bool, own: bool, leading: bool) -> list[float]:
    """The values of VOTE_INSIGHTS for a voter who knows so many spies on the team, and whether the leader is one.

    `own` says whether the voter leads.
    """
    mission, none = state.mission, aboard == 0
    return [
        none,
        none and not on,
        aboard == 2,
        aboard >= 3,
        0 < aboard < state.needed,
        none and mission == 0,
        none and mission >= 2,
        none and mission == 4,
        none and state.passed == 2,
        none and state.failed == 2,
        none and state.proposal == 4,
        on and aboard > 1,
        leading and not own,
        none and state.plain,
        aboard >= 2 and mission == 0,
        aboard >= 2 and not on and mission == 0,
        none and not on and mission == 0,
        aboard >= 2 and own,
        aboard == 2 and not on,
        aboard >= 3 and not on,
    ]


def team_features(state: TableState, leader: int, team: int) -> list[float]:
    """The values of TEAM_FEATURES for a team that a leader may propose."""
    size, mission, mine = team.bit_count(), state.mission, 1 << leader
    clean, self_on = state.clean_logit(leader, team), team >> leader & 1
    players = state.table.players
    following, previous = team >> (leader + 1) % players & 1, team >> (leader - 1) % players & 1
    others = members(team & ~mine)
    row = state.agreed[leader]
    alike = sum([row[seat] for seat in others]) / len(others) if others else 0.0
    return [
        self_on,
        self_on and mission == 0,
        self_on and state.plain,
        clean,
        clean * (mission >= 3),
        clean * state.plain,
        team in state.rejected,
        (team & state.last_team).bit_count() / size if state.rejected else 0.0,
        (team & state.last_passed).bit_count() / size,
        bool(state.last_passed) and (state.last_passed & ~team == 0 or team & ~state.last_passed == 0),
        (team & state.last_failed).bit_count() / size,
        following,
        following and mission == 0,
        previous,
        (alike - state.votes / 2) / (state.votes + 2),
        self_on * (players - 7) / 2,
    ]


def team_insights(state: TableState, aboard: int) -> list[float]:
    """The values of TEAM_INSIGHTS for a team with so many spies whom the leader knows."""
    mission = state.mission
    return [
        aboard == 0,
        aboard == 0 and mission == 0,
        aboard == 0 and mission >= 2,
        aboard == 0 and state.passed == 2,
        aboard == 2,
        aboard >= 3,
        0 < aboard < state.needed,
        aboard == 2 and mission == 0,
        aboard == 2 and state.plain,
        (aboard == 2) * (state.table.players - 7) / 2,
        (aboard == 0) * (state.table.players - 7) / 2,
        aboard >= 2 and mission >= 2,
        (aboard >= 3) * (state.table.players - 7) / 2,
    ]


# Cards.

CARD_STAGES = ("1 0-0", "2 1-0", "2 0-1", "3 2-0", "3 1-1", "3 0-2", "4 2-1", "4 1-2", "5 2-2")
CARD_FEATURES = (
    *(f"a sabotage, {stage}" for stage in CARD_STAGES),
    *("a sabotage, plain", "a sabotage in mission 1, seats", "a sabotage in mission 1, plain"),
    *("a sabotage, two aboard", "a sabotage, three aboard", "one of two needed"),
    *("each further sabotage", "each further sabotage in mission 1", "each further sabotage from mission 4"),
    *("each further sabotage, plain", "both needed", "beyond those needed", "each sabotage, three aboard"),
)


def card_features(
    table: PeopleTable, plain: bool, mission: int, passed: int, aboard: int, count: int
) -> Sequence[float]:
    """The values of CARD_FEATURES for a number of sabotages from so many spies aboard."""
    needed, failed = table.sabotages[mission], mission - passed
    any_sabotage, further = count > 0, max(0, count - 1)
    stage = f"{mission + 1} {passed}-{failed}"
    return [
        *(any_sabotage and stage == name for name in CARD_STAGES),
        any_sabotage and plain,
        any_sabotage * (mission == 0) * (table.players - 7) / 2,
        any_sabotage and mission == 0 and plain,
        any_sabotage and aboard == 2,
        any_sabotage and aboard >= 3,
        any_sabotage and aboard < needed,
        further,
        further * (mission == 0),
        further * (mission >= 3),
        further * plain,
        count >= 2 and needed == 2,
        max(0, count - needed) if needed == 2 else 0,
        count * (aboard >= 3),
    ]
