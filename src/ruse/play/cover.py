"""The picture of a game in a list of games: a position from the middle of a game, without a solution."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from ruse.core.game import CHANCE, END, Game, State, describe
from ruse.core.registry import presentation
from ruse.play.pictures import Picture, read, usual
from ruse.play.shown import guarded


@lru_cache(maxsize=256)
def cover(game: Game) -> Picture:
    """Draw a position from the middle of a game, as the side to move sees it. The same game gives the same picture."""
    show = presentation(game)

    def draw() -> Picture:
        state = _played(game, show.cover_moves)
        turn = game.turn(state)
        side = max(turn, 0)
        knowledge = game.knows(state, side)
        drawn = read(show.picture(knowledge, side, None), ())
        return drawn if drawn.text() else usual(game, describe(game, knowledge))

    return guarded(game, draw)


def _played(game: Game, moves: int) -> State:
    """Return a state after so many random moves of the sides, before the end."""
    random, state = Random(game.name), game.start()
    while (turn := game.turn(state)) != END and (moves or turn == CHANCE):
        after = game.play(state, random.choice(game.moves(state)))
        if game.turn(after) == END:
            break
        state, moves = after, moves - (turn != CHANCE)
    return state
