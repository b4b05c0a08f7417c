"""How battleship is shown: both seas, what a side has found out of the other's, and its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ruse.core.presentation import Presentation, Situation
from ruse.games.battleship.rules import LETTERS, Battleship, BattleshipKnowledge, Sea
from ruse.play.pictures import Cell, Grid, Picture
from ruse.present.frequency import counted

SIGNS = "Signs: o a miss, x a hit, X a hit that sank a ship, S a ship of yours."
FIRED = {
    "miss": Cell("o", "a miss", "ashore", sign="miss"),
    "hit": Cell("x", "a hit", "failed", sign="hit"),
    "sunk": Cell("X", "a hit that sank a ship", "failed", sign="sunk"),
}


class BattleshipPresentation(Presentation[Battleship]):
    cover_moves = 7

    def openspiel_name(self) -> str:
        game = self.game
        ships, values = (f"[{';'.join(map(str, numbers))}]" for numbers in (game.ships, game.values))
        return (
            f"battleship(board_width={game.width},board_height={game.height},ship_sizes={ships},ship_values={values},"
            f"num_shots={game.shots},allow_repeated_shots=False,loss_multiplier=1.0)"
        )

    def move_phrase(self, position: str, move: str) -> str:
        head = position.removeprefix(self.game.title).partition("/")[0]
        placed = len(head.split("+")) if head else 0
        return f"put the ship on {move}" if placed < len(self.game.ships) else f"shoot at {move}"

    def situations(self, knowledge: BattleshipKnowledge, side: int) -> Sequence[Situation]:
        """The ship to place, beside which ships; or what the shots have found out, and where the next goes."""
        game = self.game
        if knowledge.placed < 2 * len(game.ships):
            number = len(knowledge.ships)
            heading = "Placing your ships"
            when = f"The ship of {counted(game.ships[number], 'cell')}"
            beside = f", with others on {' and '.join(knowledge.ships)}" if number else ""
            taken = set().union(*(self._cells_of(name) for name in knowledge.ships))
            return [Situation(heading, when + beside), Situation(heading, when, self._placed(taken))]
        fired = dict(shot.split("-") for shot in knowledge.shots[side::2])
        hits = [cell for cell, result in fired.items() if result == "hit"]
        sunk = sum(result == "sunk" for result in fired.values())
        when = "After misses alone"
        if hits or sunk:
            when = "After hitting a ship that still floats" if hits else "After sinking a ship"
        heading = f"Shot {len(fired) + 1}"
        so_far = ", ".join(f"{cell} {result}" for cell, result in fired.items())
        return [
            Situation(heading, f"After {so_far}" if so_far else ""),
            Situation(heading, when if fired else "", self._aimed(fired)),
        ]

    def _placed(self, taken: set[str]) -> Callable[[str], str]:
        """Where a ship may be put, by whether it touches others."""

        def name(move: str) -> str:
            if not taken:
                return "put it on any place"
            near = {beside for cell in self._cells_of(move) for beside in self._beside(cell)}
            return "put it beside another ship" if near & taken else "put it apart from the others"

        return name

    def _aimed(self, fired: Mapping[str, str]) -> Callable[[str], str]:
        """Where a shot may go, by what is known of the cells beside it."""

        def name(move: str) -> str:
            near = {fired.get(cell) for cell in self._beside(move)}
            if "hit" in near:
                return "shoot beside the hit"
            if "sunk" in near:
                return "shoot beside the ship that sank"
            return "shoot beside a miss" if "miss" in near else "shoot at a cell with nothing known beside it"

        return name

    def _cells_of(self, berth: str) -> set[str]:
        """The names of the cells between the two ends of a ship."""
        cells = self.game.cells_by_name()
        bits = next((berths[berth] for berths in self.game.berths if berth in berths), 0)
        return {name for name, bit in cells.items() if bit & bits}

    def _beside(self, cell: str) -> set[str]:
        column, row = LETTERS.index(cell[0]), int(cell[1:])
        near = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
        return {f"{LETTERS[across]}{down}" for across, down in near if 0 <= across < len(LETTERS)}

    def picture(self, knowledge: BattleshipKnowledge, side: int, end: Sea | None) -> Picture:
        """The other's sea, whose cells are shots, and one's own beside it; one's own alone until ships are placed."""
        game = self.game
        placing = knowledge.placed < 2 * len(game.ships)
        fired = dict(shot.split("-") for shot in knowledge.shots[side::2])
        suffered = knowledge.shots[1 - side :: 2]
        ships = 0
        for berths, name in zip(game.berths, knowledge.ships, strict=False):
            ships |= berths[name]

        def theirs(name: str, bit: int) -> Cell:
            return FIRED[fired[name]] if name in fired else Cell(".", f"{name}, not shot at", "free", name)

        def mine(name: str, bit: int) -> Cell:
            if name in suffered and ships & bit:
                return Cell("x", f"{name}, your ship, hit", "theirs", sign="hit")
            if name in suffered:
                return Cell("o", f"{name}, water, shot at", "ashore", sign="miss")
            if ships & bit:
                return Cell("S", f"{name}, your ship", "mine", sign="ship")
            return Cell(".", f"{name}, water", "free", name if placing else "")

        if placing:
            left = game.ships[len(knowledge.ships) :]
            lines = [f"Your next ship takes {left[0]} cell{'s in a line' if left[0] > 1 else ''}."] if left else []
            return Picture(lines, _grid(game, "Your sea", [mine]))
        lines = [f"Shots left: you {game.shots - len(fired)}, other side {game.shots - len(suffered)}.", SIGNS]
        return Picture(lines, _grid(game, "Their sea and yours", [theirs, mine]))


def _grid(game: Battleship, title: str, seas: Sequence[Callable[[str, int], Cell]]) -> Grid:
    letters = LETTERS[: game.width]
    heads = [Cell("", "row")]
    rows = [[Cell(str(row + 1), f"row {row + 1}", "number")] for row in range(game.height)]
    for number, sea in enumerate(seas):
        if number:
            heads.append(Cell("|", "between"))
        heads += [Cell(letter, f"column {letter}") for letter in letters]
        for row, cells in enumerate(rows):
            if number:
                cells.append(Cell("|", "your own sea", "between"))
            cells += [sea(f"{letter}{row + 1}", 1 << game.width * row + at) for at, letter in enumerate(letters)]
    return Grid(title, heads, rows, "board")
