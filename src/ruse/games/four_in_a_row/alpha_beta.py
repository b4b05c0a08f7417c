"""Alpha-beta (Knuth and Moore 1975) for 4-in-a-row: negamax in null windows with a table of positions seen.

Whether a side wins, and whether it at least draws, are two searches of windows without a value between; what they
leave in the table serves both. Columns in the middle come first, then those that make most threats.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ruse.games.four_in_a_row import kernel as four

MOST_BITS = 24  # of the places in the table of positions: 150 MB


class Board(Protocol):
    """How large the board is, and how long a line."""

    rows: int
    columns: int
    line: int


class AlphaBeta:
    """Searches that remember. Stones are bits, as in `ruse.games.four_in_a_row.kernel`."""

    def __init__(self, board: Board) -> None:
        self._sizes = board.rows, board.columns, board.line
        bits = min(MOST_BITS, max(12, board.rows * board.columns))
        self._keys = np.full(1 << bits, -1, np.int64)  # int64[places]
        self._seen = np.zeros(1 << bits, np.int8)  # int8[places]
        self._nodes = np.array([0, 0, bits], np.int64)
        middle = board.columns - 1
        self.order = sorted(range(board.columns), key=lambda column: (abs(2 * column - middle), column))
        self._order = np.array(self.order, np.int64)  # int64[columns]
        self.tried = 0

    def at_least(self, target: int, mine: int, theirs: int, budget: int) -> bool | None:
        """Whether the side to move, whose stones are `mine`, can get 0 or 1; None after so many positions.

        Asked again, it goes on from what it remembers.
        """
        self._nodes[:2] = 0, budget
        result = four.search(
            np.int64(mine),
            np.int64(theirs),
            target - 1,
            target,
            *self._sizes,
            self._order,
            self._keys,
            self._seen,
            self._nodes,
        )
        self.tried += int(self._nodes[0])
        return None if result == four.UNKNOWN else bool(result >= target)
