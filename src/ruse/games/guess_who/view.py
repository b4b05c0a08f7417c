"""Positions of Guess Who, and who wins how often by both numbers."""

from __future__ import annotations

from ruse.core.game import END, PositionError, called, describe
from ruse.games.guess_who.rules import Board, GuessWho
from ruse.view.grids import Table, scale
from ruse.view.states import StateViewer


def find(game: GuessWho, position: str) -> Board | None:
    """Numbers of characters left, and perhaps the question that has been asked; None if it is neither."""
    head, _, asked = position.rpartition("/")
    state = _read(game, position)
    if state is None and (before := _read(game, head)) is not None and game.turn(before) != END:
        state = next((game.play(before, move) for move in game.moves(before) if game.label(move) == asked), None)
    if state is None:
        return None
    most = _most(game, state)
    sane = 1 <= state.mine <= most[0] and 1 <= state.theirs <= most[1]
    return state if sane and describe(game, state) == position else None


def _read(game: GuessWho, position: str) -> Board | None:
    try:
        return game.read(position)
    except PositionError:
        return None


def _most(game: GuessWho, state: Board) -> tuple[int, int]:
    """The characters that the side to move began with, and the other."""
    begin = game.start()
    return (begin.mine, begin.theirs) if state.turn == 0 else (begin.theirs, begin.mine)


def grid(viewer: StateViewer, state: Board) -> tuple[Table, str]:
    """Winning rates around both numbers."""
    game = viewer.game
    assert isinstance(game, GuessWho)
    most = _most(game, state)
    rows, columns = scale(1, most[0], state.mine), scale(1, most[1], state.theirs)
    sign = 1 - 2 * state.turn
    table = [["", *map(str, columns)]]
    for mine in rows:
        shares = [(1 + sign * viewer.value(Board(state.turn, mine, theirs))) / 2 for theirs in columns]
        table.append([str(mine), *(f"{100 * float(share):.1f}" for share in shares)])
    return table, (
        f"The table: how often {called(game.sides[state.turn])} wins, in percent, when it is to move, "
        "by its characters left (down) and the other's (across)."
    )
