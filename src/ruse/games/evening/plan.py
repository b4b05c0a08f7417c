"""The public plan: which team goes on each mission, by what everybody has seen and a draw that everybody sees.

The plan is the resistance's strategy in the mission game (`ruse.games.resistance`). Loyal seats who all propose its
team, approve exactly that team and reject everything else carry it out whatever the spies propose and vote, and so
keep its guarantee (theorem 1 of docs/explanation/leaders-and-votes.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from ruse.core import rationals
from ruse.core.game import GameError
from ruse.games.evening.rules import MOST_PROPOSALS, EveningMission, EveningState, passed
from ruse.games.evening.setting import OBERON, Seats, Setting
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.notation import MissionHistory, listed, seats
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.table import Table, seat_count, spy_count
from ruse.games.resistance.verify import missions_at
from ruse.games.resistance.verify_public import start
from ruse.play.rival import drawn
from ruse.solution.strategy import Solution

Done = tuple[tuple[Seats, bool], ...]  # missions and whether each passed
LONGEST_CACHE = 4_096


def check_premises(table: Table) -> None:
    """Refuse a table where loyal seats cannot carry out a plan against the spies' votes. Raises GameError."""
    loyal = table.players - table.spies
    if 2 * loyal <= table.players:
        raise GameError(
            f"optimal seats need more than half of the table to be loyal, and {loyal} of {table.players} are not"
        )
    if table.spies >= MOST_PROPOSALS:
        raise GameError(
            f"optimal seats need at most {spy_count(MOST_PROPOSALS - 1)}, so that one of {MOST_PROPOSALS} leaders in a "
            f"row is loyal, and there are {table.spies}"
        )


def check_optimal(setting: Setting) -> None:
    """Refuse a setting at which ruse proves no strategy with leaders and votes. Raises GameError."""
    check_premises(setting.table)
    if OBERON in setting.roles:
        raise GameError(
            "optimal seats need spies who know each other, and with Oberon they do not; choose people as bots"
        )


def history_of(table: Table, missions: Sequence[EveningMission]) -> Done:
    """What the mission game knows of an evening: who went, and whether it passed."""
    return tuple((mission.team, passed(table, number, mission)) for number, mission in enumerate(missions))


@lru_cache(maxsize=16)
def solved(table: Table) -> Solution:
    """The solution of the mission game at a table."""
    from ruse.solving.pipeline import solve

    return solve(Resistance(table))


class PublicPlan:
    """The resistance's strategy of the mission game, seat by seat."""

    def __init__(self, solution: Solution) -> None:
        game = solution.game
        assert isinstance(game, Resistance)
        self.solution, self.table = solution, game.table
        self._strategy = solution.strategy(RESISTANCE)
        self.odds = lru_cache(maxsize=LONGEST_CACHE)(self._odds)
        self._team = lru_cache(maxsize=LONGEST_CACHE)(self._drawn)

    def team(self, missions: Sequence[EveningMission], draw: int) -> Seats:
        """The team that the plan sends next, as everybody can work out."""
        return self._team(history_of(self.table, missions), draw)

    def _drawn(self, done: Done, draw: int) -> Seats:
        return drawn(self.odds(done), draw, len(done))

    def _odds(self, done: Done) -> Mapping[Seats, Fraction]:
        """How likely each team is; teams of seats with the same record are alike."""
        position = MissionHistory(None, done, None)
        names = position.names(self.table.players)
        public = start(self.table)
        for mission, mission_passed in position.renamed(names).done:
            public = public.after(public.sent(mission), mission_passed)
        shares = missions_at(self.table, self._strategy.at, public)
        alike: dict[Seats, list[Seats]] = {sent: [] for sent in shares}
        for mission in combinations(range(self.table.players), self.table.missions[len(done)]):
            sent = public.sent(tuple(names[seat] for seat in mission))
            if sent in alike:
                alike[sent].append(mission)
        return {mission: shares[sent] / len(teams) for sent, teams in alike.items() for mission in teams}


class SpiesOrder:
    """The spies' strategy of the mission game: how likely a mission that is out is to fail."""

    def __init__(self, solution: Solution) -> None:
        game = solution.game
        assert isinstance(game, Resistance)
        self.table, self._strategy = game.table, solution.strategy(SPIES)
        self._at = lru_cache(maxsize=None)(self._strategy.at)  # of one position of each class

    def sabotage(self, done: Done, team: Seats, spies: Seats) -> Fraction:
        """How likely these spies are to fail a mission."""
        if len(set(team).intersection(spies)) < self.table.sabotages[len(done)]:
            return Fraction(0)
        position = MissionHistory(spies, done, team)
        names = position.names(self.table.players)
        return Fraction(self._at(position.renamed(names).text(self.table)).get("sabotage", 0))

    def saboteurs(self, number: int, team: Seats, spies: Seats) -> Seats:
        """Who plays the cards if the mission is to fail: the first spies aboard, in seat order."""
        aboard = [seat for seat in team if seat in spies]
        return tuple(aboard[: self.table.sabotages[number]])


def guarantee(setting: Setting, solution: Solution) -> tuple[Fraction, Fraction]:
    """How often the good side wins at least by the plan, and at most against optimal spies.

    With Merlin this is for silent tables, where nobody acts on a role: the Assassin hits one good seat in so many.
    """
    lower, upper = ((1 + bound) / 2 for bound in (solution.certificate.lower, solution.certificate.upper))
    loyal = setting.table.players - setting.table.spies
    survives = Fraction(loyal - 1, loyal) if setting.hunted else Fraction(1)
    return lower * survives, upper * survives


def guarantee_end(evening: EveningState, plan: PublicPlan) -> tuple[int, str] | None:
    """The mission at which the plan was left, and how; None while every mission was the plan's."""
    for number, mission in enumerate(evening.missions):
        due = _due(evening, plan, number)
        if mission.sabotages is None:
            return number, f"five teams were rejected instead of sending {seats(due)}"
        if mission.team != due:
            return number, _left(mission, due)
    if evening.proposals and evening.proposals[-1].approved:
        due = _due(evening, plan, len(evening.missions))
        if evening.team != due:
            return len(evening.missions), _left(EveningMission(evening.proposals, 0), due)
    return None


def _due(evening: EveningState, plan: PublicPlan, number: int) -> Seats:
    from ruse.games.evening.chance import drawn_number

    return plan.team(evening.missions[:number], drawn_number(evening.seed, f"public/{number}"))


def _left(mission: EveningMission, due: Seats) -> str:
    last = mission.proposals[-1]
    return (
        f"{seats(mission.team)} went instead of {seats(due)}: {seats([last.leader])} proposed it, and "
        f"{listed(seats(last.voters(True)))} approved it (proposal {len(mission.proposals)})"
    )


def in_words(setting: Setting, solution: Solution) -> str:
    """The guarantee in a sentence or two."""
    low, high = guarantee(setting, solution)
    share = rationals.percent(low) if low == high else rationals.within(low, high, "%")
    silent = " nobody says anything, so Merlin's knowledge is not used, and" if setting.hunted else ""
    return f"Optimal play at {seat_count(setting.table.players)}:{silent} the resistance wins {share} of the evenings"
