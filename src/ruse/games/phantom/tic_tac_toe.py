"""Phantom tic-tac-toe (Cauwet and Teytaud 2018, §III): nobody sees the other's moves.

The paper: "a permutation of the 9 locations is chosen. […] Whenever a player chooses a location already occupied, the
move is switched to the next location in the order of the permutation." So a pure strategy is a list of the nine cells,
and a turn takes its first free cell. (Whether turn t begins at entry t or at the first is the same: all entries before
the first free one are taken by then.) Table I gives a "complete pure strategy" 18 parameters: a list for each side. It
is a table of 9! × 9! outcomes (shared/reference.md). The cells are a to i, row by row, as in tic-tac-toe; other boards
are smaller or larger relatives. Nobody had published a value.
"""

from __future__ import annotations

from typing import Annotated

from ruse.core.parameters import game_factory
from ruse.games.phantom.rules import LETTERS, Unseen, read_board, straight_lines

MOST_CELLS = len(LETTERS)
BOARD, LINE = "3x3", 3


@game_factory
def phantom_tic_tac_toe(
    board: Annotated[str, f"rows x columns, such as 3x3, at most {MOST_CELLS} cells"] = BOARD,
    line: Annotated[int, "how many in a row win"] = LINE,
) -> Unseen:
    """Phantom tic-tac-toe: each side lists the cells beforehand and takes the first free one, unseen."""
    rows, columns = read_board(board, line, MOST_CELLS)
    cells = LETTERS[: rows * columns]
    lines = [
        tuple(row * columns + column for row, column in cells_of) for cells_of in straight_lines(rows, columns, line)
    ]
    return Unseen(
        "phantom-tic-tac-toe",
        {"board": BOARD, "line": LINE},
        {"board": f"{rows}x{columns}", "line": line},
        cells,
        1,
        lines,
        _renamings(cells, rows, columns),
    )


def _renamings(cells: str, rows: int, columns: int) -> list[str]:
    """What the cells are called on the board turned and mirrored: eight ways, or four if it is not square."""
    flips = [(upside, aside) for upside in (False, True) for aside in (False, True)]
    lists = []
    for turned in (False, True) if rows == columns else (False,):
        for upside, aside in flips:
            names = ""
            for row in range(rows):
                for column in range(columns):
                    y, x = (rows - 1 - row if upside else row), (columns - 1 - column if aside else column)
                    names += cells[x * columns + y if turned else y * columns + x]
            lists.append(names)
    return lists
