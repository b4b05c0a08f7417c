"""Sides of a game by any of their names: 0, "first", "Player 1"."""

from __future__ import annotations

from ruse.core.game import Game, PositionError, display_name, noun


def side_number(game: Game, side: int | str) -> int:
    """The number of a side. Raises PositionError where the game has no side of that name.

    Accepts the number, the name in files and on the command line ("first", "spies"), and the name in sentences
    ("Player 1"), in upper or lower case.
    """
    if isinstance(side, str):
        for number, name in enumerate(game.sides):
            if side.casefold() in {
                text.casefold() for text in (name, display_name(name), noun(name), f"Player {number + 1}")
            }:
                return number
    elif not isinstance(side, bool) and (side == 0 or side == 1):
        return int(side)
    first, second = map(display_name, game.sides)
    raise PositionError(f"{side!r} is not a side of {game.title}; use 0, 1, {first} or {second}")
