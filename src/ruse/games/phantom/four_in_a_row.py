"""Phantom 4-in-a-row (Cauwet and Teytaud 2018, §III): stones fall into columns, and nobody sees the board.

The paper: "In a 4x7 grid, at each turn, the players choose a permutation of the 7 locations and a move, without
observation of the game. If the chosen location is already full, the stone goes to the next location according to the
permutation. The first player with 4 stones aligned wins." Table I calls a complete pure strategy "the chosen list of
moves". Our reading is that list: columns in the order in which the side will use them, each as often as it has rows; a
turn drops a stone into the first column of the list that is not full and was not used up, as in phantom tic-tac-toe.
What the paper leaves open is what a side does after a full column; here it goes on with its list. The columns are a
to g from left to right; a board is rows x columns.
"""

from __future__ import annotations

from typing import Annotated

from ruse.core.game import GameError
from ruse.core.parameters import game_factory
from ruse.games.phantom.rules import LETTERS, MOST_CELLS, Unseen, read_board, straight_lines

BOARD, LINE = "4x7", 4


@game_factory
def phantom_four_in_a_row(
    board: Annotated[str, f"rows x columns, such as 4x7, at most {MOST_CELLS} cells"] = BOARD,
    line: Annotated[int, "how many in a row win"] = LINE,
) -> Unseen:
    """Phantom 4-in-a-row: both drop stones into columns by a list, unseen."""
    rows, columns = read_board(board, line, MOST_CELLS)
    if columns > len(LETTERS):
        raise GameError(f"expected at most {len(LETTERS)} columns, got {columns}")
    names = LETTERS[:columns]
    lines = [tuple(column * rows + row for row, column in cells_of) for cells_of in straight_lines(rows, columns, line)]
    return Unseen(
        "phantom-4-in-a-row",
        {"board": BOARD, "line": LINE},
        {"board": f"{rows}x{columns}", "line": line},
        names,
        rows,
        lines,
        [names, names[::-1]],
    )
