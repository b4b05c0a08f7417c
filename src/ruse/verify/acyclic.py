"""What a policy guarantees in an open game that never comes back to a state: best responses state by state.

The value of a state to the other side, who knows the policy, is the payoff at the end, the best of its moves where it
moves itself, and the expected value of what follows at chance and where the policy moves. Each state is visited once,
in Fractions. States of one board count as one; those of a memoryless game are their own boards.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction

from ruse.core.capabilities import Memoryless, Open
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, Move, State, describe
from ruse.core.types import Policy
from ruse.verify.tree import VerifyError, check_odds


def guarantee(game: Open, side: int, policy: Policy) -> Fraction:
    """The payoff to side 0 when the other side answers `side`'s policy as well as it can."""
    best = min if side == 0 else max
    board: Callable[[State], Hashable] = (lambda state: state) if isinstance(game, Memoryless) else game.board
    values: dict[Hashable, Fraction] = {}  # by boards
    following: dict[Hashable, list[tuple[Fraction, Hashable]]] = {}  # of boards that wait for what follows
    start = game.start()
    stack = [(start, board(start))]
    while stack:
        tick()
        state, here = stack[-1]
        if here in values:
            stack.pop()
            continue
        turn = game.turn(state)
        if turn == END:
            values[here] = Fraction(game.payoff(state))
            continue
        if here not in following:
            states = [(share, game.play(state, move)) for move, share in _weights(game, side, policy, state)]
            boards = [(share, board(after)) for share, after in states]
            following[here] = boards
            stack.extend(
                (after, there) for (_, after), (_, there) in zip(states, boards, strict=True) if there not in values
            )
            continue
        try:
            parts = [(share, values[after]) for share, after in following.pop(here)]
        except KeyError:
            raise VerifyError(f"expected a game that never returns to a state, got {game.title}") from None
        if turn == 1 - side:
            values[here] = best(value for _, value in parts)
        else:
            values[here] = sum((share * value for share, value in parts), Fraction(0))
    return values[board(start)]


def _weights(game: Open, side: int, policy: Policy, state: State) -> list[tuple[Move, Fraction]]:
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
