"""Positions of Pig, and the totals to hold at by both scores."""

from __future__ import annotations

import re

from ruse.core.game import called, describe
from ruse.games.pig.rules import HOLD_AT, Pig, Race
from ruse.view.grids import Table, scale
from ruse.view.states import StateViewer

NUMBERS = re.compile(r"(\d{1,3}),(\d{1,3}),(\d{1,3})(/roll)?", re.ASCII)


def find(game: Pig, position: str) -> Race | None:
    """The state of a position, or None."""
    head, _, rest = position.partition("/")
    numbers = NUMBERS.fullmatch(rest)
    sides = [f"{game.title}@{side}" for side in game.sides]
    if numbers is None or head not in sides:
        return None
    mine, theirs, total = (int(number) for number in numbers.groups()[:3])
    state = Race(sides.index(head), mine, theirs, total, numbers[4] is not None)
    ended = mine + total >= game.goal
    sane = mine < game.goal and theirs < game.goal and total != 1 and not (ended and state.rolling)
    sane = sane and mine + total < game.goal + 6
    return state if sane and describe(game, state) == position else None


def grid(viewer: StateViewer, state: Race) -> tuple[Table, str]:
    """The totals to hold at, around both scores."""
    game = viewer.game
    assert isinstance(game, Pig)
    rows, columns = scale(0, game.goal - 1, state.mine), scale(0, game.goal - 1, state.theirs)
    stored = viewer.solution.tables[state.turn]
    table = [["", *map(str, columns)]]
    for mine in rows:
        moves = [next(iter(stored[game.filed(state.turn, mine, theirs)])) for theirs in columns]
        table.append([str(mine), *(str(game.holds(move, mine)[0].start) for move in moves)])
    assert all(move.startswith(HOLD_AT) for move in moves)
    return table, (
        f"The table: the lowest turn total at which {called(game.sides[state.turn])} holds, "
        "by its score (down) and the other's (across)."
    )
