"""The official tables of The Resistance and Avalon, for which there are records of how people play.

`ruse.games.resistance.table` has tables in general; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from ruse.core.game import RuseError

POINTS_TO_WIN, MISSIONS, PROPOSALS = 3, 5, 5
GOOD_ROLES, SPY_ROLES = ("loyal", "merlin", "percival"), ("minion", "morgana", "mordred", "oberon")
SPECIAL_ROLES = ("merlin", "percival", "morgana", "mordred", "oberon")


class RecordError(RuseError):
    """A record of an evening that cannot be read, or contradicts itself."""


@dataclass(frozen=True)
class PeopleTable:
    """Seats, spies, the size of each mission, and the sabotages that fail it."""

    players: int
    spies: int
    missions: tuple[int, ...]
    sabotages: tuple[int, ...]

    @property
    def loyal(self) -> int:
        """How many seats are not spies."""
        return self.players - self.spies


PEOPLE_TABLES = {
    5: PeopleTable(5, 2, (2, 3, 2, 3, 3), (1, 1, 1, 1, 1)),
    6: PeopleTable(6, 2, (2, 3, 4, 3, 4), (1, 1, 1, 1, 1)),
    7: PeopleTable(7, 3, (2, 3, 3, 4, 4), (1, 1, 1, 2, 1)),
    8: PeopleTable(8, 3, (3, 4, 4, 5, 5), (1, 1, 1, 2, 1)),
    9: PeopleTable(9, 3, (3, 4, 4, 5, 5), (1, 1, 1, 2, 1)),
    10: PeopleTable(10, 4, (3, 4, 4, 5, 5), (1, 1, 1, 2, 1)),
}


def people_table(players: int) -> PeopleTable:
    """The official table with so many seats."""
    if players not in PEOPLE_TABLES:
        raise RecordError(f"expected 5 to 10 players, for whom there is an official table, got {players}")
    return PEOPLE_TABLES[players]


@lru_cache(maxsize=256)
def seat_sets(seats: int, size: int) -> tuple[int, ...]:
    """Every set of that size as a number whose bits are the seats, in the order of the dictionary."""
    return tuple(sum(1 << seat for seat in chosen) for chosen in combinations(range(seats), size))


@lru_cache(maxsize=4096)
def members(seats: int) -> tuple[int, ...]:
    """The seats whose bits a number has."""
    return tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1)
