"""How battleship is shown: both seas, what a side has found out of the other's, and its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruse.core.presentation import Presentation
from ruse.games.battleship.rules import LETTERS, Battleship, BattleshipKnowledge, Sea
from ruse.play.pictures import Cell, Grid, Picture

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
