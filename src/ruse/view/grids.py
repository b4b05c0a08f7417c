"""Tables of the states around one: numbers for a heat map, or the board itself. Heads come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruse.core.game import State
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.games.guess_who import Board, GuessWho
from ruse.games.pig import HOLD_AT, Pig, Race
from ruse.games.tic_tac_toe import CELLS, TicTacToe

if TYPE_CHECKING:
    from ruse.view.states import StateViewer

MOST_CELLS = 40  # rows and columns
Table = list[list[str]]


def grid(viewer: StateViewer, state: State) -> tuple[Table, str]:
    """The table, and what it shows in a sentence; empty for games without one."""
    game = viewer.game
    if isinstance(game, GuessWho):
        return _win_rates(viewer, game, state)
    if isinstance(game, Pig):
        return _holds(viewer, game, state)
    if isinstance(game, TicTacToe):
        cells = [cell if mark == "." else mark for cell, mark in zip(CELLS, game.board(state), strict=True)]
        rows = [["", *cells[row : row + 3]] for row in (0, 3, 6)]
        return [["", "", "", ""], *rows], ""
    if isinstance(game, FourInARow):
        columns = [column.strip("-").ljust(game.rows) for column in game.tell(state)[1:].split(",")]
        heads = [game.label(column) for column in range(game.columns)]
        rows = [[str(row + 1), *(column[row].strip() for column in columns)] for row in reversed(range(game.rows))]
        return [["", *heads], *rows], ""
    return [], ""


def _scale(low: int, high: int, here: int) -> list[int]:
    """At most MOST_CELLS numbers from low to high, one of them `here`."""
    pace = -(-(high - low + 1) // MOST_CELLS)
    numbers = [number for number in range(low, high + 1) if (number - here) % pace == 0]
    return numbers[:MOST_CELLS] if here in numbers[:MOST_CELLS] else numbers[-MOST_CELLS:]


def _win_rates(viewer: StateViewer, game: GuessWho, state: Board) -> tuple[Table, str]:
    begin = game.start()
    most = (begin.mine, begin.theirs) if state.turn == 0 else (begin.theirs, begin.mine)
    rows, columns = _scale(1, most[0], state.mine), _scale(1, most[1], state.theirs)
    sign = 1 - 2 * state.turn
    table = [["", *map(str, columns)]]
    for mine in rows:
        shares = [(1 + sign * viewer.value(Board(state.turn, mine, theirs))) / 2 for theirs in columns]
        table.append([str(mine), *(f"{100 * float(share):.1f}" for share in shares)])
    return table, (
        f"The table: how often {game.sides[state.turn]} wins, in per cent, when it is to move, "
        "by its characters left (down) and the other's (across)."
    )


def _holds(viewer: StateViewer, game: Pig, state: Race) -> tuple[Table, str]:
    rows, columns = _scale(0, game.goal - 1, state.mine), _scale(0, game.goal - 1, state.theirs)
    stored = viewer.solution.tables[state.turn]
    table = [["", *map(str, columns)]]
    for mine in rows:
        moves = [next(iter(stored[game.filed(state.turn, mine, theirs)])) for theirs in columns]
        table.append([str(mine), *(str(game.holds(move, mine)[0].start) for move in moves)])
    assert all(move.startswith(HOLD_AT) for move in moves)
    return table, (
        f"The table: the lowest turn total at which {game.sides[state.turn]} holds, "
        "by its score (down) and the other's (across)."
    )
