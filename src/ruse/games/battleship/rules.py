"""Battleship on a small board (Farina et al. 2019), with the rules of OpenSpiel's `battleship` without repeated shots.

In turns, side 0 first, the sides place their ships in secret, one ship a turn in the order given, flat or upright,
with no cell shared. Then they shoot in turns at the other's board, never twice at a cell, and are told whether the
shot was a miss, a hit, or a hit that sank a ship, but not which. The play ends when a side has lost all its ships
or both have made their shots. A ship that is sunk pays its value to the other side.

Cells have a letter for the column and a number for the row, a1 at the top left; a ship is named by its ends. What a
side knows are its ships and all shots: `battleship@a1+a2-b2/b1-hit/a1` is a side whose shot hit b1 and whose rival
shot at a1, both at the other's board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import perm
from operator import or_
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from ruse.core.capabilities import Bulk, Public, Ranged
from ruse.core.game import END, GameError, PositionError, Titled
from ruse.core.parameters import game_factory

if TYPE_CHECKING:
    from ruse.games.battleship.arrays import BattleshipArrays
    from ruse.games.battleship.public import BattleshipPublic

BOARD, SHIPS, VALUES, SHOTS = "2x2", (1, 2), (1, 2), 3
MOST_CELLS = 16
MOST_VALUE = 1_000_000
LETTERS = "abcdefghijklmnop"


class Sea(NamedTuple):
    """A state: what was placed and shot at, by side 0 and side 1 in turns."""

    ships: tuple[str, ...]
    shots: tuple[str, ...]


class BattleshipKnowledge(NamedTuple):
    """What a side knows."""

    ships: tuple[str, ...]  # its own
    placed: int  # ships of both sides
    shots: tuple[str, ...]  # of both sides; its own with what became of them


class Battleship(Titled):
    name = "battleship"
    sides = ("first", "second")
    wins = ()
    provides = (Bulk, Public, Ranged)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.battleship.presentation:BattleshipPresentation"}

    def __init__(self, board: str, ships: Sequence[int], values: Sequence[int], shots: int) -> None:
        self.width, self.height = _size(board)
        self.cells = self.width * self.height
        if min(ships, default=0) < 1 or sum(ships) > self.cells:
            raise GameError(f"expected ships of 1 to {self.cells} cells together, got {_joined(ships)}")
        if len(values) != len(ships) or not all(0 <= value <= MOST_VALUE for value in values):
            raise GameError(f"expected a value of 0 to {MOST_VALUE:,} for each ship, got {_joined(values)}")
        if not 1 <= shots <= self.cells:
            raise GameError(f"expected 1 to {self.cells} shots, since none is repeated, got {shots}")
        self.ships, self.values, self.shots = tuple(ships), tuple(values), shots
        self.berths = [dict(self._berths(length)) for length in ships]  # where each ship could be, and its cells
        self._cells = dict(self._berths(1))
        self._bits = {name: bits for berths in (*self.berths, self._cells) for name, bits in berths.items()}
        self._room_known: dict[tuple[int, int], bool] = {}
        if not self._fits(0, 0):
            raise GameError(f"expected ships that find room on a board of {board}, got {_joined(ships)}")
        self.parameters: dict[str, object] = {
            "board": f"{self.width}x{self.height}",
            "ships": list(ships),
            "values": list(values),
            "shots": shots,
        }
        self.title = self._title()

    def _title(self) -> str:
        usual = (BOARD, list(SHIPS), list(VALUES), SHOTS)
        changed = [
            f"{name}={_joined(value) if isinstance(value, list) else value}"
            for (name, value), default in zip(self.parameters.items(), usual, strict=True)
            if value != default
        ]
        return f"{self.name}({','.join(changed)})" if changed else self.name

    def _berths(self, length: int) -> Iterator[tuple[str, int]]:
        """All places for a ship and their cells as bits, flat ones first."""
        for down, across in ((0, 1), (1, 0)) if length > 1 else ((0, 1),):
            for row in range(self.height - down * (length - 1)):
                for column in range(self.width - across * (length - 1)):
                    cells = [(row + down * number, column + across * number) for number in range(length)]
                    ends = [f"{LETTERS[column]}{row + 1}" for row, column in (cells[0], cells[-1])]
                    bits = sum(1 << self.width * row + column for row, column in cells)
                    yield "-".join(ends[:length]), bits

    def _fits(self, number: int, taken: int) -> bool:
        """Whether the ships from `number` on find room beside the cells taken."""
        if number == len(self.ships):
            return True
        if (number, taken) not in self._room_known:
            self._room_known[number, taken] = next(self._room(number, taken), None) is not None
        return self._room_known[number, taken]

    def _room(self, number: int, taken: int) -> Iterator[str]:
        for name, bits in self.berths[number].items():
            if not bits & taken and self._fits(number + 1, bits | taken):
                yield name

    def room(self, number: int, taken: int) -> list[str]:
        """Where a ship can be, so that the next ones find room too."""
        return list(self._room(number, taken))

    def start(self) -> Sea:
        return Sea((), ())

    def _all(self, names: Sequence[str]) -> int:
        """The cells of ships or shots, as bits."""
        return reduce(or_, map(self._bits.__getitem__, names), 0)

    def turn(self, state: Sea) -> int:
        if len(state.ships) < 2 * len(self.ships):
            return len(state.ships) % 2
        if len(state.shots) == 2 * self.shots:
            return END
        sunk = (not self._all(state.ships[side::2]) & ~self._all(state.shots[1 - side :: 2]) for side in (0, 1))
        return END if any(sunk) else len(state.shots) % 2

    def moves(self, state: Sea) -> Sequence[str]:
        side = self.turn(state)
        if side == END:
            return ()
        if len(state.ships) < 2 * len(self.ships):
            return self.room(len(state.ships) // 2, self._all(state.ships[side::2]))
        return [cell for cell in self._cells if cell not in state.shots[side::2]]

    def odds(self, state: Sea) -> Sequence[Fraction]:
        raise PositionError(f"expected a state where chance moves, got {state!r}")

    def play(self, state: Sea, move: str) -> Sea:
        if len(state.ships) < 2 * len(self.ships):
            return Sea((*state.ships, move), ())
        return Sea(state.ships, (*state.shots, move))

    def knows(self, state: Sea, side: int) -> BattleshipKnowledge:
        shots = list(state.shots)
        fired = 0
        for number in range(side, len(shots), 2):
            shot = self._bits[shots[number]]
            fired |= shot
            hit = [bits for bits in map(self._bits.__getitem__, state.ships[1 - side :: 2]) if bits & shot]
            shots[number] += f"-{'miss' if not hit else 'hit' if hit[0] & ~fired else 'sunk'}"
        return BattleshipKnowledge(state.ships[side::2], len(state.ships), tuple(shots))

    def payoff(self, state: Sea) -> Fraction:
        lost = [
            sum(
                value
                for ship, value in zip(state.ships[side::2], self.values, strict=True)
                if not self._bits[ship] & ~self._all(state.shots[1 - side :: 2])
            )
            for side in (0, 1)
        ]
        return Fraction(lost[1] - lost[0])

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: BattleshipKnowledge) -> str:
        ships = f"@{'+'.join(knowledge.ships)}" if knowledge.ships else ""
        return ships + "".join(f"/{shot}" for shot in knowledge.shots)

    def arrays(self) -> BattleshipArrays:
        from ruse.games.battleship.arrays import BattleshipArrays

        return BattleshipArrays(self)

    def public(self) -> BattleshipPublic:
        from ruse.games.battleship.public import BattleshipPublic

        return BattleshipPublic(self)

    def cells_by_name(self) -> Mapping[str, int]:
        """Every cell, as a bit."""
        return self._cells

    def payoff_range(self) -> tuple[Fraction, Fraction]:
        return Fraction(-sum(self.values)), Fraction(sum(self.values))

    def nodes(self) -> int:
        """Fleets fill as many cells wherever they are, so shots can be counted without knowing where."""
        fleets = {0: 1}  # the cells that a side's ships have taken, and in how many ways
        total = ways = 1
        for number in range(len(self.ships)):
            following: dict[int, int] = {}
            for taken, count in fleets.items():
                for name in self.room(number, taken):
                    after = taken | self._bits[name]
                    following[after] = following.get(after, 0) + count
            fleets, before, ways = following, ways, sum(following.values())
            total += ways * before + ways**2
        filled = sum(self.ships)

        def afloat(shots: int) -> int:
            """In how many ways so many shots leave some ship afloat."""
            others = shots - filled
            sinking = perm(shots, filled) * perm(self.cells - filled, others) if others >= 0 else 0
            return perm(self.cells, shots) - sinking

        for shots in range(self.shots):
            fired = afloat(shots) * (self.cells - shots)  # side 0 shoots, then side 1 if it can
            total += ways**2 * (fired * afloat(shots) + afloat(shots + 1) * fired)
        return total


def _size(board: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})", board)
    width, height = map(int, match.groups()) if match else (0, 0)
    if not 1 <= width * height <= MOST_CELLS:
        raise GameError(f"expected a board of width x height, such as 2x2, of 1 to {MOST_CELLS} cells, got {board!r}")
    return width, height


def _joined(numbers: Sequence[object]) -> str:
    more = "-…" if len(numbers) > MOST_CELLS else ""
    return "-".join(map(str, numbers[:MOST_CELLS])) + more or "none"


@game_factory
def battleship(
    board: Annotated[str, f"width x height, such as 2x2, at most {MOST_CELLS} cells"] = BOARD,
    ships: Annotated[Sequence[int], "the length of each ship"] = SHIPS,
    values: Annotated[Sequence[int], "what each ship pays when it is sunk"] = VALUES,
    shots: Annotated[int, "shots of each side"] = SHOTS,
) -> Battleship:
    """Battleship on a small board: hidden ships, shots in turns."""
    return Battleship(board, ships, values, shots)
