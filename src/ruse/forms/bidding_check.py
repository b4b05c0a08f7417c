"""Whether the plain numbers of a game of rising bids are those of its rules, seen along random plays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from ruse.core.bidding import Bidding
from ruse.core.clock import tick
from ruse.core.game import CHANCE, END, Game, GameError, describe

PLAYS = 200


def along_plays(game: Game, bidding: Bidding, plays: int = PLAYS) -> None:
    """Play at random by the rules, and compare hands, odds, moves, positions and payoffs. Raises GameError."""
    random = Random(0)
    bidding.check()
    odds = [Fraction(weight, sum(bidding.weights)) for weight in bidding.weights]
    for _ in range(plays):
        tick()
        state, hands, made = game.start(), list[int](), list[str]()
        while (turn := game.turn(state)) != END:
            moves = list(game.moves(state))
            labels = [game.label(move) for move in moves]
            if turn == CHANCE:
                _same(game, labels, list(bidding.hands), state)
                _same(game, list(game.odds(state)), odds, state)
                hands.append(random.randrange(len(moves)))
                state = game.play(state, moves[hands[-1]])
                continue
            rest = bidding.bids[bidding.bids.index(made[-1]) + 1 :] if made else bidding.bids
            _same(game, labels, [*rest, *[bidding.call] * bool(made)], state)
            _same(game, [turn, len(hands)], [len(made) % 2, 2], state)
            place = "/".join((f"{game.title}@{bidding.hands[hands[turn]]}", *made))
            _same(game, [describe(game, game.knows(state, turn))], [place], state)
            chosen = random.randrange(len(moves))
            made.append(labels[chosen])
            state = game.play(state, moves[chosen])
        bid = bidding.bids.index(made[-2])
        true = sum(bidding.counts[bid][hand] for hand in hands) >= bidding.needs[bid]
        _same(game, [game.payoff(state)], [Fraction(1 if true == (len(made) % 2 == 0) else -1)], state)


def _same(game: Game, actual: Sequence[object], expected: Sequence[object], state: object) -> None:
    if list(actual) != list(expected):
        raise GameError(
            f"the numbers of {game.title} are not those of its rules: "
            f"expected {expected[:8]} at {state!r}, got {actual[:8]}"
        )
