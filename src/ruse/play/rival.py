"""The computer's side: it follows the stored strategy, also after mistakes, and draws its moves exactly.

A draw is a uniform whole number below the common denominator of the odds, so a move with odds p/q comes up in exactly p
of q cases. Every ply of a game has its own random stream (SHAKE-256 of the seed and the ply): the same seed and moves
of the person give the same game on any machine.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from hashlib import shake_256
from itertools import count, islice
from math import lcm
from typing import TypeVar

from ruse.core.game import CHANCE, END, Game, Move, PositionError, RuseError, State, describe
from ruse.play.manner import manner_of
from ruse.solution.strategy import Solution
from ruse.verify.tree import VerifyError, check_odds

M = TypeVar("M", bound=Hashable)
MOST_LOOKED_THROUGH = 100_000  # moves to search for one label
SHOWN = 40  # characters of an unknown move in a message


class IllegalMove(PositionError):
    """A move that cannot be made here."""


def below(most: int, seed: int, ply: int) -> int:
    """Draw a uniform whole number from 0 to most - 1: bits of the stream until they give such a number."""
    bits = most.bit_length()
    for attempt in count():
        digest = shake_256(f"ruse/{seed}/{ply}/{attempt}".encode()).digest(-(-bits // 8))
        number = int.from_bytes(digest, "big") >> -bits % 8
        if number < most:
            return number
    raise AssertionError  # `count` does not end


def drawn(odds: Mapping[M, Fraction], seed: int, ply: int) -> M:
    """Draw a move by its exact odds."""
    unit = lcm(*(share.denominator for share in odds.values()))
    left = below(unit, seed, ply)
    for move, share in odds.items():
        left -= share.numerator * (unit // share.denominator)
        if left < 0:
            return move
    raise VerifyError("the odds sum to less than 1")


def find(game: Game, state: State, label: str) -> Move:
    """Find the move with a label at a state, with seats in any order: ba is ab.

    Some games have too many moves to search; there a move is its own label.
    """
    moves = game.moves(state)
    if label in moves and game.label(label) == label:
        return label
    if len(moves) <= MOST_LOOKED_THROUGH:
        labels = {game.label(move): move for move in moves}
        for meant in (label, "".join(sorted(label.lower())) if label.isalpha() else label):
            if meant in labels:
                return labels[meant]
    raise IllegalMove(f"expected {_one_of(game, moves)}, got {label[:SHOWN]!r}")


def _one_of(game: Game, moves: Sequence[Move]) -> str:
    if len(moves) <= 12:
        return f"one of the moves {', '.join(map(game.label, moves))}"
    many = f"one of {len(moves):,} moves" if len(moves) < sys.maxsize else "a move"  # which is as far as len counts
    return f"{many} such as {game.label(moves[0])}"


def _ever_moves(game: Game, side: int) -> bool:
    """Whether a side moves at one of the first states of a walk."""
    return any(game.turn(state) == side for state in islice(_states(game), MOST_LOOKED_THROUGH))


def _states(game: Game) -> Iterator[State]:
    """Walk all states, first moves first, without listing moves in advance, because some states have very many."""
    ways: list[Iterator[State]] = [iter((game.start(),))]
    while ways:
        for state in ways[-1]:
            yield state
            if game.turn(state) != END:
                moves: Iterable[Move] = game.moves(state)
                if game.turn(state) == CHANCE:
                    moves = [move for move, odds in zip(moves, game.odds(state), strict=True) if odds]
                ways.append(map(partial(game.play, state), moves))
                break
        else:
            ways.pop()


class Rival:
    """The opponent: one side of a solution, with the game in which it plays and how it plays it."""

    def __init__(self, solution: Solution, side: int, reference: Solution | None = None) -> None:
        """Play the strategy of the reference pair (ruse.insight.costs) if there is one, else the stored strategy."""
        self.solution, self.side, self.reference = solution, side, reference
        played = reference or solution
        self.manner = manner_of(solution.game)(played)
        self.game: Game = self.manner.game()
        self.strategy = played.strategy(side)
        if not self.strategy.table and _ever_moves(self.game, side):
            raise RuseError(
                f"this solution of {solution.game.title} has no strategies to play against; use smaller parameters"
            )
        self._policy = self.manner.policy(side)

    def odds(self, state: State) -> Mapping[Move, Fraction]:
        """The odds of each move where chance or this side moves, in an order that does not depend on files."""
        game = self.game
        if game.turn(state) == CHANCE:
            return dict(zip(game.moves(state), game.odds(state), strict=True))
        if self._policy is not None:
            return self._policy(state)
        position = describe(game, game.knows(state, self.side))
        try:
            shares: Mapping[str, Fraction] = self.strategy.at(position)
        except PositionError:
            if self.solution.judged and self.solution.written:
                raise
            moves = game.moves(state)  # a sampled strategy has no odds where no sample has been
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        check_odds(shares, None, lambda: position)
        return {find(game, state, label): shares[label] for label in sorted(shares) if shares[label]}
