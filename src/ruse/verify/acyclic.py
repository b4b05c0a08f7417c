"""What a policy guarantees in a memoryless game that never comes back to a state: best responses state by state.

The value of a state to the other side, who knows the policy, is the payoff at the end, the best of its moves where it
moves itself, and the expected value of what follows at chance and where the policy moves. Each state is visited once,
in Fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ruse.core.capabilities import Memoryless
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, Move, State, describe
from ruse.core.types import Policy
from ruse.verify.tree import VerifyError, check_odds


def guarantee(game: Memoryless, side: int, policy: Policy) -> Fraction:
    """The payoff to side 0 when the other side answers `side`'s policy as well as it can."""
    best = min if side == 0 else max
    worth: dict[State, Fraction] = {}
    following: dict[State, list[tuple[Fraction, State]]] = {}  # of states that wait for what follows
    stack = [game.start()]
    while stack:
        tick()
        state = stack[-1]
        if state in worth:
            stack.pop()
            continue
        turn = game.turn(state)
        if turn == END:
            worth[state] = Fraction(game.payoff(state))
            continue
        if state not in following:
            following[state] = [(share, game.play(state, move)) for move, share in _weights(game, side, policy, state)]
            stack.extend(after for _, after in following[state] if after not in worth)
            continue
        try:
            parts = [(share, worth[after]) for share, after in following.pop(state)]
        except KeyError:
            raise VerifyError(f"expected a game that never returns to a state, got {game.title}") from None
        if turn == 1 - side:
            worth[state] = best(value for _, value in parts)
        else:
            worth[state] = sum((share * value for share, value in parts), Fraction(0))
    return worth[game.start()]


def _weights(game: Memoryless, side: int, policy: Policy, state: State) -> list[tuple[Move, Fraction]]:
    """The moves that can be made at a state, with their odds; 1 for each where the other side chooses."""
    turn = game.turn(state)
    if turn == CHANCE:
        pairs = list(zip(game.moves(state), game.odds(state), strict=True))
    elif turn == side:
        odds: Mapping[Move, Fraction] = policy(state)
        check_odds(odds, game.moves(state), lambda: describe(game, game.knows(state, side)))
        pairs = list(odds.items())
    else:
        return [(move, Fraction(1)) for move in game.moves(state)]
    return [(move, share) for move, share in pairs if share]
