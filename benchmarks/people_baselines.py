"""Four simple ways to say who may be a spy, written from the tables of counts that they need, to be measured against.

    facts     every set of spies that fits the sabotages, alike
    cards     weighed by how often so many spies aboard make so many sabotages
    bayes     weighed by votes too: approval by good seats and by spies, on and off the team, of spies also by how many
              spies are on it
    leaders   weighed by proposed teams too: whether good leaders and spies are on their own team, and how many other
              spies a spy takes

All count each observation as if it were independent of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from math import comb, exp, log

from ruse.people.records import EveningRecord, Proposal
from ruse.people.tables import members, seat_sets

NAMES = ("facts", "cards", "bayes", "leaders")
PRIOR = 5.0  # observations that a cell is worth before it has its own
Cell = tuple[Hashable, ...]


class Rates:
    """Shares of outcomes by cell, pulled to those of a coarser cell."""

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[Cell, Hashable]] = Counter()
        self.totals: Counter[Cell] = Counter()

    def add(self, cells: Sequence[Cell], outcome: Hashable) -> None:
        for cell in cells:
            self.outcomes[cell, outcome] += 1
            self.totals[cell] += 1

    def odds(self, cells: Sequence[Cell], outcome: Hashable, start: float) -> float:
        """From the coarsest cell, which comes last, to the finest."""
        share = start
        for cell in reversed(cells):
            share = (self.outcomes[cell, outcome] + PRIOR * share) / (self.totals[cell] + PRIOR)
        return share


class Baselines:
    """Tables of counts, from some games."""

    def __init__(self, records: Sequence[EveningRecord]) -> None:
        self.cards, self.votes, self.teams = Rates(), Rates(), Rates()
        for record in records:
            spies = record.spies
            assert spies is not None
            for number, mission in enumerate(record.missions):
                for place, proposal in enumerate(mission.proposals):
                    self._count(record, number, place, proposal, spies)
                if mission.sabotages is not None and (aboard := (mission.team & spies).bit_count()):
                    self.cards.add(card_cells(record, number, aboard), mission.sabotages)

    def _count(self, record: EveningRecord, number: int, place: int, proposal: Proposal, spies: int) -> None:
        assert proposal.votes is not None and proposal.leader is not None
        for seat, vote in enumerate(proposal.votes):
            self.votes.add(vote_cells(record, number, place, proposal, seat, spies), vote)
        self.teams.add(team_cells(record, number, proposal, spies), team_class(proposal.leader, proposal.team, spies))

    def scores(self, record: EveningRecord) -> Iterator[dict[str, dict[int, float]]]:
        """After each mission played: by baseline, the log weight of each set of spies that fits."""
        sets = seat_sets(record.players, record.table.spies)
        scores = {name: dict.fromkeys(sets, 0.0) for name in NAMES}
        for number, mission in enumerate(record.missions):
            for place, proposal in enumerate(mission.proposals):
                for spies in scores["facts"]:
                    votes = self._votes(record, number, place, proposal, spies)
                    scores["bayes"][spies] += votes
                    scores["leaders"][spies] += votes + self._team(record, number, proposal, spies)
            if mission.sabotages is None:
                continue
            cards = {
                spies: self._cards(record, number, (mission.team & spies).bit_count(), mission.sabotages)
                for spies in scores["facts"]
                if (mission.team & spies).bit_count() >= mission.sabotages
            }
            scores = {
                name: {spies: table[spies] + (score if name != "facts" else 0.0) for spies, score in cards.items()}
                for name, table in scores.items()
            }
            yield {name: dict(table) for name, table in scores.items()}  # later votes change `scores`

    def _cards(self, record: EveningRecord, number: int, aboard: int, sabotages: int) -> float:
        if not aboard:
            return 0.0
        return log(self.cards.odds(card_cells(record, number, aboard), sabotages, 1 / (aboard + 1)))

    def _votes(self, record: EveningRecord, number: int, place: int, proposal: Proposal, spies: int) -> float:
        assert proposal.votes is not None
        return sum(
            [
                log(self.votes.odds(vote_cells(record, number, place, proposal, seat, spies), vote, 0.5))
                for seat, vote in enumerate(proposal.votes)
            ]
        )

    def _team(self, record: EveningRecord, number: int, proposal: Proposal, spies: int) -> float:
        assert proposal.leader is not None
        kind = team_class(proposal.leader, proposal.team, spies)
        size, others = proposal.team.bit_count(), spies & ~(1 << proposal.leader)
        self_on, aboard = kind
        free = size - self_on
        good = record.players - 1 - others.bit_count()
        spy_leads = spies >> proposal.leader & 1
        ways = (
            comb(others.bit_count(), aboard) * comb(good, free - aboard)
            if spy_leads
            else comb(record.players - 1, free)
        )
        total = comb(record.players, size)
        return log(self.teams.odds(team_cells(record, number, proposal, spies), kind, ways / total) / ways)


def card_cells(record: EveningRecord, number: int, aboard: int) -> list[Cell]:
    passed, _ = record.before(number).score
    needed = record.table.sabotages[number]
    return [(record.plain, number, passed, needed, aboard), (number, needed, aboard)]


def vote_cells(record: EveningRecord, number: int, place: int, proposal: Proposal, seat: int, spies: int) -> list[Cell]:
    on, spy = proposal.team >> seat & 1, spies >> seat & 1
    aboard = min((proposal.team & spies).bit_count(), 2)
    fine = (spy, on, aboard if spy else 0, (number + 1) // 2, place == 4, proposal.leader == seat)
    return [(record.plain, *fine), fine, (spy, on, place == 4)]


def team_class(leader: int, team: int, spies: int) -> tuple[int, int]:
    """Whether leaders are on their own team, and for spies how many others."""
    return team >> leader & 1, (team & spies & ~(1 << leader)).bit_count() if spies >> leader & 1 else 0


def team_cells(record: EveningRecord, number: int, proposal: Proposal, spies: int) -> list[Cell]:
    assert proposal.leader is not None
    spy = spies >> proposal.leader & 1
    return [(record.plain, spy, number, record.players), (spy, number, record.players), ("seats", spy, record.players)]


def seat_odds(scores: dict[int, float], seat: int, players: int) -> list[float]:
    """How likely each seat is a spy, seen by somebody loyal in a seat."""
    view = {spies: score for spies, score in scores.items() if not spies >> seat & 1}
    most = max(view.values())
    weights = {spies: exp(score - most) for spies, score in view.items()}
    total = sum(weights.values())
    odds = [0.0] * players
    for spies, weight in weights.items():
        for other in members(spies):
            odds[other] += weight / total
    return odds
