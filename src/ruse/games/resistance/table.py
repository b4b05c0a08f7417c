"""A table of The Resistance: how many seats and spies, how large each mission, how many sabotages fail it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from ruse.core.game import GameError

ROUNDS = 5
POINTS_TO_WIN = 3
MOST_ROUNDS = 9
LAST = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MOST_SEATS = 26  # seats are letters

# The official tables (Bossle 2018, Table 4.1; the rule book for 9 and 10): spies, missions, sabotages.
OFFICIAL: dict[int, tuple[int, tuple[int, ...], tuple[int, ...]]] = {
    5: (2, (2, 3, 2, 3, 3), (1, 1, 1, 1, 1)),
    6: (2, (2, 3, 4, 3, 4), (1, 1, 1, 1, 1)),
    7: (3, (2, 3, 3, 4, 4), (1, 1, 1, 2, 1)),
    8: (3, (3, 4, 4, 5, 5), (1, 1, 1, 2, 1)),
    9: (3, (3, 4, 4, 5, 5), (1, 1, 1, 2, 1)),
    10: (4, (3, 4, 4, 5, 5), (1, 1, 1, 2, 1)),
}

# How often the resistance wins there if both sides play optimally (tests/games/test_known_values.py solves them all).
RESISTANCE_WINS = {
    5: Fraction(3, 10),
    6: Fraction(1, 3),
    7: Fraction(9, 35),
    8: Fraction(9, 56),
    9: Fraction(2, 7),
    10: Fraction(1, 6),
}


def spy_count(count: int) -> str:
    """No spies, 1 spy, 2 spies."""
    return "1 spy" if count == 1 else f"{count or 'no'} spies"


def seat_count(count: int) -> str:
    """1 seat, 2 seats."""
    return "1 seat" if count == 1 else f"{count} seats"


def missions_have(count: int) -> str:
    """One mission has, three missions have: the beginning of a sentence about missions that passed or failed."""
    return "One mission has" if count == 1 else f"{COUNTS[count].capitalize()} missions have"


def near_the_end(table: Table) -> str:
    """One point less than it takes, of a side that ruse does not name."""
    return "two points" if table.is_usual else "all points but one"


@dataclass(frozen=True)
class Table:
    players: int
    spies: int
    missions: tuple[int, ...]  # seats sent on each mission, five of them in official tables
    sabotages: tuple[int, ...]  # sabotages that fail each mission
    points: int = POINTS_TO_WIN  # passed missions that win for the resistance; the spies win once that is out of reach

    @property
    def rounds(self) -> int:
        return len(self.missions)

    @property
    def spy_points(self) -> int:
        """Failed missions that win for the spies."""
        return self.rounds - self.points + 1

    @property
    def is_usual(self) -> bool:
        """Whether three of five missions win, as in all official tables."""
        return self.rounds == ROUNDS and self.points == POINTS_TO_WIN

    def is_over(self, score: tuple[int, int]) -> bool:
        return score[0] == self.points or score[1] == self.spy_points

    def is_decisive(self, score: tuple[int, int]) -> bool:
        """Whether the next point of some side wins."""
        return score[0] == self.points - 1 or score[1] == self.spy_points - 1

    @property
    def spy_sets(self) -> int:
        return comb(self.players, self.spies)

    def __str__(self) -> str:
        """The table in a line, with a star for each sabotage that a mission takes beyond the first."""
        sizes = zip(self.missions, self.sabotages, strict=True)
        stars = f" (* takes {max(self.sabotages)} sabotages)" if max(self.sabotages) == 2 else ""
        missions = " ".join(f"{size}{'*' * (fails - 1)}" for size, fails in sizes)
        points = "" if self.is_usual else f", {self.points} passed missions win"
        return f"{self.players} seats, {spy_count(self.spies)}, missions of {missions}{stars}{points}"

    @property
    def is_official(self) -> bool:
        return OFFICIAL.get(self.players) == (self.spies, self.missions, self.sabotages) and self.is_usual

    def canonical(self) -> Table:
        """The table that stands for all that are worth the same for a reason (docs/explanation/balance.md).

        A side has two points before mission 4 at the latest, and from then on the resistance guesses a list of
        missions in which order does not matter: missions 4 and 5 can be swapped. A mission that has enough spies aboard
        whoever goes decides nothing by whom it sends: it is as good as one that sends everybody.
        """
        if not self.is_usual:
            return self
        loyal = self.players - self.spies
        rounds = [
            (self.players, 1) if size - loyal >= fails else (size, fails)
            for size, fails in zip(self.missions, self.sabotages, strict=True)
        ]
        rounds[ROUNDS - 2 :] = sorted(rounds[ROUNDS - 2 :])
        missions, sabotages = zip(*rounds, strict=True)
        return Table(self.players, self.spies, missions, sabotages)

    @property
    def parameters(self) -> dict[str, object]:
        """What makes the table anew, as plain JSON values."""
        return {
            "players": self.players,
            "spies": self.spies,
            "missions": list(self.missions),
            "sabotages": list(self.sabotages),
            **({} if self.points == majority(self.rounds) else {"points": self.points}),
        }

    @property
    def title(self) -> str:
        """`resistance-7`, or every parameter that differs from the official table in brackets."""
        if self.players in OFFICIAL:
            spies, missions, sabotages = OFFICIAL[self.players]
            if self.is_official:
                return f"resistance-{self.players}"
        else:
            spies, missions, sabotages = 0, (), (1,) * ROUNDS
        sabotages = usual_sabotages(sabotages, self.rounds)
        changed = [f"players={self.players}"]
        if self.spies != spies:
            changed.append(f"spies={self.spies}")
        if self.missions != missions:
            changed.append("missions=" + "-".join(map(str, self.missions)))
        if self.sabotages != sabotages:
            changed.append("sabotages=" + "-".join(map(str, self.sabotages)))
        if self.points != majority(self.rounds):
            changed.append(f"points={self.points}")
        return f"resistance({','.join(changed)})"


def majority(rounds: int) -> int:
    """How many of so many missions are more than half."""
    return rounds // 2 + 1


def usual_sabotages(official: tuple[int, ...], rounds: int) -> tuple[int, ...]:
    """How many sabotages fail each of so many missions, if nobody says: as in the official table, then one."""
    return (*official, *[1] * rounds)[:rounds]


def make_table(
    players: int = 5,
    spies: int | None = None,
    missions: Sequence[int] | None = None,
    sabotages: Sequence[int] | None = None,
    points: int | None = None,
) -> Table:
    """A checked table; what is not given comes from the official table of that many players."""
    _check_whole("players", players)
    _check_whole("spies", spies)
    _check_whole("points", points)
    if not 2 <= players <= MOST_SEATS:
        raise GameError(f"expected 2 to {MOST_SEATS} players, got {players}")
    if players not in OFFICIAL and (spies is None or missions is None):
        raise GameError(f"expected --spies and --missions too, since no official table has {players} players")
    official = OFFICIAL.get(players)
    if official:
        spies = official[0] if spies is None else spies
        missions = official[1] if missions is None else missions
    assert spies is not None and missions is not None
    rounds = len(missions)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise GameError(f"expected 1 to {MOST_ROUNDS} mission sizes, got {rounds}")
    if sabotages is None:
        sabotages = usual_sabotages(official[2] if official else (), rounds)
    if len(sabotages) != rounds:
        raise GameError(f"expected {rounds} sabotage counts, one for each mission, got {len(sabotages)}")
    points = majority(rounds) if points is None else points
    if not 1 <= points <= rounds:
        raise GameError(f"expected 1 to {rounds} points to win in {rounds} missions, got {points}")
    if not 1 <= spies < players:
        raise GameError(f"expected 1 to {players - 1} spies among {players} players, got {spies}")
    for number, (size, fails) in enumerate(zip(missions, sabotages, strict=True), 1):
        if not 1 <= size <= players:
            raise GameError(f"expected mission {number} to send 1 to {players} seats, got {size}")
        most = min(spies, size)
        if not 1 <= fails <= most:
            raise GameError(
                f"expected mission {number} to fail at 1 to {most} sabotages "
                f"(it sends {size} of {players} seats, {spies} of them spies), got {fails}"
            )
    return Table(players, spies, tuple(missions), tuple(sabotages), points)


def _check_whole(noun: str, value: int | None) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise GameError(f"expected a whole number of {noun}, got {value!r}")
