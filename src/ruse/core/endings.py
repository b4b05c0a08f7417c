"""Look for a play that never ends, in games that are too large to walk.

Plays that avoid the end as long as a move does not lead there at once soon come back to a state, or become longer than
any play may be, where bids need not rise or a board can be repeated. What they do not find may still be there.
"""

from __future__ import annotations

from random import Random

from ruse.core.clock import tick
from ruse.core.contract import comes_back, endless, most_moves
from ruse.core.game import CHANCE, END, Game, Move, State

PLAYS, FEW_PLAYS = 12, 2
MOST_STEPS = 100_000  # of all of them together, but for one that is begun
MOST_TRIED = 8  # moves at a state, to find one that does not end the play


def look_for_endless(game: Game, random: Random, plays: int = PLAYS) -> None:
    """Raise a GameError of a play that comes back to a state, or goes on for more moves than a play may have."""
    steps = 0
    for _ in range(plays):
        steps += _play_on(game, random)
        if steps > MOST_STEPS:
            return


def _play_on(game: Game, random: Random) -> int:
    """One play that goes on as long as it can; how many moves it has."""
    state, most = game.start(), most_moves(game)
    been = {state}
    while game.turn(state) != END:
        tick()
        if len(been) > most:
            raise endless(game, state)
        state = _further(game, state, random)
        if state in been:
            raise comes_back(game, state)
        been.add(state)
    return len(been) - 1


def _further(game: Game, state: State, random: Random) -> State:
    """What follows one of the moves: if any of those that are tried does not end the play, such a one."""
    moves: list[Move] = list(game.moves(state))
    if game.turn(state) == CHANCE:
        moves = [move for move, odds in zip(moves, game.odds(state), strict=True) if odds]
    for move in random.sample(moves, min(len(moves), MOST_TRIED)):
        after = game.play(state, move)
        if game.turn(after) != END:
            break
    return after
